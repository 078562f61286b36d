import DragboardClient
import TestSupport
import Testing

extension ShelfTests {
  @Test("A fast wheel scrolls by the number of its notches, not to the end of a long board")
  func wheel() async throws {
    let desk = try await Desk()
    try desk.run("sh", "-c", "seq 2000 | dragboard add --lines")
    try await desk.openShelf()
    let rows = try await desk.board.snapshot().sections[0].items
    try await desk.select(rows[0], by: "Home")
    let eight = ["click", "--repeat", "8", "--delay", "0", "5", "sleep", "0.1"]
    let turns = Array(repeating: eight, count: 25).flatMap { $0 }
    try TestProgram.run(["xdotool", "mousemove", "120", "300"] + turns, desk.environment)
    try await desk.until {
      // The clicks are too far apart for a double click.
      try desk.run("xdotool", "sleep", "0.7", "click", "1")
      return try await desk.selection() != [rows[0]]
    }
    let row = try #require(await desk.selection().first.flatMap(rows.firstIndex(of:)))
    // A notch of the wheel scrolls by a little more than one row.
    #expect(200..<300 ~= row)
  }
}
