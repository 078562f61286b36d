import DBus
import DragboardInterface
import Foundation
import TestSupport
import Testing

extension StorageFaultTests {
  @Test("A drop that could not be stored leaves its session active, and can be repeated")
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

  @Test("A drag of rows stays active after a move that could not be stored")
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

  @Test("A proposal and a forbidden drop that depend on a failed edit are rolled back")
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

  @Test("A drag of rows fails with a failed edit of their board; an earlier drag stays active")
  func begin() throws {
    let fixture = try Fixture()
    let earlier = try fixture.client.call(ManagerInterface.beginDrag, at: Dragboard.root, "org.x")
    _ = fixture.signals()
    let errors = fixture.batch(
      failing: .commit,
      [
        call(DragSessionInterface.addText, at: earlier, "1"),
        call(BoardInterface.insertText, 0, -1, "x"),
        call(DragSourceInterface.beginDrag, "", [fixture.items[0]]),
        call(DragSessionInterface.addText, at: earlier, "3"),
        getting(ManagerInterface.sessions, at: Dragboard.root),
      ])
    #expect(errors == ["", "IOError", "IOError", "", "IOError"])
    #expect(
      fixture.signals() == ["ItemsAdded", "PropertiesChanged", "ItemsAdded", "PropertiesChanged"])
    #expect(try fixture.client.get(ManagerInterface.sessions, at: Dragboard.root) == [earlier])
    #expect(try fixture.client.get(DragSessionInterface.itemCount, at: earlier) == 2)
  }

  @Test("No client gets a signal of an edit before the commit")
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

  @Test("A drag ends if its source leaves while the drag is being begun")
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
    let name = source.name
    source.leave()
    fixture.observer.waitForBus()
    mayCommit.signal()
    #expect(fixture.observer.next("DragEnded").words.hasSuffix("\(name) cancel"))
    #expect(try fixture.client.get(ManagerInterface.sessions, at: Dragboard.root) == [])
  }
}
