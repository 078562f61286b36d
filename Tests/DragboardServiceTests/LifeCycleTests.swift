import DBus
import DragboardInterface
import Foundation
import SQLite
import TestSupport
import Testing

@testable import DragboardStore

@Suite("How the daemon starts and ends")
struct LifeCycleTests {
  /// Runs a daemon that is not expected to serve.
  private func run(
    on bus: PrivateBus, _ options: [String] = [], variables: [String: String] = [:]
  ) throws -> CommandResult {
    try TestSupport.run(
      try builtProduct("dragboardd"), options,
      environment: bus.environment.merging(variables) { $1 })
  }

  // MARK: A second daemon

  @Test("A second daemon on the same bus reports the first one and exits")
  func sameBus() throws {
    let daemon = try Daemon()
    let result = try run(on: daemon.bus, ["--data", daemon.bus.home.path + "/elsewhere"])
    #expect(result.status == .exited(3))
    #expect(result.errors.contains(Dragboard.busName.text))
    _ = try daemon.client().call(BoardInterface.insertText, 0, 0, "x")
  }

  @Test("A second daemon with the same data reports the first one and exits")
  func sameData() throws {
    let daemon = try Daemon()
    let other = try PrivateBus()
    let data = daemon.bus.home.path + "/data/dragboard"
    let result = try run(on: other, ["--data", data])
    #expect(result.status == .exited(3))
    #expect(result.errors.contains(data))
    #expect(result.errors.contains("\(daemon.id)"))
    _ = try daemon.client().call(BoardInterface.insertText, 0, 0, "x")
  }

  @Test("Without a bus, or with a foreign database, the daemon reports that and does not start")
  func cannotStart() throws {
    let bus = try PrivateBus()
    let noBus = try run(on: bus, ["--address", "unix:path=\(bus.home.path)/none"])
    #expect(noBus.status == .exited(1))
    #expect(!noBus.errors.isEmpty)
    let data = bus.home.appending(path: "data/dragboard").path
    do { _ = try BoardStore(directory: data) }
    do {
      let database = try Database(
        path: data + "/boards.db", holding: StoreLock(directory: bus.home.path))
      try database.execute("PRAGMA application_id = 7")
    }
    let foreign = try run(on: bus)
    #expect(foreign.status == .exited(1))
    #expect(foreign.errors.contains("not one of Dragboard's"))
  }

  // MARK: The end of the daemon

  @Test("On SIGTERM the daemon answers every call, ends every session, and exits with 0")
  func terminated() throws {
    let daemon = try Daemon()
    let client = try daemon.client()
    let observer = try daemon.client()
    let session = try client.call(
      ManagerInterface.beginTextDrag, at: Dragboard.root, "org.x", ["x"])
    _ = observer.takeSignals()
    let outstanding = client.send(
      (0..<100).map { call(BoardInterface.insertText, 0, -1, "\($0)") })
    #expect(daemon.terminate() == .exited(0))

    // The daemon does not answer calls that it had not received when it left.
    let errors = outstanding.errors()
    let answered = errors.prefix { $0.isEmpty }.count
    #expect(errors.dropFirst(answered).allSatisfy { $0 == "NoReply" || $0 == "ServiceUnknown" })
    observer.waitForBus()
    let ends = observer.signals.filter {
      $0.member != "Changed" && $0.member != "PropertiesChanged"
    }
    #expect(ends.map(\.member) == ["WillEnd", "DidEnd", "DragEnded"])
    #expect(ends.first?.path == session.text)
    try daemon.start()
    #expect(try daemon.client().get(BoardInterface.count) == answered)
  }

  @Test("A crash ends sessions and views without signals, and the changes since then can be read")
  func crashed() throws {
    let daemon = try Daemon()
    let client = try daemon.client()
    let session = try client.drag(["x"])
    let view = try client.call(ViewsInterface.openView, at: BusClient.board, "")
    let row = try client.insert(["a"])[0]
    let revision = try client.get(BoardInterface.revision)
    _ = client.takeSignals()
    daemon.kill()
    try daemon.start()
    let signals = client.takeSignals().filter { $0.interface.hasPrefix("\(Dragboard.busName).") }
    #expect(signals.isEmpty)
    #expect(try client.get(BoardInterface.revision) == revision)
    expect(.noSuchSession) { _ = try client.call(DropTargetInterface.canHandle, session) }
    expect(.unknownObject) { _ = try client.get(DragSessionInterface.state, at: session) }
    expect(.unknownObject) { _ = try client.call(ViewInterface.deselect, at: view) }
    _ = try client.call(BoardInterface.setPinned, row, true)
    let (latest, changes) = try client.call(BoardInterface.getChanges, revision)
    #expect(latest == revision + 1 && changes.map(\.members.0) == ["reload"])
    #expect(try client.drag(["y"]) != session)
  }

  @Test("When its bus ends, the daemon exits with 0 and has stored everything")
  func busGone() throws {
    let bus = try PrivateBus()
    let data = FileManager.default.temporaryDirectory.appending(path: "data-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: data) }
    let process = try ChildProcess(
      try builtProduct("dragboardd"), ["--data", data.path], environment: bus.environment)
    #expect(process.nextLine(of: .errors)?.contains("serves") == true)
    _ = try BusClient(to: bus.address).call(BoardInterface.insertText, 0, 0, "kept")
    bus.stop()
    #expect(process.waitForExit() == .exited(0))

    let other = try PrivateBus()
    let again = try ChildProcess(
      try builtProduct("dragboardd"), ["--data", data.path], environment: other.environment)
    #expect(again.nextLine(of: .errors)?.contains("serves") == true)
    #expect(
      try BusClient(to: other.address).call(BoardInterface.getTexts, 0, 0, 9) == ["kept"])
  }

