import Foundation
import TestSupport
import Testing

@Suite("Regression: edit replaced a change that another client made while the editor was open")
struct EditReplacedOtherChange {
  /// A stage with the row `old`, and an editor that runs a script, in which `$1` is the file.
  private func stage(_ script: String) throws -> (CommandStage, environment: [String: String]) {
    let stage = try CommandStage()
    try stage.output("add", "old")
    let path = stage.folder.appending(path: "editor").path
    try whileNothingStarts {
      try Data("#!/bin/sh\n\(script)\n".utf8).write(to: URL(fileURLWithPath: path))
    }
    #expect(try stage.shell("chmod 755 editor").status == .exited(0))
    return (
      stage,
      ["EDITOR": path, "TMPDIR": stage.folder.path, "PATH": stage.environment["PATH"] ?? ""]
    )
  }

  @Test(
    "The change stays, and the edited text stays in a file",
    arguments: [
      "dragboard edit 0 --text theirs", "dragboard edit 0 --text theirs; dragboard lock 0",
      "dragboard edit 0 --text theirs; dragboard add --at 0 first; dragboard remove 0",
    ])
  func refused(change: String) throws {
    let (stage, environment) = try stage("printf mine > \"$1\"; \(change)")
    let result = try stage.shell(
      "TMPDIR=$PWD EDITOR=\(environment["EDITOR"] ?? "") dragboard edit 0")
    #expect(result.status == .exited(77))
    #expect(result.errors.contains("another client has changed the row"), "\(result.errors)")
    let line = try #require(result.errors.split(separator: "\n").last)
    let path = try #require(line.components(separatedBy: " is in ").last)
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "mine")
    #expect(try stage.rows() == ["0 theirs"])
  }

  @Test("A text is stored although another client edits other rows all the time")
  func busyBoard() throws {
    let (stage, environment) = try stage("printf mine > \"$1\"")
    let result = try stage.shell(
      """
      { (until test -e done; do dragboard add x; dragboard remove 1; done) > /dev/null & }
      TMPDIR=$PWD EDITOR=\(environment["EDITOR"] ?? "") dragboard edit 0; touch done; wait
      """)
    #expect(result.errors == "")
    #expect(try stage.rows().first == "0 mine")
  }

  @Test("A row that only moved is edited, and an unchanged text replaces nothing")
  func harmless() throws {
    let (stage, environment) = try stage("printf mine > \"$1\"; dragboard add --at 0 first")
    let line = "TMPDIR=$PWD EDITOR=\(environment["EDITOR"] ?? "") dragboard edit"
    #expect(try stage.shell("\(line) 0").status == .exited(0))
    #expect(try stage.rows() == ["0 first", "1 mine"])
    #expect(
      try stage.shell("EDITOR='dragboard edit 0 --text theirs;:' dragboard edit 0").errors == "")
    #expect(try stage.rows() == ["0 theirs", "1 mine"])
  }

  @Test("On a terminal the editor can be opened again, to merge both changes")
  func merge() throws {
    let (stage, environment) = try stage(
      """
      if grep -q mine "$1"; then echo both > "$1"
      else echo mine > "$1"; dragboard edit 0 --text theirs; fi
      """)
    let terminal = try stage.terminal("edit", "0", environment: environment, columns: 200)
    #expect(terminal.shown(until: "[Y/n] ")?.contains("another client has changed") == true)
    terminal.type("y\r")
    #expect(terminal.waitForExit().status == .exited(0))
    #expect(try stage.rows() == ["0 both"])
  }
}
