import DragboardClient
import Foundation
import LinkEngine
import Synchronization
import Testing

/// A machine with its own bus, daemon and programs, whose files are all in one directory.
final class CommandMachine: Sendable {
  private let folder: TestFolder
  private let environment: [String: String]
  private let launcher: [String]
  private let bus: Process
  private let daemon: Mutex<Process>
  private let service = Mutex<Process?>(nil)

  /// The configuration of the machine, with a separate directory for the trails of a test that
  /// reads logs.
  var store: ConfigurationStore {
    ConfigurationStore(
      directory: "\(folder.path)/config/dragboard/link", stateDirectory: "\(folder.path)/reader")
  }

  init(on host: TestHost = .local) throws {
    folder = try TestFolder()
    launcher = host.launcher
    var environment = ProcessInfo.processInfo.environment.filter {
      !$0.key.hasPrefix("DRAGBOARD_") && !$0.key.hasPrefix("DBUS_")
    }
    for (variable, name) in [
      "HOME": "home", "XDG_DATA_HOME": "data", "XDG_CONFIG_HOME": "config",
      "XDG_RUNTIME_DIR": "run", "XDG_CACHE_HOME": "cache", "XDG_STATE_HOME": "state",
    ] {
      let path = "\(folder.path)/\(name)"
      try FileManager.default.createDirectory(
        atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      environment[variable] = path
    }
    let root = URL(filePath: #filePath).appending(path: "../../..").standardized.path
    let products = environment["LINK_TEST_PRODUCTS"] ?? "\(root)/../.build/debug"
    environment["PATH"] = "\(root)/.build/debug:\(products):/usr/bin:/bin"
    let bus = Process()
    let address = Pipe()
    bus.executableURL = URL(filePath: "/usr/bin/env")
    bus.arguments = ["dbus-daemon", "--session", "--nofork", "--print-address"]
    (bus.environment, bus.standardOutput) = (environment, address)
    bus.standardError = FileHandle.nullDevice
    try bus.run()
    let line = String(decoding: address.fileHandleForReading.availableData, as: UTF8.self)
    environment["DBUS_SESSION_BUS_ADDRESS"] = line.trimmingCharacters(in: .whitespacesAndNewlines)
    self.environment = environment
    self.bus = bus
    daemon = Mutex(try Self.startDaemon(environment))
  }

  deinit {
    endService()
    for program in [daemon.withLock { $0 }, bus] { kill(program.processIdentifier, SIGKILL) }
  }

  private static func startDaemon(_ environment: [String: String]) throws -> Process {
    let daemon = try start(["dragboardd"], environment)
    try start(
      ["gdbus", "wait", "--session", "--timeout", "30", "org.dragboard.Dragboard1"], environment
    ).waitUntilExit()
    return daemon
  }

  /// Ends the session.
  func endBus() { kill(bus.processIdentifier, SIGKILL) }

  /// Kills the daemon and starts it again.
  func restartDaemon() throws {
    let environment = environment
    try daemon.withLock { daemon in
      kill(daemon.processIdentifier, SIGKILL)
      daemon.waitUntilExit()
      daemon = try Self.startDaemon(environment)
    }
  }

  func connect() async throws -> DragboardConnection {
    try await .connect(to: environment["DBUS_SESSION_BUS_ADDRESS"] ?? "")
  }

  private static func start(
    _ arguments: [String], _ environment: [String: String]
  ) throws -> Process {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    (process.arguments, process.environment) = (arguments, environment)
    process.standardError = FileHandle.nullDevice
    try process.run()
    return process
  }

  /// Starts the service, which ends with the machine.
  @discardableResult
  func startService(_ options: String...) throws -> Process {
    let new = try Self.start(launcher + ["dragboard-link", "run"] + options, environment)
    service.withLock { $0 = new }
    return new
  }

  /// Kills the service.
  func endService() {
    service.withLock { service in
      guard let running = service else { return }
      kill(running.processIdentifier, SIGKILL)
      running.waitUntilExit()
      service = nil
    }
  }

  /// Stops the service with SIGSTOP, or continues it.
  func pauseService(_ isPaused: Bool) {
    service.withLock { service in
      _ = service.map { kill($0.processIdentifier, isPaused ? SIGSTOP : SIGCONT) }
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
    let process = Process()
    let (output, standardInput) = (Pipe(), Pipe())
    process.executableURL = URL(filePath: "/usr/bin/env")
    (process.arguments, process.environment) = (launcher + arguments, environment)
    (process.standardOutput, process.standardError) = (output, output)
    process.standardInput = standardInput
    try process.run()
    try standardInput.fileHandleForWriting.write(contentsOf: Data(input.utf8))
    try standardInput.fileHandleForWriting.close()
    let text = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: text, as: UTF8.self))
  }

  /// Changes the address of the server.
  func useServer(_ url: String) throws {
    let text = try String(contentsOfFile: store.path, encoding: .utf8)
    try text.replacing(/url .*/, with: "url \(url)")
      .write(toFile: store.path, atomically: false, encoding: .utf8)
  }

  /// The names of the files of the link.
  func stateFiles() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: "\(folder.path)/state/dragboard/link")
  }

  /// Runs a command that prints one JSON object.
  func json(_ arguments: String...) throws -> [String: Any] {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(filePath: "/usr/bin/env")
    (process.arguments, process.environment) = (launcher + arguments, environment)
    process.standardOutput = output
    try process.run()
    let text = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return try #require(try JSONSerialization.jsonObject(with: text) as? [String: Any])
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
