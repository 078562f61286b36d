import DBus
import DragboardInterface
import TestSupport
import Testing

@Suite("Regression: a board was found under a name that could not be stored")
struct RenameNotWritten {
  @Test("Calls after a failed rename find the board under its old name")
  func rename() throws {
    let fixture = try StorageFaultTests.Fixture()
    let other = try fixture.client.board("other")
    let outstanding = fixture.service.whilePaused {
      fixture.service.orders.fail(.update)
      return fixture.client.send([
        call(ManagerInterface.renameBoard, at: Dragboard.root, "other", "new"),
        call(ManagerInterface.getBoard, at: Dragboard.root, "new"),
        call(ManagerInterface.createBoard, at: Dragboard.root, "other"),
        call(ManagerInterface.getBoard, at: Dragboard.root, "other"),
      ])
    }
    #expect(outstanding.errors() == ["IOError", "NoSuchBoard", "BoardExists", ""])
    #expect(try outstanding.all()[3].get().arguments(as: ObjectPath.self) == other)
  }
}
