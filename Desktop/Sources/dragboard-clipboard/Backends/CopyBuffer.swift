import Files
import Glibc

/// The bytes of one type of a copy, in a file in memory.
///
/// The file is not mapped, so that a large copy does not enlarge the process.
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

  /// The hash of the bytes, with a secret of the process.
  var hash: Int { hasher.finalize() }

  /// Appends bytes.
  func append(_ bytes: UnsafeRawBufferPointer) throws(ReadError) {
    guard bytes.count <= limit - count else { throw .tooLarge }
    do throws(FileError) { try file.write(bytes) } catch { throw .system("\(error)") }
    hasher.combine(bytes: bytes)
    count += bytes.count
  }

  /// The bytes.
  func bytes() throws(ReadError) -> [UInt8] {
    var isComplete = true
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { memory, size in
      while size < count {
        let step = pread(
          file.number, memory.baseAddress.map { $0 + size }, count - size, off_t(size))
        guard step > 0 else { break }
        size += step
      }
      isComplete = size == count
    }
    guard isComplete else { throw .system("the file in memory cannot be read") }
    return bytes
  }
}
