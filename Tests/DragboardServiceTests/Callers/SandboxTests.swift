import DBus
import DragboardInterface
import Foundation
import TestSupport
import Testing

/// The rights of sandboxed clients to objects of other clients.
@Suite(
  "Sandboxed clients",
  .enabled(
    if: Relay.Wall.mountNamespace.isPossible,
    "needs a mount namespace: root, or user namespaces that the system lets a user make"))
struct SandboxTests {
  private static let id = "org.team.group.Boxed"

  let daemon: Daemon
  /// A client in the sandbox of org.team.group.Boxed.
  let boxed: BusClient
  let free: BusClient
  private let relay: Relay

  init() throws {
    daemon = try Daemon()
    relay = try Relay(on: daemon.bus, as: Self.id)
    boxed = try relay.client()
    free = try daemon.client()
  }

  // MARK: Identification

  @Test("A sandbox is identified by its .flatpak-info")
  func mountNamespace() throws { try check(.mountNamespace) }

  @Test(
    "A sandbox that bubblewrap makes with Flatpak's options is identified, too",
    .enabled(if: Relay.Wall.bubblewrap.isPossible, "needs bwrap, and a system that lets it work"))
  func bubblewrap() throws { try check(.bubblewrap) }

  private func check(_ wall: Relay.Wall) throws {
    let relay = try Relay(on: daemon.bus, as: "org.other.App", behind: wall)
    let client = try relay.client()
    _ = try client.beginDrag(as: "org.other.App")
    expect(.accessDenied, naming: "application") { _ = try client.beginDrag(as: Self.id) }
    withExtendedLifetime(relay) {}
  }

