import DBus
import DragboardInterface
import DragboardService
import Foundation
import TestSupport
import Testing

@Suite("When the disk refuses, a batch has not been")
struct StorageFaultTests {
  /// A service with a board of three rows, one client that calls and one that looks on.
  private final class Fixture {
    let service: ServiceThread
    let client: BusClient
    let observer: BusClient
    let items: [String]
    let before: BoardState

    init(limits: Limits = Limits()) throws {
      service = try ServiceThread(limits: limits)
      client = try service.client()
      items = try client.call(BoardInterface.insertTexts, 0, 0, ["a", "b", "c"])
      observer = try service.client()
      before = try observer.state()
      _ = (client.takeSignals(), observer.takeSignals())
    }

    deinit { service.stop() }

    /// Sends the calls as one batch whose step fails, and gives the errors.
    func batch(failing step: FaultyRepository.Step?, _ calls: [Message]) -> [String] {
      let outstanding = service.whilePaused {
        if let step { service.orders.fail(step) }
        return client.send(calls)
      }
      return outstanding.errors()
    }

    /// The names of the signals that have gone out, but for those of properties.
    func signals() -> [String] { observer.takeSignals().map(\.member) }
  }

  @Test(
    "Every edit of the batch gets IOError, nothing is told, the board is as it was, the next edit works",
    arguments: [FaultyRepository.Step.put, .save, .commit])
  func edits(step: FaultyRepository.Step) throws {
    let fixture = try Fixture()
    let errors = fixture.batch(
      failing: step,
      [
        call(BoardInterface.insertText, 0, 1, "x"), call(BoardInterface.moveRow, 0, 0, 0, 2),
        call(BoardInterface.deleteItems, [fixture.items[1]]),
        call(BoardInterface.setText, fixture.items[2], "C"),
        call(BoardInterface.setEditable, fixture.items[0], false),
        call(BoardInterface.insertSection, "later", -1), call(BoardInterface.clear),
        setting(BoardInterface.maxRows, to: Variant(.uint32(7))),
        call(BoardInterface.setAcceptedTypes, ["image/*"]),
      ])
    #expect(errors == [String](repeating: "IOError", count: 9))
    #expect(fixture.signals() == [])
    #expect(try fixture.client.state() == fixture.before)

    _ = try fixture.client.call(BoardInterface.insertText, 0, 1, "y")
    #expect(fixture.signals() == ["Changed"])
    #expect(try fixture.client.call(BoardInterface.getTexts, 0, 0, 9) == ["a", "y", "b", "c"])
    #expect(try fixture.client.get(BoardInterface.revision) == fixture.before.revision + 1)
  }

  @Test("What reads the board in a failed batch gets IOError, what does not touch it its answer")
  func reads() throws {
    let fixture = try Fixture()
    let other = try fixture.client.call(ManagerInterface.createBoard, at: Dragboard.root, "other")
    let errors = fixture.batch(
      failing: .commit,
      [
        call(BoardInterface.insertText, 0, -1, "x"), call(BoardInterface.getSnapshot),
        call(BoardInterface.getTexts, 0, 0, 9), call(BoardInterface.getText, fixture.items[0]),
        call(BoardInterface.moveRow, 0, 9, 0, 0), call(BoardInterface.insertText, 9, 0, "nowhere"),
        getting(BoardInterface.count), getting(BoardInterface.maxRows),
        call(BoardInterface.getSnapshot, at: other),
        call(BoardInterface.moveRow, at: other, 0, 9, 0, 0),
        call(ManagerInterface.getBoard, at: Dragboard.root, "other"),
      ])
    #expect(errors.prefix(8) == ArraySlice([String](repeating: "IOError", count: 8)))
    #expect(errors.dropFirst(8) == ["", "InvalidArgs", ""])
    #expect(try fixture.client.state() == fixture.before)
  }

  @Test("Both boards of a failed batch are as they were")
  func twoBoards() throws {
    let fixture = try Fixture()
    let other = try fixture.client.call(ManagerInterface.createBoard, at: Dragboard.root, "other")
    let errors = fixture.batch(
      failing: .commit,
      [
        call(BoardInterface.insertText, 0, -1, "x"),
        call(BoardInterface.insertText, at: other, 0, -1, "x"),
      ])
    #expect(errors == ["IOError", "IOError"])
    #expect(try fixture.client.state() == fixture.before)
    #expect(try fixture.client.get(BoardInterface.count, at: other) == 0)
  }

