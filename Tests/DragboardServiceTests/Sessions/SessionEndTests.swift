import DBus
import DragboardInterface
import TestSupport
import Testing

@Suite("The end of a session")
struct SessionEndTests {
  /// Returns the last signals of a session that ends without a drop.
  private func cancelled(_ session: ObjectPath, of application: String) -> [String] {
    ["WillEnd cancel", "DidEnd cancel", "DragEnded \(session.element) \(application) cancel"]
  }

  @Test("A session ends by the timeout after the last call that named it")
  func timeout() throws {
    let daemon = try Daemon("--session-timeout", "0.3")
    let client = try daemon.client()
    let session = try client.drag(["x"])
    #expect(client.next("DragEnded").words == "DragEnded \(session.element) org.source cancel")
    #expect(try client.standing(of: session) == "ended cancel")
    #expect(try client.get(DragSessionInterface.itemCount, at: session) == 1)
    #expect(try client.get(ManagerInterface.dragging, at: Dragboard.root) == false)
  }

  @Test(
    "A session does not end by the timeout while calls name it, as their object or as an argument")
  func use() throws {
    let daemon = try Daemon("--session-timeout", "2")
    let client = try daemon.client()
    let uses: [(BusClient, ObjectPath) throws -> Void] = [
      { _ = try $0.get(DragSessionInterface.state, at: $1) },
      { _ = try $0.call(DragSessionInterface.canLoad, at: $1, "*/*") },
      { _ = try $0.propose($1) },
      { _ = try $0.call(DropTargetInterface.canHandle, $1) },
    ]
    let used = try uses.map { use in (try client.drag(["x"]), use) }
    let unused = try client.drag(["x"])
    let isUnusedOver = { client.signals.contains { $0.member == "DragEnded" } }
    let deadline = ContinuousClock.now + .seconds(60)
    while !isUnusedOver() {
      try #require(ContinuousClock.now < deadline)
      for (session, use) in used { try use(client, session) }
    }
    #expect(client.next("DragEnded").words == "DragEnded \(unused.element) org.source cancel")
    for (session, _) in used { #expect(try client.standing(of: session).hasPrefix("active")) }
  }

  @Test("A session ends when its source leaves the bus, if the source is a connection")
  func sourceLeaves() throws {
    let daemon = try Daemon()
    let client = try daemon.client()
    let source = try daemon.client()
    let own = try source.drag(["x"], as: "")
    let lasting = try source.drag(["x"], as: "org.source")
    let dropped = try source.drag(["y"], as: "")
    try client.drop(dropped)
    _ = client.takeSignals()
    source.leave()
    #expect(client.next("DragEnded").words == "DragEnded \(own.element) \(source.name) cancel")
    #expect(try client.standing(of: own) == "ended cancel")
    #expect(try client.standing(of: lasting) == "active ")
    #expect(try client.standing(of: dropped) == "ended copy")
    #expect(try client.texts() == ["y"])
  }

  @Test("A session that ends for any reason has the same signals")
  func signals() throws {
    let daemon = try Daemon()
    let client = try daemon.client()
    let source = try daemon.client()
    let left = try source.drag(["x"], as: "")
    _ = client.takeSignals()
    source.leave()
    client.run { client.signals.contains { $0.member == "DragEnded" } }
    #expect(client.takeWords() == cancelled(left, of: source.name))
  }

  @Test("Every session ends with its signals before the daemon stops")
  func shutdown() throws {
    let daemon = try Daemon()
    let client = try daemon.client()
    let rows = try client.insert(["a"])
    let sessions = [try client.drag(["x"]), try client.drag(rows: rows), try client.drag(["y"])]
    try client.cancel(sessions[2])
    _ = client.takeSignals()
    #expect(daemon.terminate() == .exited(0))
    for session in sessions[..<2] {
      #expect(client.next("WillEnd").path == session.text)
      #expect(client.next("DidEnd").path == session.text)
      #expect(client.next("DragEnded").words == "DragEnded \(session.element) org.source cancel")
    }
    #expect(client.signals.allSatisfy { $0.member != "DragEnded" })
  }

  @Test("An ended session does not end again, and every call gets SessionEnded")
  func afterlife() throws {
    let daemon = try Daemon()
    let client = try daemon.client()
    let session = try client.drag(["x", "y"])
    try client.drop(session)
    _ = client.takeSignals()
    #expect(try client.standing(of: session) == "ended copy")
    #expect(try client.get(DragSessionInterface.itemCount, at: session) == 2)
    #expect(try client.get(DragSessionInterface.application, at: session) == "org.source")
    let calls: [(String, () throws -> Void)] = [
      ("AddText", { _ = try client.call(DragSessionInterface.addText, at: session, "z") }),
      ("AddItem", { _ = try client.call(DragSessionInterface.addItem, at: session, "z") }),
      (
        "RegisterText",
        { _ = try client.call(DragSessionInterface.registerText, at: session, 0, "z") }
      ),
      ("RegisterData", { try client.register("text/html", "z", of: session) }),
      (
        "SetExpectedSize",
        {
          _ = try client.call(DragSessionInterface.setExpectedSize, at: session, 0, "text/html", 1)
        }
      ),
      ("GetSizes", { _ = try client.call(DragSessionInterface.getSizes, at: session, 0) }),
      ("GetTypes", { _ = try client.call(DragSessionInterface.getTypes, at: session, 0) }),
      (
        "GetSuggestedName",
        { _ = try client.call(DragSessionInterface.getSuggestedName, at: session, 0) }
      ),
      ("CanLoad", { _ = try client.call(DragSessionInterface.canLoad, at: session, "*/*") }),
      ("AllowsMove", { try client.set(DragSessionInterface.allowsMove, to: false, at: session) }),
      (
        "RestrictedToApplication",
        { try client.set(DragSessionInterface.restrictedToApplication, to: true, at: session) }
      ),
      ("Cancel", { try client.cancel(session) }),
      ("CanHandle", { _ = try client.call(DropTargetInterface.canHandle, session) }),
      ("ProposeDrop", { _ = try client.propose(session) }),
      ("ExitDrop", { _ = try client.call(DropTargetInterface.exitDrop, session, "org.target") }),
      ("PerformDrop", { try client.drop(session) }),
    ]
    let before = try client.contents()
    for (name, call) in calls {
      let error = #expect(throws: DBusError.self, "\(name)") { try call() }
      #expect(error?.name == .sessionEnded, "\(name)")
    }
    #expect(try client.contents() == before)
    #expect(client.takeSignals().isEmpty)
  }

  @Test("An ended session is forgotten after a minute, or when 4,096 have ended since")
  func forgotten() throws {
    let daemon = try Daemon()
    let client = try daemon.client()
    let first = try client.drag(["x"])
    try client.cancel(first)
    for _ in 0..<32 {
      let begins = (0..<128).map { _ in
        DragboardServiceTests.call(ManagerInterface.beginDrag, at: Dragboard.root, "org.source")
      }
      #expect(try client.standing(of: first) == "ended cancel")
      let sessions = try client.answers(to: begins).map {
        try $0.get().arguments(as: ObjectPath.self)
      }
      let cancels = sessions.map {
        DragboardServiceTests.call(DragSessionInterface.cancel, at: $0)
      }
      for answer in client.answers(to: cancels) { _ = try answer.get() }
    }
    try expectForgotten(first, by: client)
  }

  @Test("An ended session is forgotten when the drags that ended since had 100,000 rows")
  func forgottenRows() throws {
    let daemon = try Daemon()
    let client = try daemon.client()
    let rows = try client.insert([String](repeating: "x", count: 10_000))
    let first = try client.drag(rows: rows)
    try client.cancel(first)
    for _ in 0..<10 {
      #expect(try client.standing(of: first) == "ended cancel")
      try client.cancel(client.drag(rows: rows))
    }
    try expectForgotten(first, by: client)
  }

  /// Expects that the end of the session was reported at once, and that no call finds it.
  private func expectForgotten(_ session: ObjectPath, by client: BusClient) throws {
    let removed = try client.takeSignals().filter { $0.member == "InterfacesRemoved" }
      .map { try $0.message.arguments(as: ObjectPath.self, [String].self).0 }
    #expect(removed == [session])
    expect(.unknownObject, naming: session.text) { _ = try client.standing(of: session) }
    expect(.noSuchSession, naming: session.text) { try client.drop(session) }
  }

  @Test("A path without a session is NoSuchSession as an argument, and UnknownObject as an object")
  func unknown() throws {
    let daemon = try Daemon()
    let client = try daemon.client()
    for path in [
      "/", "/org/dragboard/Dragboard1/session/9999", "/org/dragboard/Dragboard1/board/default",
    ]
      as [ObjectPath]
    {
      expect(.noSuchSession, naming: "session", path.text) { _ = try client.propose(path) }
      expect(.noSuchSession, naming: "session", path.text) { try client.drop(path) }
      expect(.noSuchSession, naming: "session", path.text) {
        _ = try client.call(DropTargetInterface.canHandle, path)
      }
      expect(.noSuchSession, naming: "session", path.text) {
        _ = try client.call(DropTargetInterface.exitDrop, path, "org.target")
      }
    }
    expect(.unknownObject, naming: "9999") {
      try client.cancel("/org/dragboard/Dragboard1/session/9999")
    }
  }
}
