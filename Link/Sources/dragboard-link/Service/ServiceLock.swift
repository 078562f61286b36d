import Files
import Glibc
import LinkEngine

/// The lock of the running service: one for each user.
struct ServiceLock {
  private let file: FileDescriptor

  /// Another service is running.
  struct InUse: Error, CustomStringConvertible {
    let description = "service: dragboard-link is running already"
  }

  init(in store: ConfigurationStore) throws {
    try store.prepare()
    file = try FileDescriptor(
      opening: store.stateDirectory + "/lock", O_RDWR | O_CREAT, mode: 0o600)
    guard flock(file.number, LOCK_EX | LOCK_NB) == 0 else { throw InUse() }
  }

  static func isHeld(in store: ConfigurationStore) -> Bool {
    guard let file = try? FileDescriptor(opening: store.stateDirectory + "/lock", O_RDWR) else {
      return false
    }
    return flock(file.number, LOCK_SH | LOCK_NB) != 0
  }
}
