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
  private let daemon: Mutex<Process>
  private let service = Mutex<Process?>(nil)

  /// The configuration of the machine, with a separate directory for the trails of a test that
  /// reads logs.
  var store: ConfigurationStore {
    ConfigurationStore(
      directory: "\(bus.home.path)/config/dragboard/link", stateDirectory: "\(bus.home.path)/reader"
    )
  }

  init(on host: TestHost = .local) throws {
    launcher = host.launcher
    let root = URL(filePath: #filePath).appending(path: "../../..").standardized.path
    let products =
      ProcessInfo.processInfo.environment["DRAGBOARD_TEST_PRODUCTS"] ?? "\(root)/../.build/debug"
    bus = try PrivateBus(
      changing: ["PATH": "\(root)/.build/debug:\(products):/usr/bin:/bin"])
    daemon = Mutex(try Self.startDaemon(bus.environment))
  }

  deinit {
    endService()
    kill(daemon.withLock { $0 }.processIdentifier, SIGKILL)
  }

  private static func startDaemon(_ environment: [String: String]) throws -> Process {
    let daemon = try start(["dragboardd"], environment)
    try start(
      ["gdbus", "wait", "--session", "--timeout", "30", "org.dragboard.Dragboard1"], environment
    ).waitUntilExit()
    return daemon
  }

  /// Ends the session.
  func endBus() { bus.signal(SIGKILL) }

  /// Kills the daemon and starts it again.
  func restartDaemon() throws {
    let environment = bus.environment
    try daemon.withLock { daemon in
      kill(daemon.processIdentifier, SIGKILL)
      daemon.waitUntilExit()
      daemon = try Self.startDaemon(environment)
    }
  }

  func connect() async throws -> DragboardConnection {
    try await .connect(to: bus.address)
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
    let new = try Self.start(launcher + ["dragboard-link", "run"] + options, bus.environment)
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
    (process.arguments, process.environment) = (launcher + arguments, bus.environment)
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
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(filePath: "/usr/bin/env")
    (process.arguments, process.environment) = (launcher + arguments, bus.environment)
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
