import DragboardClient
import Files
import Glibc

/// Disk space for the files of a drop.
///
/// A drag can be accepted only once. The space is reserved before, so that a full disk does not end the
/// drag. An unnamed file occupies the space; before each file is written, its space is released.
final class DiskReservation {
  private let descriptor: FileDescriptor
  private var sizes: ArraySlice<Int>

  /// The unit in which file systems allocate space.
  private static let blockByteCount = 4_096

  /// Reserves space for files.
  ///
  /// - Parameters:
  ///   - sizes: the numbers of bytes; 0 for a file of unknown size, which needs at least one block.
  ///   - directory: the directory of the files.
  /// - Throws: `system` if the disk has no room, or if a file cannot be created.
  init(_ sizes: [Int], in directory: OutputDirectory) throws(Failure) {
    self.sizes =
      sizes.map { size in
        let size = min(max(size, 1), Int.max / 2)
        return (size + Self.blockByteCount - 1) / Self.blockByteCount * Self.blockByteCount
      }[...]
    let name = ".dragboard-\(getpid())"
    let flags = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
    let number = openat(directory.descriptor.number, name, flags, 0o600)
    guard number >= 0 else { throw .system(directory.path) }
    descriptor = FileDescriptor(adopting: number)
    unlinkat(directory.descriptor.number, name, 0)
    // If the file would exceed the limit of a file's size, which each item need not exceed, no space is
    // reserved. Without a handler, the signal would end this process.
    let handler = signal(SIGXFSZ, SIG_IGN)
    let code = posix_fallocate(number, 0, total)
    signal(SIGXFSZ, handler)
    guard code != ENOSPC, code != EDQUOT else {
      throw .system(call: directory.path, code: code)
    }
  }

  private var total: Int {
    sizes.reduce(0) { sum, size in
      let (sum, isTooLarge) = sum.addingReportingOverflow(size)
      return isTooLarge ? Int.max : sum
    }
  }

  /// Releases the space of the next file.
  func releaseNext() {
    sizes = sizes.dropFirst()
    ftruncate(descriptor.number, total)
  }
}

extension DragSession {
  /// Returns the number of bytes of each item in the type that a drop loads; 0 if it is unknown.
  ///
  /// - Throws: `sessionEnded`.
  func loadedSizes(as type: ContentType) async throws(DragboardError) -> [Int] {
    var result: [Int] = []
    for item in 0..<(try await info().itemCount) {
      let types = try await types(ofItem: item)
      let sizes: [Int]
      do throws(DragboardError) { sizes = try await self.sizes(ofItem: item) } catch {
        guard error.reason == .unsupported else { throw error }
        sizes = []
      }
      let loaded = zip(types, sizes).first { $0.0.conforms(toOneOf: [type]) }
      result.append(loaded?.1 ?? 0)
    }
    return result
  }
}