  @Test("A sandboxed client may only use its id and its unique name as an application")
  func identity() throws {
    for application in ["", boxed.name, Self.id] {
      let session = try boxed.beginDrag(as: application)
      #expect(
        try free.get(DragSessionInterface.application, at: session)
          == (application.isEmpty ? boxed.name : application))
      try boxed.cancel(session)
    }
    let row = try boxed.insert(["a"])[0]
    let session = try free.drag(["x"])
    let calls: [(String) throws -> Void] = [
      { _ = try boxed.beginDrag(as: $0) },
      { _ = try boxed.drag(["x"], as: $0) },
      { _ = try boxed.drag(rows: [row], as: $0) },
      { _ = try boxed.call(DragSourceInterface.beginRowDrag, $0, 0, 0) },
      { _ = try boxed.propose(session, as: $0) },
      { _ = try boxed.call(DropTargetInterface.exitDrop, session, $0) },
      { try boxed.drop(session, as: $0) },
      { try boxed.accept(session, as: $0) },
      { _ = try boxed.call(ViewsInterface.openView, $0) },
    ]
    for call in calls {
      for application in ["org.team.group.Other", "org.team.group", "notes", free.name] {
        expect(.accessDenied, naming: "application") { try call(application) }
      }
    }
    #expect(try free.standing(of: session) == "active ")
  }

  @Test("A sandboxed client cannot change sessions and views of others")
  func others() throws {
    let session = try free.drag(["x"], as: "org.team.group.Other")
    expect(.accessDenied, naming: "source") { try boxed.cancel(session) }
    expect(.accessDenied, naming: "source") {
      _ = try boxed.call(DragSessionInterface.addText, at: session, "y")
    }
    let view = try free.call(ViewsInterface.openView, "org.team.group.Other")
    expect(.accessDenied, naming: "view") { _ = try boxed.call(ViewInterface.close, at: view) }
    #expect(try free.standing(of: session) == "active ")

    // A client of the same application counts as the source.
    let own = try free.drag(["x"], as: Self.id)
    try boxed.cancel(own)
  }

  @Test(
    "A sandboxed client sees the representations for its team and its group",
    arguments: [
      (id, 4), ("org.team.group.Other", 3), ("org.team.Other", 2), ("org.team.other.App", 2),
      ("org.else.group.App", 1), ("notes", 1), ("", 1),
    ])
  func visibility(source: String, seen: Int) throws {
    let types = ["own-process": "a/a", "group": "b/b", "team": "c/c", "all": "d/d"]
      .sorted { $0.value < $1.value }
    let session = try free.beginDrag(as: source)
    _ = try free.call(DragSessionInterface.addItem, at: session, "")
    for (visibility, type) in types {
      try free.register(type, "x", visibility: visibility, of: session)
    }
    let visible = types.suffix(seen).map(\.value)
    #expect(try boxed.call(DragSessionInterface.getTypes, at: session, 0) == visible)
    for (_, type) in types {
      #expect(
        try boxed.call(DragSessionInterface.canLoad, at: session, type) == visible.contains(type))
    }
    try boxed.accept(session, as: Self.id)
    for (_, type) in types {
      let data = try? boxed.loadData(type, of: session)
      #expect((data != nil) == visible.contains(type))
    }
  }

  // MARK: Unidentified clients

  @Test(
    "A client whose .flatpak-info has no id counts as its connection alone",
    arguments: ["", "[Application]\n", "[Application]\nname=a b\n", "no key file"])
  func noID(info: String) throws {
    let relay = try Relay(on: daemon.bus, behind: .mountNamespace, info: info)
    let client = try relay.client()
    try withExtendedLifetime(relay) { try checkUnverified(client) }
  }

  @Test("A connection whose process has exited counts only as itself, even without a sandbox")
  func orphan() throws {
    let relay = try Relay(on: daemon.bus, behavior: .orphan)
    let client = try relay.client()
    try withExtendedLifetime(relay) { try checkUnverified(client) }
  }

  @Test("A process without a sandbox is unsandboxed, even if a relay carries its messages")
  func relayed() throws {
    let relay = try Relay(on: daemon.bus)
    let client = try relay.client()
    let session = try client.beginDrag(as: "org.any.App")
    #expect(try free.get(DragSessionInterface.application, at: session) == "org.any.App")
    let board = try client.call(ManagerInterface.createBoard, at: Dragboard.root, "b")
    #expect(try free.get(ManagerInterface.boards, at: Dragboard.root).contains(board))
    withExtendedLifetime(relay) {}
  }

  private func checkUnverified(_ client: BusClient) throws {
    let row = try free.insert(["free"])[0]
    expect(.accessDenied, naming: "application") { _ = try client.beginDrag(as: "org.any.App") }
    _ = try client.beginDrag(as: "")
    let own = try client.insert(["own"])[0]
    #expect(try client.texts() == ["", ""])
    expect(.accessDenied) { _ = try client.call(BoardInterface.deleteItems, [row]) }
    expect(.accessDenied) { _ = try client.call(BoardInterface.clear) }
    #expect(try free.rows().last?.attributes["source"] == .string(client.name))
    #expect(try free.rows().last?.id == own)
  }

  @Test("A call of a client that has left is executed with the rights of an unidentified client")
  func gone() throws {
    _ = try free.insert(["kept"])
    let client = try daemon.client()
    let calls = [
      OutgoingMessage.call(
        "Clear", of: BoardInterface.name, at: BusClient.board, to: Dragboard.busName),
      OutgoingMessage.call(
        "InsertText", of: BoardInterface.name, at: BusClient.board, to: Dragboard.busName),
    ]
    calls[1].append(UInt32(0), Int32(-1), "left behind")
    _ = free.takeSignals()
    daemon.signal(SIGSTOP)
    for call in calls { client.connection.send(call) { _ in } }
    client.leave()
    daemon.signal(SIGCONT)
    _ = free.next("Changed")
    #expect(try free.texts() == ["kept", "left behind"])
  }

  // MARK: Order

  @Test("Calls that wait for the identification of their caller are answered in order")
  func order() throws {
    for client in [try relay.client(), try daemon.client()] {
      _ = try free.call(BoardInterface.clear)
      let calls = (0..<300).map { number in
        let call = OutgoingMessage.call(
          "InsertText", of: BoardInterface.name, at: BusClient.board, to: Dragboard.busName)
        call.append(UInt32(0), Int32(-1), "\(number)")
        return call
      }
      for answer in client.answers(to: calls) { _ = try answer.get() }
      #expect(try client.texts() == (0..<300).map { "\($0)" })
    }
  }

  @Test("Many clients that connect at once are all identified")
  func many() throws {
    let clients = try (0..<200).map { try $0 % 2 == 0 ? daemon.client() : relay.client() }
    daemon.signal(SIGSTOP)
    let calls = clients.map { client in
      let call = OutgoingMessage.call(
        "BeginDrag", of: ManagerInterface.name, at: Dragboard.root, to: Dragboard.busName)
      call.append("org.any.App")
      return client.send([call])
    }
    daemon.signal(SIGCONT)
    for (index, call) in calls.enumerated() {
      #expect(call.errors() == [index % 2 == 0 ? "" : "AccessDenied"], "\(index)")
    }
  }

  @Test("The bus is asked once for each connection")
  func once() throws {
    let monitor = try ChildProcess(
      "dbus-monitor", ["--address", daemon.bus.address, "member='GetConnectionCredentials'"])
    // A monitor first reports that it has lost its name.
    while let line = monitor.nextLine(), !line.contains("NameLost") {}
    _ = monitor.nextLine()
    let clients = [try relay.client(), try daemon.client()]
    for _ in 0..<20 { for client in clients { _ = try client.texts() } }
    let last = try daemon.client()
    _ = try last.texts()
    var asked: [String] = []
    while asked.last != last.name, let line = monitor.nextLine() {
      if let name = line.split(separator: "\"").dropFirst().first, line.contains("string \":") {
        asked.append(String(name))
      }
    }
    #expect(asked == clients.map(\.name) + [last.name])
  }
}
