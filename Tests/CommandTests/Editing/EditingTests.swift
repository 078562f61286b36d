import Foundation
import TestSupport
import Testing

@Suite("dragboard, editing")
struct EditingTests {
  @Test("add inserts texts, lines, standard input and files at the given position")
  func add() throws {
    let stage = try CommandStage()
    try stage.output("section", "add", "later")
    try stage.output("add", "b", "c")
    try stage.output("add", "--at", "0", "a")
    let result = try stage.shell(
      """
      printf 'x\\n\\ny\\n' | dragboard add --lines --at later: \
      && printf 'w\\nw' | dragboard add --stdin --at later:0 \
      && echo '<p>' > page.html && echo text > note.txt \
      && dragboard add --at 1 --file page.html --file note.txt
      """)
    #expect(result.status == .exited(0), "\(result.errors)")
    #expect(
      try stage.rows() == [
        "0 a", "1 [page.html] <p>", "2 [note.txt] text", "3 b", "4 c", "later:0 w",
        "later:1 x", "later:2 y",
      ])
    #expect(try stage.output("types", "1") == "text/html\ntext/plain;charset=utf-8\n")
    #expect(try stage.output("get", "later:0") == "w\nw")
    try stage.expect(66, "add", "--file", "/nonexistent", naming: "/nonexistent")
    try stage.expect(64, "add", "--at", "99", "x")
    try stage.expect(64, "add")
  }

  @Test("move puts rows at one position, in the given order")
  func move() throws {
    let stage = try CommandStage()
    let ids = try stage.lines("add", "a", "b", "c", "d")
    try stage.output("move", "0", "--to", "2")
    #expect(try stage.rows() == ["0 b", "1 c", "2 a", "3 d"])
    try stage.output("mv", ids[3], String(ids[1].prefix(8)), "--to", "0")
    #expect(try stage.rows() == ["0 d", "1 b", "2 c", "3 a"])
    try stage.expect(66, "move", "9", "--to", "0", naming: "9")
    try stage.expect(66, "move", "ffffffffffff", "--to", "0", naming: "ffffffffffff")
    try stage.expect(64, "move", "what?", "--to", "0")
    try stage.expect(64, "move", "0")
  }

  @Test("remove and clear delete rows, undo restores them, and redo deletes them again")
  func removing() throws {
    let stage = try CommandStage()
    try stage.output("add", "a", "b", "c")
    try stage.output("remove", "0", "2")
    #expect(try stage.rows() == ["0 b"])
    try stage.output("clear")
    #expect(try stage.rows() == [])
    try stage.output("undo", "2")
    #expect(try stage.rows() == ["0 a", "1 b", "2 c"])
    try stage.output("redo")
    #expect(try stage.rows() == ["0 b"])
    let redone = try stage.run("redo", "5")
    #expect(redone.status.isSuccess)
    #expect(redone.errors == "1 edit redone; there are no other edits\n")
    try stage.expect(77, "redo", "5")
    let undone = try stage.run("undo", "99")
    #expect(undone.status.isSuccess)
    #expect(undone.errors == "3 edits undone; there are no other edits\n")
    try stage.expect(77, "undo", "99")
    #expect(try stage.rows() == [])
  }

  @Test("lock prevents changes or moves of rows, and the errors name unlock")
  func locked() throws {
    let stage = try CommandStage()
    let id = try stage.lines("add", "a", "b")[0]
    try stage.output("lock", "0")
    try stage.expect(77, "remove", "0", naming: ": dragboard unlock \(id)\n")
    try stage.expect(77, "edit", "0", "--text", "c", naming: ": dragboard unlock \(id)\n")
    try stage.output("move", "0", "--to", "1")
    try stage.output("lock", "--position", "1")
    try stage.expect(77, "move", "1", "--to", "0", naming: ": dragboard unlock \(id) --position\n")
    try stage.output("unlock", "1")
    try stage.output("edit", "1", "--text", "c")
    try stage.expect(77, "move", "1", "--to", "0")
    try stage.output("unlock", "--position", "1")
    try stage.output("move", "1", "--to", "0")
    #expect(try stage.rows() == ["0 c", "1 b"])
  }

  @Test("clear does not delete pinned rows, which can be edited, moved and removed")
  func pinned() throws {
    let stage = try CommandStage()
    try stage.output("add", "a", "b", "c")
    try stage.output("pin", "1", "2")
    try stage.output("edit", "1", "--text", "B")
    try stage.output("move", "1", "--to", "2")
    try stage.output("clear")
    #expect(try stage.rows() == ["0 c", "1 B"])
    try stage.output("remove", "0")
    try stage.output("unpin", "0")
    try stage.output("clear")
    #expect(try stage.rows() == [])
  }

  @Test("stack puts rows together below the first one, and unstack leaves them there")
  func stack() throws {
    let stage = try CommandStage()
    try stage.output("add", "a", "b", "c", "d")
    try stage.output("stack", "3", "1", "2")
    #expect(try stage.rows() == ["0 a", "1 d", "2 b", "3 c"])
    let stacks = try stage.objects("list").map { $0["stack"] as? String ?? "missing" }
    #expect(stacks[0] == "" && stacks[1] != "" && Set(stacks[1...]).count == 1)
    #expect(try stage.output("list").contains("\ts\t"))
    #expect(try stage.output("show", "1").contains("stack   \(stacks[1])\n"))
    try stage.output("unstack", "1", "2")
    #expect(try stage.rows() == ["0 a", "1 d", "2 b", "3 c"])
    #expect(try stage.objects("list").map { $0["stack"] as? String } == ["", "", "", stacks[1]])
    try stage.output("stack", "0", "1")
    #expect(try stage.objects("list")[0]["stack"] as? String != stacks[1])
  }

  @Test("edit changes a text with or without an editor, and ignores an unchanged text")
  func edit() throws {
    let stage = try CommandStage()
    try stage.output("add", "buy stamps")
    try stage.output("edit", "0", "--text", "buy ink")
    #expect(try stage.rows() == ["0 buy ink"])
    let edited = try stage.shell("EDITOR=\"sed -i s/ink/pens/\" dragboard edit 0")
    #expect(edited.status == .exited(0), "\(edited.errors)")
    #expect(try stage.output("get", "0") == "buy pens")
    let revision = try stage.objects("boards")[0]["revision"] as? Int
    #expect(try stage.shell("EDITOR=true dragboard edit 0").status == .exited(0))
    #expect(try stage.objects("boards")[0]["revision"] as? Int == revision)
    let failed = try stage.shell("EDITOR=false dragboard edit 0")
    #expect(failed.status == .exited(1))
    #expect(failed.errors.contains("nothing has changed"))
  }

  @Test("sort orders a section by text, age, size or type, ascending and descending")
  func sort() throws {
    let stage = try CommandStage()
    for text in ["bb", "A", "ccc"] { try stage.output("add", text) }
    try stage.output("sort")
    #expect(try stage.rows() == ["0 A", "1 bb", "2 ccc"])
    try stage.output("sort", "--by", "size", "--reverse")
    #expect(try stage.rows() == ["0 ccc", "1 bb", "2 A"])
    try stage.output("sort", "--by", "age")
    #expect(try stage.rows() == ["0 bb", "1 A", "2 ccc"])
    try stage.expect(64, "sort", "--by", "colour")
  }

  @Test("apply changes the order, sections and rows of a board to those of a list")
  func apply() throws {
    let stage = try CommandStage()
    let ids = try stage.lines("add", "a", "b", "c")
    #expect(
      try stage.output("apply", "--print")
        == "# revision: 2\n[main]\n" + zip(ids, ["a", "b", "c"]).map { "\($0)  \($1)\n" }.joined())
    let result = try stage.shell(
      "printf '%s\\n' '# a list' \(ids[2]) '' '[later]' '\(ids[0]) a' | dragboard apply")
    #expect(result.status == .exited(0), "\(result.errors)")
    #expect(try stage.rows() == ["0 c", "later:0 a"])
    let reversed = try stage.shell("EDITOR=\"sed -i /later/d\" dragboard apply --edit")
    #expect(reversed.status == .exited(0), "\(reversed.errors)")
    #expect(try stage.rows() == ["0 c", "1 a"])
    let twice = try stage.shell("printf '%s\\n' \(ids[2]) \(ids[2]) | dragboard apply")
    #expect(twice.status == .exited(64))
    #expect(twice.errors.contains("line 2"))
    let unknown = try stage.shell("echo nothing | dragboard apply")
    #expect(unknown.status == .exited(64))
    let empty = try stage.shell("dragboard apply < /dev/null")
    #expect(empty.status == .exited(0))
    #expect(try stage.rows() == ["0 c", "1 a"])
  }

  @Test("Sections are created, renamed, moved and removed by name or index")
  func sections() throws {
    let stage = try CommandStage()
    try stage.output("section", "add", "later")
    try stage.output("section", "add", "now", "--at", "0")
    try stage.output("section", "rename", "later", "done")
    try stage.output("section", "move", "done", "--to", "0")
    #expect(try stage.lines("section") == ["0\tdone\t0", "1\tnow\t0", "2\tmain\t0"])
    try stage.output("section", "remove", "1")
    #expect(try stage.lines("section", "list") == ["0\tdone\t0", "1\tmain\t0"])
    try stage.expect(66, "section", "remove", "never", naming: "done, main")
    try stage.expect(77, "section", "add", "done")
  }

  @Test("Boards are created, configured, renamed and removed")
  func boards() throws {
    let stage = try CommandStage()
    try stage.output("board", "add", "work")
    try stage.expect(77, "board", "add", "work")
    try stage.output(
      "board", "set", "work", "--accept", "text/*", "--max-rows", "1", "--moves-multiple-rows")
    let board = try stage.objects("board")[1]
    #expect(board["accepted_types"] as? [String] == ["text/*"])
    #expect(board["max_rows"] as? Int == 1)
    #expect(board["moves_multiple_rows"] as? Bool == true)
    try stage.output(
      "board", "set", "work", "--retain-rows", "9", "--retain-for", "30d", "--moves-duplicates")
    let retaining = try stage.objects("board")[1]
    #expect(retaining["retain_rows"] as? Int == 9)
    #expect(retaining["retain_seconds"] as? Int == 30 * 86_400)
    #expect(retaining["moves_duplicates"] as? Bool == true)
    try stage.output("board", "set", "work", "--retain-for", "0", "--no-moves-duplicates")
    #expect(try stage.objects("board")[1]["retain_seconds"] as? Int == 0)
    for time in ["1", "-1d", "d", "1y", "1 d", "+1d", "99999999999s", "9999999w"] {
      try stage.expect(64, "board", "set", "work", "--retain-for=\(time)", naming: "--retain-for")
    }
    try stage.expect(64, "board", "set", "work", "--retain-rows=-1", naming: "--retain-rows")
    try stage.expect(77, "add", "--board", "work", "a", "b")
    try stage.output("board", "rename", "work", "home")
    try stage.expect(66, "list", "--board", "work", naming: "dragboard boards")
    try stage.output("board", "remove", "home")
    try stage.expect(64, "board", "remove", "default")
    #expect(try stage.lines("boards").count == 1)
  }

  @Test("The command that board remove prints restores the board, whatever its name")
  func restoredBoards() throws {
    let stage = try CommandStage()
    for name in ["notes", "two words", "-x", "$(rm *)'"] {
      try stage.output("board", "add", "--", name)
      try stage.output("add", "--board=\(name)", "a", "b")
      let report = try stage.output("board", "remove", "--", name)
      let start = "Deleted board \"\(name)\" with 2 rows. To restore it: "
      #expect(report.hasPrefix(start + "dragboard board restore "))
      #expect(try stage.lines("boards").count == 1)
      let result = try stage.shell(String(report.dropFirst(start.count)))
      #expect(result.status == .exited(0), "\(result.errors)")
      #expect(result.output == "")
      #expect(try stage.lines("list", "--board=\(name)").count == 2)
      try stage.output("board", "remove", "--", name)
    }
    let deleted = try stage.objects("board", "list", "--deleted")
    #expect(
      deleted.map { $0["name"] as? String } == ["$(rm *)'", "-x", "two words", "notes"])
    #expect(deleted.allSatisfy { $0["rows"] as? Int == 2 })
    let fields = try stage.lines("board", "list", "--deleted")[3].split(separator: "\t")
    #expect(fields.prefix(2) == ["notes", "2"])
    #expect(fields.last?.hasPrefix("20") == true)
    try stage.output("board", "add", "notes")
    try stage.expect(77, "board", "restore", "notes", naming: "notes")
    try stage.expect(66, "board", "restore", "none", naming: "none")
  }
}
