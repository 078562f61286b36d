import Files
import Glibc
import LinkEngine
import LinkState

/// The services of the user: the exchange of edits, and the way to the server.
enum UserService: String, CaseIterable {
  /// `dragboard-link run`.
  case link = "dragboard-link"
  /// `dragboard-link serve`.
  case server = "dragboard-link-server"

  private var subcommand: String {
    switch self {
    case .link: "run"
    case .server: "serve"
    }
  }

  func lockPath(in store: ConfigurationStore) -> String {
    switch self {
    case .link: store.stateDirectory + "/lock"
    case .server: store.stateDirectory + "/serve.lock"
    }
  }

  /// Starts the service, now and with every session; if it is running, tells it that its settings have
  /// changed.
  ///
  /// Without a systemd manager of the user, the service is a process of its own, and nothing starts it
  /// after a restart of the machine.
  ///
  /// Ends a pause of the exchange.
  func start(in store: ConfigurationStore) throws {
    if self == .link { try store.openState().setPaused(false) }
    if ServiceLock.isHeld(of: self, in: store) {
      ServiceLock.update(self, in: store)
      return
    }
    let program = "/proc/\(getpid())/exe"
    let path = realpath(program, nil).map { text in
      defer { free(text) }
      return String(cString: text)
    }
    guard let path else { throw SystemError(program) }
    if Self.hasManager {
      if try Self.run("systemctl", ["--user", "enable", "--now", rawValue + ".service"]) == 0 {
        return
      }
      // The unit is not installed: the programs were copied.
      let arguments = [
        "--user", "--quiet", "--collect", "--unit=\(rawValue)", "--property=Restart=on-failure",
        "--property=RestartSec=5", "--property=RestartPreventExitStatus=77 78",
        "--property=UMask=0077", "--property=LimitCORE=0", "--", path, subcommand,
      ]
      if try Self.run("systemd-run", arguments) == 0 { return }
    }
    _ = try Subprocess(
      path, [subcommand], input: .null, output: .null, errors: .null, group: .session)
  }

  /// Stops the service, and waits until it has ended.
  func stop(in store: ConfigurationStore) throws { try ServiceLock.stop(self, in: store) }

  /// Whether a systemd manager of the user is running.
  static var hasManager: Bool {
    let directory = Environment["XDG_RUNTIME_DIR"] ?? "/run/user/\(getuid())"
    return access(directory + "/systemd/private", F_OK) == 0
  }

  private static func run(_ program: String, _ arguments: [String]) throws(SystemError) -> Int32 {
    try Subprocess(program, arguments, input: .null, output: .null, errors: .null).wait()
  }
}
