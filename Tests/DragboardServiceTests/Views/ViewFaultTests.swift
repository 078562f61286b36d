import DBus
import DragboardInterface
import DragboardService
import Foundation
import TestSupport
import Testing

@Suite("A failed batch does not change views")
struct ViewFaultTests {
  /// Makes a service with a board of three rows, and a view that has selected the second row.
  private func fixture() throws -> (fixture: StorageFaultTests.Fixture, view: ObjectPath) {
    let fixture = try StorageFaultTests.Fixture()
    let view = try fixture.client.openView()
    try fixture.client.select([fixture.items[1]], in: view)
    _ = fixture.signals()
    return (fixture, view)
  }

  @Test(
    "Calls that depend on a failed edit get IOError; the view is unchanged",
    arguments: [FaultyStore.Step.save, .commit])
  func edits(step: FaultyStore.Step) throws {
    let (fixture, view) = try fixture()
    let (client, items) = (fixture.client, fixture.items)
    try client.setReselect(in: view)
    _ = fixture.signals()
    let before = try client.look(at: view)
    let calls = [
      call(BoardInterface.deleteItems, [items[1]]),
      getting(ViewInterface.selection, at: view), getting(ViewInterface.pending, at: view),
      call(ViewInterface.commit, at: view), call(ViewInterface.select, at: view, [items[0]]),
      call(ViewInterface.selectRow, at: view, 0, 2), call(ViewInterface.setReselect, at: view),
      call(ViewInterface.reselect, at: view), call(ViewInterface.select, at: view, [items[1]]),
      setting(ViewInterface.allowsMultipleSelection, to: Variant(.boolean(true)), at: view),
      call(ViewInterface.setEditing, at: view, true), call(ViewInterface.deselect, at: view),
      call(ObjectManagerInterface.getManagedObjects, at: Dragboard.root),
    ]
    #expect(
      fixture.batch(failing: step, calls) == [String](repeating: "IOError", count: calls.count))
    #expect(fixture.signals() == [])
    #expect(try client.look(at: view) == before)

    _ = try client.call(BoardInterface.deleteItems, [items[1]])
    #expect(fixture.signals() == ["Changed", "PropertiesChanged"])
    #expect(try client.look(at: view) == ViewLook(pending: items[2]))
  }

  @Test(
    "A view that was opened in a failed batch is missing; the next one follows edits")
  func opened() throws {
    let fixture = try StorageFaultTests.Fixture(limits: limits { $0.maxViews = 1 })
    let calls = [
      call(BoardInterface.insertText, 0, 0, "x"), call(ViewsInterface.openView, "org.x"),
    ]
    #expect(fixture.batch(failing: .commit, calls) == ["IOError", "IOError"])
    #expect(fixture.signals() == [])
    #expect(try fixture.client.objects() == [BusClient.board])
    let view = try fixture.client.openView()
    #expect(fixture.signals() == ["InterfacesAdded"])
    try fixture.client.select([fixture.items[0]], in: view)
    _ = try fixture.client.call(BoardInterface.deleteRow, 0, 0)
    #expect(fixture.signals() == ["PropertiesChanged", "Changed", "PropertiesChanged"])
  }

  private func limits(_ change: (inout Limits) -> Void) -> Limits {
    var limits = Limits()
    change(&limits)
    return limits
  }

  @Test("The views of a board that could not be deleted are unchanged and follow its edits")
  func boardNotDeleted() throws {
    let (fixture, view) = try fixture()
    let client = fixture.client
    let other = try client.board("other")
    let items = try client.insert(["x", "y"], on: other)
    let views = [try client.openView(of: other), try client.openView(of: other, as: "")]
    for view in views { try client.select([items[0]], in: view) }
    try client.setReselect(in: views[1])
    let before = try views.map(client.look(at:))
    _ = fixture.signals()
    for step in [FaultyStore.Step.deleteBoard, .commit] {
      let errors = fixture.batch(
        failing: step,
        [
          call(BoardInterface.deleteRow, at: other, 0, 0), call(ViewInterface.deselect, at: view),
          call(ManagerInterface.deleteBoard, at: Dragboard.root, "other"),
          getting(ViewInterface.selection, at: views[0]),
        ])
      // Deleting a board ends the batch; a deletion that fails does not.
      #expect(errors == ["IOError", "", "IOError", step == .commit ? "" : "IOError"])
      #expect(try views.map(client.look(at:)) == before)
      #expect(try client.objects() == [BusClient.board, view, other, views[0], views[1]])
      #expect(try fixture.observer.takeChanges(at: views[0]) == [])
    }
    _ = try client.call(BoardInterface.deleteRow, at: other, 0, 0)
    let told = fixture.observer.takeSignals().filter { $0.member == "PropertiesChanged" }
    #expect(Set(told.map(\.path)) == Set(views.map(\.text)) && told.count == 2)
    #expect(try client.reselect(in: views[1]) == items[1])
  }

  @Test("A view that no failed edit has changed can be used and closed")
  func untouched() throws {
    let (fixture, view) = try fixture()
    let client = fixture.client
    let other = try client.board("other")
    _ = fixture.signals()
    let errors = fixture.batch(
      failing: .commit,
      [
        call(BoardInterface.insertText, at: other, 0, 0, "x"),
        call(ViewInterface.select, at: view, [fixture.items[2]]),
        getting(ViewInterface.selection, at: view), call(ViewInterface.close, at: view),
        getting(ViewInterface.selection, at: view),
      ])
    #expect(errors == ["IOError", "", "", "", "UnknownObject"])
    #expect(fixture.signals() == ["PropertiesChanged", "InterfacesRemoved"])
    #expect(try client.objects() == [BusClient.board, other])
  }

  @Test(
    "The views of a connection close when it leaves, even if an edit that they followed failed")
  func departure() throws {
    let (fixture, lasting) = try fixture()
    let viewer = try fixture.service.client()
    let own = try viewer.openView(as: "")
    try viewer.select([fixture.items[1]], in: own)
    _ = fixture.signals()
    let (isCommitting, mayCommit) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    fixture.service.orders.onCommit {
      isCommitting.signal()
      mayCommit.wait()
    }
    fixture.service.orders.fail(.commit)
    let outstanding = fixture.service.whilePaused {
      fixture.client.send([
        call(BoardInterface.deleteRow, 0, 1), call(ViewsInterface.openView, ""),
      ])
    }
    isCommitting.wait()
    fixture.service.orders.onCommit(nil)
    viewer.leave()
    fixture.observer.waitForBus()
    mayCommit.signal()
    #expect(outstanding.errors() == ["IOError", "IOError"])
    #expect(try fixture.observer.nextGone() == own)
    #expect(try fixture.client.objects() == [BusClient.board, lasting])
    #expect(try fixture.client.look(at: lasting).selection == [fixture.items[1]])
  }
}
