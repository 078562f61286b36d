import DragboardClient
import Foundation
import TestSupport
import Testing

@testable import dragboard

@Suite("Daily use")
struct DailyUseTests {
  @Test("search --all finds rows on every board, and names the boards")
  func searchAll() throws {
    let stage = try CommandStage()
    try stage.output("board", "add", "work")
    try stage.output("add", "red apple", "pear")
    try stage.output("add", "--board", "work", "green apple")
    let lines = try stage.lines("search", "--all", "apple").map { line in
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
      return "\(fields[0]) \(fields[1]) \(fields.last ?? "")"
    }
    #expect(lines == ["default 0 red apple", "work 0 green apple"])
    #expect(try stage.objects("search", "--all", "green")[0]["board"] as? String == "work")
    #expect(try stage.lines("search", "--all", "apple", "--count", "1").count == 1)
    try stage.expect(66, "search", "--all", "plum", naming: "plum")
    try stage.expect(64, "search", "--all", "--board", "work", "apple", naming: "--all")
  }

  @Test("A search with many hits has the rows of the board in order, also with gaps in between")
  func manyHits() throws {
    let stage = try CommandStage()
    let result = try stage.shell(
      """
      seq 3000 | sed 's/^/word /; 0~3s/word/other/; 500,900s/word/other/' > lines
      dragboard add --lines < lines > ids; dragboard section add later
      head -n 50 lines | dragboard add --lines --at later: > ids
      dragboard search word --count 10000 | cut -f 6 | cmp - <(cat lines <(head -n 50 lines) | grep word)
      dragboard search word --count 20 | cut -f 1,6 | tail -n 1
      """)
    #expect(result.output == "28\tword 29\n", "\(result.errors)")
    #expect(result.status == .exited(0))
  }

