import Foundation
import Synchronization

/// Calls `body` while this process starts no other process.
///
/// A process that is being started holds every open descriptor until it executes its program. Until
/// then no process can execute a file that is written here ("Text file busy"), and a removed file
/// uses space on the disk.
///
/// - Throws: the error of `body`.
public func whileNothingStarts<Result>(_ body: () throws -> Result) rethrows -> Result {
  try Spawn.turn.withLock { _ in try body() }
}

/// Functions that start processes, with both outputs on pipes or on a terminal.
enum Spawn {
  /// A running process, and the read ends of its outputs.
  struct Started {
    let id: pid_t
    let output: Int32
    let errors: Int32
  }

  /// A pipe is inheritable for a moment before its flag is set, so only one process starts at a
  /// time.
  fileprivate static let turn = Mutex(())

  static func start(
    _ executable: String, _ arguments: [String], _ environment: [String: String]
  ) throws -> Started {
    try turn.withLock { _ in
      let output = try pipe()
      let errors = try pipe()
      defer {
        close(output.write)
        close(errors.write)
      }
      do {
        let id = try spawn(executable, arguments, environment) { actions in
          posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
          posix_spawn_file_actions_adddup2(&actions, output.write, 1)
          posix_spawn_file_actions_adddup2(&actions, errors.write, 2)
        }
        return Started(id: id, output: output.read, errors: errors.read)
      } catch {
        close(output.read)
        close(errors.read)
        throw error
      }
    }
  }

  /// Starts a process in a new session, with a new terminal of this size as its three streams;
  /// returns the other end of the terminal.
  static func start(
    _ executable: String, _ arguments: [String], _ environment: [String: String],
    inTerminalOf size: winsize
  ) throws -> (id: pid_t, terminal: Int32) {
    try turn.withLock { _ in
      var (terminal, inner): (Int32, Int32) = (-1, -1)
      var size = size
      guard openpty(&terminal, &inner, nil, nil, &size) == 0 else { throw failure(errno) }
      defer { close(inner) }
      for end in [terminal, inner] { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
      guard let path = ttyname(inner) else { throw failure(errno) }
      do {
        let id = try spawn(executable, arguments, environment, flags: newSession) { actions in
          for stream: Int32 in 0...2 {
            posix_spawn_file_actions_addopen(&actions, stream, path, O_RDWR, 0)
          }
        }
        return (id, terminal)
      } catch {
        close(terminal)
        throw error
      }
    }
  }

  /// POSIX_SPAWN_SETSID of spawn.h, which the Glibc module does not have.
  private static let newSession: Int32 = 0x80

  private static func pipe() throws -> (read: Int32, write: Int32) {
    var ends: [Int32] = [-1, -1]
    guard Foundation.pipe(&ends) == 0 else { throw failure(errno) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
  }

  private static func spawn(
    _ executable: String, _ arguments: [String], _ environment: [String: String],
    flags: Int32 = 0, _ open: (inout posix_spawn_file_actions_t) -> Void
  ) throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    open(&actions)
    var attributes = try freshSignals(flags)
    defer { posix_spawnattr_destroy(&attributes) }
    var id: pid_t = 0
    let code = withCStrings([executable] + arguments) { arguments in
      withCStrings(environment.map { "\($0.key)=\($0.value)" }) { environment in
        posix_spawnp(&id, executable, &actions, &attributes, arguments, environment)
      }
    }
    guard code == 0 else { throw failure(code) }
    return id
  }

  /// Returns attributes that unblock all signals and reset SIGPIPE, which a test may ignore.
  private static func freshSignals(_ flags: Int32) throws -> posix_spawnattr_t {
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    sigaddset(&signals, SIGPIPE)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | flags))
    return attributes
  }

  /// Passes the texts to `body` as C strings with nil at the end.
  private static func withCStrings<Result>(
    _ texts: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
  ) -> Result {
    let pointers = texts.map { strdup($0) }
    defer { for pointer in pointers { free(pointer) } }
    return body(pointers + [nil])
  }

  private static func failure(_ code: Int32) -> POSIXError {
    POSIXError(POSIXErrorCode(rawValue: code) ?? .EINVAL)
  }
}
