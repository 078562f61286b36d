internal import CLinux
internal import Glibc

/// A running program.
///
/// No signal is blocked in the program, and SIGINT and SIGPIPE have their default actions.
public struct Subprocess: Sendable {
  /// The process id.
  public let id: Int32

  /// One of the standard streams of a program.
  public enum Stream: Sendable {
    /// The same stream as in this process, such as the terminal.
    case inherited
    /// `/dev/null`.
    case null
    /// An open file.
    case descriptor(FileDescriptor)
    /// An open file with this number, which the caller does not close before the program has started.
    case number(Int32)
    /// A file or terminal with this path, for reading and writing.
    case path(String)
  }

  /// The process group of a program.
  public enum Group: Sendable {
    /// The process group of this process.
    case inherited
    /// A process group of the program, for ``terminateGroup()``.
    ///
    /// Ctrl-C in the terminal then does not reach the program.
    case own
    /// A session of the program; the first terminal that it opens becomes its controlling terminal.
    case session

    /// POSIX_SPAWN_SETSID of spawn.h, which the Glibc module does not have.
    private static let newSession: Int32 = 0x80

    fileprivate var flag: Int32 {
      switch self {
      case .inherited: 0
      case .own: Int32(POSIX_SPAWN_SETPGROUP)
      case .session: Self.newSession
      }
    }
  }

  /// Starts a program.
  ///
  /// The corresponding C function is `posix_spawnp`.
  ///
  /// - Parameters:
  ///   - program: the path of the program, or a name that is looked for on the PATH of this process.
  ///   - arguments: the arguments after the program's name.
  ///   - environment: the complete environment; nil for the environment of this process.
  ///   - input: standard input.
  ///   - output: standard output.
  ///   - errors: standard error.
  ///   - group: the process group.
  /// - Throws: the error, whose `call` is the program.
  public init(
    _ program: String, _ arguments: [String], environment: [String: String]? = nil,
    input: Stream = .inherited, output: Stream = .inherited, errors: Stream = .inherited,
    group: Group = .inherited
  ) throws(SystemError) {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (number, stream) in [
      (STDIN_FILENO, input), (STDOUT_FILENO, output), (STDERR_FILENO, errors),
    ] { stream.add(to: &actions, as: number) }
    var attributes = Self.attributes(group)
    defer { posix_spawnattr_destroy(&attributes) }
    var id: pid_t = 0
    let code = withCStrings([program] + arguments) { words in
      guard let environment else {
        return posix_spawnp(&id, program, &actions, &attributes, words, environ)
      }
      return withCStrings(environment.map { "\($0.key)=\($0.value)" }) { variables in
        posix_spawnp(&id, program, &actions, &attributes, words, variables)
      }
    }
    guard code == 0 else { throw SystemError(program, code: code) }
    self.id = id
  }

  /// Waits until the program ends.
  ///
  /// It may be called only once.
  ///
  /// - Returns: the exit code; 128 plus the signal's number if a signal ended the program.
  public func wait() -> Int32 {
    var status: Int32 = 0
    while waitpid(id, &status, 0) < 0, errno == EINTR {}
    let signal = status & 0x7F
    return signal == 0 ? (status >> 8) & 0xFF : 128 + signal
  }

  /// Waits until the program ends.
  ///
  /// The system does not reuse its id before `wait` is called.
  public func waitForEnd() {
    var info = siginfo_t()
    while waitid(P_PID, id_t(id), &info, WEXITED | WNOWAIT) != 0, errno == EINTR {}
  }

  /// Sends SIGTERM to the process group.
  ///
  /// Call it only before `wait`, and only if the program has its own group.
  public func terminateGroup() { kill(-id, SIGTERM) }

  private static func attributes(_ group: Group) -> posix_spawnattr_t {
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    for signal in [SIGINT, SIGPIPE] { sigaddset(&signals, signal) }
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | group.flag))
    return attributes
  }
}

extension Subprocess.Stream {
  fileprivate func add(to actions: inout posix_spawn_file_actions_t, as number: Int32) {
    switch self {
    case .inherited: break
    case .null: posix_spawn_file_actions_addopen(&actions, number, "/dev/null", O_RDWR, 0)
    case .path(let path): posix_spawn_file_actions_addopen(&actions, number, path, O_RDWR, 0)
    case .descriptor(let file): posix_spawn_file_actions_adddup2(&actions, file.number, number)
    case .number(let file): posix_spawn_file_actions_adddup2(&actions, file, number)
    }
  }
}

/// Passes the texts to `body` as C strings with nil at the end.
private func withCStrings<Result>(
  _ texts: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
) -> Result {
  let pointers = texts.map { strdup($0) }
  defer { for pointer in pointers { free(pointer) } }
  return body(pointers + [nil])
}
