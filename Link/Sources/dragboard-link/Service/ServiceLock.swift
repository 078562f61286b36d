import Files
import Glibc
import LinkEngine

/// The lock of a running service.
///
/// A user can run each service only once at a time.
struct ServiceLock {
  private let file: FileDescriptor

  /// The error of a service that starts while the same service of the user is running.
  struct InUse: Error, CustomStringConvertible {
    let description = "service: dragboard-link is already running"
  }

  init(of service: UserService = .link, in store: ConfigurationStore) throws {
    try store.prepare()
    file = try FileDescriptor(
      opening: service.lockPath(in: store), O_RDWR | O_CREAT, mode: 0o600)
    guard flock(file.number, LOCK_EX | LOCK_NB) == 0 else { throw InUse() }
    guard ftruncate(file.number, 0) == 0 else { throw FileError(path: file.path) }
    file.print("\(getpid())\n")
  }

  /// The time after which a service that does not end is killed.
  private static let maxEndTime = Duration.seconds(20)

  /// Ends the running service, if any, and waits until its process has ended.
  ///
  /// A service loses nothing if it is killed.
  static func stop(_ service: UserService = .link, in store: ConfigurationStore) throws {
    let path = service.lockPath(in: store)
    guard let process = process(of: service, in: store),
      let file = try? FileDescriptor(opening: path, O_RDWR)
    else { return }
    guard kill(process, SIGTERM) == 0 || errno == ESRCH else { throw FileError(path: path) }
    let deadline = ContinuousClock.now + maxEndTime
    while flock(file.number, LOCK_EX | LOCK_NB) != 0, [EINTR, EWOULDBLOCK].contains(errno) {
      // Another process may have the id, or another service the lock, by then.
      if ContinuousClock.now > deadline, self.process(of: service, in: store) == process {
        kill(process, SIGKILL)
      }
      usleep(10_000)
    }
  }

  /// The process id of the running service; nil if none is running.
  private static func process(of service: UserService, in store: ConfigurationStore) -> pid_t? {
    guard isHeld(of: service, in: store),
      let file = try? FileDescriptor(opening: service.lockPath(in: store), O_RDWR),
      let bytes = file.read(16, at: 0),
      let process = pid_t(String(decoding: bytes, as: UTF8.self).filter(\.isNumber)), process > 1
    else { return nil }
    return process
  }

  /// Whether another version was installed since the running service has started.
  static func isServiceReplaced(in store: ConfigurationStore) -> Bool {
    process(of: .link, in: store).flatMap { RunningProgram(process: $0) }?.isReplaced ?? false
  }

  /// The signal after which a service reads the accepted boards, or its route, again.
  static let updateSignal = SIGUSR1

  /// Tells a running service that its settings have changed; does nothing if it is not running.
  static func update(_ service: UserService = .link, in store: ConfigurationStore) {
    guard let process = process(of: service, in: store) else { return }
    kill(process, updateSignal)
  }

  static func isHeld(of service: UserService = .link, in store: ConfigurationStore) -> Bool {
    guard let file = try? FileDescriptor(opening: service.lockPath(in: store), O_RDWR) else {
      return false
    }
    return flock(file.number, LOCK_SH | LOCK_NB) != 0
  }
}
