import Foundation
import TestSupport
import Testing

@Suite("Completing command lines")
struct CompletionTests {
  /// A command line, its words as bash passes them, and the expected candidates.
  struct Case: CustomTestStringConvertible, Sendable {
    let words: [String]
    let candidates: [String]
    var testDescription: String { words.joined(separator: " ") }

    init(_ words: String..., gives candidates: [String]) {
      self.words = ["dragboard"] + words
      self.candidates = candidates
    }
  }

  /// The expected candidates in every shell, on the board that `stage` makes.
  static let cases = [
    Case("se", gives: ["search", "section", "sessions", "setup"]),
    Case("move", "", gives: ["0", "1", "in parts:0", "a:b:0", "a:b:1"]),
    Case("mv", "1", gives: ["1"]),
    Case("move", "0", "--board", "", gives: ["default", "my board"]),
    Case("move", "--board", "my", gives: ["my board"]),
    Case("move", "--board", "'my board'", "", gives: ["0"]),
    Case("drop", "", gives: ["1"]),
    Case("section", "remove", "", gives: ["main", "in parts", "a:b"]),
    Case("section", "rm", "in", gives: ["in parts"]),
    Case("section", "rename", #"in\ p"#, gives: ["in parts"]),
    Case("view", "select", "", gives: ["1"]),
    Case("view", "select", "1", "", gives: ["0"]),
    Case("get", "1", "--type", "", gives: ["text/plain;charset=utf-8"]),
    Case("drop", "1", "--type", "", gives: ["text/plain;charset=utf-8"]),
    Case("sort", "--by", "", gives: ["text", "age", "size", "type"]),
    Case("completion", "", gives: ["bash", "zsh", "fish"]),
    Case("section", "list", "--js", gives: ["--json"]),
    Case("section", "--js", gives: ["--json"]),
    Case(
      "move", "0", "--", gives: ["--to", "--board", "--quiet", "--address", "--version", "--help"]),
  ]

  /// Returns a board with sections, another board, a drag and a view.
  private func stage() throws -> CommandStage {
    let stage = try CommandStage()
    try stage.output("add", "Call the garage", "Buy: stamps")
    for name in ["in parts", "a:b", "$(touch made)"] { try stage.output("section", "add", name) }
    try stage.output("add", "--at", "in parts:", "inside")
    try stage.output("add", "--at", "a:b:", "c", "d")
    try stage.output("board", "add", "my board")
    try stage.output("add", "--board", "my board", "x")
    try stage.output("drag", "--detach", "--as", "org.example", "dragged")
    try stage.output("view", "open", "--as", "org.example", "--board", "my board")
    return stage
  }

  /// Returns the candidates that the shell's completion script prints.
  private func candidates(
    in stage: CommandStage, _ shell: String, _ arguments: [String]
  ) throws -> [String] {
    let script = Checkout.path("Tests/CommandTests/Shells/complete.\(shell)")
    let words = ([shell, script] + arguments).map { "'\($0.replacing("'", with: "'\\''"))'" }
    let result = try stage.shell(words.joined(separator: " "))
    #expect(result.errors == "")
    return result.output.split(separator: "\n").map(String.init)
  }

  @Test("bash completes names from the daemon, and runs no command in them")
  func bash() throws {
    let stage = try stage()
    for line in Self.cases {
      let given = try candidates(in: stage, "bash", line.words)
      #expect(given.sorted() == line.candidates.sorted(), "\(line.testDescription)")
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: stage.folder.path) == [])
  }

  @Test("bash completes after the colons and equals signs at which it splits words")
  func bashBreaks() throws {
    let stage = try stage()
    func given(_ words: String...) throws -> [String] {
      try candidates(in: stage, "bash", ["dragboard"] + words)
    }
    #expect(try given("move", "a", ":") == ["b:0", "b:1"])
    #expect(try given("move", "a", ":", "b", ":") == ["0", "1"])
    #expect(try given("move", "a", ":", "b", ":", "1") == ["1"])
    #expect(try given("move", "--board", "=", "my") == ["my board"])
    #expect(try given("list", "--board", "=", "default", "--section", "in") == ["in parts"])
  }

  @Test("Completion changes no trap and no option of bash")
  func bashState() throws {
    let stage = try stage()
    let line = """
      source <(dragboard completion bash); shopt -s nocaseglob; COMP_WORDS=(dragboard se)
      COMP_CWORD=1 COMP_LINE='dragboard se' COMP_POINT=12
      before=$(shopt; trap); _dragboard dragboard se dragboard; [[ $before == "$(shopt; trap)" ]]
      """
    #expect(try stage.shell(line).status == .exited(0))
  }

