import DragboardClient
import Testing

/// All tests use the same display, so they run one after another.
///
/// The time limit allows for many repetitions of drags on a busy machine.
@Suite("The shelf", .serialized, .timeLimit(.minutes(15))) struct ShelfTests {}

extension ShelfTests {
  @Suite("The keyboard") struct KeyboardTests {
    @Test("Rows that the command adds are moved, deleted and restored")
    func editing() async throws {
      let desk = try await Desk()
      try await desk.openShelf()
      try desk.run("dragboard", "add", "one", "two", "three")
      let rows = try await desk.board.snapshot().sections[0].items
      try await desk.select(rows[2], by: "End")
      try desk.press("alt+Up")
      try await desk.untilTexts(["one", "three", "two"])
      try desk.press("Delete")
      try await desk.untilTexts(["one", "two"])
      // By the rules of views, the row at the former position is selected.
      try await desk.until { try await desk.selection() == [rows[1]] }
      try desk.press("ctrl+z")
      try await desk.untilTexts(["one", "three", "two"])
      try desk.press("ctrl+z")
      try await desk.untilTexts(["one", "two", "three"])
      try desk.press("ctrl+shift+z")
      try await desk.untilTexts(["one", "three", "two"])
    }

    @Test("A copied row is pasted below the selected row")
    func pasting() async throws {
      let desk = try await Desk()
      try await desk.openShelf()
      try desk.run("dragboard", "add", "one", "two")
      let rows = try await desk.board.snapshot().sections[0].items
      try await desk.select(rows[0], by: "Home")
      try desk.press("ctrl+c")
      try await desk.select(rows[1], by: "Down")
      try desk.press("ctrl+v")
      try await desk.untilTexts(["one", "two", "one"])
    }

    @Test("The shelf follows the daemon again after a restart")
    func comingDaemon() async throws {
      let desk = try await Desk()
      try await desk.openShelf()
      try desk.run("dragboard", "add", "one", "two")
      let rows = try await desk.board.snapshot().sections[0].items
      try await desk.select(rows[1], by: "End")
      desk.killDaemon()
      try desk.restartDaemon()
      // The earlier selection is restored in the new view of the shelf.
      try await desk.until { try await desk.selection() == [rows[1]] }
      try desk.press("alt+Up")
      try await desk.untilTexts(["two", "one"])
    }

    @Test("A second start of the shelf shows the first window")
    func singleInstance() async throws {
      let desk = try await Desk()
      try await desk.openShelf()
      try desk.run("dragboard-shelf")
      let windows = try desk.run("xdotool", "search", "--onlyvisible", "--name", "^Shelf$")
      #expect(windows.split(separator: "\n").count == 1)
    }
  }
}
