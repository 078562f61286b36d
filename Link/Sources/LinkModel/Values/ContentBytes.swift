public import Files

/// The bytes of a content: of a small content in memory, of any other in a file.
public enum ContentBytes: Sendable {
  /// The maximum number of bytes of a content in memory.
  public static let maxBytesInMemory = 64 << 10

  case inMemory([UInt8])
  case file(FileDescriptor)

  /// The number of bytes.
  public var byteCount: Int {
    get throws(FileError) {
      switch self {
      case .inMemory(let bytes): bytes.count
      case .file(let file): try file.byteCount()
      }
    }
  }

  /// Reads a part of the bytes.
  public func read(_ range: Range<Int>) throws(FileError) -> [UInt8] {
    switch self {
    case .inMemory(let bytes): return Array(bytes[range])
    case .file(let file):
      guard let bytes = file.read(range.count, at: range.lowerBound), bytes.count == range.count
      else { throw FileError(path: file.path) }
      return bytes
    }
  }

  /// Computes the hash of the bytes.
  public func hash() throws(FileError) -> ContentHash {
    switch self {
    case .inMemory(let bytes): return ContentHash(of: bytes)
    case .file(let file):
      let hasher = ContentHasher()
      try file.forEachPiece {
        hasher.update($0)
        return true
      }
      return hasher.finish()
    }
  }
}
