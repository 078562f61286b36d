import Glibc

/// A command that `/bin/sh` runs, with no signal blocked or ignored.
struct ShellCommand {
  private let id: pid_t

  /// Where a command reads from.
  enum Input {
    /// This program's standard input: the terminal, where there is one.
    case inherited
    /// `/dev/null`.
    case nothing
    /// A descriptor, which stays the caller's.
    case descriptor(Int32)
  }

  /// Starts a command.
  ///
  /// - Parameters:
  ///   - command: as a shell takes it.
  ///   - input: its standard input.
  ///   - output: where its standard output goes; nil is this program's.
  ///   - hasOwnGroup: whether it gets a process group of its own, for `end`; Ctrl-C in the terminal does not reach it then.
  /// - Throws: `system`.
  init(
    _ command: String, input: Input = .inherited, output: Int32? = nil, hasOwnGroup: Bool = false
  ) throws(Failure) {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    switch input {
    case .inherited: break
    case .nothing:
      posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    case .descriptor(let number):
      posix_spawn_file_actions_adddup2(&actions, number, STDIN_FILENO)
    }
    if let output { posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO) }
    var attributes = Self.attributes(hasOwnGroup: hasOwnGroup)
    defer { posix_spawnattr_destroy(&attributes) }
    var id: pid_t = 0
    let words: [UnsafeMutablePointer<CChar>?] = ["/bin/sh", "-c", command].map { (word: String) in
      strdup(word)
    }
    defer { for word in words { free(word) } }
    let code = posix_spawn(&id, "/bin/sh", &actions, &attributes, words + [nil], environ)
    guard code == 0 else { throw .system(call: "/bin/sh", code: code) }
    self.id = id
  }

  /// Waits for the end, once.
  ///
  /// - Returns: its exit code; 128 and the signal where one ended it.
  func wait() -> Int32 {
    waitForEnd()
    var status: Int32 = 0
    while waitpid(id, &status, 0) < 0, errno == EINTR {}
    let signal = status & 0x7F
    return signal == 0 ? (status >> 8) & 0xFF : 128 + signal
  }

  /// Waits until it has ended; its id stays its own until `wait`.
  func waitForEnd() {
    var info = siginfo_t()
    while waitid(P_PID, id_t(id), &info, WEXITED | WNOWAIT) != 0, errno == EINTR {}
  }

  /// Asks the command, and what it has started, to end; for one with a group of its own that was not waited for.
  func end() { kill(-id, SIGTERM) }

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
