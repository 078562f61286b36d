import DBus
import DragboardInterface
import TestSupport
import Testing

@Suite("The signals of a drag")
struct DropSignalTests {
  @Test("A copy emits WillEnd, Changed, DidTransferItems, DidEnd and DragEnded in this order")
  func copy() throws {
    let daemon = try Daemon()
    let client = try daemon.client()
    let session = try client.drag(["x", "y"])
    #expect(
      client.takeWords() == ["DragBegan \(session.element) org.source", "ItemsAdded 0 2"])
    _ = try client.propose(session, row: 0)
    #expect(client.takeWords() == ["DidUpdate org.target default copy 0 0"])
    try client.drop(session)
    #expect(
      client.takeWords() == [
        "WillEnd copy", "Changed 1 2", "DidTransferItems [0, 1] []", "DidEnd copy",
        "DragEnded \(session.element) org.source copy", "DropPerformed \(session.element) copy 2",
      ])
  }

  @Test("The signals of a move are in the same order; a move that changes nothing has no Changed")
  func move() throws {
    let daemon = try Daemon()
    let client = try daemon.client()
    let rows = try client.insert(["a", "b"])
    for (row, changed) in [(1, ["Changed 2 3"]), (1, [])] as [(Int32, [String])] {
      let session = try client.drag(rows: [rows[0]])
      _ = client.takeWords()
      try client.drop(session, as: "org.source", row: row)
      #expect(
        client.takeWords()
          == ["WillEnd move"] + changed + [
            "DidTransferItems [0] []", "DidEnd move",
            "DragEnded \(session.element) org.source move",
            "DropPerformed \(session.element) move 1",
          ])
    }
  }

  @Test("A drop without effect and a Cancel have no DidTransferItems and no DropPerformed")
  func nothing() throws {
    let daemon = try Daemon()
    let client = try daemon.client()
    let rows = try client.insert(["a", "b"])
    let ends: [(BusClient) throws -> ObjectPath] = [
      { client in
        let session = try client.drag(rows: rows)
        #expect(try client.drop(session, as: "org.source").operation == "cancel")
        return session
      },
      { client in
        let session = try client.drag(["x"])
        try client.cancel(session)
        return session
      },
    ]
    for end in ends {
      _ = client.takeWords()
      let session = try end(client)
      #expect(
        client.takeWords().filter { !$0.hasPrefix("ItemsAdded") } == [
          "DragBegan \(session.element) org.source", "WillEnd cancel", "DidEnd cancel",
          "DragEnded \(session.element) org.source cancel",
        ])
    }
  }

  @Test("A forbidden drop emits nothing; the drag can be dropped again, with one report of its end")
  func forbidden() throws {
    let daemon = try Daemon()
    let client = try daemon.client()
    let session = try client.drag(["x"])
    try client.call(BoardInterface.setAcceptedTypes, ["image/png"])
    #expect(try client.propose(session).operation == "forbidden")
    _ = client.takeSignals()
    for _ in 0..<2 {
      #expect(try client.drop(session) == DropResult(operation: "forbidden", items: []))
    }
    #expect(client.takeSignals().isEmpty)
    #expect(try client.standing(of: session) == "active forbidden")
    let other = try client.board("other")
    _ = client.takeSignals()
    #expect(try client.drop(session, on: other).items.count == 1)
    #expect(client.takeWords().filter { $0.hasPrefix("DragEnded") }.count == 1)
  }

  @Test("The source gets WillEnd before Load")
  func willEndBeforeLoad() throws {
    let fixture = try PromiseFixture()
    let session = try fixture.source.drag([.gives("a"), .gives("b")])
    _ = try fixture.dropper.beginDrop(session).dropResult()
    #expect(fixture.log.heard.count == 2)
    for signals in fixture.log.heard { #expect(signals.contains("WillEnd")) }
  }

  @Test("A caller gets the signals of its own call before the reply")
  func beforeTheReply() throws {
    let daemon = try Daemon()
    let client = try daemon.client()
    let session = try client.drag(["x"])
    _ = client.takeSignals()
    try client.drop(session)
    // The client has waited only for the reply, so these signals arrived before the reply.
    let members = client.signals.map(\.member)
    #expect(members.contains("Changed"))
    #expect(members.contains("DragEnded"))
    #expect(members.contains("PropertiesChanged"))
  }

  @Test("DidExit reports that a drag has left a target, and nothing else changes")
  func exit() throws {
    let daemon = try Daemon()
    let client = try daemon.client()
    let session = try client.drag(["x"])
    _ = try client.propose(session)
    _ = client.takeSignals()
    _ = try client.call(DropTargetInterface.exitDrop, session, "org.target")
    #expect(client.takeSignals().map(\.words) == ["DidExit org.target default"])
    #expect(try client.standing(of: session) == "active copy")
  }

  @Test("ItemsAdded reports later items, once for each call")
  func itemsAdded() throws {
    let daemon = try Daemon()
    let client = try daemon.client()
    let session = try client.beginDrag()
    #expect(client.takeWords() == ["DragBegan \(session.element) org.source"])
    _ = try client.call(DragSessionInterface.addText, at: session, "x")
    _ = try client.call(DragSessionInterface.addItem, at: session, "")
    #expect(client.takeWords() == ["ItemsAdded 0 1", "ItemsAdded 1 1"])
    #expect(try client.get(DragSessionInterface.itemCount, at: session) == 2)
  }

  @Test("A row that is dropped in its own position moves without a revision")
  func ownPosition() throws {
    let daemon = try Daemon()
    let client = try daemon.client()
    let rows = try client.insert(["a", "b"])
    let revision = try client.get(BoardInterface.revision)
    let session = try client.call(DragSourceInterface.beginDrag, "org.a", [rows[1]])
    let (operation, items) = try client.call(
      DropTargetInterface.performDrop, session, "org.a", 0, 1)
    #expect(operation == "move" && items == [rows[1]])
    #expect(try client.get(BoardInterface.revision) == revision)
  }

  @Test("ItemChanged follows every call of SetAttributes, and the text \"\" removes an attribute")
  func setAttributes() throws {
    let daemon = try Daemon()
    let client = try daemon.client()
    let session = try client.beginDrag()
    _ = try client.call(DragSessionInterface.addItem, at: session, "a")
    let stack = ["stack": Variant(.string("s"))]
    for attributes in [stack, stack, [:], ["name": Variant(.string(""))]] {
      _ = client.takeWords()
      try client.call(DragSessionInterface.setAttributes, at: session, 0, attributes)
      #expect(client.takeWords() == ["ItemChanged 0"])
    }
    let attributes = try client.call(DragSessionInterface.getAttributes, at: session, 0)
    #expect(attributes == stack)
    #expect(try client.call(DragSessionInterface.getSuggestedName, at: session, 0) == "")
  }

  @Test("ItemChanged reports each new representation, and changed attributes")
  func itemChanged() throws {
    let daemon = try Daemon()
    let client = try daemon.client()
    let session = try client.beginDrag()
    for _ in 0..<2 { _ = try client.call(DragSessionInterface.addItem, at: session, "") }
    _ = client.takeWords()
    try client.call(DragSessionInterface.registerText, at: session, 1, "x")
    try client.register("text/html", "y", of: session)
    try client.call(
      DragSessionInterface.registerPromise, at: session, 1, "image/png", "all", "/nowhere")
    try client.call(
      DragSessionInterface.setAttributes, at: session, 0, ["name": Variant(.string("a"))])
    #expect(
      client.takeWords() == ["ItemChanged 1", "ItemChanged 0", "ItemChanged 1", "ItemChanged 0"])
    expect(.duplicateRepresentation) { try client.register("text/html", "z", of: session) }
    #expect(client.takeWords() == [])
    // The bytes are written to a file first.
    let large = [UInt8](repeating: 65, count: 100_000)
    try client.call(DragSessionInterface.registerData, at: session, 0, "image/png", "all", large)
    #expect(client.takeWords() == ["ItemChanged 0"])
  }

  @Test("GetPublicTypes returns the types of visibility all to every client")
  func publicTypes() throws {
    let daemon = try Daemon()
    let (client, other) = (try daemon.client(), try daemon.client())
    let session = try client.beginDrag()
    _ = try client.call(DragSessionInterface.addItem, at: session, "")
    for (type, visibility) in [
      ("text/html", "all"), ("text/rtf", "team"), ("image/png", "own-process"),
      ("image/jpeg", "all"),
    ] {
      try client.call(DragSessionInterface.registerData, at: session, 0, type, visibility, [60])
    }
    for caller in [client, other] {
      #expect(
        try caller.call(DragSessionInterface.getPublicTypes, at: session, 0)
          == ["text/html", "image/jpeg"])
    }
    // An unsandboxed client may act for the source, and sees all types.
    #expect(try other.call(DragSessionInterface.getTypes, at: session, 0).count == 4)
  }

  @Test(
    "GetSizes returns the bytes of each type in the order of GetTypes, and the expected size of a promise"
  )
  func sizes() throws {
    let daemon = try Daemon()
    let client = try daemon.client()
    let session = try client.beginDrag()
    _ = try client.call(DragSessionInterface.addItem, at: session, "")
    let data = [UInt8](repeating: 60, count: 100_000)
    try client.call(DragSessionInterface.registerData, at: session, 0, "text/html", "all", data)
    for type in ["image/png", "image/jpeg"] {
      try client.call(
        DragSessionInterface.registerPromise, at: session, 0, type, "all", "/loader")
    }
    try client.call(DragSessionInterface.setExpectedSize, at: session, 0, "image/jpeg", 7)
    try client.call(DragSessionInterface.registerText, at: session, 0, "text")
    #expect(
      try daemon.client().call(DragSessionInterface.getSizes, at: session, 0)
        == [100_000, 0, 7, 4])
    let row = try client.insert(["a row"])
    #expect(try client.call(DragSessionInterface.getSizes, at: client.drag(rows: row), 0) == [5])
  }

  @Test("One of two simultaneous drops of a session wins, and the other gets SessionEnded")
  func twoDrops() throws {
    let daemon = try Daemon()
    let client = try daemon.client()
    let other = try client.board("other")
    let session = try client.drag(["x"])
    let calls = [BusClient.board, other].map { board in
      let call = OutgoingMessage.call(
        "PerformDrop", of: DropTargetInterface.name, at: board, to: Dragboard.busName)
      call.append(session, "org.target", UInt32(0), Int32(-1))
      return call
    }
    _ = client.takeSignals()
    let answers = client.answers(to: calls)
    #expect(throws: Never.self) { try answers[0].get() }
    expect(.sessionEnded) { _ = try answers[1].get() }
    #expect(try client.texts() == ["x"])
    #expect(try client.texts(of: other) == [])
    #expect(client.takeWords().count { $0.hasPrefix("DragEnded") } == 1)
  }
}
