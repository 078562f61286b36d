import Foundation
import TestSupport
import Testing

@Suite("dragboard pick")
struct PickingTests {
  @Test("Any program that chooses lines can be used, and receives all rows in order")
  func program() throws {
    let stage = try CommandStage()
    let ids = try stage.lines("add", "a", "b  b", "c\nd")
    try stage.output("section", "add", "later on")
    let last = try stage.lines("add", "--at", "later on:", " e ")
    #expect(
      try stage.lines("pick", "--with", "tee \(stage.folder.path)/seen", "--multiple")
        == ids + last)
    #expect(
      try String(contentsOfFile: "\(stage.folder.path)/seen", encoding: .utf8)
        == "0  a\n1  b  b\n2  c\nlater on:0  e\n")
    #expect(try stage.lines("pick", "--with", "grep '^later'") == last)
    #expect(try stage.objects("pick", "--with", "sed -n 2p")[0]["id"] as? String == ids[1])
  }

  @Test("A picked row can be printed, removed and dragged")
  func use() throws {
    let stage = try CommandStage()
    try stage.output("add", "a", "b", "c")
    let got = try stage.shell("dragboard get \"$(dragboard pick --with 'sed -n 2p')\"")
    #expect(got.output == "b")
    let dropped = try stage.shell(
      """
      dragboard drag --detach --as org.example.Notes \
      --row $(dragboard pick --multiple --with 'sed -n 2,3p') && dragboard drop --stdout
      """)
    #expect(dropped.output == "1\nb\nc\n", "\(dropped.errors)")
    #expect(
      try stage.shell("dragboard remove $(dragboard pick --multiple --with 'sed 2d')").status
        == .exited(0))
    #expect(try stage.rows() == ["0 b"])
  }

  @Test(
    "No choice, several choices, an unknown choice and a missing program cause different errors")
  func refusals() throws {
    let stage = try CommandStage()
    try stage.expect(77, "pick", "--with", "true", naming: "the board 'default' has no rows")
    try stage.output("add", "a", "b")
    try stage.expect(77, "pick", "--with", "false", naming: "no row was chosen")
    try stage.expect(77, "pick", "--with", "true", naming: "no row was chosen")
    try stage.expect(64, "pick", "--with", "cat", naming: "--multiple")
    try stage.expect(1, "pick", "--with", "echo other", naming: "not in the list")
    let missing = try stage.run("pick", "--with", "no-such-program")
    #expect(missing.status == .exited(66))
    #expect(missing.errors.contains("Error: 'no-such-program' cannot be run"))
    let bare = try stage.shell("env -u DISPLAY -u WAYLAND_DISPLAY dragboard pick")
    #expect(bare.status == .exited(66))
    #expect(bare.errors.contains("fzf, rofi or dmenu"))
  }

  @Test("The choice of a program counts even if it exits before it has read all rows")
  func earlyLeaver() throws {
    let stage = try CommandStage()
    let rows = try stage.shell("seq 20000 | dragboard add --lines")
    let first = rows.output.split(separator: "\n").first.map(String.init)
    #expect(try stage.lines("pick", "--with", "head -n 1") == [try #require(first)])
  }

  @Test(
    "fzf, rofi and dmenu are used if they are installed and have a terminal or display",
    arguments: ["fzf", "rofi", "dmenu"])
  func installed(program: String) throws {
    let stage = try CommandStage()
    let ids = try stage.lines("add", "a", "b")
    let bin = stage.folder.appending(path: "bin").path
    let script = """
      mkdir \(bin) && printf '%s\\n' '#!/bin/sh' 'echo "$@" > "\(bin)/arguments"; /bin/sed -n 2p' \
      > \(bin)/\(program) && chmod +x \(bin)/\(program)
      """
    #expect(try stage.shell(script).status == .exited(0))
    let terminal = try stage.terminal(
      "pick", environment: ["PATH": bin, "DISPLAY": ":1"])
    let (status, shown) = terminal.waitForExit()
    #expect(status == .exited(0))
    #expect(shown == "\(ids[1])\r\n")
    let arguments = try String(contentsOfFile: "\(bin)/arguments", encoding: .utf8)
    #expect(arguments.contains("default"))
    #expect(arguments.contains("dragboard show {1}") == (program == "fzf"))
  }

  @Test("Without such a program, the terminal shows a list with pages, search and choice")
  func list() throws {
    let stage = try CommandStage()
    let rows = try stage.shell("seq 100 130 | dragboard add --lines").output
      .split(separator: "\n")
    let terminal = try stage.terminal(
      "pick", "--multiple", "--with", "list", columns: 60, lines: 12)
    #expect(terminal.shown(until: "9  109") != nil)
    terminal.type("\n")
    #expect(terminal.shown(until: "19  119") != nil)
    terminal.type("/127\n")
    #expect(terminal.shown(until: "27  127") != nil)
    terminal.type("99\n")
    #expect(terminal.shown(until: "the board has no row 99") != nil)
    terminal.type("no\n")
    #expect(terminal.shown(until: "'no' is not a row") != nil)
    terminal.type("27 3\n")
    let (status, shown) = terminal.waitForExit()
    #expect(status == .exited(0))
    #expect(shown.hasSuffix("\(rows[27])\r\n\(rows[3])\r\n"))
    let left = try stage.terminal("pick", "--with", "list")
    #expect(left.shown(until: "q: quit") != nil)
    left.type("q\n")
    #expect(left.waitForExit().status == .exited(77))
  }
}
