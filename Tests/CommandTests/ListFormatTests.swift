import TestSupport
import Testing

@Suite("Formats of lists, and rows that are not text")
struct ListFormatTests {
  @Test("In a pipe, every row has a name or a type, and --table prints a table")
  func formats() throws {
    let stage = try CommandStage()
    try stage.output("add", "one")
    let added = try stage.shell("printf 12345 | dragboard add --stdin --type image/png")
    #expect(added.status == .exited(0))
    #expect(try stage.rows() == ["0 one", "1 [png, 5 B]"])
    let table = try stage.lines("list", "--table")
    #expect(table.count == 3)
    #expect(table[0].hasPrefix("ROW  TEXT"))
    #expect(table[2].hasPrefix("  1  [png, 5 B]"))
    for command in ["boards", "sessions"] {
      #expect(!(try stage.lines(command, "--table")[0].contains("\t")), "\(command)")
    }
    #expect(try stage.lines("section", "list", "--table")[0] == "SECTION  NAME  ROWS")
    #expect(try stage.lines("search", "one", "--table").count == 2)
    try stage.expect(64, "list", "--table", "--json", naming: "--table")
  }

  @Test(
    "edit refuses to replace a picture by a text without --force",
    arguments: [["--text", "x"], []])
  func edit(options: [String]) throws {
    let stage = try CommandStage()
    let added = try stage.shell("printf 12345 | dragboard add --stdin --type image/png")
    #expect(added.status == .exited(0))
    let words = (["edit", "0"] + options).joined(separator: " ")
    let refused = try stage.shell("EDITOR='sed -i $as' dragboard \(words)")
    #expect(refused.status == .exited(77))
    #expect(refused.errors.contains("image/png"))
    #expect(refused.errors.contains("--force"))
    #expect(try stage.output("types", "0") == "image/png\n")
    let forced = try stage.shell("EDITOR='echo x >' dragboard \(words) --force")
    #expect(forced.status == .exited(0), "\(forced.errors)")
    #expect(try stage.output("get", "0") == "x")
  }
}
