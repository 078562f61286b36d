import DragboardClient
import Glibc

/// The input of a command: a few bytes in memory, or a file whose descriptor is sent to the daemon.
enum Input {
  case bytes([UInt8])
  case file(SourceFile)

  /// The number of bytes from which on sending a descriptor costs less than sending the bytes.
  private static let minFileByteCount = (8 << 10) + 1

  /// Whether the file is so large that storing it takes a while.
  var isLarge: Bool {
    guard case .file(let file) = self, let count = try? file.byteCount else { return false }
    return count >= ProgressBar.minByteCount
  }

  /// Reads standard input.
  ///
  /// - Throws: `CommandError` if it is too large; `Failure` if it cannot be read.
  static func standard(_ limit: SizeLimit) throws -> Input { try Input(.standard, limit) }

  /// Reads a file.
  ///
  /// - Throws: `CommandError` if it does not exist, or is too large; `Failure` if it cannot be
  ///   read.
  static func file(_ path: String, _ limit: SizeLimit) throws -> Input {
    try Input(InputFile(path: path), limit)
  }

  /// Reads the lines of standard input that are not empty.
  ///
  /// - Throws: `CommandError` if there are too many, or they are not UTF-8; `Failure` if they
  ///   cannot be read.
  static func lines() throws -> [String] {
    var lines: [String] = []
    try InputLines(.rows).forEach { _, line in
      if !line.isEmpty { lines.append(String(line)) }
    }
    return lines
  }

  /// Reads a file.
  ///
  /// - Throws: `CommandError` if it is too large; `Failure` if it cannot be read.
  init(_ file: InputFile, _ limit: SizeLimit) throws {
    let size = try file.regularSize()
    try limit.check(size, of: file.name)
    if size >= Self.minFileByteCount {
      self = .file(try SourceFile(descriptor: file.descriptor))
      return
    }
    var bytes: [UInt8] = []
    var count = 0
    var spool: SpoolFile?
    try file.forEachPiece { piece in
      count += piece.count
      guard count <= limit.byteCount else { throw limit.exceeded(by: file.name) }
      if spool == nil, count >= Self.minFileByteCount {
        spool = try SpoolFile()
        try bytes.withUnsafeBytes { try spool?.write($0) }
      }
      if let spool { try spool.write(piece) } else { bytes.append(contentsOf: piece) }
      return true
    }
    self = if let spool { .file(try spool.source) } else { .bytes(bytes) }
  }
}
