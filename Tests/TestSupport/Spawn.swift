import Foundation
import Synchronization

/// posix_spawn(3) with both outputs on pipes.
enum Spawn {
  /// A process that runs, and the read ends of its outputs.
  struct Started {
    let id: pid_t
    let output: Int32
    let errors: Int32
  }

  /// A pipe is inheritable for a moment before it is marked; nobody else spawns in that moment.
  private static let turn = Mutex(())

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
        let id = try spawn(
          executable, arguments, environment, output: output.write, errors: errors.write)
        return Started(id: id, output: output.read, errors: errors.read)
      } catch {
        close(output.read)
        close(errors.read)
        throw error
      }
    }
  }

  private static func pipe() throws -> (read: Int32, write: Int32) {
    var ends: [Int32] = [-1, -1]
    guard Foundation.pipe(&ends) == 0 else { throw failure(errno) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
  }

  private static func spawn(
    _ executable: String, _ arguments: [String], _ environment: [String: String],
    output: Int32, errors: Int32
  ) throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, output, 1)
    posix_spawn_file_actions_adddup2(&actions, errors, 2)
    var attributes = try freshSignals()
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

  /// No signal blocked, and SIGPIPE, which libdbus ignores in this process, as a program expects it.
  private static func freshSignals() throws -> posix_spawnattr_t {
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    sigaddset(&signals, SIGPIPE)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    return attributes
  }

  /// The texts as C strings, with nil at the end, as long as `body` runs.
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
