import DBus
import DragboardInterface
import TestSupport
import Testing

@Suite("The loads of promises")
struct PromiseAskingTests {
  @Test("A question about types does not load a promise")
  func questions() throws {
    let fixture = try PromiseFixture()
    let (client, log) = (fixture.client, fixture.log)
    let session = try fixture.source.drag([.gives("a"), .gives("b")])
    #expect(try client.call(DragSessionInterface.getTypes, at: session, 0) == [plainText])
    #expect(try client.call(DragSessionInterface.canLoad, at: session, "*/*"))
    #expect(try client.call(DragSessionInterface.getSuggestedName, at: session, 0) == "")
    #expect(try client.call(DropTargetInterface.canHandle, session))
    #expect(try client.propose(session).operation == "copy")
    #expect(try client.get(DragSessionInterface.itemCount, at: session) == 2)
    #expect(try client.get(DragSessionInterface.progress, at: session) == 0)
    _ = try client.call(DragSessionInterface.setExpectedSize, at: session, 0, plainText, 1)
    try fixture.accept(session)
    _ = try fixture.dropper.call(DragSessionInterface.getTypes, at: session, 0)
    #expect(try fixture.load(session, 1) == Array("b".utf8))
    #expect(log.loads.map(\.item) == [1])
    #expect(log.loads.map(\.type) == [plainText])
    #expect(log.loads.map(\.session) == [session.element])
  }

  @Test("A promise is loaded once for two clients at the same time and for a later client")
  func once() throws {
    let fixture = try PromiseFixture()
    let session = try fixture.source.drag([.gives("a", after: "go")])
    try fixture.accept(session)
    let second = try fixture.daemon.client()
    let waiting = [fixture.dropper, second].map { client in
      client.send([
        call(DragSessionInterface.loadData, at: session, 0, "text/*"),
        call(DragSessionInterface.loadText, at: session, 0),
      ])
    }
    #expect(fixture.log.waitForLoads(1))
    #expect(try fixture.client.call(DragSessionInterface.canLoad, at: session, "*/*"))
    #expect(waiting.map(\.answered) == [0, 0])
    fixture.log.open("go")
    for outstanding in waiting { #expect(outstanding.errors() == ["", ""]) }
    #expect(try fixture.load(session) == Array("a".utf8))
    #expect(fixture.log.loads.count == 1)
  }

  @Test("A promise is loaded once for the source that loads it and the board that gets the drop")
  func sourceAndBoard() throws {
    let fixture = try PromiseFixture()
    let session = try fixture.source.drag([
      .gives("a", after: "go"), .gives("b"), .gives("c", after: "go"),
    ])
    let other = try fixture.daemon.client()
    #expect(try other.call(DragSessionInterface.loadText, at: session, 1) == "b")
    let load = other.send([call(DragSessionInterface.loadText, at: session, 0)])
    #expect(fixture.log.waitForLoads(2))
    let drop = fixture.dropper.beginDrop(session)
    #expect(fixture.log.waitForLoads(3))
    fixture.log.open("go")
    #expect(try load.answer().arguments(as: String.self) == "a")
    #expect(try drop.dropResult().items.count == 3)
    #expect(try fixture.client.texts() == ["a", "b", "c"])
    #expect(fixture.log.loads.map(\.item) == [1, 0, 2])
  }

  @Test("A promise that has failed is loaded again for the next client that asks")
  func again() throws {
    let fixture = try PromiseFixture()
    let session = try fixture.source.run { try $0.beginDrag(as: "org.source") }
    let item = try fixture.source.addItem(to: session)
    try fixture.source.promise(.refuses("not yet"), .gives("a"), item: item, of: session)
    try fixture.accept(session)
    expect(.loadFailed, naming: "not yet") { _ = try fixture.load(session) }
    #expect(try fixture.load(session) == Array("a".utf8))
    #expect(try fixture.load(session) == Array("a".utf8))
    #expect(fixture.log.loads.count == 2)
  }

  @Test("Every promise of a connection is loaded, up to a limit at the same time")
  func many() throws {
    let fixture = try PromiseFixture()
    let session = try fixture.source.drag((0..<40).map { .gives("\($0)", after: "go") })
    let drop = fixture.dropper.beginDrop(session)
    #expect(fixture.log.waitForLoads(16))
    for _ in 0..<20 { _ = try fixture.client.get(BoardInterface.count) }
    #expect(fixture.log.loads.count == 16)
    let other = try PromisingClient(on: fixture.daemon.bus)
    let another = try other.drag([.gives("from another connection")])
    #expect(try fixture.client.drop(another).items.count == 1)
    fixture.log.open("go")
    #expect(try drop.dropResult().items.count == 40)
    #expect(
      try fixture.client.texts() == ["from another connection"] + (0..<40).map { "\($0)" })
    #expect(fixture.log.loads.map(\.item) == Array(0..<40))
  }

  @Test("The loads of all connections are limited, but the first load of a connection starts")
  func ofAll() throws {
    let fixture = try PromiseFixture()
    let sources = try (0..<17).map { _ in try PromisingClient(on: fixture.daemon.bus) }
    let drops = try sources.map { source in
      fixture.dropper.beginDrop(
        try source.drag((0..<16).map { .gives("\($0)", after: "go") }))
    }
    for source in sources.prefix(16) { #expect(source.log.waitForLoads(16)) }
    for _ in 0..<20 { _ = try fixture.client.get(BoardInterface.count) }
    #expect(sources.reduce(0) { $0 + $1.log.loads.count } == 257)
    for source in sources { source.log.open("go") }
    for drop in drops { #expect(try drop.dropResult().items.count == 16) }
  }

  @Test("A promise that waits for a slot is not loaded if no client wants it any more")
  func wantedNoMore() throws {
    let fixture = try PromiseFixture()
    let session = try fixture.source.drag((0..<20).map { _ in .silent })
    let drop = fixture.dropper.beginDrop(session)
    #expect(fixture.log.waitForLoads(16))
    try fixture.client.cancel(session)
    #expect(try drop.dropResult() == DropResult(operation: "cancel", items: []))
    #expect(fixture.log.waitForBrokenPipes(16))
    #expect(fixture.log.waitForEnds(16))
    let next = try fixture.source.drag([.gives("next")])
    #expect(try fixture.client.drop(next).items.count == 1)
    #expect(fixture.log.loads.count == 17)
  }

  @Test("A loader whose connection has left is reported as missing")
  func gone() throws {
    let fixture = try PromiseFixture()
    let promiser = try PromisingClient(on: fixture.daemon.bus)
    let session = try fixture.source.run { try $0.beginDrag(as: "org.source") }
    for promiser in [promiser, fixture.source] {
      try promiser.promise(
        .gives("x"), item: try fixture.source.addItem(to: session), of: session)
    }
    try fixture.source.run { source in
      try source.call(
        DragSessionInterface.registerPromise, at: session, 1, "text/html", "all", "/nowhere")
    }
    try promiser.leave()
    try fixture.accept(session)
    expect(.loadFailed, naming: "item 0", "left the bus") { _ = try fixture.load(session, 0) }
    #expect(try fixture.load(session, 1, "text/plain") == Array("x".utf8))
    expect(.loadFailed, naming: "item 1", "text/html") {
      _ = try fixture.load(session, 1, "text/html")
    }
  }
}

/// The type of plain text, as the daemon reports it.
let plainText = "text/plain;charset=utf-8"
