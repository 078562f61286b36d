import DragboardClient
import Glibc

/// The input of a command: a few bytes in memory, or a file whose descriptor is sent to the daemon.
enum Input {
  case bytes([UInt8])
  case file(SourceFile)

  /// The number of bytes from which on sending a descriptor costs less than sending the bytes.
  private static let minFileByteCount = (8 << 10) + 1

  /// The number of bytes.
  var byteCount: Int {
    switch self {
    case .bytes(let bytes): bytes.count
    case .file(let file): (try? file.byteCount) ?? 0
    }
  }

  /// Whether the file is so large that storing it takes a while.
  var isLarge: Bool { byteCount >= ProgressBar.minByteCount }

  /// The bytes as the content of an item.
  var content: DragItem.Content {
    switch self {
    case .bytes(let bytes): .data(bytes)
    case .file(let file): .file(file)
    }
  }

  /// Returns the first bytes.
  ///
  /// - Throws: `DragboardError` if the file cannot be read.
  func bytes(first count: Int) throws -> [UInt8] {
    switch self {
    case .bytes(let bytes): return Array(bytes.prefix(count))
    case .file(let file): return try file.bytes(first: count)
    }
  }

  /// Determines whether the bytes are text; reads all of them.
  ///
  /// - Throws: `DragboardError` if the file cannot be read.
  func encoding() throws -> TextEncoding {
    var detector = TextEncoding.Detector()
    switch self {
    case .bytes(let bytes): bytes.withUnsafeBytes { detector.take($0) }
    case .file(let file): try file.read { detector.take($0) }
    }
    return detector.end()
  }

  /// Reads a file, or standard input if the path is "-".
  ///
  /// If `isPromised` is true, the bytes are read when they are loaded, so the daemon's limit does not
  /// apply to them.
  static func file(_ path: String, _ limit: SizeLimit, isPromised: Bool) throws -> Input {
    let file = path == "-" ? .standard : try InputFile(path: path)
    return try Input(file, isPromised ? SizeLimit(.max) : limit)
  }

  /// Reads standard input.
  ///
  /// - Throws: `CommandError` if it is too large; `Failure` if it cannot be read.
  static func standard(_ limit: SizeLimit) throws -> Input { try Input(.standard, limit) }

  /// Reads a file, or standard input if the path is "-".
  ///
  /// - Throws: `CommandError` if it does not exist, or is too large; `Failure` if it cannot be
  ///   read.
  static func file(_ path: String, _ limit: SizeLimit) throws -> Input {
    try file(path, limit, isPromised: false)
  }

  /// Reads the texts of standard input, each of which ends with a null byte.
  ///
  /// - Throws: `CommandError` if there are too many, or they are not UTF-8; `Failure` if they
  ///   cannot be read.
  static func nullSeparatedTexts() throws -> [String] {
    let bytes = try InputFile.standard.bytes(atMost: InputLines.Limits.rows.byteCount)
    let texts = bytes.split(separator: 0).map { String(validating: $0, as: UTF8.self) }
    guard texts.count <= InputLines.Limits.rows.count else {
      throw CommandError(
        .refused, "standard input: too many texts (at most \(InputLines.Limits.rows.count))")
    }
    return try texts.map { text in
      guard let text else { throw CommandError(.usage, "standard input: is not UTF-8") }
      return text
    }
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
    let bar = ProgressBar("reading")
    try file.forEachPiece { piece in
      count += piece.count
      guard count <= limit.byteCount else { throw limit.exceeded(by: file.name) }
      if spool == nil, count >= Self.minFileByteCount {
        spool = try SpoolFile()
        try bytes.withUnsafeBytes { try spool?.write($0) }
      }
      if count >> 20 != (count - piece.count) >> 20 { bar.show(Amounts.bytes(count)) }
      if let spool { try spool.write(piece) } else { bytes.append(contentsOf: piece) }
      return true
    }
    self = if let spool { .file(try spool.source) } else { .bytes(bytes) }
  }
}
