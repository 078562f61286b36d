import DBus
import DragboardInterface
import DragboardService
import TestSupport
import Testing

@Suite("Regression: effects of a failed batch on views were reported or counted as reported")
struct ViewsOfFailedBatches {
  @Test(
    "A pending row that replaces a row whose deletion failed is reported when that row is deleted",
    arguments: [false, true])
  func pending(isEditing: Bool) throws {
    let fixture = try StorageFaultTests.Fixture()
    let client = fixture.client
    let view = try client.openView()
    try client.select([fixture.items[1]], in: view)
    try client.setReselect(in: view)
    // The edit changes the pending row, and nothing else in the view.
    if isEditing { try client.setEditing(true, in: view) }
    let delete = call(BoardInterface.deleteItems, [fixture.items[1]])
    let errors = fixture.batch(
      failing: .commit, [delete, getting(ViewInterface.pending, at: view)])
    #expect(errors == ["IOError", "IOError"])
    #expect(try client.look(at: view).pending == fixture.items[1])
    _ = fixture.signals()
    try client.wait(for: call(BoardInterface.deleteItems, [fixture.items[1]]))
    let told = try fixture.observer.takeChanges(at: view)
    #expect(told.first?["Pending"] == .string(fixture.items[2]))
  }

  @Test("A row that a failed edit had deleted is not reported as deleted")
  func noSuchItem() throws {
    let fixture = try StorageFaultTests.Fixture()
    let view = try fixture.client.openView()
    let errors = fixture.batch(
      failing: .commit,
      [
        call(BoardInterface.deleteItems, [fixture.items[1]]),
        call(ViewInterface.select, at: view, [fixture.items[1]]),
      ])
    #expect(errors == ["IOError", "IOError"])
    try fixture.client.select([fixture.items[1]], in: view)
  }

  @Test("A view that could not be opened does not count toward the limit")
  func limit() throws {
    var limits = Limits()
    limits.maxViews = 1
    let fixture = try StorageFaultTests.Fixture(limits: limits)
    // The first view reserves numbers for views in a separate batch.
    try fixture.client.call(ViewInterface.close, at: fixture.client.openView())
    let open = call(ViewsInterface.openView, "org.x")
    let calls = [call(BoardInterface.insertText, 0, 0, "x"), open, open]
    #expect(fixture.batch(failing: .commit, calls) == ["IOError", "IOError", "IOError"])
    _ = try fixture.client.openView()
  }

  @Test("A view that could not be closed is found by every call")
  func close() throws {
    let fixture = try StorageFaultTests.Fixture()
    let client = fixture.client
    let view = try client.openView()
    try client.select([fixture.items[1]], in: view)
    _ = fixture.signals()
    let errors = fixture.batch(
      failing: .commit,
      [
        call(BoardInterface.deleteItems, [fixture.items[1]]), call(ViewInterface.close, at: view),
        getting(ViewInterface.selection, at: view),
      ])
    #expect(errors == ["IOError", "IOError", ""])
    #expect(fixture.signals() == [])
    #expect(try client.look(at: view) == ViewLook(selection: [fixture.items[1]]))
    _ = try client.call(BoardInterface.deleteItems, [fixture.items[1]])
    #expect(fixture.signals() == ["Changed", "PropertiesChanged"])
    try client.close(view)
    #expect(try client.objects() == [BusClient.board])
  }
}
