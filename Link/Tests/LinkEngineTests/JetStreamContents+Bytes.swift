import Files
import LinkModel

@testable import LinkEngine

extension JetStreamContents {
  /// Stores bytes, and returns their hash.
  @discardableResult
  func put(_ bytes: [UInt8]) async throws -> ContentHash {
    let hash = ContentHash(of: bytes)
    try await put(hash, .inMemory(bytes))
    return hash
  }

  /// Returns the bytes of a content; nil if the server does not have its manifest.
  func get(_ hash: ContentHash) async throws -> [UInt8]? {
    let count = try await calls.run { try self.storedByteCount(of: hash) }
    guard let count else { return nil }
    let content = try await get(hash, byteCount: count) { try MemoryFile.empty() }
    return try content?.read(0..<count)
  }
}
