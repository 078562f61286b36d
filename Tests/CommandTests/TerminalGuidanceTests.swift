import Foundation
import TestSupport
import Testing

@Suite("Output on a terminal")
struct TerminalGuidanceTests {
  @Test("Only on a terminal, drag prints the commands to drop and to cancel")
  func drag() throws {
    let stage = try CommandStage()
    let drag = try stage.terminal("drag", "one", columns: 120)
    let shown = drag.shown(until: "Ctrl-C")
    #expect(shown?.contains("terminal: dragboard drop 1\r\n") == true)
    let left = try stage.terminal(
      "drag", "one", "--as", "org.example", "--detach", columns: 120
    ).waitForExit().shown
    #expect(left.contains("drop it: dragboard drop 2\r\n"))
    #expect(left.contains("cancel it: dragboard cancel 2\r\n"))
    #expect(
      try stage.output("drag", "one", "--as", "org.example", "--detach") == "3\n")
  }

  @Test("get appends a line feed to a text on a terminal, but not in a pipe")
  func text() throws {
    let stage = try CommandStage()
    try stage.output("add", "one", "two\n")
    #expect(try stage.terminal("get", "0").waitForExit().shown == "one\r\n")
    #expect(try stage.terminal("get", "1").waitForExit().shown == "two\r\n")
    #expect(try stage.output("get", "0") == "one")
  }

  @Test(
    "Bytes that are not text are written to a terminal only with --force",
    arguments: [#"\x89PNG\x00"#, #"\x1b[31mred"#, #"\xff"#, #"a\xc2\x9bb"#])
  func binary(bytes: String) throws {
    let stage = try CommandStage()
    let added = try stage.shell("printf '\(bytes)' | dragboard add --stdin --type image/png")
    #expect(added.status == .exited(0))
    let (status, shown) = try stage.terminal("get", "0", columns: 200).waitForExit()
    #expect(status == .exited(77))
    #expect(shown.contains("0: is not text (image/png)"))
    #expect(shown.contains("--output"))
    #expect(!shown.contains("PNG") && !shown.contains("red"))
    #expect(try stage.terminal("get", "0", "--force").waitForExit().status == .exited(0))
    try stage.output(
      "drag", "--as", "org.example", "--detach", "--name", "a.png", "--also", "image/png=x")
    let drop = try stage.terminal("drop", "--stdout", columns: 200).waitForExit()
    #expect(drop.status == .exited(77))
    #expect(drop.shown.contains("--into"))
    #expect(try stage.terminal("drop", "--stdout", "--force").waitForExit().status == .exited(0))
  }

  @Test("A table marks rows that have more lines")
  func lines() throws {
    let stage = try CommandStage()
    try stage.output("add", "one", "two\nthree", "four\n")
    let shown = try stage.terminal("list", environment: ["LC_ALL": "C.UTF-8", "NO_COLOR": "1"])
      .waitForExit().shown
    #expect(shown.contains("two ⏎"))
    #expect(!shown.contains("one ⏎"))
    #expect(!shown.contains("four ⏎"))
  }

  @Test("On a terminal, list says that a board or a section is empty; in a pipe it prints nothing")
  func empty() throws {
    let stage = try CommandStage()
    try stage.output("section", "add", "later")
    let shown = try stage.terminal("list").waitForExit().shown
    #expect(shown == "The board 'default' has no rows.\r\n")
    #expect(try stage.output("list") == "")
    #expect(try stage.terminal("list", "--json").waitForExit().shown == "")
    try stage.output("add", "a")
    let section = try stage.terminal("list", "--section", "later").waitForExit().shown
    #expect(section == "The section 'later' of the board 'default' has no rows.\r\n")
    #expect(try stage.terminal("list", "--count", "0").waitForExit().shown == "")
  }

  @Test("sessions shows the contents of a drag")
  func sessions() throws {
    let stage = try CommandStage()
    try stage.output(
      "drag", "--as", "org.example", "--detach", "--name", "report.pdf", "--also",
      "application/pdf=x")
    try stage.output("drag", "--as", "org.example", "--detach", "one", "two")
    #expect(
      try stage.lines("sessions").map { $0.split(separator: "\t").last ?? "" }
        == ["report.pdf", "text, text"])
    let contents = try stage.objects("sessions")[0]["contents"] as? [[String: Any]]
    #expect(contents?[0]["name"] as? String == "report.pdf")
    #expect(contents?[0]["types"] as? [String] == ["application/pdf"])
  }

  @Test("On a terminal, sources are the names of applications and processes")
  func sources() throws {
    let stage = try CommandStage()
    let entry = "[Other]\nName=no\n[Desktop Entry]\nName[de]=nein\nName = My \u{1B}Notes\n"
    let result = try stage.shell(
      """
      mkdir -p data/applications; printf '%s' "$0" > data/applications/org.example.Notes.desktop
      dragboard drag a --as org.example.Notes --detach; dragboard drop
      dragboard drag b --as org.example.Notes --detach
      dragboard drag c --as org.example.None --detach
      """.replacing("$0", with: entry))
    #expect(result.status == .exited(0), "\(result.errors)")
    let drag = try stage.start("drag", "d")
    #expect(drag.nextLine() == "4")
    let environment = ["XDG_DATA_HOME": stage.folder.appending(path: "data").path]
    let shown = try stage.terminal("sessions", environment: environment).waitForExit().shown
    let lines = shown.split(separator: "\r\n").map {
      $0.split(separator: " ").joined(separator: " ")
    }
    #expect(
      lines.dropFirst() == [
        "2 My ␛Notes active 1 text", "3 org.example.None active 1 text",
        "4 dragboard active 1 text",
      ], "\(shown)")
    let row = try stage.terminal("show", "0", environment: environment).waitForExit().shown
    #expect(row.contains("source  My ␛Notes\r\n"), "\(row)")
    let exact = try stage.shell("XDG_DATA_HOME=$PWD/data dragboard sessions; dragboard show 0")
    #expect(exact.output.contains("2\torg.example.Notes\t"))
    #expect(exact.output.contains("source  org.example.Notes\n"))
  }

  @Test("watch and changes show the texts of rows, including deleted rows")
  func watch() throws {
    let stage = try CommandStage()
    try stage.output("add", "old")
    let watch = try stage.start("watch")
    #expect(watch.nextLine()?.contains(/^\d\d:\d\d:\d\d  board 'default': 1 row/) == true)
    try stage.output("add", "new")
    #expect(watch.nextLine()?.hasSuffix("  inserted at 0:1: new") == true)
    try stage.output("remove", "0")
    #expect(watch.nextLine()?.hasSuffix("  deleted from 0:0: old") == true)
    #expect(try stage.output("changes", "2").hasPrefix("inserted at 0:1: new\n"))
    #expect(try stage.objects("changes", "2")[0]["text"] as? String == "new")
  }

  @Test("drop --wait drops the next drag with all its items")
  func wait() throws {
    let stage = try CommandStage()
    let drop = try stage.start("drop", "--wait", "--stdout")
    try stage.output("add", "a")
    try stage.output("drag", "--as", "org.example", "--detach", "one", "two", "three")
    #expect(drop.waitForExit() == .exited(0))
    #expect(drop.text(of: .output) == "one\ntwo\nthree\n")
    try stage.output("drag", "--as", "org.example", "--detach", "four")
    #expect(try stage.output("drop", "--wait", "--stdout") == "four")
    let waiting = try stage.start("drop", "--wait")
    waiting.kill(SIGTERM)
    waiting.waitForExit()
    try stage.expect(64, "drop", "--wait", "1", naming: "--wait")
  }
}