  @Test("board show prints all settings")
  func boardShow() throws {
    let stage = try CommandStage()
    try stage.output("board", "set", "default", "--max-rows", "7", "--accept", "text/*")
    let shown = try stage.output("board", "show")
    #expect(shown.contains("accept              text/*\n"), "\(shown)")
    #expect(
      shown.contains("max-rows            7\n") && shown.contains("retain-for          ever\n"))
    try stage.expect(66, "board", "show", "defalt", naming: "default")
  }

  @Test("A frozen daemon is reported while the command waits, which then succeeds")
  func frozen() throws {
    let stage = try CommandStage()
    try stage.output("add", "a")
    stage.daemon.signal(SIGSTOP)
    let list = try stage.start("list")
    #expect(
      list.nextLine(of: .errors)?.contains("does not reply: process \(stage.daemon.id)") == true)
    stage.daemon.signal(SIGCONT)
    #expect(list.nextLine()?.hasSuffix("\ta") == true)
    #expect(list.waitForExit() == .exited(0))
  }

  @Test("restart starts another daemon with the same boards; doctor notices newer settings before")
  func restart() throws {
    let stage = try CommandStage()
    try stage.output("add", "kept")
    try stage.expect(69, "restart", naming: "cannot start")
    let services = stage.daemon.bus.home.appending(path: "data/dbus-1/services")
    let settings = stage.daemon.bus.home.appending(path: "config/dragboard")
    let result = try stage.shell(
      """
      mkdir -p \(services.path) \(settings.path); cd \(services.path)
      printf '[D-BUS Service]\\nName=org.dragboard.Dragboard1\\nExec=\(try builtProduct("dragboardd"))\\n' \
        > org.dragboard.Dragboard1.service
      dbus-send --session --print-reply --dest=org.freedesktop.DBus / \
        org.freedesktop.DBus.ReloadConfig > reply
      echo 'max-rows = 100' > \(settings.path)/config.toml
      touch -d '+1 hour' \(settings.path)/config.toml
      dragboard doctor | grep -A 1 settings; dragboard restart; dragboard list | cut -f 6
      """)
    #expect(result.output.contains("is newer than the daemon"), "\(result.errors)")
    #expect(result.output.contains("dragboard restart"))
    #expect(
      result.output.contains("The daemon \(DragboardConnection.version) runs as process "),
      "\(result.errors)")
    #expect(result.output.hasSuffix("\nkept\n"), "\(result.output) \(result.errors)")
    #expect(!result.output.contains("process \(stage.daemon.id)."))
  }

  @Test("After an update, doctor reports the running daemon, and restart replaces it")
  func update() throws {
    let stage = try CommandStage()
    stage.daemon.kill()
    let program = stage.folder.appending(path: "dragboardd").path
    let install = "cp \(try builtProduct("dragboardd")) new && mv new \(program)"
    let result = try stage.shell(
      """
      mkdir -p ../data/dbus-1/services; \(install)
      printf '[D-BUS Service]\\nName=org.dragboard.Dragboard1\\nExec=\(program)\\n' \
        > ../data/dbus-1/services/org.dragboard.Dragboard1.service
      dbus-send --session --print-reply --dest=org.freedesktop.DBus / \
        org.freedesktop.DBus.ReloadConfig > reply
      dragboard add --quiet kept > id; dragboard doctor | grep -A 1 ' daemon '; echo ---
      \(install); dragboard doctor | grep -A 1 ' daemon '; echo ---
      dragboard restart --quiet; dragboard doctor | grep -A 1 ' daemon '
      """)
    let states = result.output.components(separatedBy: "---\n")
    try #require(states.count == 3, "\(result.output)\(result.errors)")
    #expect(states[0].hasPrefix("ok   daemon       runs as process "))
    #expect(states[1].hasPrefix("--   daemon       process "))
    #expect(states[1].contains("is older than the installed \(program); "))
    #expect(states[1].hasSuffix("To replace it now: dragboard restart\n"))
    #expect(states[2].hasPrefix("ok   daemon       runs as process "))
    _ = try stage.shell("kill $(dragboard doctor | sed -n 's/.* runs as process //p')")
  }

  @Test("doctor reports that the bus would start a program that fails")
  func wrongProgram() throws {
    let stage = try CommandStage()
    let services = stage.daemon.bus.home.appending(path: "data/dbus-1/services")
    let result = try stage.shell(
      """
      mkdir -p \(services.path); cd \(services.path)
      printf '[D-BUS Service]\\nName=org.dragboard.Dragboard1\\nExec=/bin/false\\n' \
        > org.dragboard.Dragboard1.service
      dbus-send --session --print-reply --dest=org.freedesktop.DBus / \
        org.freedesktop.DBus.ReloadConfig > reply
      dragboard doctor | grep -A 1 activation
      """)
    #expect(result.output.contains("the bus would start /bin/false, which fails"), "\(result)")
    stage.daemon.kill()
    let failed = try stage.shell("dragboard list")
    #expect(failed.status == .exited(69))
    #expect(failed.errors.contains("the bus reports: "), "\(failed.errors)")
  }

  @Test("Long output on a terminal goes through the pager, and short output does not")
  func pager() throws {
    let stage = try CommandStage()
    #expect(try stage.shell("seq 100 | dragboard add --lines > ids").status == .exited(0))
    let pager = ["DRAGBOARD_PAGER": "echo paged; wc -l"]
    let long = try stage.terminal("list", environment: pager).waitForExit()
    #expect(long.status == .exited(0))
    #expect(long.shown.contains("paged") && long.shown.contains("101"), "\(long.shown)")
    let short = try stage.terminal("list", "--count", "3", environment: pager).waitForExit()
    #expect(!short.shown.contains("paged") && short.shown.contains("ROW"), "\(short.shown)")
    let closed = try stage.terminal(
      "list", environment: ["DRAGBOARD_PAGER": "head -n 1"]
    ).waitForExit()
    #expect(closed.status == .exited(0), "\(closed.shown)")
  }

  @Test("The messages of the daemon name neither methods nor object paths")
  func words() {
    for (theirs, ours) in [
      ("item: x is not editable (SetEditable can change this)", "item: x is not editable"),
      (
        "type: item 0 has no representation for a/b; GetTypes returns its types",
        "type: item 0 has no representation for a/b"
      ),
      (
        "reply: 9 bytes are too many (at most 64 MiB; use GetFile for a file)",
        "reply: 9 bytes are too many"
      ),
      ("no source of /org/dragboard/Dragboard1/session/3 (x)", "no source of drag 3 (x)"),
      ("name: \"GetX\" is taken (expected another)", "name: \"GetX\" is taken (expected another)"),
    ] { #expect(DaemonWords.translated(theirs) == ours) }
  }
}
