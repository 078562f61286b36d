import Foundation

/// An operation of a daemon on its files, as `Shims/recorder.c` records it.
enum RecordedOperation {
  case create(path: String, file: UInt64)
  case makeFolder(path: String)
  case write(file: UInt64, at: Int, [UInt8])
  case truncate(file: UInt64, to: Int)
  case rename(from: String, to: String)
  case unlink(path: String)
  /// The bytes of a file are durable from now on.
  case sync(file: UInt64)
  /// The bytes of a file that are not durable yet never become durable, although they can be read.
  case loseWrites(file: UInt64)
  /// The names in a directory are durable from now on.
  case syncNames(path: String)
  /// The daemon was about to send a message.
  case send

  /// Whether the operation makes something durable.
  var isSync: Bool {
    switch self {
    case .sync, .syncNames: true
    default: false
    }
  }

  /// Returns all records of a log, each with its offset in the log.
  static func read(_ log: Data) -> [(operation: RecordedOperation, start: Int)] {
    var operations: [(RecordedOperation, Int)] = []
    var reader = RecordReader(log)
    while let record = reader.next() { operations.append(record) }
    return operations
  }
}

/// A reader of a log.
private struct RecordReader {
  private let log: [UInt8]
  private var offset = 0
  private static let headerSize = 32

  init(_ log: Data) { self.log = Array(log) }

  mutating func next() -> (RecordedOperation, Int)? {
    let start = offset
    guard start + Self.headerSize <= log.count else { return nil }
    let header = log[start..<start + Self.headerSize].withUnsafeBytes { bytes in
      (
        file: bytes.loadUnaligned(fromByteOffset: 0, as: UInt64.self),
        offset: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self),
        first: bytes.loadUnaligned(fromByteOffset: 16, as: UInt32.self),
        second: bytes.loadUnaligned(fromByteOffset: 20, as: UInt32.self),
        kind: bytes.loadUnaligned(fromByteOffset: 24, as: UInt64.self)
      )
    }
    offset += Self.headerSize
    let (first, second) = (take(header.first), take(header.second))
    func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
    let operation: RecordedOperation =
      switch UnicodeScalar(UInt8(header.kind)) {
      case "C": .create(path: text(first), file: header.file)
      case "M": .makeFolder(path: text(first))
      case "W": .write(file: header.file, at: Int(header.offset), first)
      case "T": .truncate(file: header.file, to: Int(header.offset))
      case "R": .rename(from: text(first), to: text(second))
      case "U": .unlink(path: text(first))
      case "F": .sync(file: header.file)
      case "X": .loseWrites(file: header.file)
      case "D": .syncNames(path: text(first))
      default: .send
      }
    return (operation, start)
  }

  private mutating func take(_ count: UInt32) -> [UInt8] {
    defer { offset += Int(count) }
    return Array(log[offset..<offset + Int(count)])
  }
}
