import DBus
import DragboardInterface
import TestSupport
import Testing

@Suite("Regression: calls after a refused batch of large answers stayed unread")
struct CallsLeftBehindLargeAnswers {
  @Test(
    "Calls after large answers get their refusals")
  func answered() throws {
    let fixture = try StorageFaultTests.Fixture()
    let other = try fixture.client.call(ManagerInterface.createBoard, at: Dragboard.root, "other")
    let large = try fixture.client.call(
      BoardInterface.insertText, 0, 0, String(repeating: "x", count: 40 << 20))
    let errors = fixture.batch(
      failing: .commit,
      [
        call(BoardInterface.insertText, 0, 0, "y"), call(BoardInterface.getText, large),
        call(BoardInterface.getText, large), call(BoardInterface.getSnapshot, at: other),
      ])
    #expect(errors == ["IOError", "IOError", "IOError", ""])
  }
}
