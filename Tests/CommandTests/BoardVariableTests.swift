import TestSupport
import Testing

@Suite("The board of a command")
struct BoardVariableTests {
  @Test("DRAGBOARD_BOARD is the default of --board, also for completion and in messages")
  func variable() throws {
    let stage = try CommandStage()
    try stage.output("board", "add", "work")
    let added = try stage.shell(
      """
      export DRAGBOARD_BOARD=work; dragboard add a b >&2; dragboard add c --board default >&2
      dragboard __complete 'dragboard get ' | grep -c '^[0-9]'; dragboard show 9; dragboard show 9 -b default
      DRAGBOARD_BOARD= dragboard list | cut -f 6
      """)
    #expect(try stage.rows("-b", "work") == ["0 a", "1 b"])
    #expect(try stage.rows() == ["0 c"])
    #expect(added.output == "2\nc\n", "\(added.output)")
    #expect(added.errors.contains("dragboard list --board work\n"), "\(added.errors)")
    #expect(added.errors.contains("dragboard list --board default\n"), "\(added.errors)")
  }

  @Test("Without --board, an id is found on every board, even if the variable names a board")
  func ids() throws {
    let stage = try CommandStage()
    try stage.output("board", "add", "work")
    let id = try stage.lines("add", "a")[0]
    #expect(try stage.shell("DRAGBOARD_BOARD=work dragboard get \(id)").output == "a")
  }

  @Test("The error about an unknown board suggests a similar name")
  func suggestion() throws {
    let stage = try CommandStage()
    try stage.expect(66, "list", "-b", "defalt", naming: "did you mean 'default'?")
    try stage.expect(66, "list", "-b", "quite other", naming: "dragboard boards")
    let other = try stage.run("list", "-b", "quite other")
    #expect(!other.errors.contains("did you mean"))
    let variable = try stage.shell("DRAGBOARD_BOARD=defalt dragboard list")
    #expect(variable.errors.contains("did you mean 'default'?"), "\(variable.errors)")
  }
}
