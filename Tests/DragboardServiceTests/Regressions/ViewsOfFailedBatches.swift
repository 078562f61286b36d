import DBus
import DragboardInterface
import DragboardService
import TestSupport
import Testing

@Suite("Regression: what a batch that failed had made of views was told, or taken for told")
struct ViewsOfFailedBatches {
  @Test(
    "What is pending instead of a row whose deletion failed is told when the row is deleted",
    arguments: [false, true])
  func pending(isEditing: Bool) throws {
    let fixture = try StorageFaultTests.Fixture()
    let client = fixture.client
    let view = try client.openView()
    try client.select([fixture.items[1]], in: view)
    try client.setReselect(in: view)
    // The edit changes what is pending, and nothing that the view holds.
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

  @Test("A row that an edit which failed had deleted is not told of as gone")
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

  @Test("A view that could not be opened takes nobody's place")
  func limit() throws {
    var limits = Limits()
    limits.maxViews = 1
    let fixture = try StorageFaultTests.Fixture(limits: limits)
    // Numbers for views are reserved with the first one, in a batch of their own.
    try fixture.client.call(ViewInterface.close, at: fixture.client.openView())
    let open = call(ViewsInterface.openView, "org.x")
    let calls = [call(BoardInterface.insertText, 0, 0, "x"), open, open]
    #expect(fixture.batch(failing: .commit, calls) == ["IOError", "IOError", "IOError"])
    _ = try fixture.client.openView()
  }

  @Test("A view that could not be closed is there for every call")
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
