import Files
import Glibc
import LinkEngine

/// The lock of the running service.
///
/// A user can run only one service at a time.
struct ServiceLock {
  private let file: FileDescriptor

  /// The error of a service that starts while another service of the user is running.
  struct InUse: Error, CustomStringConvertible {
    let description = "service: dragboard-link is already running"
  }

  init(in store: ConfigurationStore) throws {
    try store.prepare()
    file = try FileDescriptor(
      opening: store.stateDirectory + "/lock", O_RDWR | O_CREAT, mode: 0o600)
    guard flock(file.number, LOCK_EX | LOCK_NB) == 0 else { throw InUse() }
    guard ftruncate(file.number, 0) == 0 else { throw FileError(path: file.path) }
    file.print("\(getpid())\n")
  }

  /// Ends the running service, if any, and waits until its process has ended.
  static func stopService(in store: ConfigurationStore) throws {
    let path = store.stateDirectory + "/lock"
    guard let process = process(in: store), let file = try? FileDescriptor(opening: path, O_RDWR)
    else { return }
    guard kill(process, SIGTERM) == 0 || errno == ESRCH else { throw FileError(path: path) }
    while flock(file.number, LOCK_EX) != 0, errno == EINTR {}
  }

  /// The process id of the running service; nil if none is running.
  private static func process(in store: ConfigurationStore) -> pid_t? {
    guard isHeld(in: store),
      let file = try? FileDescriptor(opening: store.stateDirectory + "/lock", O_RDWR),
      let bytes = file.read(16, at: 0),
      let process = pid_t(String(decoding: bytes, as: UTF8.self).filter(\.isNumber)), process > 1
    else { return nil }
    return process
  }

  /// The signal after which the service reads the accepted boards again.
  static let updateSignal = SIGUSR1

  /// Tells the running service, if any, that a board was accepted.
  static func updateService(in store: ConfigurationStore) {
    guard let process = process(in: store) else { return }
    kill(process, updateSignal)
  }

  static func isHeld(in store: ConfigurationStore) -> Bool {
    guard let file = try? FileDescriptor(opening: store.stateDirectory + "/lock", O_RDWR) else {
      return false
    }
    return flock(file.number, LOCK_SH | LOCK_NB) != 0
  }
}
