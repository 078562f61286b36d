import DragboardClient
import Foundation
import LinkEngine
import LinkState
import Synchronization
import TestSupport
import Testing

/// A machine with its own bus, daemon and programs, whose files are all in one directory.
final class CommandMachine: Sendable {
  private let launcher: [String]
  private let bus: PrivateBus
  private let daemon: Mutex<TestProgram>
  private let service = Mutex<ChildProcess?>(nil)

  /// The configuration of the machine, with a separate directory for the trails of a test that
  /// reads logs.
  var store: ConfigurationStore {
    ConfigurationStore(
      directory: "\(bus.home.path)/config/dragboard/link", stateDirectory: "\(bus.home.path)/reader"
    )
  }

  /// Starts a machine; its home is empty, or a copy of the home of another machine.
  ///
  /// The directory `programs` is the first on PATH.
  init(
    on host: TestHost = .local, copying other: CommandMachine? = nil, programs: String? = nil
  ) throws {
    launcher = host.launcher
    let root = URL(filePath: #filePath).appending(path: "../../..").standardized.path
    let products =
      ProcessInfo.processInfo.environment["DRAGBOARD_TEST_PRODUCTS"] ?? "\(root)/../.build/debug"
    let path = [programs, "\(root)/.build/debug", products, "/usr/bin", "/bin"].compactMap(\.self)
    bus = try PrivateBus(changing: ["PATH": path.joined(separator: ":")])
    if let other {
      for folder in ["data", "config", "state"] { try Self.copy(folder, from: other.bus, to: bus) }
    }
    daemon = Mutex(try TestProgram.daemon(bus.environment))
  }

  private static func copy(_ folder: String, from other: PrivateBus, to bus: PrivateBus) throws {
    let (source, target) = (other.home.appending(path: folder), bus.home.appending(path: folder))
    let files = FileManager.default
    if files.fileExists(atPath: target.path) { try files.removeItem(at: target) }
    if files.fileExists(atPath: source.path) { try files.copyItem(at: source, to: target) }
  }

  /// A copy of the data of the daemon and of the link.
  final class Backup {
    fileprivate let folder: TestFolder

    fileprivate init() throws { folder = try TestFolder() }
  }

  /// The directories of a home: of the daemon's data, of the keys, and of the link's state.
  static let homeFolders = ["data", "config", "state"]

  /// Copies directories of the home, while no program runs.
  func backup() throws -> Backup {
    let backup = try Backup()
    try whileStopped {
      for folder in Self.homeFolders {
        let source = bus.home.appending(path: folder)
        guard FileManager.default.fileExists(atPath: source.path) else { continue }
        try FileManager.default.copyItem(
          atPath: source.path, toPath: "\(backup.folder.path)/\(folder)")
      }
    }
    return backup
  }

  /// Replaces directories of the home by those of a backup.
  func restore(_ backup: Backup, _ folders: [String] = homeFolders) throws {
    try whileStopped {
      for folder in folders {
        let target = bus.home.appending(path: folder)
        try? FileManager.default.removeItem(at: target)
        try FileManager.default.copyItem(
          atPath: "\(backup.folder.path)/\(folder)", toPath: target.path)
      }
    }
  }

  /// Stops the daemon and the service, and starts the daemon afterwards.
  private func whileStopped(_ body: () throws -> Void) throws {
    endService()
    let environment = bus.environment
    try daemon.withLock { daemon in
      daemon.kill()
      try body()
      daemon = try TestProgram.daemon(environment)
    }
  }

  /// Ends the session.
  func endBus() { bus.signal(SIGKILL) }

  /// Kills the daemon and starts it again.
  func restartDaemon() throws {
    let environment = bus.environment
    try daemon.withLock { daemon in
      daemon.kill()
      daemon = try TestProgram.daemon(environment)
    }
  }

  func connect() async throws -> DragboardConnection {
    try await .connect(to: bus.address)
  }

  /// Starts the service, which ends with the machine.
  @discardableResult
  func startService(
    _ options: String..., program: String = "dragboard-link"
  ) throws -> ChildProcess {
    let new = try ChildProcess(
      "env", launcher + [program, "run"] + options, environment: bus.environment)
    service.withLock { $0 = new }
    return new
  }

  /// The home directory.
  var home: String { bus.home.path }

  /// The environment of the programs.
  var environment: [String: String] { bus.environment }

  /// The configuration and the state that the programs use.
  var ownStore: ConfigurationStore {
    ConfigurationStore(
      directory: "\(bus.home.path)/config/dragboard/link",
      stateDirectory: "\(bus.home.path)/state/dragboard/link")
  }

  /// Kills the services that commands have started.
  func endStartedServices() {
    for lock in ["lock", "serve.lock"] {
      let text = try? String(contentsOfFile: "\(ownStore.stateDirectory)/\(lock)", encoding: .utf8)
      guard let text, let process = pid_t(text.filter(\.isNumber)), process > 1,
        (try? String(contentsOfFile: "/proc/\(process)/cmdline", encoding: .utf8))?
          .contains("dragboard-link") == true
      else { continue }
      kill(process, SIGKILL)
    }
  }

  /// Kills the service.
  func endService() {
    service.withLock { service in
      service?.kill(SIGKILL)
      service?.waitForExit()
      service = nil
    }
  }

  /// Stops the service with SIGSTOP, or continues it.
  func pauseService(_ isPaused: Bool) {
    service.withLock { service in
      service?.kill(isPaused ? SIGSTOP : SIGCONT)
    }
  }

  /// Runs a command until it ends.
  ///
  /// - Returns: its exit code and its output, including errors.
  @discardableResult
  func run(_ arguments: String..., input: String = "") throws -> (status: Int32, text: String) {
    try run(arguments, input: input)
  }

  /// Runs a command until it ends.
  func run(_ arguments: [String], input: String = "") throws -> (status: Int32, text: String) {
    // An argument has at most 128 KiB, so the input is in a file.
    let file = bus.home.appending(path: "input-\(UUID().uuidString)")
    try Data(input.utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let shell = ["bash", "-c", #""$@" <"$0" 2>&1"#, file.path]
    let result = try TestSupport.run(
      "env", launcher + shell + arguments, environment: bus.environment)
    guard case .exited(let code) = result.status else { throw Ended(status: result.status) }
    return (code, result.output)
  }

  /// The error of a command that a signal has ended.
  private struct Ended: Error {
    let status: ProcessStatus
  }

  /// Changes the address of the server.
  func useServer(_ url: String) throws {
    let text = try String(contentsOfFile: store.path, encoding: .utf8)
    try text.replacing(/url .*/, with: "url \(url)")
      .write(toFile: store.path, atomically: false, encoding: .utf8)
  }

  /// Opens the state of the link.
  func state() throws -> StateDatabase {
    try StateDatabase(in: "\(bus.home.path)/state/dragboard/link")
  }

  /// The names of the files of the link.
  func stateFiles() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: "\(bus.home.path)/state/dragboard/link")
  }

  /// Runs a command that prints one JSON object.
  func json(_ arguments: String...) throws -> [String: Any] {
    let text = try TestSupport.run(
      "env", launcher + arguments, environment: bus.environment
    ).output
    let object = try JSONSerialization.jsonObject(with: Data(text.utf8))
    return try #require(object as? [String: Any])
  }

  /// The state of a board, by default the first; without values if the server does not answer.
  func boardStatus(
    _ name: String? = nil
  ) throws -> (entries: Int?, read: Int?, pending: Int?, dropped: Int?) {
    let boards = try json("dragboard-link", "status", "--json")["boards"] as? [[String: Any]]
    let board = boards?.first { name == nil || $0["name"] as? String == name }
    func value(_ name: String) -> Int? { board?[name] as? Int }
    return (value("entries"), value("read"), value("pending"), value("dropped"))
  }
}
