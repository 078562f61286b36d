import Foundation
import TestSupport
import Testing

@Suite("dragboard clipboard, copy and paste")
struct ClipboardTests {
  @Test("Without the bridge every command has the same error, which names the remedy")
  func noBridge() throws {
    let stage = try CommandStage()
    try stage.output("add", "a")
    for line in [
      "clipboard", "clipboard pause", "clipboard resume", "clipboard clear", "clipboard exclude",
      "clipboard exclude --type a/b", "copy 0", "paste", "pick --copy --with 'head -n 1'",
      "pick --copy --board clipboard",
    ] {
      let result = try stage.shell("dragboard \(line)")
      #expect(result.status == .exited(69), "\(line)")
      #expect(
        result.errors == """
          Error: the clipboard bridge does not run
          To start it: dragboard clipboard enable

          """, "\(line)")
    }
    let status = try stage.run("clipboard", "status", "--json")
    #expect(status.output == "{\"running\":false}\n")
    #expect(status.status == .exited(69))
  }

  @Test("copy and pick --copy send the row and its board to the bridge")
  func copy() throws {
    let stage = try CommandStage()
    let stub = try ClipboardStub(on: stage.daemon.bus)
    try stage.output("board", "add", "work")
    let first = try stage.output("add", "a").split(separator: "\n")[0]
    let second = try stage.output("add", "b", "--board", "work").split(separator: "\n")[0]
    #expect(try stage.output("copy", "0") == "")
    // An id identifies a row without its board.
    try stage.output("copy", String(second))
    #expect(try stage.output("pick", "--copy", "--with", "head -n 1", "--board", "work") == "")
    let board = "Copy /org/dragboard/Dragboard1/board"
    #expect(
      stub.calls == [
        "\(board)/default \(first)", "\(board)/work \(second)", "\(board)/work \(second)",
      ])
    try stage.expect(66, "copy", "7", naming: "no row 7")
    try stage.expect(64, "pick", "--copy", "--multiple", naming: "cannot be used with --multiple")
  }

  @Test("Rows of the clipboard keep their source in an archive and after paste --onto")
  func source() throws {
    let stage = try CommandStage()
    let stub = try ClipboardStub(on: stage.daemon.bus)
    try stage.output("board", "add", "clipboard")
    try stage.output("add", "copy", "--board", "clipboard")
    let marked = try stage.shell(
      """
      dragboard export --board clipboard --output a && dragboard board remove clipboard && tar -xf a \
        && sed -i 's|"text":"copy"|"source":"/clipboard","text":"copy"|' board.json \
        && tar --format=pax --sort=name -cf b board.json && dragboard import b \
        && dragboard export --board clipboard --output c && dragboard import c --name other
      """)
    #expect(marked.status == .exited(0), "\(marked.errors)")
    try stage.output("paste", "--onto", "default")
    for board in ["clipboard", "other", "default"] {
      let rows = try stage.objects("list", "--board", board)
      #expect(rows.map { $0["source"] as? String } == ["/clipboard"], "\(board)")
    }
    #expect(try stage.output("paste") == "copy")
    #expect(stub.calls == [])
  }

  @Test("paste skips rows of applications, which can be in a sandbox")
  func pasteOfClients() throws {
    let stage = try CommandStage()
    let stub = try ClipboardStub(on: stage.daemon.bus)
    try stage.output("board", "add", "clipboard")
    try stage.output("add", "copy", "--board", "clipboard")
    for application in ["org.example", "org.example.Other"] {
      try stage.output("drag", "other", "--detach", "--as", application)
      try stage.output("drop", "--board", "clipboard", "--to", "0")
    }
    #expect(try stage.output("get", "0", "--board", "clipboard") == "other")
    #expect(try stage.output("paste") == "copy")
    #expect(stub.calls == [])
  }

  @Test("paste writes the latest copy in any of its types")
  func paste() throws {
    let stage = try CommandStage()
    let stub = try ClipboardStub(on: stage.daemon.bus)
    try stage.expect(77, "paste", naming: "no copy is stored")
    try stage.output("board", "add", "clipboard")
    try stage.output("clipboard", "pause")
    try stage.expect(77, "paste", naming: "dragboard clipboard resume")
    try stage.output("drag", "text", "--also", "text/html=<b>", "--detach", "--as", "org.example")
    try stage.output("drop", "--board", "clipboard")
    try stage.output("add", "older", "--board", "clipboard")
    // The import belongs to this client, and not to the application of the drag.
    let moved = try stage.shell(
      "dragboard export --board clipboard > a && dragboard board remove clipboard && dragboard import a"
    )
    #expect(moved.status == .exited(0), "\(moved.errors)")
    // If the copy has several types, `paste` prefers plain text, as other programs do.
    #expect(try stage.output("paste") == "text")
    #expect(try stage.output("paste", "--type", "*/*") == "<b>")
    try stage.expect(66, "paste", "--type", "image/png", naming: "image/png")
    let id = try stage.objects("paste", "--onto", "default")[0]["id"] as? String
    #expect(try stage.objects("list")[0]["id"] as? String == id)
    #expect(try stage.lines("types", "0") == ["text/html", "text/plain;charset=utf-8"])
    #expect(try stage.output("get", "0") == "<b>")
    try stage.expect(66, "paste", "--onto", "none", naming: "none")
    try stage.expect(
      64, "paste", "--onto", "default", "--type", "text/html", naming: "cannot be used with --onto")
    try stage.expect(64, "paste", "--json", naming: "--onto")
    #expect(stub.calls == ["Pause 0"])
  }

  @Test("status, pause, resume and clear call the bridge")
  func control() throws {
    let stage = try CommandStage()
    let stub = try ClipboardStub(on: stage.daemon.bus)
    #expect(
      try stage.lines("clipboard") == [
        "backend         x11", "recording       on", "applications    reported by X11",
        "pasting         by the desktop's portal, which needs your permission"
          + " ('dragboard clipboard allow-pasting')",
        "excluded        application keepassxc",
      ])
    try stage.output("clipboard", "pause")
    try stage.output("clipboard", "pause", "300")
    #expect(try stage.objects("clipboard", "status")[0]["paused"] as? Bool == true)
    try stage.output("clipboard", "resume")
    try stage.output("clipboard", "clear")
    try stage.output("clipboard", "clear", "--all")
    #expect(stub.calls == ["Pause 0", "Pause 300", "Resume", "Clear", "Clear pinned"])
    try stage.expect(64, "clipboard", "pause", "0", naming: "out of range")
    try stage.expect(64, "clipboard", "pause", "5", "--while-locked", naming: "--while-locked")
    try stage.output("clipboard", "pause", "--while-locked")
    #expect(
      try stage.lines("clipboard")[1] == "recording       on, off while the screen is locked")
    try stage.output("clipboard", "resume", "--while-locked")
    try stage.output("clipboard", "resume", "--selections")
    #expect(try stage.lines("clipboard")[1] == "recording       on, also selected text")
    try stage.expect(64, "clipboard", "pause", "5", "--selections", naming: "--selections")
    try stage.output("clipboard", "pause", "--selections")
    #expect(try stage.objects("clipboard", "status")[0]["stores_selections"] as? Bool == false)
    #expect(try stage.objects("clipboard", "status")[0]["pauses_while_locked"] as? Bool == false)
  }

  @Test("allow-pasting explains the question of the desktop, and doctor names the command")
  func allowPasting() throws {
    let stage = try CommandStage()
    let stub = try ClipboardStub(on: stage.daemon.bus)
    let finding = try #require(
      try stage.shell("dragboard doctor --desktop").output.split(separator: "\n").first {
        $0.contains("requires your permission")
      })
    #expect(finding.hasPrefix("--   pasting "))
    let first = try stage.run("clipboard", "allow-pasting")
    #expect(first.status == .exited(0))
    #expect(
      first.errors.hasPrefix("The desktop now asks whether Dragboard may control the keyboard."))
    #expect(try stage.lines("clipboard")[3].hasSuffix("with your permission"))
    #expect(
      try stage.objects("clipboard", "status")[0]["paste_permission"] as? String == "granted")
    // The permission is there, so the desktop asks nothing.
    #expect(try stage.run("clipboard", "allow-pasting").errors == "")
    try stage.output("clipboard", "allow-pasting", "--revoke")
    #expect(
      try stage.objects("clipboard", "status")[0]["paste_permission"] as? String == "missing")
    #expect(stub.calls == ["AllowPasting", "AllowPasting", "ForbidPasting"])
  }

  @Test("exclude adds, removes and prints patterns")
  func exclude() throws {
    let stage = try CommandStage()
    let stub = try ClipboardStub(on: stage.daemon.bus)
    try stage.output("clipboard", "exclude", "--application", "a", "--application", "keepassxc")
    try stage.output("clipboard", "exclude", "--type", "image/*")
    try stage.output("clipboard", "exclude", "--window", "* - Bank")
    #expect(
      try stage.lines("clipboard", "exclude") == [
        "application keepassxc", "application a", "window * - Bank", "type image/*",
      ])
    try stage.output("clipboard", "exclude", "--remove", "--application", "keepassxc")
    try stage.expect(
      66, "clipboard", "exclude", "--remove", "--type", "text/*", naming: "'text/*' is not")
    let object = try stage.objects("clipboard", "exclude")[0]
    #expect(object["excluded_applications"] as? [String] == ["a"])
    #expect(object["excluded_windows"] as? [String] == ["* - Bank"])
    #expect(object["excluded_types"] as? [String] == ["image/*"])
    try stage.expect(64, "clipboard", "exclude", "--remove", naming: "--remove")
    #expect(stub.calls == [])
  }

  @Test("enable and disable call systemd, and explain its errors")
  func unit() throws {
    let stage = try CommandStage()
    for action in ["enable", "disable"] {
      let result = try stage.run(
        "clipboard \(action)", with: "systemctl", "echo \"$@\" > arguments")
      #expect(result.status == .exited(0), "\(result.errors)")
      #expect(
        try stage.shell("cat arguments").output
          == "--user \(action) --now dragboard-clipboard.service\n")
    }
    let missing = try stage.run(
      "clipboard enable", with: "systemctl",
      "echo Failed to enable unit: Unit file x does not exist. >&2; exit 1")
    #expect(missing.status == .exited(66))
    #expect(missing.errors.contains("packaging/install"))
    let display = try stage.run(
      "clipboard enable", with: "systemctl", "echo A dependency job for x failed. >&2; exit 1")
    #expect(display.status == .exited(1))
    #expect(display.errors.contains("graphical-session.target"))
    let other = try stage.run(
      "clipboard enable", with: "systemctl", "echo Failed to connect to bus >&2; exit 1")
    #expect(
      other.errors == """
        Error: systemctl: Failed to connect to bus
        To run the bridge without systemd: dragboard-clipboard

        """)
    let bare = try stage.shell("PATH=bin/none \"$(command -v dragboard)\" clipboard enable")
    #expect(bare.status == .exited(66))
    #expect(bare.errors.contains("systemctl is not installed"))
  }

  @Test("doctor reports how the bridge accesses the clipboard, a pause, and a missing bridge")
  func doctor() throws {
    let stage = try CommandStage()
    try stage.isolateCommand()
    func line() throws -> Substring? {
      let output = try stage.shell("PATH=bin dragboard doctor").output
      return output.split(separator: "\n").first { $0.contains("clipboard") }
    }
    #expect(try line()?.contains("not installed") == true)
    let stub = try ClipboardStub(on: stage.daemon.bus)
    #expect(try line()?.contains("runs (x11)") == true)
    try stage.output("clipboard", "pause")
    #expect(try line()?.contains("paused (x11)") == true)
    #expect(stub.calls == ["Pause 0"])
  }

  @Test("doctor asks the bridge why it cannot reach the clipboard")
  func display() throws {
    let stage = try CommandStage()
    try stage.isolateCommand()
    let result = try stage.run(
      "doctor", with: "dragboard-clipboard", "echo dragboard-clipboard: no display $1 >&2; exit 1")
    #expect(result.output.contains("off: no display --check"))
  }

  @Test("GPaste's texts, pictures and files are imported without its passwords")
  func gpaste() throws {
    let stage = try CommandStage()
    let picture = stage.folder.appending(path: "a.png").path
    try Data("picture".utf8).write(to: URL(fileURLWithPath: picture))
    let script = """
      if [ "$3" = --raw ]; then
        printf '******\\0first\\nline\\0\(picture)\\0[Image] text\\0file:///a b%%25\\nfile:///ü\\n'
      else
        printf 'a-1: [Password] x\\0a-2: first\\nline\\0a-3: [Image, 1 x 1]\\0a-4: [Image] text'
        printf '\\0a-5: [Files] file:///a b%%25 file:///ü '
      fi
      """
    let result = try stage.run("clipboard import gpaste", with: "gpaste-client", script)
    #expect(result.output == "Imported 4 rows.\n", "\(result.errors)")
    let info = try stage.objects("boards").first { $0["name"] as? String == "clipboard" }
    #expect(info?["moves_duplicates"] as? Bool == true)
    #expect(info?["retain_rows"] as? Int == 1_000)
    let board = ["--board", "clipboard"]
    #expect(try stage.output("get", "0", "--board", "clipboard") == "first\nline")
    #expect(try stage.lines(["types", "1"] + board) == ["image/png"])
    #expect(try stage.output("get", "1", "--board", "clipboard") == "picture")
    #expect(try stage.output("get", "2", "--board", "clipboard") == "[Image] text")
    #expect(try stage.lines(["types", "3"] + board) == ["text/uri-list"])
    #expect(
      try stage.output("get", "3", "--board", "clipboard")
        == "file:///a%20b%25\r\nfile:///%C3%BC\r\n")
  }

  @Test("CopyQ's entries are imported with all their types, and pinned entries stay pinned")
  func copyq() throws {
    let stage = try CommandStage()
    let script = """
      [ "$1" = eval ] || exit 9
      printf 'application/x-copyq-tags 4\\nworktext/html 4\\n<b>\\ntext/plain 4\\na\\nbcTARGETS 1\\nx\\n'
      printf 'application/x-copyq-encrypted 2\\nxx\\n'
      printf 'text/plain 4\\nlastapplication/x-copyq-item-pinned 0\\n\\n'
      """
    let result = try stage.run("clipboard import copyq", with: "copyq", script)
    #expect(result.output == "Imported 2 rows.\n", "\(result.errors)")
    #expect(
      try stage.lines("types", "0", "--board", "clipboard")
        == ["text/html", "text/plain;charset=utf-8"])
    #expect(try stage.output("get", "0", "--board", "clipboard", "--type", "text/plain") == "a\nbc")
    #expect(try stage.output("get", "1", "--board", "clipboard") == "last")
    let rows = try stage.objects("list", "--board", "clipboard")
    #expect(rows.map { $0["pinned"] as? Bool } == [false, true])
    let failed = try stage.run("clipboard import copyq", with: "copyq", "exit 3")
    #expect(failed.errors.hasPrefix("Error: copyq exited with status 3\n"))
    for output in ["text/plain 9\\nshort", "text/plain -1\\n", "text\\n", "text/plain x\\n"] {
      let broken = try stage.run("clipboard import copyq", with: "copyq", "printf '\(output)'")
      #expect(broken.errors == "Error: copyq printed an unreadable history\n", "\(output)")
    }
    #expect(try stage.objects("list", "--board", "clipboard").count == 2)
    try stage.expect(64, "clipboard", "import", "other", naming: "other")
  }

  @Test(
    "CopyQ's entries with the mark of a secret are not imported",
    arguments: [
      "x-kde-passwordManagerHint", "text/x-kde-passwordManagerHint", "application/x-copyq-secret",
      "application/x-qt-windows-mime;value=\"CanIncludeInClipboardHistory\"",
      "org.nspasteboard.TransientType",
    ])
  func secretsOfCopyQ(mark: String) throws {
    let stage = try CommandStage()
    let script = """
      printf 'text/plain 6\\nsecret%s 6\\nsecret\\n' '\(mark)'
      printf 'text/plain 5\\nplain\\n%s 6\\nsecrettext/plain 6\\nsecret\\n' '\(mark)'
      """
    let result = try stage.run("clipboard import copyq", with: "copyq", script)
    #expect(result.output == "Imported 1 row.\n", "\(result.errors)")
    #expect(try stage.output("get", "0", "--board", "clipboard") == "plain")
    let secrets = try stage.run(
      "clipboard import copyq", with: "copyq", "printf 'text/plain 1\\nx%s 0\\n\\n' '\(mark)'")
    #expect(secrets.errors.contains("copyq has no entries"))
  }

  @Test("The rows of an import belong to no application and no sandbox", arguments: [1, 2])
  func importedSource(count: Int) throws {
    let stage = try CommandStage()
    let script = "for i in \(count == 1 ? "1" : "1 2"); do printf 'text/plain 1\\n%s\\n' $i; done"
    let result = try stage.run("clipboard import copyq", with: "copyq", script)
    #expect(result.status == .exited(0), "\(result.errors)")
    let sources = try stage.objects("list", "--board", "clipboard").map { $0["source"] as? String }
    #expect(sources.count == count)
    #expect(sources.allSatisfy { $0?.hasPrefix(":") == true })
  }

  @Test("An import fills the board up to its limit, and the oldest entries are deleted first")
  func importAndRetention() throws {
    let stage = try CommandStage()
    let script = "for i in 1 2 3 4 5; do printf 'text/plain 1\\n%s\\n' $i; done"
    try stage.output("board", "add", "clipboard")
    try stage.output("board", "set", "clipboard", "--retain-rows", "4")
    try stage.output("add", "own", "--board", "clipboard")
    let result = try stage.run("clipboard import copyq", with: "copyq", script)
    #expect(result.output == "Imported 3 rows of 5 entries.\n", "\(result.errors)")
    func texts() throws -> [String] {
      try stage.objects("list", "--board", "clipboard").compactMap { $0["preview"] as? String }
    }
    #expect(try texts() == ["own", "1", "2", "3"])
    let full = try stage.run("clipboard import copyq", with: "copyq", script)
    #expect(full.status == .exited(77))
    #expect(full.errors.contains("retains 4 rows\nTo retain more: dragboard board set clipboard"))
    for text in ["a", "b"] { try stage.output("add", text, "--board", "clipboard", "--at", "0") }
    #expect(try texts() == ["b", "a", "1", "2"])
  }
}
