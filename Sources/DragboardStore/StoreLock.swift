internal import Glibc

/// Exclusive use of a folder of data, for as long as it is kept.
///
/// It goes with the process, however that ends.
final class StoreLock {
  private let file: Int32

  /// Takes the lock `DIRECTORY/lock` and leaves the number of this process in it.
  ///
  /// The corresponding C function is `flock`. Refused with `inUse` where another process, or another part of
  /// this one, has it.
  init(directory: String) throws(StoreError) {
    let path = directory + "/lock"
    let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw .unusable(path: path, reason: String(errno: errno)) }
    guard flock(file, LOCK_EX | LOCK_NB) == 0 else {
      let failure = errno
      defer { close(file) }
      guard failure == EWOULDBLOCK else {
        throw .unusable(path: path, reason: String(errno: failure))
      }
      throw .inUse(directory: directory, owner: Self.owner(in: file))
    }
    self.file = file
    writeOwner()
  }

  deinit { close(file) }

  /// Failing is no harm: it is for the message that the next one gets.
  ///
  /// Every owner writes the same number of bytes, for cutting a file short can wait for the disk.
  private func writeOwner() {
    let digits = Array("\(getpid())".utf8)
    let line = digits + [UInt8](repeating: UInt8(ascii: " "), count: max(0, 10 - digits.count))
    _ = pwrite(file, line, line.count, 0)
  }

  private static func owner(in file: Int32) -> Int32? {
    let line = [UInt8](unsafeUninitializedCapacity: 10) { buffer, count in
      count = max(0, pread(file, buffer.baseAddress, buffer.count, 0))
    }
    return Int32(String(decoding: line.prefix { $0 != UInt8(ascii: " ") }, as: UTF8.self))
  }
}

extension String {
  /// What the system says of an error number.
  init(errno number: Int32) {
    self = strerror(number).map { String(cString: $0) } ?? "error \(number)"
  }
}
