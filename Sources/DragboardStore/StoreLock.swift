internal import Files
internal import Glibc
internal import SQLite

/// The exclusive lock of a data directory.
///
/// The lock is released when this object is released or the process ends.
package final class StoreLock: DatabaseLock {
  /// The minimum timeout if the owner is about to exit.
  private static let handoverTimeout = Duration.seconds(30)

  private let file: FileDescriptor
  /// The process that had the lock before; nil if no process has had it.
  private(set) var earlierOwner: Int32?

  /// Takes the lock `DIRECTORY/lock` and writes the number of this process to the file.
  ///
  /// The corresponding C function is `flock`. It fails with `inUse` if another owner, perhaps in
  /// this process, does not release the lock within `timeout`. If the owner has announced its exit,
  /// the timeout is at least 30 seconds.
  package init(directory: String, timeout: Duration = .zero) throws(StoreError) {
    let path = directory + "/" + DataFiles.lock
    do throws(FileError) {
      file = try FileDescriptor(opening: path, O_RDWR | O_CREAT, mode: 0o600)
    } catch {
      throw .unusable(error)
    }
    let failure = take(timeout)
    guard failure == 0 else {
      guard failure == EWOULDBLOCK else {
        throw .unusable(FileError(path: path, code: failure))
      }
      throw .inUse(directory: directory, owner: owner.map { abs($0) })
    }
    earlierOwner = owner.map { abs($0) }
    writeOwner(getpid())
  }

  deinit { release() }

  /// Releases the lock explicitly.
  ///
  /// Closing the file does not release the lock as long as a child process, which has just been
  /// forked, has a copy of the descriptor.
  package func release() { flock(file.number, LOCK_UN) }

  /// Records whether the lock is about to be released, so that other processes wait for it.
  func noteLeaving(_ isLeaving: Bool) { writeOwner(isLeaving ? -getpid() : getpid()) }

  /// Takes the lock.
  ///
  /// Returns 0, or `errno` if the lock was not free in time.
  private func take(_ timeout: Duration) -> Int32 {
    let start = SuspendingClock.now
    while flock(file.number, LOCK_EX | LOCK_NB) != 0 {
      let failure = errno
      let isOwnerLeaving = (owner ?? 0) < 0
      let timeout = isOwnerLeaving ? max(timeout, Self.handoverTimeout) : timeout
      guard failure == EWOULDBLOCK, .now - start < timeout else { return failure }
      usleep(5_000)
    }
    return 0
  }

  /// Writes the owner's number to the file.
  ///
  /// The number is negative if the owner is about to exit.
  ///
  /// A failure is harmless, because the number only improves the next owner's error message. Every
  /// owner writes the same number of bytes, because truncating the file might wait for the disk.
  private func writeOwner(_ number: Int32) {
    let digits = Array("\(number)".utf8)
    let line = digits + [UInt8](repeating: UInt8(ascii: " "), count: max(0, 11 - digits.count))
    _ = pwrite(file.number, line, line.count, 0)
  }

  private var owner: Int32? {
    let line = [UInt8](unsafeUninitializedCapacity: 11) { buffer, count in
      count = max(0, pread(file.number, buffer.baseAddress, buffer.count, 0))
    }
    return Int32(String(decoding: line.prefix { $0 != UInt8(ascii: " ") }, as: UTF8.self))
  }
}
