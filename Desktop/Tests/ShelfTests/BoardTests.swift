import DragboardClient
import TestSupport
import Testing

extension ShelfTests {
  @Suite("Boards") struct BoardTests {
    @Test("Return keeps a board instead of deleting it")
    func keep() async throws {
      let desk = try await Desk()
      let manager = try desk.start("openbox", "--sm-disable")
      defer { manager.kill() }
      let work = try await desk.connection.createBoard(named: "Work")
      try await work.insert(["one"])
      try await desk.openShelf()
      try await desk.until {
        try desk.press("ctrl+Page_Down")
        return try await desk.connection.views().contains { $0.info.board == work.id }
      }
      try desk.activate("delete-board")
      try desk.answer("Delete “Work”?", "Return")
      try await desk.untilClosed("Delete “Work”?")
      #expect(try await desk.connection.boards().count == 2)
    }

    @Test("A deleted board is restored by the toast's button")
    func restore() async throws {
      let desk = try await Desk()
      let work = try await desk.connection.createBoard(named: "Work")
      try await work.insert(["one"])
      try await desk.openShelf()
      try await desk.until {
        try desk.press("ctrl+Page_Down")
        return try await desk.connection.views().contains { $0.info.board == work.id }
      }
      try desk.activate("delete-board")
      try desk.answer("Delete “Work”?", "Tab", "space")
      try await desk.until { try await desk.connection.boards().count == 1 }
      try await desk.until {
        try desk.pressButtonOfToast()
        return try await desk.connection.boards().count == 2
      }
      #expect(try await desk.connection.board(named: "Work").texts(count: 10) == ["one"])
    }
  }
}
