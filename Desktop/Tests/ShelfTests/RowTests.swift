import DragboardClient
import Testing

extension ShelfTests {
  @Suite("Rows") struct RowTests {
    @Test("A row shows at most three lines of its text", arguments: ["a\n", "word "])
    func lines(part: String) async throws {
      let desk = try await Desk()
      let rows = try await desk.board.insert([String(repeating: part, count: 150), "two"])
      try await desk.openShelf()
      try await desk.select(rows[0], by: "Home")
      // The point is below a row of three lines. It would be inside a row of five lines.
      try desk.run("xdotool", "mousemove", "120", "142", "click", "1")
      try await desk.until { try await desk.selection() == [rows[1]] }
    }
  }
}
