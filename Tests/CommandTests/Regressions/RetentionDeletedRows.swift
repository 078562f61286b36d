import Foundation
import TestSupport
import Testing

@Suite("Regression: a setting of retention deleted rows without a question")
struct RetentionDeletedRows {
  /// A board `ret` with ten rows, of which the oldest is pinned and the next one is locked.
  private func stage() throws -> CommandStage {
    let stage = try CommandStage()
    try stage.output("board", "add", "ret")
    #expect(try stage.shell("seq 10 | dragboard add --lines -b ret").status == .exited(0))
    try stage.output("pin", "0", "-b", "ret")
    try stage.output("lock", "1", "-b", "ret")
    return stage
  }

  private func texts(_ stage: CommandStage) throws -> String {
    try stage.objects("list", "-b", "ret").compactMap { $0["preview"] as? String }
      .joined(separator: " ")
  }

  private let all = "1 2 3 4 5 6 7 8 9 10"

  @Test(
    "A script gets the count as an error, and the call that deletes the rows; undo restores them")
  func script() throws {
    let stage = try stage()
    let result = try stage.run(
      "board", "set", "ret", "--retain-rows", "4", "--accept", "text/plain")
    #expect(result.status == .exited(77))
    #expect(
      result.errors == """
        Error: the setting would delete 6 of 10 rows of the board 'ret'; nothing has changed
        To delete them: dragboard board set ret --accept text/plain --retain-rows 4 --yes

        """)
    #expect(try texts(stage) == all)
    let board = try stage.objects("board").first { $0["name"] as? String == "ret" }
    #expect(board?["retain_rows"] as? Int == 0)
    #expect(board?["accepted_types"] as? [String] == ["*/*"])
    let line = try #require(result.errors.components(separatedBy: "delete them: ").last)
    #expect(try stage.shell(line).status == .exited(0))
    #expect(try texts(stage) == "1 2 9 10")
    #expect(try stage.run("undo", "-b", "ret").status == .exited(0))
    #expect(try texts(stage) == all)
  }

  @Test("The age of rows counts, too; pinned and locked rows do not")
  func age() throws {
    let stage = try stage()
    #expect(try stage.shell("sleep 1.1").status == .exited(0))
    try stage.output("add", "new", "-b", "ret")
    try stage.expect(
      77, "board", "set", "ret", "--retain-for", "1s", "--retain-rows", "10",
      naming: "would delete 8 of 11 rows")
    try stage.expect(
      77, "board", "set", "ret", "--retain-for", "1h", "--retain-rows", "1",
      naming: "would delete 9 of 11 rows")
    #expect(try texts(stage) == all + " new")
    try stage.output("board", "set", "ret", "--retain-for", "1s", "--yes")
    #expect(try texts(stage).hasPrefix("1 2"))
    #expect(try texts(stage).contains("3") == false)
  }

  @Test("A setting that deletes no row needs no confirmation")
  func harmless() throws {
    let stage = try stage()
    try stage.output("board", "set", "ret", "--retain-rows", "10", "--retain-for", "1h")
    try stage.output("board", "set", "ret", "--max-rows", "3")
    try stage.output("board", "set", "ret", "--retain-rows", "0", "--retain-for", "0")
    #expect(try texts(stage) == all)
  }

  @Test("On a terminal the command asks, and the default is no", arguments: ["\r", "n\r", "\u{4}"])
  func refused(keys: String) throws {
    let stage = try stage()
    let terminal = try stage.terminal("board", "set", "ret", "--retain-rows", "4")
    #expect(
      terminal.shown(until: "[y/N] ")?.contains("Delete 6 of 10 rows of the board 'ret'?") == true)
    terminal.type(keys)
    #expect(terminal.waitForExit().status == .exited(77))
    #expect(try texts(stage) == all)
  }

  @Test("On a terminal, y deletes the rows")
  func confirmed() throws {
    let stage = try stage()
    let terminal = try stage.terminal("board", "set", "ret", "--retain-rows", "4")
    #expect(terminal.shown(until: "[y/N] ") != nil)
    terminal.type("y\r")
    #expect(terminal.waitForExit().status == .exited(0))
    #expect(try texts(stage) == "1 2 9 10")
  }
}
