import DragboardClient
import Glibc

/// Writes a file to a terminal, if it is text.
///
/// A terminal executes control characters. Other bytes are for files and pipes.
struct TerminalWriter {
  /// Maximum number of bytes that a terminal gets.
  private static let maxByteCount = 16 << 20

  /// Writes the file and, if its last line has no end, a line feed.
  ///
  /// - Returns: false if the file is not text; then nothing was written.
  /// - Throws: `DragboardError` if the file cannot be read; `Failure`.
  static func write(_ file: ReceivedFile) throws -> Bool {
    guard let text = try text(of: file) else { return false }
    try Console.write(text.isEmpty || text.utf8.last == UInt8(ascii: "\n") ? text : text + "\n")
    return true
  }

  private static func text(of file: ReceivedFile) throws -> String? {
    guard try file.byteCount <= maxByteCount,
      let text = String(validating: try file.bytes(), as: UTF8.self),
      text.unicodeScalars.allSatisfy(isHarmless)
    else { return nil }
    return text
  }

  private static func isHarmless(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.generalCategory != .control || "\n\r\t".unicodeScalars.contains(scalar)
  }
}
