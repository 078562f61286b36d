import DBus
import DragboardInterface
import Files
import Foundation
import SQLite
import TestSupport
import Testing

@testable import DragboardStore

/// A daemon exits and another one starts, without a lost edit.
@Suite("The replacement and the end of a daemon")
struct LeavingTests {
  // MARK: Calls that wait at the end

  @Test("On SIGTERM, the daemon answers calls that wait for the disk or for identification")
  func inHand() throws {
    let daemon = try Daemon()
    let client = try daemon.client()
    let bytes = [UInt8](repeating: 7, count: 8 << 20)
    daemon.signal(SIGSTOP)
    let outstanding = client.send(
      (0..<3).map { call(BoardInterface.insertData, 0, -1, "application/x-\($0)", bytes) })
    daemon.signal(SIGTERM)
    daemon.signal(SIGCONT)
    #expect(outstanding.errors() == ["", "", ""])
    #expect(daemon.waitForExit() == .exited(0))
    try daemon.start()
    #expect(
      try daemon.client().rows().map(\.types) == (0..<3).map { ["application/x-\($0)"] })
  }

  // MARK: Replacing

  @Test("With --replace a daemon replaces the running daemon, and every call is answered")
  func replace() throws {
    let daemon = try Daemon()
    let (client, editor) = (try daemon.client(), try daemon.client())
    let watcher = try daemon.client()
    let session = try client.drag(["x"])
    _ = watcher.takeSignals()
    let calls = (0..<300).map { call(BoardInterface.insertText, 0, -1, "\($0)") }
    let before = editor.send(Array(calls[..<150]))
    let next = try ChildProcess(
      try builtProduct("dragboardd"), ["--replace"], environment: daemon.bus.environment)
    let after = editor.send(Array(calls[150...]))
    #expect(before.errors() + after.errors() == [String](repeating: "", count: 300))
    #expect(daemon.waitForExit() == .exited(0))
    #expect(next.nextLine(of: .errors)?.contains("serves") == true)
    #expect(try client.texts() == (0..<300).map { "\($0)" })
    #expect(watcher.next("DragEnded").path == Dragboard.root.text)
    #expect(try client.get(ManagerInterface.sessions, at: Dragboard.root) == [])
    expect(.noSuchSession) { try client.drop(session) }
  }

  @Test("With --replace a daemon that cannot open its data leaves the other daemon alone")
  func replaceInVain() throws {
    let daemon = try Daemon()
    let client = try daemon.client()
    let foreign = daemon.bus.home.path + "/foreign"
    do {
      try BoardStore(directory: foreign).tables.transaction.database.execute(
        "PRAGMA application_id = 7")
    }
    for folder in ["/etc/passwd", "/proc/dragboard", foreign] {
      let result = try daemon.run(
        try builtProduct("dragboardd"), ["--replace", "--data", folder])
      #expect(result.status == .exited(1))
      #expect(result.errors.contains(folder))
    }
    #expect(try client.insert(["a"]).count == 1)
  }

  @Test(
    "With --replace and no running daemon a daemon serves, also with the data of a killed daemon"
  )
  func replaceNobody() throws {
    let daemon = try Daemon("--replace")
    _ = try daemon.client().insert(["kept"])
    daemon.kill()
    try daemon.start()
    #expect(try daemon.client().texts() == ["kept"])
  }

  // MARK: Idle

  @Test("An activated daemon exits when it is idle, and no call is lost")
  func idle() throws {
    let bus = try ActivatingBus("idle-timeout = 0.02\n")
    let client = try bus.client()
    var owners: [String] = []
    client.connection.names.watchOwner(of: Dragboard.busName) { owner in
      if let owner { owners.append(owner) }
    }
    var texts: [String] = []
    // Calls arrive at any time: while the daemon serves, while it leaves, and after it has left.
    let deadline = ContinuousClock.now + .seconds(60)
    while Set(owners).count < 6 {
      try #require(ContinuousClock.now < deadline, "\(Set(owners).count) daemons served")
      texts.append("\(texts.count)")
      _ = try client.insert([texts[texts.count - 1]])
      usleep(useconds_t(texts.count * 1_700 % 31_000))
    }
    #expect(try client.texts() == texts)
  }

  @Test("After an update, a daemon that is in use exits when there is no session and no view")
  func updated() throws {
    let (updated, idle) = (
      try ActivatingBus("idle-timeout = 1\n", isCopy: true),
      try ActivatingBus("idle-timeout = 0.1\n")
    )
    let (viewer, user) = (try updated.client(), try updated.client())
    let view = try viewer.call(ViewsInterface.openView, "")
    let before = try #require(user.daemon)
    try updated.installProgram()
    #expect(RunningProgram(process: before)?.isReplaced == true)
    // The daemon has looked several times by then.
    try idle.waitForOwners(15)
    #expect(user.daemon == before)
    #expect(try viewer.get(ViewInterface.editing, at: view) == false)
    viewer.leave()
    let deadline = ContinuousClock.now + .seconds(60)
    var now: Int32?
    while now == nil || now == before {
      try #require(ContinuousClock.now < deadline, "the daemon was not replaced")
      // The calls do not prevent the replacement, and none of them fails.
      _ = try user.get(BoardInterface.count)
      now = user.daemon
    }
    #expect(try RunningProgram(process: #require(now))?.isReplaced == false)
  }

  @Test("An idle daemon runs as long as there is a session or a view")
  func inUse() throws {
    let (used, idle) = (
      try ActivatingBus("idle-timeout = 0.02\n"), try ActivatingBus("idle-timeout = 0.02\n")
    )
    let (dragger, viewer) = (try used.client(), try used.client())
    let session = try dragger.beginDrag()
    // The other daemon has left several times by then, and this daemon would have left, too.
    try idle.waitForOwners(4)
    #expect(try dragger.standing(of: session) == "active ")
    try dragger.cancel(session)
    let view = try viewer.call(ViewsInterface.openView, "")
    try idle.waitForOwners(4)
    #expect(try viewer.get(ViewInterface.editing, at: view) == false)
  }

  @Test("A daemon that was not activated keeps running")
  func byHand() throws {
    let (daemon, idle) = (
      try Daemon("--idle-timeout", "0.02"), try ActivatingBus("idle-timeout = 0.02\n")
    )
    try idle.waitForOwners(4)
    let client = try daemon.client()
    #expect(daemon.state == "it runs")
    try client.insert(["x"])
    #expect(try client.texts() == ["x"])
  }
}

