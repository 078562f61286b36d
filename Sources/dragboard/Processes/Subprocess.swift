import Glibc

/// A running program.
///
/// No signal is blocked in the program, and SIGINT and SIGPIPE have their default actions.
struct Subprocess {
  let id: pid_t

  /// One of the standard streams of a program.
  enum Stream {
    /// The same stream as in this process, such as the terminal.
    case inherited
    /// `/dev/null`, for reading.
    case null
    /// A descriptor, which the caller still owns.
    case descriptor(Int32)
  }

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - path: the path of the program.
  ///   - arguments: the arguments after the program's name.
  ///   - input: standard input.
  ///   - output: standard output.
  ///   - errors: standard error.
  ///   - hasOwnGroup: whether the program gets its own process group, for `terminateGroup`. Ctrl-C
  ///     in the terminal then does not reach the program.
  /// - Throws: `system`.
  init(
    _ path: String, _ arguments: [String], input: Stream = .inherited, output: Stream = .inherited,
    errors: Stream = .inherited,
    hasOwnGroup: Bool = false
  ) throws(Failure) {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (number, stream) in [
      (STDIN_FILENO, input), (STDOUT_FILENO, output), (STDERR_FILENO, errors),
    ] { stream.add(to: &actions, as: number) }
    var attributes = Self.attributes(hasOwnGroup: hasOwnGroup)
    defer { posix_spawnattr_destroy(&attributes) }
    var id: pid_t = 0
    let words = ([path] + arguments).map { strdup($0) }
    defer { for word in words { free(word) } }
    let code = posix_spawn(&id, path, &actions, &attributes, words + [nil], environ)
    guard code == 0 else { throw .system(call: path, code: code) }
    self.id = id
  }

  /// Starts a command in `/bin/sh`.
  ///
  /// - Throws: `system`.
  init(
    shell command: String, input: Stream = .inherited, output: Stream = .inherited,
    hasOwnGroup: Bool = false
  ) throws(Failure) {
    try self.init(
      "/bin/sh", ["-c", command], input: input, output: output, hasOwnGroup: hasOwnGroup)
  }

  /// Runs a program until it exits.
  ///
  /// - Parameters:
  ///   - path: the path of the program.
  ///   - arguments: the arguments after the program's name.
  ///   - errors: standard error; nil to add it to the output.
  /// - Returns: the exit status, as `wait` returns it, and the output.
  /// - Throws: `system`.
  static func output(
    of path: String, _ arguments: [String], errors: Stream? = nil
  ) throws(Failure) -> (status: Int32, output: [UInt8]) {
    var pipe = try Pipe()
    let process = try Subprocess(
      path, arguments, input: .null, output: .descriptor(pipe.writing),
      errors: errors ?? .descriptor(pipe.writing))
    pipe.closeWriting()
    let bytes = try? InputFile(pipe.takeReading(), name: path, isOwned: true).bytes()
    return (process.wait(), bytes ?? [])
  }

  /// Returns the last line of an output.
  static func lastLine(of output: [UInt8]) -> String? {
    String(decoding: output, as: UTF8.self).split(separator: "\n").last.map(String.init)
  }

  /// Waits until the program ends.
  ///
  /// It may be called only once.
  ///
  /// - Returns: the exit code; 128 plus the signal's number if a signal ended the program.
  func wait() -> Int32 {
    var status: Int32 = 0
    while waitpid(id, &status, 0) < 0, errno == EINTR {}
    let signal = status & 0x7F
    return signal == 0 ? (status >> 8) & 0xFF : 128 + signal
  }

  /// Waits until the program ends.
  ///
  /// The system does not reuse its id before `wait` is called.
  func waitForEnd() {
    var info = siginfo_t()
    while waitid(P_PID, id_t(id), &info, WEXITED | WNOWAIT) != 0, errno == EINTR {}
  }

  /// Sends SIGTERM to the process group.
  ///
  /// Call it only before `wait`, and only if the program has its own group.
  func terminateGroup() { kill(-id, SIGTERM) }

  private static func attributes(hasOwnGroup: Bool) -> posix_spawnattr_t {
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    for signal in [SIGINT, SIGPIPE] { sigaddset(&signals, signal) }
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setpgroup(&attributes, 0)
    let group = hasOwnGroup ? POSIX_SPAWN_SETPGROUP : 0
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | group))
    return attributes
  }
}

extension Subprocess.Stream {
  fileprivate func add(to actions: inout posix_spawn_file_actions_t, as number: Int32) {
    switch self {
    case .inherited: break
    case .null: posix_spawn_file_actions_addopen(&actions, number, "/dev/null", O_RDONLY, 0)
    case .descriptor(let descriptor):
      posix_spawn_file_actions_adddup2(&actions, descriptor, number)
    }
  }
}
