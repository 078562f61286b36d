import DBus
import Dispatch
import DragboardInterface
import DragboardService
import TestSupport
import Testing

@Suite("A drop of so many items that it is done in steps", .timeLimit(.minutes(20)))
struct LargeDropTests {
  private static let count = 2_000
  private static let texts = (0..<count).map { "text \($0)" }

  /// A service, a client that drags and drops, and one that does something else meanwhile.
  private struct Fixture {
    let service: ServiceThread
    let dropper: BusClient
    let other: BusClient
    let session: ObjectPath

    init(limits: Limits = Limits()) throws {
      service = try ServiceThread(limits: limits)
      dropper = try service.client()
      other = try service.client()
      try other.insert(["row"])
      session = try dropper.call(
        ManagerInterface.beginTextDrag, at: Dragboard.root, "org.source", LargeDropTests.texts)
    }

    /// Has others' calls arrive behind the drop; both are looked at in one turn.
    func drop(before calls: [OutgoingMessage]) -> (drop: Outstanding, others: Outstanding) {
      service.whilePaused { (dropper.beginDrop(session), other.send(calls)) }
    }

    /// Has others' calls arrive while the drop is being stored.
    func drop(amid calls: [OutgoingMessage]) -> (drop: Outstanding, others: Outstanding) {
      let (isStaged, mayGoOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
      service.orders.onStage {
        isStaged.signal()
        mayGoOn.wait()
      }
      let drop = dropper.beginDrop(session)
      isStaged.wait()
      defer { mayGoOn.signal() }
      service.orders.onStage(nil)
      return (drop, other.send(calls))
    }
  }

  @Test("has all rows in order, one Changed, and one end of the session")
  func whole() throws {
    let fixture = try Fixture()
    defer { fixture.service.stop() }
    _ = fixture.other.takeSignals()
    let drop = fixture.dropper.beginDrop(fixture.session, row: 0)
    let result = try drop.dropResult()
    #expect(result.operation == "copy")
    #expect(try fixture.other.texts() == Self.texts + ["row"])
    #expect(try fixture.other.rows().map(\.id).prefix(Self.count) == result.items[...])
    let words = fixture.other.takeWords().filter { !$0.hasPrefix("DropPending") }
    #expect(words.filter { $0.hasPrefix("Changed") } == ["Changed 2 3"])
    #expect(words.suffix(3).first == "DidEnd copy")
  }

  @Test("holds up nobody: what others ask meanwhile is answered, and the drop is not there yet")
  func others() throws {
    let fixture = try Fixture()
    defer { fixture.service.stop() }
    let (drop, others) = fixture.drop(before: [getting(BoardInterface.count)])
    let answer = try #require(others.all().first).get()
    #expect(try answer.arguments(as: Variant.self).value == Value.uint32(1))
    #expect(try fixture.other.standing(of: fixture.session) == "dropping copy")
    #expect(try drop.dropResult().items.count == Self.count)
  }

  @Test("keeps its place through the edits of others, which are durable before it is")
  func edits() throws {
    let fixture = try Fixture()
    defer { fixture.service.stop() }
    let insert = call(BoardInterface.insertText, 0, 0, "before")
    let (drop, others) = fixture.drop(before: [insert])
    #expect(others.errors() == [""])
    #expect(drop.answered == 0)
    #expect(try drop.dropResult().items.count == Self.count)
    #expect(try fixture.other.texts() == ["before", "row"] + Self.texts)
  }

  @Test("is broken off by Cancel: it answers cancel, and what had been stored is removed")
  func cancelled() throws {
    let fixture = try Fixture()
    defer { fixture.service.stop() }
    #expect(fixture.service.orders.wait(forEnds: 1))
    let (drop, others) = fixture.drop(
      amid: [
        // Something that commits what has been stored so far.
        call(BoardInterface.insertText, 0, -1, "x"),
        call(DragSessionInterface.cancel, at: fixture.session),
      ])
    #expect(others.errors() == ["", ""])
    #expect(try drop.dropResult() == DropResult(operation: "cancel", items: []))
    #expect(try fixture.other.texts() == ["row", "x"])
    #expect(fixture.service.orders.wait(forEnds: 2))
  }

  @Test("on a board that has filled up meanwhile is refused, and what had been stored is removed")
  func full() throws {
    var limits = Limits()
    limits.maxRows = Self.count + 1
    let fixture = try Fixture(limits: limits)
    defer { fixture.service.stop() }
    #expect(fixture.service.orders.wait(forEnds: 1))
    let (drop, others) = fixture.drop(amid: [call(BoardInterface.insertText, 0, -1, "x")])
    #expect(others.errors() == [""])
    expect(.limitsExceeded) { _ = try drop.dropResult() }
    #expect(try fixture.other.texts() == ["row", "x"])
    #expect(fixture.service.orders.wait(forEnds: 2))
  }

  @Test(
    "on a disk that fails at any moment is refused with IOError, and the next one works",
    arguments: [(.put, 0), (.put, 1_000), (.put, 1_999), (.save, 0), (.commit, 0)]
      as [(FaultyRepository.Step, Int)])
  func faults(step: FaultyRepository.Step, after others: Int) throws {
    let fixture = try Fixture()
    defer { fixture.service.stop() }
    let before = try fixture.other.contents()
    fixture.service.orders.fail(step, after: others)
    expect(.ioError) { _ = try fixture.dropper.beginDrop(fixture.session).dropResult() }
    #expect(try fixture.other.contents() == before)
    #expect(try fixture.other.standing(of: fixture.session) == "ended cancel")
    let next = try fixture.dropper.call(
      ManagerInterface.beginTextDrag, at: Dragboard.root, "org.source", Self.texts)
    #expect(try fixture.dropper.beginDrop(next).dropResult().items.count == Self.count)
    #expect(try fixture.other.texts() == ["row"] + Self.texts)
  }

  @Test("that was half stored when another's edit could not be is refused, too: part of it is gone")
  func rolledBack() throws {
    let fixture = try Fixture()
    defer { fixture.service.stop() }
    fixture.service.orders.fail(.commit)
    let (drop, others) = fixture.drop(amid: [call(BoardInterface.insertText, 0, 0, "x")])
    #expect(others.errors() == ["IOError"])
    expect(.ioError) { _ = try drop.dropResult() }
    #expect(try fixture.other.texts() == ["row"])
  }
}
