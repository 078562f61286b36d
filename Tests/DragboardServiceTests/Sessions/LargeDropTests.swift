import DBus
import Dispatch
import DragboardInterface
import DragboardService
import TestSupport
import Testing

@Suite("A drop of more than 64 items, in several steps")
struct LargeDropTests {
  private static let count = 2_000
  private static let texts = (0..<count).map { "text \($0)" }

  /// A service, a client that drags and drops, and a client with other calls.
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

    /// Makes the drop and other calls arrive together, so that one iteration of the loop handles
    /// them.
    func drop(before calls: [OutgoingMessage]) -> (drop: Outstanding, others: Outstanding) {
      service.whilePaused { (dropper.beginDrop(session), other.send(calls)) }
    }

    /// Makes other calls arrive while the daemon stores the drop.
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

  @Test("A large drop inserts all rows in order, with one Changed and one end of the session")
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

  @Test("A large drop delays no other call, and is invisible until it is complete")
  func others() throws {
    let fixture = try Fixture()
    defer { fixture.service.stop() }
    let (drop, others) = fixture.drop(before: [getting(BoardInterface.count)])
    let answer = try #require(others.all().first).get()
    #expect(try answer.arguments(as: Variant.self).value == Value.uint32(1))
    #expect(try fixture.other.standing(of: fixture.session) == "dropping copy")
    #expect(try drop.dropResult().items.count == Self.count)
  }

  @Test("A large drop keeps its position through the edits of others, which are durable before it")
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

  @Test("A cancelled large drop returns cancel, and its stored rows are removed")
  func cancelled() throws {
    let fixture = try Fixture()
    defer { fixture.service.stop() }
    #expect(fixture.service.orders.wait(forEnds: 1))
    let (drop, others) = fixture.drop(
      amid: [
        // This edit commits everything that has been stored so far.
        call(BoardInterface.insertText, 0, -1, "x"),
        call(DragSessionInterface.cancel, at: fixture.session),
      ])
    #expect(others.errors() == ["", ""])
    #expect(try drop.dropResult() == DropResult(operation: "cancel", items: []))
    #expect(try fixture.other.texts() == ["row", "x"])
    #expect(fixture.service.orders.wait(forEnds: 2))
  }

  @Test("A large drop on a board that has filled up is refused, and its stored rows are removed")
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
    "A large drop on a disk that fails at any moment gets IOError, and the next drop works",
    arguments: [(.put, 0), (.put, 1_000), (.put, 1_999), (.save, 0), (.commit, 0)]
      as [(FaultyStore.Step, Int)])
  func faults(step: FaultyStore.Step, after others: Int) throws {
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

  @Test("A large drop of which no item arrives fails, and the daemon goes on")
  func nothing() throws {
    let fixture = try PromiseFixture()
    let session = try fixture.source.drag([[LoadStep]](repeating: [.refuse("no")], count: 100))
    expect(.loadFailed) { try fixture.dropper.drop(session) }
    #expect(try fixture.client.rows().isEmpty)
  }

  @Test("A large drop is refused if the rollback of another edit has removed a part of it")
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
