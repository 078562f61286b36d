import Foundation
import TestSupport
import Testing

@Suite("Regression: an error after the editor lost the edited text")
struct EditedTextWasLost {
  /// Writes a shell script that edits the file `$1`; returns its path.
  private func editor(_ stage: CommandStage, _ script: String) throws -> String {
    let path = stage.folder.appending(path: "editor").path
    let result = try stage.shell(
      "cat > editor <<'END'\n#!/bin/sh\n\(script)\nEND\nchmod 755 editor")
    #expect(result.status == .exited(0), "\(result.errors)")
    return path
  }

  /// Runs a command with an editor, which is a shell script.
  private func run(_ stage: CommandStage, _ line: String, editor script: String) throws
    -> CommandResult
  {
    let path = try editor(stage, script)
    return try stage.shell("TMPDIR=$PWD EDITOR=\(path) dragboard \(line)")
  }

  /// Returns the text of the file that the errors name.
  private func kept(_ errors: String) throws -> String {
    let path = try #require(
      errors.split(separator: "\n").first { $0.hasPrefix("The edited text is in ") })
    return try String(
      contentsOfFile: String(path.dropFirst("The edited text is in ".count)), encoding: .utf8)
  }

  /// A script that makes an edit fail, the exit code of the command, and a word of its error.
  static let failures: [(script: String, code: Int32, word: String)] = [
    ("printf mine > \"$1\"; dragboard lock 0", 77, "dragboard unlock"),
    ("printf mine > \"$1\"; dragboard remove 0", 66, "dragboard list"),
    ("printf mine > \"$1\"; exit 3", 1, "the editor exited with status 3"),
  ]

  @Test("edit keeps the text in a file if it cannot store it", arguments: failures)
  func edit(_ failure: (script: String, code: Int32, word: String)) throws {
    let stage = try CommandStage()
    try stage.output("add", "old")
    let result = try run(stage, "edit 0", editor: failure.script)
    #expect(result.status == .exited(failure.code), "\(result.errors)")
    #expect(result.errors.contains(failure.word), "\(result.errors)")
    #expect(try kept(result.errors) == "mine")
    let rows = try stage.rows()
    #expect(
      rows
        == (failure.code == 66 ? [] : ["0 old"]))
  }

  @Test("The file of a text that is stored or unchanged is removed")
  func removed() throws {
    let stage = try CommandStage()
    try stage.output("add", "old")
    for script in ["true", "exit 1", "printf new > \"$1\""] {
      let result = try run(stage, "edit 0", editor: script)
      #expect(!result.errors.contains("The edited text"), "\(script): \(result.errors)")
      let names = try FileManager.default.contentsOfDirectory(atPath: stage.folder.path)
      #expect(names == ["editor"], "\(script)")
    }
    #expect(try stage.rows() == ["0 new"])
  }

  @Test("A text that is not UTF-8 is kept, too")
  func encoding() throws {
    let stage = try CommandStage()
    try stage.output("add", "old")
    let result = try run(stage, "edit 0", editor: "printf '\\377' > \"$1\"")
    #expect(result.status == .exited(64))
    #expect(result.errors.contains("The edited text is in "), "\(result.errors)")
  }

  @Test("edit refuses a locked row before the editor opens")
  func locked() throws {
    let stage = try CommandStage()
    try stage.output("add", "old")
    try stage.output("lock", "0")
    let result = try run(stage, "edit 0", editor: "touch opened")
    #expect(result.status == .exited(77))
    #expect(result.errors.contains("dragboard unlock"), "\(result.errors)")
    #expect(!FileManager.default.fileExists(atPath: stage.folder.path + "/opened"))
  }

  @Test("apply --edit keeps the list if it has an error, or if the board has changed")
  func list() throws {
    let stage = try CommandStage()
    let ids = try stage.lines("add", "a", "b")
    let wrong = try run(stage, "apply --edit", editor: "echo what >> \"$1\"")
    #expect(wrong.status == .exited(64))
    #expect(try kept(wrong.errors).hasSuffix("\(ids[1])  b\nwhat\n"))
    let stale = try run(stage, "apply --edit", editor: "sed -i /a$/d \"$1\"; dragboard add new")
    #expect(stale.status == .exited(77))
    #expect(try stage.rows() == ["0 a", "1 b", "2 new"])
    // The printed call applies the list, and keeps the row that was added meanwhile.
    let line = try #require(
      stale.errors.split(separator: "\n").first { $0.hasPrefix("To apply it") })
    let call = try #require(line.components(separatedBy: ": ").last)
    #expect(try stage.shell(call).status == .exited(0), "\(call)")
    #expect(try stage.rows() == ["0 b", "1 new"], "\(call)")
  }

  @Test("On a terminal the editor can be opened again with the same text")
  func again() throws {
    let stage = try CommandStage()
    let ids = try stage.lines("add", "a", "b")
    let path = try editor(
      stage,
      "if grep -q what \"$1\"; then sed -i '/what/d; /a$/d' \"$1\"; else echo what >> \"$1\"; fi")
    let environment = ["EDITOR": path, "TMPDIR": stage.folder.path]
    let terminal = try stage.terminal("apply", "--edit", environment: environment, columns: 200)
    #expect(terminal.shown(until: "[Y/n] ")?.contains("'what' is not the id") == true)
    terminal.type("\r")
    #expect(terminal.waitForExit().status == .exited(0))
    #expect(try stage.lines("list").map { $0.split(separator: "\t")[1] } == [ids[1][...]])
    let refused = try stage.terminal("apply", "--edit", environment: environment, columns: 200)
    #expect(refused.shown(until: "[Y/n] ") != nil)
    refused.type("n\r")
    let (status, shown) = refused.waitForExit()
    #expect(status == .exited(64))
    #expect(shown.contains("The edited text is in "), "\(shown)")
  }
}
