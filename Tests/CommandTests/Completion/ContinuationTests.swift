import Testing

@testable import dragboard

@Suite("The continuations of command lines, without a daemon")
struct ContinuationTests {
  private func words(_ line: String) -> [String] {
    guard case .words(let candidates) = Completion(of: ShellLine("dragboard \(line)")) else {
      return ["a file or folder"]
    }
    return candidates.map(\.word)
  }

  @Test("Subcommands continue a line, with their descriptions, except the hidden one")
  func subcommands() {
    let commands = CommandTree.root.children.filter { !$0.isHidden }
    #expect(words("") == commands.map(\.name) + ["help"])
    #expect(!words("").contains("__complete"))
    #expect(words("section ") == ["list", "add", "rename", "move", "remove"])
    #expect(words("help section ") == words("section "))
    #expect(words("help list ") == [])
    #expect(
      Completion(of: ShellLine("dragboard section "))
        == .words(
          CommandTree.root.child(named: "section")!.children.map {
            Candidate($0.name, $0.abstract)
          }))
  }

  @Test("Every subcommand has the options of its help, and each is offered once")
  func options() {
    func check(_ node: CommandTree, _ path: [String]) {
      let line = path.map { $0 + " " }.joined()
      let offered = words(line + "-")
      #expect(offered.contains("--help"), "\(line)")
      #expect(Set(offered).count == offered.count, "\(line)")
      for child in node.children where !child.isHidden { check(child, path + [child.name]) }
    }
    check(.root, [])
    #expect(words("section -").contains("--json"), "the options of the default subcommand")
    #expect(!words("list --json -").contains("--json"))
    #expect(!words("list -b x -").contains("--board"))
    #expect(words("drag --row 1 -").contains("--row"), "an option that can be repeated")
    #expect(words("list ").contains("--json"), "no argument is expected")
    #expect(words("add -- -") == [])
  }

  @Test(
    "Files and folders continue a line where an argument is one",
    arguments: [
      ("add --file ", Completion.files), ("add --file a.txt ", .files), ("add -f a b c", .files),
      ("add text --file=", .files), ("get 1 --into ", .folders), ("drop --into=a", .folders),
      ("import ", .files), ("import a --name ", .words([])), ("add --at 1 ", .words([])),
      ("add --file a -- ", .words([])),
    ])
  func files(line: String, continuations: Completion) {
    #expect(Completion(of: ShellLine("dragboard \(line)")) == continuations)
  }

  @Test("The value of an option is completed in both notations, and keeps the option's name")
  func values() {
    #expect(words("sort --by ") == ["text", "age", "size", "type"])
    #expect(words("sort --by=t") == ["--by=text", "--by=age", "--by=size", "--by=type"])
    #expect(words("add --type ").contains("image/png"))
    #expect(words("add -t ").contains("image/png"))
  }

  @Test("Words are divided into options, values and positional arguments")
  func request() {
    let request = CompletionRequest(
      ["-b", "my=board", "3", "--type=a=b", "--json", "4", "--", "--json"], completing: "--x",
      ArgumentInfo.all(of: ["get"]))
    #expect(request.values == ["--board": "my=board", "--type": "a=b"])
    #expect(request.positionals == ["3", "4", "--json"])
    #expect(request.used == ["--board", "--type", "--json"])
    #expect(request.current == "--x")
  }
}
