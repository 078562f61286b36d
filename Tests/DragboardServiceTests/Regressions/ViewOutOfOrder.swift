import DBus
import DragboardInterface
import TestSupport
import Testing

@Suite("Regression: a view that could not be closed followed edits after views opened later")
struct ViewOutOfOrder {
  @Test("Views follow an edit in the order of their opening, also after a close that failed")
  func close() throws {
    let fixture = try StorageFaultTests.Fixture()
    let views = try (0..<2).map { _ in try fixture.client.openView() }
    for view in views { try fixture.client.select([fixture.items[0]], in: view) }
    let errors = fixture.batch(
      failing: .commit,
      [call(BoardInterface.deleteRow, 0, 0), call(ViewInterface.close, at: views[0])])
    #expect(errors == ["IOError", "IOError"])
    _ = fixture.signals()
    _ = try fixture.client.call(BoardInterface.deleteRow, 0, 0)
    let changes = fixture.observer.takeSignals().filter { $0.member == "PropertiesChanged" }
    #expect(changes.map(\.path) == views.map(\.text))
  }
}