  @Test("A drop that could not be stored leaves its session active, and can be made again")
  func drop() throws {
    let fixture = try Fixture()
    let session = try fixture.client.call(
      ManagerInterface.beginTextDrag, at: Dragboard.root, "org.x", ["1", "2"])
    _ = fixture.signals()
    let errors = fixture.batch(
      failing: .commit,
      [
        call(DropTargetInterface.performDrop, session, "org.y", 0, 0),
        call(DropTargetInterface.performDrop, session, "org.z", 0, 0),
        call(DragSessionInterface.cancel, at: session),
        call(DragSessionInterface.addText, at: session, "3"),
        getting(DragSessionInterface.state, at: session),
      ])
    #expect(errors == [String](repeating: "IOError", count: 5))
    #expect(fixture.signals() == [])
    #expect(try fixture.client.state() == fixture.before)
    #expect(try fixture.client.get(DragSessionInterface.state, at: session) == "active")
    #expect(try fixture.client.get(DragSessionInterface.progress, at: session) == 0)
    #expect(try fixture.client.get(DragSessionInterface.itemCount, at: session) == 2)
    #expect(try fixture.client.get(ManagerInterface.sessions, at: Dragboard.root) == [session])

    let (operation, _) = try fixture.client.call(
      DropTargetInterface.performDrop, session, "org.y", 0, 0)
    #expect(operation == "copy")
    #expect(
      fixture.signals().filter { $0 != "PropertiesChanged" } == [
        "WillEnd", "Changed", "DidTransferItems", "DidEnd", "DragEnded", "DropPerformed",
      ])
  }

  @Test("A drag of rows goes on after a move that could not be stored: its board still counts it")
  func move() throws {
    let fixture = try Fixture()
    let session = try fixture.client.call(DragSourceInterface.beginRowDrag, "org.x", 0, 0)
    _ = fixture.signals()
    let errors = fixture.batch(
      failing: .save, [call(DropTargetInterface.performDrop, session, "org.x", 0, 2)])
    #expect(errors == ["IOError"])
    #expect(try fixture.client.get(BoardInterface.hasActiveDrag) == true)
    #expect(fixture.signals() == [])
    _ = try fixture.client.call(DropTargetInterface.performDrop, session, "org.x", 0, 2)
    #expect(try fixture.client.get(BoardInterface.hasActiveDrag) == false)
    #expect(try fixture.client.call(BoardInterface.getTexts, 0, 0, 9) == ["b", "c", "a"])
  }

  @Test("A proposal and a forbidden drop that rest on a failed edit have not been either")
  func proposals() throws {
    let fixture = try Fixture()
    let sessions = try (0..<2).map { _ in
      try fixture.client.call(ManagerInterface.beginTextDrag, at: Dragboard.root, "org.x", ["1"])
    }
    _ = fixture.signals()
    let errors = fixture.batch(
      failing: .commit,
      [
        call(BoardInterface.setAcceptedTypes, ["image/*"]),
        call(DropTargetInterface.proposeDrop, sessions[0], "org.y", 0, 0),
        call(DropTargetInterface.performDrop, sessions[1], "org.y", 0, 0),
      ])
    #expect(errors == ["IOError", "IOError", "IOError"])
    #expect(fixture.signals() == [])
    #expect(try fixture.client.get(DragSessionInterface.operation, at: sessions[0]) == "")
    for session in sessions {
      #expect(try fixture.client.get(DragSessionInterface.state, at: session) == "active")
    }
  }

  @Test("A session that could not be begun is not there, and one begun before is not touched")
  func begin() throws {
    let fixture = try Fixture()
    let earlier = try fixture.client.call(ManagerInterface.beginDrag, at: Dragboard.root, "org.x")
    _ = fixture.signals()
    let errors = fixture.batch(
      failing: .commit,
      [
        call(DragSessionInterface.addText, at: earlier, "1"),
        call(ManagerInterface.beginTextDrag, at: Dragboard.root, "", ["2"]),
        call(BoardInterface.insertText, 0, -1, "x"),
        call(DragSessionInterface.addText, at: earlier, "3"),
        getting(ManagerInterface.sessions, at: Dragboard.root),
      ])
    #expect(errors == ["", "IOError", "IOError", "", "IOError"])
    #expect(
      fixture.signals() == ["ItemsAdded", "PropertiesChanged", "ItemsAdded", "PropertiesChanged"])
    #expect(try fixture.client.get(ManagerInterface.sessions, at: Dragboard.root) == [earlier])
    #expect(try fixture.client.get(DragSessionInterface.itemCount, at: earlier) == 2)
  }

  @Test("A board that could not be made is not there; one that could not be deleted or renamed is")
  func boards() throws {
    let fixture = try Fixture()
    let other = try fixture.client.call(ManagerInterface.createBoard, at: Dragboard.root, "other")
    _ = try fixture.client.call(BoardInterface.insertText, at: other, 0, 0, "kept")
    _ = fixture.signals()
    let cases: [(FaultyRepository.Step, Message)] = [
      (.createBoard, call(ManagerInterface.createBoard, at: Dragboard.root, "new")),
      (.commit, call(ManagerInterface.createBoard, at: Dragboard.root, "new")),
      (.update, call(ManagerInterface.renameBoard, at: Dragboard.root, "other", "new")),
      (.commit, call(ManagerInterface.renameBoard, at: Dragboard.root, "other", "new")),
      (.deleteBoard, call(ManagerInterface.deleteBoard, at: Dragboard.root, "other")),
      (.commit, call(ManagerInterface.deleteBoard, at: Dragboard.root, "other")),
    ]
    for (step, call) in cases {
      let edit = DragboardServiceTests.call(BoardInterface.insertText, at: other, 0, 0, "lost")
      #expect(fixture.batch(failing: step, [edit, call]) == ["IOError", "IOError"])
      #expect(fixture.signals() == [], "\(step)")
      #expect(
        try fixture.client.get(ManagerInterface.boards, at: Dragboard.root)
          == [BusClient.board, other])
      #expect(try fixture.client.call(BoardInterface.getTexts, at: other, 0, 0, 9) == ["kept"])
      #expect(try fixture.client.get(BoardInterface.boardName, at: other) == "other")
    }
    let new = try fixture.client.call(ManagerInterface.createBoard, at: Dragboard.root, "new")
    _ = try fixture.client.call(ManagerInterface.deleteBoard, at: Dragboard.root, "other")
    #expect(
      try fixture.client.get(ManagerInterface.boards, at: Dragboard.root)
        == [BusClient.board, new])
  }

  @Test("What follows the making or deleting of a board is a batch of its own")
  func boardsAreConcludedAtOnce() throws {
    let fixture = try Fixture()
    let errors = fixture.batch(
      failing: .commit,
      [
        call(ManagerInterface.createBoard, at: Dragboard.root, "new"),
        call(ManagerInterface.getBoard, at: Dragboard.root, "new"),
        call(ManagerInterface.createBoard, at: Dragboard.root, "new"),
        call(ManagerInterface.createBoard, at: Dragboard.root, "new"),
      ])
    #expect(errors == ["IOError", "NoSuchBoard", "", "BoardExists"])
  }

  @Test("While a board cannot be read back nobody sees it; then it is as it was")
  func unreadable() throws {
    let fixture = try Fixture()
    fixture.service.orders.fail(.readBoard, times: 2)
    let errors = fixture.batch(failing: .commit, [call(BoardInterface.insertText, 0, -1, "x")])
    #expect(errors == ["IOError"])
    #expect(fixture.client.send([call(BoardInterface.getSnapshot)]).errors() == ["IOError"])
    #expect(try fixture.client.state() == fixture.before)
  }

  @Test("When something is committed, nobody has been told of it")
  func nothingBefore() throws {
    let fixture = try Fixture()
    let session = try fixture.client.call(
      ManagerInterface.beginTextDrag, at: Dragboard.root, "org.x", ["1"])
    _ = fixture.signals()
    let (isCommitting, mayCommit) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    fixture.service.orders.onCommit {
      isCommitting.signal()
      mayCommit.wait()
    }
    let outstanding = fixture.service.whilePaused {
      fixture.client.send([
        call(BoardInterface.insertText, 0, 0, "x"), call(BoardInterface.getSnapshot),
        call(DropTargetInterface.performDrop, session, "org.y", 0, 0),
        setting(BoardInterface.maxRows, to: Variant(.uint32(9))),
        call(ManagerInterface.beginDrag, at: Dragboard.root, ""),
      ])
    }
    isCommitting.wait()
    fixture.service.orders.onCommit(nil)
    fixture.client.waitForBus()
    fixture.observer.waitForBus()
    #expect(outstanding.answered == 0)
    #expect(fixture.observer.signals.isEmpty)
    mayCommit.signal()
    #expect(outstanding.errors() == ["", "", "", "", ""])
    #expect(fixture.signals().filter { $0 == "Changed" }.count == 2)
  }

  @Test("What arrives together is committed together")
  func together() throws {
    let fixture = try Fixture()
    let before = fixture.service.orders.commits
    let calls = (0..<200).map { call(BoardInterface.insertText, 0, -1, "\($0)") }
    #expect(fixture.batch(failing: nil, calls) == [String](repeating: "", count: 200))
    #expect(fixture.service.orders.commits == before + 1)
  }

  @Test("A source that leaves while its drag is being begun ends it all the same")
  func departureDuringTheBatch() throws {
    let fixture = try Fixture()
    let source = try fixture.service.client()
    let (isCommitting, mayCommit) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    fixture.service.orders.onCommit {
      isCommitting.signal()
      mayCommit.wait()
    }
    _ = source.send([call(ManagerInterface.beginDrag, at: Dragboard.root, "")])
    isCommitting.wait()
    fixture.service.orders.onCommit(nil)
    source.leave()
    fixture.observer.waitForBus()
    mayCommit.signal()
    #expect(try fixture.client.get(ManagerInterface.sessions, at: Dragboard.root) == [])
  }
}
