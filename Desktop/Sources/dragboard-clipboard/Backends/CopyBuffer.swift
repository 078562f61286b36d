import Files
import Glibc

/// The bytes of one type of a copy, in a memory file.
///
/// The file is not mapped, so a large copy does not enlarge the process.
@ClipboardActor final class CopyBuffer {
  /// The file.
  let file: FileDescriptor
  /// The number of bytes.
  private(set) var count = 0
  private let limit: Int
  private var hasher = Hasher()

  /// Creates an empty buffer for at most `limit` bytes.
  init(limit: Int) throws(ReadError) {
    do throws(FileError) { file = try MemoryFile.empty() } catch { throw .system("\(error)") }
    self.limit = limit
  }

  /// The hash of the bytes, which depends on a secret of the process.
  var hash: Int { hasher.finalize() }

  /// Appends bytes.
  func append(_ bytes: UnsafeRawBufferPointer) throws(ReadError) {
    guard bytes.count <= limit - count else { throw .tooLarge }
    do throws(FileError) { try file.write(bytes) } catch { throw .system("\(error)") }
    hasher.combine(bytes: bytes)
    count += bytes.count
  }

  /// The bytes.
  func bytes() throws(ReadError) -> [UInt8] { try bytes(from: 0, count: count) }

  /// Calls `body` with one piece of the bytes after another, so that a large text needs little
  /// memory.
  func forEachPiece(_ body: ([UInt8]) throws(ReadError) -> Void) throws(ReadError) {
    let pieceSize = 64 << 10
    for offset in stride(from: 0, to: count, by: pieceSize) {
      try body(try bytes(from: offset, count: min(pieceSize, count - offset)))
    }
  }

  private func bytes(from offset: Int, count: Int) throws(ReadError) -> [UInt8] {
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { memory, size in
      while size < count {
        let step = pread(
          file.number, memory.baseAddress.map { $0 + size }, count - size, off_t(offset + size))
        guard step > 0 else { break }
        size += step
      }
    }
    guard bytes.count == count else { throw .system("the file in memory cannot be read") }
    return bytes
  }
}