  @Test(
    "fish completes names from the daemon, with descriptions",
    .enabled(if: isInstalled("fish"), "fish is not installed"))
  func fish() throws {
    let stage = try stage()
    for line in Self.cases {
      let given = try candidates(in: stage, "fish", [line.testDescription]).map { candidate in
        String(candidate.split(separator: "\t")[0])
      }
      #expect(given.sorted() == line.candidates.sorted(), "\(line.testDescription)")
    }
    #expect(
      try candidates(in: stage, "fish", ["dragboard move "]).prefix(2)
        == ["0\tCall the garage", "1\tBuy: stamps"])
    #expect(
      try candidates(in: stage, "fish", ["dragboard move --board=my"])
        == ["--board=my board\t1 row"])
  }

  @Test(
    "zsh completes names from the daemon",
    .enabled(if: isInstalled("zsh"), "zsh is not installed"))
  func zsh() throws {
    let stage = try stage()
    for line in Self.cases {
      let given = try candidates(in: stage, "zsh", [line.testDescription])
      #expect(Set(given) == Set(line.candidates), "\(line.testDescription)")
    }
  }

  @Test("Files and directories are completed, and no command in their names runs")
  func files() throws {
    let stage = try CommandStage()
    let made = try stage.shell(
      #"mkdir 'sub dir'; touch 'a file.txt' 'sub dir/inner' x$'\n''${a-`touch made`}'"#)
    #expect(made.status == .exited(0))
    for kind in InteractiveShell.installed {
      let shell = try InteractiveShell(kind, on: stage)
      #expect(shell.complete("dragboard add --file a").contains("<add><--file><a file.txt>"))
      #expect(shell.complete("dragboard add --file sub").contains("<add><--file><sub dir/inner>"))
      let second = shell.complete("dragboard add --file a\\ file.txt a")
      #expect(second.contains("<add><--file><a file.txt><a file.txt>"), "\(kind)")
      #expect(shell.complete("dragboard add --file=a").contains("<--file=a file.txt>"), "\(kind)")
      // zsh removes the slash again if Enter follows.
      let shown = shell.complete("dragboard drop --into s", tabs: 1)
      #expect(shown.contains("<drop><--into><sub dir"), "\(kind)")
      shell.complete("dragboard add --file x")
      let made = stage.folder.appending(path: "made").path
      #expect(!FileManager.default.fileExists(atPath: made), "\(kind)")
    }
  }

  @Test("Every alias of a subcommand completes like the subcommand")
  func aliases() throws {
    let stage = try stage()
    #expect(try candidates(in: stage, "bash", ["dragboard", "ls", "--sec"]) == ["--section"])
    #expect(try candidates(in: stage, "bash", ["dragboard", "rm", "1"]) == ["1"])
    let words = ["dragboard", "board", "rm", "my"]
    #expect(try candidates(in: stage, "bash", words) == ["my board"])
  }

  @Test("Completion finds a row of a large board by the beginning of its index or its id")
  func largeBoard() throws {
    let stage = try CommandStage()
    _ = try stage.shell("seq 1000 | dragboard add --lines")
    #expect(try candidates(in: stage, "bash", ["dragboard", "get", ""]).count == 100)
    #expect(
      try candidates(in: stage, "bash", ["dragboard", "get", "99"])
        == ["99"] + (990...999).map { "\($0)" })
    let id = try #require(
      stage.objects("list", "--from", "500", "--count", "1")[0]["id"] as? String)
    // Nine characters of an id contain a hyphen, so they cannot be the start of a position.
    let given = try candidates(in: stage, "bash", ["dragboard", "get", String(id.prefix(9))])
    #expect(given == [String(id.prefix(13))])
    #expect(try stage.output("get", given[0]) == "501")
  }

  @Test("Without a daemon or a bus that replies, completion offers no words and prints no message")
  func absence() throws {
    let stage = try CommandStage()
    stage.daemon.kill()
    #expect(try candidates(in: stage, "bash", ["dragboard", "move", ""]) == [])
    stage.daemon.bus.signal(SIGSTOP)
    #expect(try candidates(in: stage, "bash", ["dragboard", "move", ""]) == [])
    stage.daemon.bus.signal(SIGCONT)
  }
}