/// A bus that starts the daemon when a client calls it.
extension BusClient {
  /// The process id of the daemon; nil if no daemon runs.
  fileprivate var daemon: Int32? {
    let call = OutgoingMessage.call(
      "GetConnectionUnixProcessID", of: BusInterface.name, at: BusInterface.path, to: .bus)
    call.append(Dragboard.busName.text)
    guard let reply = try? wait(for: call), let id: UInt32 = try? reply.arguments(as: UInt32.self)
    else { return nil }
    return Int32(id)
  }
}

private final class ActivatingBus {
  private let bus: PrivateBus
  private let program: String

  // A copy of the program can be replaced by `installProgram`.
  init(_ configuration: String, isCopy: Bool = false) throws {
    bus = try PrivateBus()
    program = try isCopy ? bus.home.path + "/dragboardd" : builtProduct("dragboardd")
    if isCopy { try installProgram() }
    try bus.configure(configuration)
    let services = bus.home.appending(path: "data/dbus-1/services")
    try FileManager.default.createDirectory(at: services, withIntermediateDirectories: true)
    let file = """
      [D-BUS Service]
      Name=\(Dragboard.busName)
      Exec=\(program)

      """
    try Data(file.utf8).write(to: services.appending(path: "dragboard.service"))
    let client = try BusClient(to: bus.address)
    try client.wait(
      for: .call("ReloadConfig", of: BusInterface.name, at: BusInterface.path, to: .bus))
  }

  /// Replaces the program by another file, as a package manager does.
  func installProgram() throws {
    let new = "\(program).new"
    try whileNothingStarts {
      try FileManager.default.copyItem(atPath: builtProduct("dragboardd"), toPath: new)
    }
    #expect(rename(new, program) == 0)
  }

  func client() throws -> BusClient { try BusClient(to: bus.address) }

  /// Calls the daemon each time that it has left, until `count` daemons have served.
  func waitForOwners(_ count: Int) throws {
    let client = try client()
    var (isThere, came) = (false, 0)
    client.connection.names.watchOwner(of: Dragboard.busName) { owner in
      isThere = owner != nil
      if isThere { came += 1 }
    }
    for _ in 0..<count {
      _ = try client.get(BoardInterface.count)
      client.run(until: { !isThere })
    }
    #expect(came >= count - 1)
  }
}
