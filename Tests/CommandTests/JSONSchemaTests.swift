import Foundation
import TestSupport
import Testing

@Suite("The JSON Schema of --json")
struct JSONSchemaTests {
  private let schema: JSONSchema

  init() throws { schema = try JSONSchema(Checkout.text(of: "docs/json-output.schema.json")) }

  /// Definitions of the schema, and command lines that print such objects; they run in this order.
  static let lines: [(definition: String, line: String)] = [
    ("add", "add one two --json"), ("add", "add --stdin --type image/png --json <<< x"),
    ("list", "list --json"), ("search", "search one --json"), ("show", "show 0 2 --json"),
    ("get", "get 0 --into . --json"), ("types", "types 0 --json"), ("boards", "boards --json"),
    ("board list", "board list --json"), ("board show", "board show default --json"),
    (
      "board list",
      "board add old && dragboard board rm old >&2 && dragboard board list --deleted --json"
    ),
    ("section list", "section --json"), ("pick", "pick --with 'head -n 1' --json"),
    ("undo", "undo --json"), ("redo", "redo --json"), ("changes", "changes 1 --json"),
    ("drag", "drag text --as org.example --detach --json"),
    ("drag", "drag --add-to 1 --also image/png=x --name a.png --json"),
    ("sessions", "sessions --json"), ("types", "types --session 1 --json"),
    ("propose", "propose --json"), ("drop", "drop --json"),
    ("drag", "drag text --as org.example --detach --json"), ("drop", "drop --into . --json"),
    ("clipboard status", "clipboard --json"), ("clipboard exclude", "clipboard exclude --json"),
    ("paste", "paste --onto default --json"),
    ("view open", "view open --as org.example --json"), ("view list", "view list --json"),
    ("view show", "view show 1 --json"), ("export", "export --output board.tar --json"),
    ("import", "import board.tar --json"),
    ("status", "status --json"), ("doctor", "doctor --json"),
    ("setup", "setup --json"),
  ]

  @Test("Every object that a subcommand prints conforms to the definition of the subcommand")
  func objects() throws {
    let stage = try CommandStage()
    let stub = try ClipboardStub(on: stage.daemon.bus)
    defer { withExtendedLifetime(stub) {} }
    try stage.output("board", "add", "clipboard")
    try stage.output("add", "copy", "--board", "clipboard")
    let watch = try stage.start("watch", "--json")
    try expectConformance(watch.nextLine(), to: "watch")
    for (definition, line) in Self.lines {
      let result = try stage.shell("dragboard \(line)")
      let objects = result.output.split(separator: "\n")
      #expect(!objects.isEmpty, "\(line): \(result.errors)")
      for object in objects { try expectConformance(String(object), to: definition) }
    }
    // The drop of the second drag ends the command that prints the events.
    var ended = 0
    while ended < 2, let line = watch.nextLine() {
      try expectConformance(line, to: "watch")
      if line.contains("drag-ended") { ended += 1 }
    }
    #expect(ended == 2)
  }

  @Test("The events of a drag conform, from its beginning to its end")
  func drag() throws {
    let stage = try CommandStage()
    let drag = try stage.start("drag", "text", "--json")
    try expectConformance(drag.nextLine(), to: "drag")
    for arguments in [["propose"], ["propose", "--exit"], ["drop"]] {
      _ = try stage.lines(arguments)
    }
    while let line = drag.nextLine() { try expectConformance(line, to: "drag") }
    #expect(drag.waitForExit() == .exited(0))
  }

  @Test("Every subcommand with --json has a definition")
  func completeness() throws {
    for name in HelpTests.subcommands {
      let file = "dragboard-\(name.replacing(" ", with: "-")).txt"
      let help = try Checkout.text(of: "Tests/CommandTests/Golden/\(file)")
      #expect(!help.contains("--json ") || schema.names.contains(name), "\(name)")
    }
  }

  private func expectConformance(
    _ line: String?, to name: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let line = try #require(line, sourceLocation: sourceLocation)
    let value = try JSONDecoder().decode(JSONValue.self, from: Data(line.utf8))
    let violation = schema.violation(of: value, by: name)
    #expect(violation == nil, "\(line)", sourceLocation: sourceLocation)
  }
}
