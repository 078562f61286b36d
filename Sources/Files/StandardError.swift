internal import Glibc
internal import Text

/// The standard error of the process, which is the journal if systemd or the bus started it.
public enum StandardError {
  /// The maximum number of scalars in a line; the rest of a longer line is not written.
  ///
  /// A text of a client has any length, and the journal divides lines of more than 48 KiB.
  ///
  /// Source: journald.conf(5), `LineMax=`.
  static let maxScalars = 10_000

  // A static value is never released, so the descriptor is never closed.
  private static let descriptor = FileDescriptor(adopting: STDERR_FILENO, path: "standard error")

  /// Writes the text as one line.
  ///
  /// U+FFFD replaces scalars that can deceive a reader. A message may quote a text of a client.
  /// Without the replacement, this text could control the terminal or contain a forged second line.
  /// A failure is ignored, because it cannot be reported.
  public static func writeLine(_ text: String) {
    try? descriptor.write(Array((text.harmlessLine(maxScalars: maxScalars) + "\n").utf8))
  }
}
