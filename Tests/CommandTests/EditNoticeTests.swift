import TestSupport
import Testing

@Suite("The report of an edit on a terminal")
struct EditNoticeTests {
  /// The edits, in order, and the line that each of them prints.
  private static let edits: [(arguments: String, line: String)] = [
    ("remove 0 1", "Deleted 2 rows. Undo: dragboard undo"),
    ("move 1 --to 0", "Moved 1 row. Undo: dragboard undo"),
    ("edit 0 --text x", "Changed 1 row. Undo: dragboard undo"),
    ("lock 0 1", "Changed 2 rows. Undo: dragboard undo 2"),
    ("section add later", "Inserted section 'later'. Undo: dragboard undo"),
    ("clear", "Deleted 1 row. Undo: dragboard undo"),
    ("sort", "Moved 1 row. Undo: dragboard undo"), ("sort", ""), ("clear --quiet", ""),
  ]

  @Test(
    "An edit prints one line with the call that undoes it; an edit that changes nothing prints none"
  )
  func lines() throws {
    let stage = try CommandStage()
    try stage.output("add", "a", "b", "c", "d", "e")
    for (arguments, line) in Self.edits {
      let terminal = try stage.terminal(
        running: "dragboard", arguments.split(separator: " ").map(String.init))
      let (status, shown) = terminal.waitForExit()
      #expect(status == .exited(0), "\(arguments): \(shown)")
      #expect(shown == (line.isEmpty ? "" : line + "\r\n"), "\(arguments)")
    }
  }

  @Test("The call names the board, also if the row was found by its id")
  func board() throws {
    let stage = try CommandStage()
    try stage.output("board", "add", "two words")
    let ids = try stage.lines("add", "a", "b", "-b", "two words")
    for arguments in [["remove", "0", "-b", "two words"], ["remove", ids[1]]] {
      let shown = try stage.terminal(running: "dragboard", arguments).waitForExit().shown
      #expect(shown == "Deleted 1 row. Undo: dragboard undo --board 'two words'\r\n")
    }
    let added = try stage.terminal(running: "dragboard", ["add", "-q", "c"]).waitForExit().shown
    #expect(!added.contains("Undo"))
  }

  @Test("A limit of a board reports the rows that it has deleted")
  func limit() throws {
    let stage = try CommandStage()
    try stage.output("add", "a", "b", "c")
    let lines = [
      ("--retain-rows 1 --yes", "Deleted 2 rows. Undo: dragboard undo\r\n"),
      ("--accept text/plain", ""),
    ]
    for (options, line) in lines {
      let words = ["board", "set", "default"] + options.split(separator: " ").map(String.init)
      let shown = try stage.terminal(running: "dragboard", words).waitForExit().shown
      #expect(shown == line)
    }
  }

  @Test("If no board can be restored, a terminal gets a line instead of a table without rows")
  func noDeletedBoards() throws {
    let stage = try CommandStage()
    let words = ["board", "list", "--deleted"]
    let shown = try stage.terminal(running: "dragboard", words).waitForExit().shown
    #expect(shown == "No board can be restored.\r\n")
    #expect(try stage.lines("board", "list", "--deleted") == [])
  }

  @Test("An erased board, a pipe and --quiet get no line")
  func quiet() throws {
    let stage = try CommandStage()
    try stage.output("add", "a", "b")
    try stage.output("remove", "0")
    let piped = try stage.terminal(running: "bash", ["-c", "dragboard add c | cat > ids"])
    #expect(piped.waitForExit().shown == "")
    #expect(try stage.terminal("clear", "--erase").waitForExit().shown == "")
  }
}