  // MARK: Configuration

  /// Returns the limit of boards that applies: the number of boards, including "default", when the
  /// daemon refuses another one.
  private func boards(
    on bus: PrivateBus, _ options: [String], _ variables: [String: String]
  ) throws -> Int {
    let process = try ChildProcess(
      try builtProduct("dragboardd"), options,
      environment: bus.environment.merging(variables) { $1 })
    let line = process.nextLine(of: .errors)
    #expect(line?.contains("serves") == true)
    let client = try BusClient(to: bus.address)
    for count in 1... {
      do { _ = try client.call(ManagerInterface.createBoard, at: Dragboard.root, "\(count)") } catch
      {
        #expect(error.name == .limitsExceeded)
        return count
      }
    }
    return 0
  }

  @Test("An option has precedence over a variable, and a variable over the file")
  func precedence() throws {
    let file = "# limits\n\nmax-boards = 4  # boards\nmax-rows = 1\n"
    let cases: [([String], [String: String], Int)] = [
      ([], [:], 4), ([], ["DRAGBOARD_MAX_BOARDS": "3"], 3),
      (["--max-boards", "2"], ["DRAGBOARD_MAX_BOARDS": "3"], 2),
      (["--max-boards=5"], [:], 5), (["--max-boards", "9", "--max-boards", "6"], [:], 6),
    ]
    for (options, variables, count) in cases {
      let bus = try PrivateBus()
      try bus.configure(file)
      #expect(try boards(on: bus, options, variables) == count)
    }
  }

  @Test(
    "With a setting that is unknown, zero, negative or malformed the daemon does not start",
    arguments: [
      ("max-rows", "0"), ("max-rows", "-1"), ("max-rows", "many"), ("max-rows", "1.5"),
      ("max-rows", ""), ("max-rows", "99999999999999999999"), ("max-rows", "281474976710657"),
      ("max-bytes", "1GiB"), ("idle-timeout", "5s"), ("idle-timeout", "1000000001"),
      ("session-timeout", "0"),
      ("session-timeout", "-2"), ("session-timeout", "soon"), ("session-timeout", "inf"),
      ("session-timeout", "nan"), ("session-timeout", "0x10"), ("no-such-setting", "1"),
    ])
  func malformed(setting: String, value: String) throws {
    let bus = try PrivateBus()
    let option = try run(on: bus, ["--\(setting)", value])
    #expect(option.status == .exited(2))
    #expect(option.errors.contains("--\(setting)"))

    let variable = "DRAGBOARD_" + setting.uppercased().replacing("-", with: "_")
    if setting != "no-such-setting" {
      let fromVariable = try run(on: bus, variables: [variable: value])
      #expect(fromVariable.status == .exited(2))
      #expect(fromVariable.errors.contains(variable))
    }

    try bus.configure("max-boards = 3\n\(setting) = \(value)\n")
    let fromFile = try run(on: bus)
    #expect(fromFile.status == .exited(2))
    #expect(fromFile.errors.contains("config.toml, line 2"))
    #expect(fromFile.errors.contains(setting))
  }

  @Test("The daemon logs a warning about an unknown variable, and starts")
  func unknownVariable() throws {
    let daemon = try Daemon(
      [],
      environment: ["DRAGBOARD_MAX_ROW": "1", "DRAGBOARD_BOARD": "work", "DRAGBOARD_REPLACE": "1"])
    #expect(
      daemon.said.filter { $0.contains("variable") } == [
        "dragboardd: variable DRAGBOARD_MAX_ROW: there is no setting 'max-row'; the variable is ignored",
        "dragboardd: variable DRAGBOARD_REPLACE: there is no setting 'replace'; the variable is ignored",
      ])
    #expect(try daemon.client().insert(["a", "b"]).count == 2)
  }

  @Test("Errors name malformed options and lines")
  func noForm() throws {
    let bus = try PrivateBus()
    for (options, word) in [(["serve"], "serve"), (["--max-rows"], "--max-rows"), (["-x"], "-x")] {
      let result = try run(on: bus, options)
      #expect(result.status == .exited(2))
      #expect(result.errors.contains(word))
    }
    for text in ["max-rows\n", "[limits]\n", "= 5\n"] {
      try bus.configure(text)
      let result = try run(on: bus)
      #expect(result.status == .exited(2))
      #expect(result.errors.contains("config.toml, line 1"))
    }
  }

  @Test("--help lists every limit with its default; --version prints the version")
  func help() throws {
    let bus = try PrivateBus()
    let help = try run(on: bus, ["--help"])
    #expect(help.status == .exited(0))
    #expect(help.errors.isEmpty)
    for words in [
      "--max-sessions-per-application", "--max-sessions", "--max-items",
      "--max-representation-bytes", "--max-session-bytes", "--max-bytes", "--max-rows",
      "--max-boards", "--max-sections", "--session-timeout", "(600", "(256)", "(1000000)",
    ] {
      #expect(help.output.contains(words), "\(words)")
    }
    let version = try run(on: bus, ["--version"])
    #expect(version.status == .exited(0))
    #expect(version.output == "dragboardd \(Dragboard.version)\n")
  }
}
