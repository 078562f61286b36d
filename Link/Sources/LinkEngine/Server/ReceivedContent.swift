internal import Files
internal import Glibc
internal import LinkModel
internal import Synchronization

/// The numbers of the chunks of a content, in order, for several threads.
final class ChunkNumbers: Sendable {
  private let byteCount: Int
  private let index: Mutex<Int>

  /// Begins with the number `first`.
  init(_ first: Int, byteCount: Int) {
    self.byteCount = byteCount
    index = Mutex(first)
  }

  /// Returns the next number and the bytes of its chunk; nil after the last one.
  func next() -> (index: UInt32, range: Range<Int>)? {
    let next = index.withLock { index in
      defer { index += 1 }
      return index
    }
    let start = next * ContentSeal.chunkSize
    guard start < byteCount else { return nil }
    return (UInt32(next), start..<min(start + ContentSeal.chunkSize, byteCount))
  }
}

/// A content whose chunks arrive in any order and are written to a file.
final class ReceivedContent: Sendable {
  private struct State {
    /// The first chunk that has not arrived.
    var next = 0
    /// The later chunks that have arrived.
    var early: Set<Int> = []
    /// Has the bytes before the chunk `next`.
    var hasher = ContentHasher()
    var lastArrival = ContinuousClock.now
  }

  private let hash: ContentHash
  private let byteCount: Int
  private let file: FileDescriptor
  private let state = Mutex(State())

  init(_ hash: ContentHash, _ byteCount: Int, in file: FileDescriptor) {
    (self.hash, self.byteCount, self.file) = (hash, byteCount, file)
  }

  /// The time since the last arrival of a chunk.
  var idleTime: Duration { state.withLock { $0.lastArrival.duration(to: .now) } }

  private func range(of index: Int) -> Range<Int> {
    let start = index * ContentSeal.chunkSize
    return start..<min(start + ContentSeal.chunkSize, byteCount)
  }

  /// Writes a chunk to the file.
  func add(_ chunk: [UInt8], _ index: Int) throws {
    guard chunk.count == range(of: index).count else { throw LinkError.alteredContent(hash) }
    try write(chunk, at: range(of: index).lowerBound)
    try state.withLock { state in
      state.lastArrival = .now
      guard index == state.next else {
        state.early.insert(index)
        return
      }
      chunk.withUnsafeBytes { state.hasher.update($0) }
      state.next += 1
      while state.early.remove(state.next) != nil {
        let bytes = try ContentBytes.file(file).read(range(of: state.next))
        bytes.withUnsafeBytes { state.hasher.update($0) }
        state.next += 1
      }
    }
  }

  private func write(_ bytes: [UInt8], at offset: Int) throws {
    var written = 0
    while written < bytes.count {
      let count = bytes.withUnsafeBytes { bytes in
        pwrite(
          file.number, bytes.baseAddress?.advanced(by: written), bytes.count - written,
          off_t(offset + written))
      }
      guard count > 0 || errno == EINTR else { throw FileError(path: file.path) }
      written += max(0, count)
    }
  }

  /// Returns the file with all chunks.
  func finish() throws -> FileDescriptor {
    guard state.withLock({ $0.hasher.finish() }) == hash else {
      throw LinkError.alteredContent(hash)
    }
    return file
  }
}
