import Glibc

/// A process that this one has started; it is killed, and waited for, when the last reference goes.
///
/// It has a process group of its own, so that Ctrl-C reaches the command alone, which then ends its children in order.
final class ChildProcess {
  /// Where a child's standard error goes.
  enum ErrorStream {
    /// Where its standard output goes.
    case output
    /// To the end of its home's log.
    case log
  }

  /// The program's path.
  let name: String
  /// The process's id.
  let id: pid_t
  /// The read end of a pipe from the process's standard output.
  let output: Int32
  private let home: PrivateHome
  private var status: Int32?

  /// Starts a program; its standard input is `/dev/null`.
  ///
  /// - Parameters:
  ///   - path: the program.
  ///   - arguments: what follows the program's name.
  ///   - home: what it sees of the world; it stays as long as the process.
  ///   - errors: where its standard error goes.
  /// - Throws: `system`.
  init(
    _ path: String, _ arguments: [String], in home: PrivateHome, errors: ErrorStream = .log
  ) throws(Failure) {
    name = path
    self.home = home
    let pipe = try Pipe()
    var id: pid_t = 0
    let code = withFileActions(output: pipe.writing, errors: errors == .log ? home.log : nil) {
      actions in
      withChildAttributes { attributes in
        withCStrings([path] + arguments) { arguments in
          withCStrings(home.environment.map { "\($0.key)=\($0.value)" }) { environment in
            posix_spawn(&id, path, actions, attributes, arguments, environment)
          }
        }
      }
    }
    guard code == 0 else { throw .system(call: path, code: code) }
    self.id = id
    output = pipe.takeReading()
  }

  deinit {
    kill()
    close(output)
  }

  /// Kills the process and waits for its end; one that has ended is left alone.
  func kill() {
    guard status == nil else { return }
    Glibc.kill(id, SIGKILL)
    wait()
  }

  /// Waits for the process's end.
  ///
  /// - Returns: its exit code; 128 and the signal where a signal ended it.
  @discardableResult
  func wait() -> Int32 {
    if let status { return status }
    var word: Int32 = 0
    while waitpid(id, &word, 0) < 0, errno == EINTR {}
    let signal = word & 0x7F
    let code = signal == 0 ? (word >> 8) & 0xFF : 128 + signal
    status = code
    return code
  }
}

private func withFileActions<Result>(
  output: Int32, errors: String?,
  _ body: (UnsafePointer<posix_spawn_file_actions_t>) -> Result
) -> Result {
  var actions = posix_spawn_file_actions_t()
  posix_spawn_file_actions_init(&actions)
  defer { posix_spawn_file_actions_destroy(&actions) }
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
  posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
  if let errors {
    posix_spawn_file_actions_addopen(
      &actions, STDERR_FILENO, errors, O_WRONLY | O_CREAT | O_APPEND, 0o600)
  } else {
    posix_spawn_file_actions_adddup2(&actions, output, STDERR_FILENO)
  }
  return body(&actions)
}

/// A process group of its own, no signal blocked, and SIGPIPE, which this process ignores, as programs expect it.
private func withChildAttributes<Result>(
  _ body: (UnsafePointer<posix_spawnattr_t>) -> Result
) -> Result {
  var attributes = posix_spawnattr_t()
  posix_spawnattr_init(&attributes)
  defer { posix_spawnattr_destroy(&attributes) }
  var signals = sigset_t()
  sigemptyset(&signals)
  posix_spawnattr_setsigmask(&attributes, &signals)
  sigaddset(&signals, SIGPIPE)
  posix_spawnattr_setsigdefault(&attributes, &signals)
  posix_spawnattr_setpgroup(&attributes, 0)
  let flags = POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF
  posix_spawnattr_setflags(&attributes, Int16(flags))
  return body(&attributes)
}

/// The texts as C strings, with nil at the end, as long as `body` runs.
private func withCStrings<Result>(
  _ texts: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
) -> Result {
  let pointers = texts.map { strdup($0) }
  defer { for pointer in pointers { free(pointer) } }
  return body(pointers + [nil])
}
