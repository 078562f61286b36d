import DragboardInterface
import Glibc

enum StandardError {
  /// Writes the text as one line.
  ///
  /// U+FFFD replaces scalars that can deceive a reader. A message may quote a text of a client.
  /// Without the replacement, this text could contain a forged second line.
  static func writeLine(_ text: String) {
    write(text.harmlessLine() + "\n")
  }

  /// Writes the whole text; a failure cannot be reported.
  private static func write(_ text: String) {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let written = bytes.withUnsafeBytes { Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
      guard written > 0 else { return }
      bytes = bytes.dropFirst(written)
    }
  }
}
