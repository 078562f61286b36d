import TestSupport
import Testing

@Suite("Reports of apply, undo and redo")
struct ReportedChangesTests {
  @Test("apply reports ignored changes of texts, and an empty list")
  func ignored() throws {
    let stage = try CommandStage()
    let ids = try stage.lines("add", "a", "b", "c", "d", "e")
    let result = try stage.shell(
      "dragboard apply --print | sed -e 's/  [a-e]$/  new/' | dragboard apply")
    #expect(result.status == .exited(0))
    #expect(result.errors.contains("line 3: the changed text is ignored"))
    #expect(result.errors.contains("dragboard edit \(ids[0])"))
    #expect(result.errors.contains("2 more lines"))
    #expect(try stage.rows() == ["0 a", "1 b", "2 c", "3 d", "4 e"])
    let empty = try stage.shell("dragboard apply < /dev/null")
    #expect(empty.status == .exited(0))
    #expect(empty.errors == "nothing changed: the list is empty\n")
    let silent = try stage.shell("dragboard apply --print | sed 's/  .*//' | dragboard apply")
    #expect(silent.errors == "")
  }

  @Test("The list of a section can be sorted, and the other sections do not change")
  func section() throws {
    let stage = try CommandStage()
    try stage.output("section", "add", "later")
    try stage.output("add", "b", "c", "a")
    try stage.output("add", "--at", "later:", "z", "y")
    let sort = "dragboard apply --print --section main | sort -k2 | dragboard apply --section main"
    let result = try stage.shell(sort)
    #expect(result.status == .exited(0), "\(result.errors)")
    #expect(result.errors == "")
    #expect(try stage.rows() == ["0 a", "1 b", "2 c", "later:0 z", "later:1 y"])
    let foreign = try stage.shell(
      "dragboard apply --print --section later | dragboard apply --section main")
    #expect(foreign.status == .exited(64))
    #expect(foreign.errors.contains("line 2"))
    let removed = try stage.shell(
      "dragboard apply --print --section later | grep -v y | dragboard apply --section later")
    #expect(removed.status == .exited(0))
    #expect(try stage.rows() == ["0 a", "1 b", "2 c", "later:0 z"])
  }

  @Test("undo and redo print the changes with the texts of the rows")
  func undo() throws {
    let stage = try CommandStage()
    try stage.output("add", "a", "b", "c", "d")
    try stage.output("remove", "0")
    try stage.output("move", "0", "--to", "2")
    try stage.output("section", "add", "later")
    #expect(
      try stage.output("undo", "4") == """
        undone: deleted section 'later'
        undone: moved 1 row (b)
        undone: inserted 1 row (a)
        undone: deleted 4 rows (d, c, b, …)

        """)
    #expect(try stage.output("redo") == "redone: inserted 4 rows (a, b, c, …)\n")
    let change = try stage.objects("redo")[0]
    #expect(change["event"] as? String == "delete")
    #expect(change["text"] as? String == "a")
  }
}
