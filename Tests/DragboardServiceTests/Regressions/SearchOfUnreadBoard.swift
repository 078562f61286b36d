import DBus
import DragboardInterface
import TestSupport
import Testing

@Suite("Regression: a search that waited for the index read edits of a failed batch")
struct SearchOfUnreadBoard {
  @Test(
    "A search that waits while a batch fails finds the rows as they were, or gets IOError",
    arguments: [(1, ""), (2, "IOError")])
  func failedBatch(failedReadings: Int, error: String) throws {
    let fixture = try StorageFaultTests.Fixture()
    let outstanding = fixture.service.whilePaused {
      fixture.service.orders.fail(.commit)
      fixture.service.orders.fail(.readBoard, times: failedReadings)
      return fixture.client.send([
        call(BoardInterface.insertText, 0, -1, "x"),
        call(BoardInterface.deleteItems, [fixture.items[1]]),
        call(BoardInterface.search, "b", 0),
      ])
    }
    #expect(outstanding.errors() == ["IOError", "IOError", error])
    if error.isEmpty {
      #expect(try outstanding.all()[2].get().arguments(as: [String].self) == [fixture.items[1]])
    }
    #expect(try fixture.client.call(BoardInterface.search, "b", 0) == [fixture.items[1]])
  }

  @Test("A search that waits while its board is deleted gets UnknownObject")
  func deletedBoard() throws {
    let fixture = try StorageFaultTests.Fixture()
    let other = try fixture.client.board("other")
    let errors = fixture.batch(
      failing: nil,
      [
        call(BoardInterface.insertText, at: other, 0, -1, "b"),
        call(BoardInterface.search, at: other, "b", 0),
        call(ManagerInterface.deleteBoard, at: Dragboard.root, "other"),
      ])
    #expect(errors == ["", "UnknownObject", ""])
  }
}
