internal import Files
internal import Glibc

/// Exclusive use of a folder of data, for as long as it is kept.
///
/// It goes with the process, however that ends.
package final class StoreLock {
  /// How long an owner is waited for that says that it is leaving.
  private static let handoverTimeout = Duration.seconds(30)

  private let file: FileDescriptor

  /// Takes the lock `DIRECTORY/lock` and leaves the number of this process in it.
  ///
  /// The corresponding C function is `flock`. Refused with `inUse` where another process, or another part of
  /// this one, has it and keeps it for longer than `timeout`, or says that it is leaving and does not.
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
    writeOwner(getpid())
  }

  /// Gives the lock up by name: closing the file alone leaves it to a process that is just being made, and has a copy of the descriptor.
  deinit { flock(file.number, LOCK_UN) }

  /// Notes that the lock is about to be free, so that others wait for it; or that it is not after all.
  func noteLeaving(_ isLeaving: Bool) { writeOwner(isLeaving ? -getpid() : getpid()) }

  /// Gives 0, or why it has not been had in time.
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

  /// Writes the owner's number, negative if it is leaving.
  ///
  /// Failing is no harm: it is for the message that the next one gets. Every owner writes the same number of bytes, for cutting a file
  /// short can wait for the disk.
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
