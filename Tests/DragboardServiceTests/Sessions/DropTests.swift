import DBus
import DragboardInterface
import TestSupport
import Testing

@Suite("Drops on a board, through the bus")
struct DropTests {
  @Test("Texts of another application are inserted at the position of the drop")
  func copy() throws {
    let daemon = try Daemon()
    let client = try daemon.client()
    _ = try client.call(BoardInterface.insertTexts, 0, 0, ["a", "b"])
    let session = try client.call(
      ManagerInterface.beginTextDrag, at: Dragboard.root, "org.x", ["1", "2"])
    let (operation, items) = try client.call(
      DropTargetInterface.performDrop, session, "org.y", 0, 1)
    #expect(operation == "copy")
    #expect(items.count == 2)
    #expect(try client.call(BoardInterface.getTexts, 0, 0, 9) == ["a", "1", "2", "b"])
  }
}
