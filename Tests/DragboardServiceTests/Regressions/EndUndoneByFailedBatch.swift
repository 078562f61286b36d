import DBus
import DragboardInterface
import TestSupport
import Testing

@Suite("Regression: a failed batch lost or reported the end of a session")
struct EndUndoneByFailedBatch {
  @Test("A session whose Cancel could not be stored is active, and can be cancelled again")
  func cancel() throws {
    let fixture = try StorageFaultTests.Fixture()
    let client = fixture.client
    let earlier = try client.beginDrag(as: "org.x")
    _ = fixture.signals()
    let errors = fixture.batch(
      failing: .commit,
      [
        call(BoardInterface.insertText, 0, 0, "x"),
        call(DragSourceInterface.beginDrag, "other.app", [fixture.items[0]]),
        call(DragSessionInterface.cancel, at: earlier),
      ])
    #expect(errors == ["IOError", "IOError", "IOError"])
    #expect(fixture.signals() == [])
    #expect(try client.get(DragSessionInterface.state, at: earlier) == "active")
    #expect(try client.get(ManagerInterface.sessions, at: Dragboard.root) == [earlier])

    try client.cancel(earlier)
    #expect(
      fixture.signals().filter { $0 != "PropertiesChanged" } == ["WillEnd", "DidEnd", "DragEnded"])
    #expect(try client.get(ManagerInterface.sessions, at: Dragboard.root) == [])
  }
}
