import Foundation
import TestSupport
import Testing

@Suite("Regression: the commands in messages left out --board, --address and other options")
struct HintsDroppedOptions {
  /// A stage whose boards `default` and `two words` have a picture as their first row.
  private func stage() throws -> CommandStage {
    let stage = try CommandStage()
    try stage.output("board", "add", "two words")
    let line = """
      for b in default 'two words'; do
      printf '\\0' | dragboard add --stdin --type image/png -b "$b"; done
      """
    #expect(try stage.shell(line).status == .exited(0))
    return stage
  }

  /// Returns the command after the last `: ` of the errors' last line.
  private func hint(_ errors: String) throws -> String {
    let line = try #require(errors.split(separator: "\n").last)
    return try #require(line.components(separatedBy: ": ").last)
  }

  @Test("The call that edit prints replaces the row of the same board with the same text")
  func edit() throws {
    let stage = try stage()
    let before = try stage.objects("list")[0]["id"] as? String
    for (text, word) in [("it's $HOME", "'it'\\''s $HOME'"), ("-x", "-x")] {
      let result = try stage.run("edit", "0", "--text=\(text)", "--board=two words")
      #expect(result.status == .exited(77))
      let command = try hint(result.errors)
      let id = try #require(try stage.objects("list", "-b", "two words")[0]["id"] as? String)
      #expect(command.contains(id) && command.contains(word), "\(command)")
      #expect(command.contains("--board 'two words'"))
      #expect(try stage.shell("EDITOR=false \(command)").status == .exited(0), "\(command)")
      #expect(try stage.output("get", "0", "-b", "two words") == text)
      try stage.output("undo", "-b", "two words")
    }
    let row = try stage.objects("list")[0]
    #expect(row["id"] as? String == before)
    #expect(row["types"] as? [String] == ["image/png"])
  }

  @Test("The hint about a position names the row, even if other rows move it")
  func position() throws {
    let stage = try stage()
    let command = try hint(try stage.run("edit", "0", "--text", "x").errors)
    try stage.output("add", "first", "--at", "0")
    #expect(try stage.shell("EDITOR=false \(command)").status == .exited(0))
    #expect(try stage.rows() == ["0 first", "1 x"])
  }

  @Test("The call that get prints on a terminal has the row, the type, the board and the bus")
  func get() throws {
    let stage = try stage()
    let address = try #require(stage.daemon.bus.environment["DBUS_SESSION_BUS_ADDRESS"])
    let (status, shown) = try stage.terminal(
      "get", "0", "--type", "image/*", "-b", "two words", "--address", address, columns: 500
    ).waitForExit()
    #expect(status == .exited(77))
    let command = try hint(shown.replacing("\r\n", with: "\n"))
    #expect(command.contains("--type 'image/*'") && command.contains("--address "), "\(command)")
    let result = try stage.shell(command.replacing("FILE", with: "file"))
    #expect(result.status == .exited(0), "\(command): \(result.errors)")
    let bytes = try Data(contentsOf: stage.folder.appending(path: "file"))
    #expect(bytes == Data([0]))
  }

  @Test("Errors about rows name the board in the call that lists its rows")
  func rows() throws {
    let stage = try stage()
    for arguments in [
      ["show", "9"], ["show", "ffff"], ["show", "00000000-0000-4000-8000-000000000000"],
    ] {
      let result = try stage.run(arguments + ["-b", "two words"])
      #expect(result.status == .exited(66))
      #expect(try hint(result.errors) == "dragboard list --board 'two words'", "\(result.errors)")
    }
    let list = try stage.shell("echo nothing | dragboard apply -b 'two words' --section 0")
    #expect(
      try hint(list.errors) == "dragboard apply --print --section main --board 'two words'")
  }

  @Test("The call that unlocks rows has their ids and the board")
  func locked() throws {
    let stage = try stage()
    let ids = try stage.lines("add", "a", "b", "-b", "two words")
    try stage.output("lock", "1", "2", "-b", "two words")
    let result = try stage.run("remove", "1", "2", "-b", "two words")
    #expect(result.status == .exited(77))
    #expect(
      try hint(result.errors) == "dragboard unlock \(ids[0]) --board 'two words'")
    try stage.output("lock", "--position", "1", "-b", "two words")
    let moved = try stage.run("move", "1", "--to", "0", "-b", "two words")
    #expect(
      try hint(moved.errors) == "dragboard unlock \(ids[0]) --position --board 'two words'")
  }

  @Test(
    "Calls for a full board and for refused types quote a board whose name begins with a hyphen")
  func settings() throws {
    let stage = try CommandStage()
    try stage.output("board", "add", "--", "-x")
    try stage.output("board", "set", "--max-rows", "1", "--", "-x")
    try Data("a".utf8).write(to: stage.folder.appending(path: "a.txt"))
    let full = try stage.shell("dragboard add --file a.txt a.txt --board=-x")
    #expect(try hint(full.errors) == "dragboard board set --max-rows COUNT -- -x")
    try stage.output("board", "set", "--accept", "image/png", "--max-rows", "0", "--", "-x")
    let refused = try stage.shell("dragboard add --file a.txt a.txt --board=-x")
    #expect(try stage.shell(try hint(refused.errors)).status == .exited(0))
    #expect(try stage.shell("dragboard add --file a.txt a.txt --board=-x").status == .exited(0))
  }

  @Test("On a terminal, drag prints calls that have the bus")
  func drag() throws {
    let stage = try CommandStage()
    let address = try #require(stage.daemon.bus.environment["DBUS_SESSION_BUS_ADDRESS"])
    let drag = try stage.terminal(
      "drag", "one", "--address", address, columns: 500)
    let shown = try #require(drag.shown(until: "Ctrl-C"))
    #expect(shown.contains("dragboard drop 1 --address "), "\(shown)")
  }
}
