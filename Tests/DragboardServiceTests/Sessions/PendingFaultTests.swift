import DBus
import DragboardInterface
import TestSupport
import Testing

@Suite("Pending drops and a failing disk")
struct PendingFaultTests {
  /// A service, a client that promises, a client that drops, and an observer.
  private struct Fixture {
    let service: ServiceThread
    let source: PromisingClient
    let dropper: BusClient
    let observer: BusClient

    init() throws {
      service = try ServiceThread()
      source = try PromisingClient(on: service.bus)
      dropper = try service.client()
      observer = try service.client()
      try observer.insert(["row"])
    }

    /// Takes the signals that have arrived, without PropertiesChanged.
    func words() -> [String] { observer.takeWords() }
  }

  @Test(
    "A drop whose bytes cannot be stored gets IOError, inserts nothing, and ends its session once",
    arguments: [.put, .save, .commit] as [FaultyStore.Step])
  func arrival(step: FaultyStore.Step) throws {
    let fixture = try Fixture()
    defer { fixture.service.stop() }
    let session = try fixture.source.drag([.gives("a"), .gives("b", after: "go")])
    let drop = fixture.dropper.beginDrop(session)
    let before = try fixture.observer.contents()
    #expect(fixture.source.log.waitForEnds(1))
    _ = try fixture.observer.nextPending()
    _ = fixture.words()
    fixture.service.orders.fail(step)
    fixture.source.log.open("go")
    expect(.ioError) { _ = try drop.dropResult() }
    fixture.observer.run { fixture.observer.signals.contains { $0.member == "DragEnded" } }
    let told = fixture.observer.takeSignals()
    #expect(try told.pending.last?.count == 0)
    #expect(
      told.map(\.words).filter { !$0.hasPrefix("DropPending") && !$0.hasPrefix("Prop") } == [
        "DidTransferItems [] [0, 1]", "DidEnd cancel",
        "DragEnded \(session.element) org.source cancel",
      ])
    #expect(try fixture.observer.contents() == before)
    #expect(try fixture.observer.standing(of: session) == "ended cancel")
    let next = try fixture.source.drag([.gives("next")])
    #expect(try fixture.dropper.drop(next).items.count == 1)
  }

  @Test("A drop that depends on a failed edit is rolled back, and calls no loader")
  func beginning() throws {
    let fixture = try Fixture()
    defer { fixture.service.stop() }
    let session = try fixture.source.drag([.gives("a")])
    _ = fixture.words()
    let outstanding = fixture.service.whilePaused {
      fixture.service.orders.fail(.commit)
      return fixture.dropper.send([
        call(BoardInterface.setAcceptedTypes, ["text/*"]),
        call(DropTargetInterface.performDrop, session, "org.target", 0, 0),
      ])
    }
    #expect(outstanding.errors() == ["IOError", "IOError"])
    #expect(fixture.words() == [])
    #expect(try fixture.observer.standing(of: session) == "active ")
    for _ in 0..<3 { _ = try fixture.observer.contents() }
    #expect(fixture.source.log.loads.isEmpty)
    #expect(try fixture.dropper.drop(session).items.count == 1)
    #expect(fixture.source.log.loads.count == 1)
    #expect(try fixture.observer.texts() == ["row", "a"])
  }

  @Test("The position of a pending drop is restored after an edit that could not be stored")
  func place() throws {
    let fixture = try Fixture()
    defer { fixture.service.stop() }
    let session = try fixture.source.drag([.gives("+", after: "go")])
    let drop = fixture.dropper.beginDrop(session, row: 1)
    #expect(fixture.source.log.waitForLoads(1))
    fixture.service.orders.fail(.commit)
    expect(.ioError) { try fixture.observer.insert(["x", "y"], at: 0) }
    try fixture.observer.insert(["z"])
    fixture.source.log.open("go")
    #expect(try drop.dropResult().items.count == 1)
    #expect(try fixture.observer.takeSignals().pending.last?.place == "0.2")
    #expect(try fixture.observer.texts() == ["row", "z", "+"])
  }

  @Test(
    "Cancel of a pending drop in a failed batch takes effect completely or not at all")
  func cancelled() throws {
    let fixture = try Fixture()
    defer { fixture.service.stop() }
    let session = try fixture.source.drag([.gives("a", after: "go")])
    let drop = fixture.dropper.beginDrop(session)
    #expect(fixture.source.log.waitForLoads(1))
    _ = fixture.words()
    let canceller = try fixture.service.client()
    let outstanding = fixture.service.whilePaused {
      fixture.service.orders.fail(.commit)
      return canceller.send([
        call(BoardInterface.insertText, 0, 0, "x"), call(DragSessionInterface.cancel, at: session),
      ])
    }
    #expect(outstanding.errors() == ["IOError", ""])
    #expect(try drop.dropResult() == DropResult(operation: "cancel", items: []))
    #expect(fixture.words().filter { $0.hasPrefix("DragEnded") }.count == 1)
    #expect(try fixture.observer.texts() == ["row"])
  }
}
