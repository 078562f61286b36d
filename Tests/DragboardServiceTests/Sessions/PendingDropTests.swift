import DBus
import DragboardInterface
import Foundation
import TestSupport
import Testing

@Suite("A drop on a board that waits for promises")
struct PendingDropTests {
  /// Returns the last signals of a session whose drop of `items` items inserted nothing.
  private func cancelled(_ session: ObjectPath, items: Int) -> [String] {
    [
      "DidTransferItems [] \(Array(0..<items))", "DidEnd cancel",
      "DragEnded \(session.element) org.source cancel",
    ]
  }

  /// Takes the signals that have arrived, without DropPending.
  private func words(_ fixture: PromiseFixture) -> [String] {
    fixture.client.takeWords().filter { !$0.hasPrefix("DropPending") }
  }

  @Test("A pending drop is answered when everything has arrived, with its signals in order")
  func answered() throws {
    let fixture = try PromiseFixture()
    let session = try fixture.source.drag([.gives("a"), .gives("b", after: "go")])
    _ = fixture.client.takeSignals()
    let drop = fixture.dropper.beginDrop(session)
    #expect(fixture.log.waitForEnds(1))
    #expect(try fixture.client.standing(of: session) == "dropping copy")
    #expect(try fixture.client.texts() == [])
    fixture.dropper.waitForBus()
    #expect(drop.answered == 0)
    #expect(words(fixture) == ["WillEnd copy"])
    fixture.log.open("go")
    let result = try drop.dropResult()
    #expect(try fixture.client.rows().map(\.id) == result.items)
    #expect(try fixture.client.texts() == ["a", "b"])
    #expect(
      words(fixture) == [
        "Changed 1 2", "DidTransferItems [0, 1] []", "DidEnd copy",
        "DragEnded \(session.element) org.source copy", "DropPerformed \(session.element) copy 2",
      ])
  }

  @Test("A pending drop of items with bytes and promises keeps the order of the session")
  func mixed() throws {
    let fixture = try PromiseFixture()
    let session = try fixture.source.drag([.gives("promised", after: "go")])
    _ = try fixture.client.call(DragSessionInterface.addText, at: session, "eager")
    _ = try fixture.client.call(
      DragSessionInterface.addText, at: session, String(repeating: "large ", count: 20_000))
    let drop = fixture.dropper.beginDrop(session)
    #expect(fixture.log.waitForLoads(1))
    fixture.log.open("go")
    #expect(try drop.dropResult().items.count == 3)
    #expect(
      try fixture.client.rows().map { $0.preview.prefix(8) } == ["promised", "eager", "large la"])
  }

  @Test("A cancelled pending drop returns cancel, and the board is unchanged")
  func cancel() throws {
    let fixture = try PromiseFixture()
    let before = try fixture.client.contents()
    let session = try fixture.source.drag([.gives("a"), .silent])
    let drop = fixture.dropper.beginDrop(session)
    #expect(fixture.log.waitForLoads(2) && fixture.log.waitForEnds(1))
    _ = fixture.client.takeSignals()
    try fixture.client.cancel(session)
    #expect(try drop.dropResult() == DropResult(operation: "cancel", items: []))
    #expect(fixture.log.waitForBrokenPipes(1))
    let told = fixture.client.takeSignals()
    #expect(try told.pending.last?.count == 0)
    #expect(
      told.filter { $0.member != "PropertiesChanged" && $0.member != "DropPending" }.map(\.words)
        == cancelled(session, items: 2))
    #expect(try fixture.client.contents() == before)
    #expect(try fixture.client.standing(of: session) == "ended cancel")
  }

  @Test("If the source of a pending drop exits, exactly the arrived items are inserted")
  func sourceDies() throws {
    let fixture = try PromiseFixture()
    let session = try fixture.source.drag(
      as: "",
      [
        .gives("there"), [.write([0x68]), .wait("never")], .gives("there, too"), .silent,
        [.reply, .write([0x78]), .wait("never")],
      ])
    _ = try fixture.source.run { try $0.call(DragSessionInterface.addText, at: session, "eager") }
    let drop = fixture.dropper.beginDrop(session)
    #expect(fixture.log.waitForLoads(5) && fixture.log.waitForEnds(2))
    _ = try fixture.client.nextPending { $0.progress > 0.3 }
    try fixture.source.leave()
    let result = try drop.dropResult()
    #expect(result.operation == "copy")
    #expect(try fixture.client.rows().map(\.id) == result.items)
    #expect(try fixture.client.texts() == ["there", "there, too", "eager"])
    #expect(words(fixture).contains("DidTransferItems [0, 2, 5] [1, 3, 4]"))
  }

  @Test("A pending drop goes on after its caller has left")
  func dropperLeaves() throws {
    let fixture = try PromiseFixture()
    let session = try fixture.source.drag([.gives("a", after: "go")])
    _ = fixture.dropper.beginDrop(session, as: "")
    #expect(fixture.log.waitForLoads(1))
    fixture.dropper.leave()
    fixture.client.waitForBus()
    fixture.log.open("go")
    #expect(
      fixture.client.next("DragEnded").words == "DragEnded \(session.element) org.source copy")
    #expect(try fixture.client.texts() == ["a"])
  }

  @Test("A pending drop excludes every other drop, Accept, and change of the session")
  func secondDrop() throws {
    let fixture = try PromiseFixture()
    let client = fixture.client
    let other = try client.board("other")
    let session = try fixture.source.drag([.gives("a", after: "go")])
    let drop = fixture.dropper.beginDrop(session)
    #expect(fixture.log.waitForLoads(1))
    let calls: [() throws -> Void] = [
      { try client.drop(session) }, { try client.drop(session, on: other) },
      { _ = try client.propose(session) },
      { _ = try client.call(DropTargetInterface.canHandle, session) },
      { _ = try client.call(DragSessionInterface.accept, at: session, "org.target", "copy") },
      { _ = try client.call(DragSessionInterface.addText, at: session, "x") },
      { _ = try client.call(DragSessionInterface.setExpectedSize, at: session, 0, plainText, 9) },
      { try client.set(DragSessionInterface.allowsMove, to: false, at: session) },
    ]
    for call in calls { expect(.sessionEnded) { try call() } }
    expect(.accessDenied) {
      _ = try client.call(DragSessionInterface.finish, at: session)
    }
    fixture.log.open("go")
    #expect(try drop.dropResult().items.count == 1)
    #expect(try client.texts() == ["a"])
    #expect(try client.texts(of: other) == [])
  }

  @Test("A pending drop fails with NoSuchBoard when its board is deleted")
  func boardGoes() throws {
    let fixture = try PromiseFixture()
    let board = try fixture.client.board("brief")
    let session = try fixture.source.drag([.gives("a"), .silent])
    let drop = fixture.dropper.beginDrop(session, on: board)
    #expect(fixture.log.waitForLoads(2))
    _ = fixture.client.takeSignals()
    _ = try fixture.client.call(ManagerInterface.deleteBoard, at: Dragboard.root, "brief")
    expect(.noSuchBoard, naming: "brief") { _ = try drop.dropResult() }
    #expect(fixture.log.waitForBrokenPipes(1))
    #expect(words(fixture).filter { !$0.hasPrefix("Interf") } == cancelled(session, items: 2))
  }

  @Test(
    "A pending drop fails with LimitsExceeded when its board has filled up; nothing is inserted")
  func boardFull() throws {
    let fixture = try PromiseFixture()
    try fixture.client.set(BoardInterface.maxRows, to: Variant(.uint32(3)))
    let session = try fixture.source.drag([.gives("a", after: "go"), .gives("b")])
    let drop = fixture.dropper.beginDrop(session)
    #expect(fixture.log.waitForLoads(2))
    try fixture.client.insert(["x", "y"])
    _ = fixture.client.takeSignals()
    fixture.log.open("go")
    expect(.limitsExceeded, naming: "3") { _ = try drop.dropResult() }
    let told = fixture.client.takeSignals()
    #expect(try told.pending.last?.count == 0)
    #expect(
      told.map(\.words).filter { !$0.hasPrefix("DropP") && !$0.hasPrefix("Prop") }
        == cancelled(session, items: 2))
    #expect(try fixture.client.texts() == ["x", "y"])
  }

  @Test("A pending drop inserts the items that have room when they arrive, although others failed")
  func roomForTheRest() throws {
    let fixture = try PromiseFixture()
    try fixture.client.set(BoardInterface.maxRows, to: Variant(.uint32(2)))
    let session = try fixture.source.drag([[.wait("go"), .refuse("no")], .gives("b")])
    let drop = fixture.dropper.beginDrop(session)
    #expect(fixture.log.waitForLoads(2))
    try fixture.client.insert(["x"])
    fixture.log.open("go")
    #expect(try drop.dropResult().items.count == 1)
    #expect(try fixture.client.texts() == ["x", "b"])
  }

  @Test("A pending drop is not ended by the session timeout while an item is being loaded")
  func sessionTimeout() throws {
    let fixture = try PromiseFixture("--session-timeout", "0.2")
    let other = try fixture.client.drag(["x"], as: "org.other")
    let session = try fixture.source.drag([.gives("a", after: "go")])
    let drop = fixture.dropper.beginDrop(session)
    #expect(fixture.log.waitForLoads(1))
    #expect(fixture.client.next("DragEnded").words == "DragEnded \(other.element) org.other cancel")
    let another = try fixture.client.drag(["x"], as: "org.other")
    #expect(
      fixture.client.next("DragEnded").words == "DragEnded \(another.element) org.other cancel")
    fixture.log.open("go")
    #expect(try drop.dropResult().items.count == 1)
  }

  @Test(
    "A pending drop is cancelled with all its signals when the daemon stops; nothing is inserted")
  func shutdown() throws {
    let fixture = try PromiseFixture()
    try fixture.client.insert(["row"])
    let before = try fixture.client.contents()
    let large = [UInt8](repeating: 0x61, count: 200_000)
    let session = try fixture.source.drag([
      .gives(large), [.write(large), .waitForBrokenPipe], .silent,
    ])
    let drop = fixture.dropper.beginDrop(session)
    #expect(fixture.log.waitForLoads(3) && fixture.log.waitForEnds(1))
    _ = fixture.client.takeSignals()
    #expect(fixture.daemon.terminate() == .exited(0))
    #expect(try drop.dropResult() == DropResult(operation: "cancel", items: []))
    #expect(fixture.log.waitForBrokenPipes(2))
    fixture.client.waitForBus()
    let told = fixture.client.signals.filter { $0.interface.hasPrefix(Dragboard.busName.text) }
    #expect(try told.pending.last?.count == 0)
    #expect(
      told.map(\.words).filter { !$0.hasPrefix("DropPending") } == cancelled(session, items: 3))
    try fixture.daemon.start()
    #expect(try fixture.daemon.client().contents() == before)
    #expect(fixture.daemon.largeContents(waitingFor: []) == [])
  }

  @Test("A pending drop inserts the contents that the rows had when the drag began")
  func rowDrag() throws {
    let fixture = try PromiseFixture()
    let client = fixture.client
    let source = try client.board("source")
    let large = String(repeating: "many words ", count: 20_000)
    let first = try fixture.source.drag([.gives(large)])
    let held = try client.call(DragSessionInterface.addItem, at: first, "named")
    for (type, bytes) in [("text/html", pattern(100_000)), ("image/png", [0x89])] {
      try client.call(DragSessionInterface.registerData, at: first, held, type, "all", bytes)
    }
    let rows = try client.drop(first, on: source).items
    let session = try client.drag(rows: rows, of: source)
    let outstanding = fixture.dropper.send([
      call(BoardInterface.setText, at: source, rows[0], "changed"),
      call(DropTargetInterface.performDrop, session, "org.target", 0, -1),
      call(BoardInterface.deleteItems, at: source, rows),
      call(ManagerInterface.deleteBoard, at: Dragboard.root, "source"),
    ])
    #expect(outstanding.errors() == ["", "", "", ""])
    let copies = try client.rows()
    #expect(copies.map(\.types) == [[plainText], ["text/html", "image/png"]])
    #expect(try client.call(BoardInterface.getText, copies[0].id) == large)
    #expect(try client.call(BoardInterface.getData, copies[1].id, "text/html") == pattern(100_000))
    #expect(try client.call(BoardInterface.getData, copies[1].id, "image/png") == [0x89])
    fixture.daemon.kill()
    try fixture.daemon.start()
    let again = try fixture.daemon.client()
    #expect(try again.call(BoardInterface.getText, copies[0].id) == large)
  }
}
