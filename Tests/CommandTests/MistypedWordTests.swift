import TestSupport
import Testing

@testable import dragboard

@Suite("Mistyped subcommands and options")
struct MistypedWordTests {
  @Test(
    "A mistyped word is refused, and the error suggests the right word",
    arguments: [
      (["lst"], "'list'"), (["remvoe", "0"], "'remove'"), (["section", "lits"], "'list'"),
      (["help", "serach"], "'search'"), (["help", "board", "sett"], "'set'"),
      (["list", "--sction", "a"], "'--section'"), (["hepl"], "'help'"),
      // Words of other tools.
      (["delete", "0"], "'remove'"), (["cat", "0"], "'get'"), (["cp", "0"], "'copy'"),
      (["grep", "word"], "'search'"), (["board", "create", "work"], "'add'"),
      (["help", "delete"], "'remove'"), (["section", "delete", "work"], "'remove'"),
    ])
  func guesses(words: [String], guess: String) throws {
    let result = try run(builtProduct("dragboard"), words)
    #expect(result.status == .exited(64))
    #expect(result.errors.lowercased().contains("did you mean \(guess)?"), "\(result.errors)")
    #expect(result.output == "")
  }

  @Test("The name of a board without --board is reported with the call that uses the board")
  func board() throws {
    for (words, call) in [
      (["list", "my work"], "dragboard list --board 'my work'"),
      (["clear", "work", "--quiet"], "dragboard clear --board work --quiet"),
    ] {
      let result = try run(builtProduct("dragboard"), words)
      #expect(result.status == .exited(64))
      #expect(
        result.errors.hasSuffix("To use the board '\(words[1])': \(call)\n"), "\(result.errors)")
    }
    for words in [["list", "work", "-b", "home"], ["status", "work"], ["list", "work", "home"]] {
      let result = try run(builtProduct("dragboard"), words)
      #expect(result.status == .exited(64))
      #expect(!result.errors.contains("To use the board"), "\(result.errors)")
    }
  }

  @Test("A word that resembles no subcommand is refused without a suggestion, also after help")
  func strangers() throws {
    for words in [["frobnicate"], ["help", "frobnicate"], ["help", "list", "frobnicate"]] {
      let result = try run(builtProduct("dragboard"), words)
      #expect(result.status == .exited(64))
      #expect(result.errors.contains("frobnicate: is not a subcommand"))
      #expect(!result.errors.contains("mean"))
      #expect(result.errors.contains("--help'"))
    }
  }

  @Test("help prints the help of a subcommand and of an alias")
  func help() throws {
    for words in [["help"], ["help", "list"], ["help", "ls"], ["help", "section", "add"]] {
      let result = try run(builtProduct("dragboard"), words)
      #expect(result.status == .exited(0))
      #expect(result.output.contains("USAGE: dragboard"))
    }
  }

  @Test(
    "The distance of two words is the number of wrong letters",
    arguments: [
      ("", "", 0), ("list", "lits", 1), ("lst", "list", 1), ("abc", "xyz", 3), ("a", "", 1),
    ])
  func distance(left: String, right: String, distance: Int) {
    #expect(Spelling.distance(left, right) == distance)
    #expect(Spelling.distance(right, left) == distance)
  }

  @Test("Every exit code is in the help")
  func exitCodes() throws {
    let help = try Checkout.text(of: "Tests/CommandTests/Golden/dragboard.txt")
    let words = help.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    for status in ExitStatus.allCases {
      #expect(words.contains("; \(status.rawValue) \(status.meaning);"), "\(status)")
    }
  }

  @Test("Each kind of error has the same exit code in all commands")
  func kinds() throws {
    let stage = try CommandStage()
    try stage.output("add", "a")
    try stage.output("drag", "--detach", "--as", "org.example", "text")
    try stage.expect(66, "add", "--file", "/nonexistent/a")
    try stage.expect(66, "get", "0", "--output", "/nonexistent/a")
    try stage.expect(66, "drop", "--into", "/nonexistent")
    try stage.output("section", "add", "later")
    try stage.expect(77, "section", "add", "main", naming: "main")
    try stage.expect(77, "section", "rename", "later", "main", naming: "main")
    try stage.expect(77, "board", "add", "default")
  }

  @Test("board list and boards print the same list")
  func boardList() throws {
    let stage = try CommandStage()
    #expect(try stage.output("board", "list") == stage.output("boards"))
    #expect(try stage.output("board", "ls") == stage.output("board"))
  }

  @Test("Commands accept positions as other commands print them")
  func positions() throws {
    let stage = try CommandStage()
    try stage.output("section", "add", "later")
    try stage.output("add", "a")
    try stage.output("add", "--at", "later:", "x", "y")
    #expect(try stage.objects("list").map { $0["position"] as? String } == ["0:0", "1:0", "1:1"])
    #expect(try stage.output("get", "1:1") == "y")
    #expect(try stage.rows("--from", "later:1") == ["later:1 y"])
    #expect(try stage.rows("--from", "0:1") == ["later:0 x", "later:1 y"])
    try stage.expect(64, "list", "--from", "later:1", "--section", "later", naming: "--from")
    try stage.output("drag", "--detach", "--as", "org.example", "text")
    #expect(try stage.objects("propose", "--to", "1:1")[0]["position"] as? String == "1:1")
  }

  @Test("An id that pick prints names its row without --board")
  func pickedBoard() throws {
    let stage = try CommandStage()
    try stage.output("board", "add", "work")
    try stage.output("add", "--board", "work", "there", "also")
    for (line, output) in [
      ("get \"$(dragboard pick --board work --with 'sed -n 1p')\"", "there"),
      ("edit \"$(dragboard pick --board work --with 'sed -n 1p')\" --text new", ""),
      ("remove $(dragboard pick --board work --multiple --with cat)", ""),
    ] {
      let result = try stage.shell("dragboard \(line)")
      #expect(result.status == .exited(0), "\(line): \(result.errors)")
      #expect(result.output == output)
    }
    #expect(try stage.rows("--board", "work") == [])
    try stage.expect(66, "get", "0f8fad5b-d9cb-469f-a165-70867728950e")
  }
}
