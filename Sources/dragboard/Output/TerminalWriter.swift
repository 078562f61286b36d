import DragboardClient
import Glibc

/// A writer of files to a terminal, which writes only text.
///
/// A terminal would execute control characters. Files and pipes get all bytes.
struct TerminalWriter {
  /// The maximum number of bytes that are written to a terminal.
  private static let maxByteCount = 16 << 20

  /// Writes the file.
  ///
  /// If the file does not end with a line feed, appends one.
  ///
  /// - Returns: false if the file is not text. Nothing is written in this case.
  /// - Throws: `DragboardError` if the file cannot be read; `Failure` if it cannot be written.
  static func write(_ file: ReceivedFile) throws -> Bool {
    guard let text = try text(of: file) else { return false }
    try Pager.write(text.isEmpty || text.utf8.last == UInt8(ascii: "\n") ? text : text + "\n")
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
