import Foundation
import TestSupport
import Testing

@testable import dragboard

/// A row with U+202E reversed the direction of the text after it in the terminal.
@Suite("Regression: JSON output contained deceptive characters")
struct DeceptiveOutput {
  /// Bidirectional marks, invisible scalars, separators, tags and C1 controls.
  static let deceptive: [Unicode.Scalar] = [
    "\u{202E}", "\u{202A}", "\u{2066}", "\u{2069}", "\u{200E}", "\u{61C}", "\u{200B}", "\u{200C}",
    "\u{200D}", "\u{2060}", "\u{FEFF}", "\u{AD}", "\u{180E}", "\u{34F}", "\u{115F}", "\u{3164}",
    "\u{2028}", "\u{2029}", "\u{FFF9}", "\u{E0001}", "\u{E0041}", "\u{1D173}", "\u{9B}", "\u{85}",
  ]

  @Test(
    "JSON output escapes deceptive scalars, and the decoded value is unchanged")
  func json() throws {
    let stage = try CommandStage()
    let text = "a" + Self.deceptive.map { "\($0)b" }.joined()
    let name =
      "n"
      + Self.deceptive.filter { $0.properties.generalCategory != .control }
      .map { "\($0)b" }.joined()
    try stage.output("add", "--", text)
    try stage.output("section", "add", "--", name)
    try stage.output("board", "add", "--", name)
    try stage.output("drag", "--detach", "--as", "org.example", "--name", name, text)
    for words in [
      ["list"], ["show", "0"], ["section", "list"], ["boards"], ["sessions"], ["search", "a"],
    ] {
      let output = try stage.lines(words + ["--json"]).joined(separator: "\n")
      #expect(!output.isEmpty)
      expectHarmless(output, "\(words)")
    }
    #expect(try stage.objects("show", "0")[0]["text"] as? String == text)
    #expect(try stage.objects("section", "list").contains { $0["name"] as? String == name })
  }

  @Test("Scalars beyond the BMP are escaped as surrogate pairs; emoji and letters are not escaped")
  func escapes() {
    #expect(JSON.string("\u{E0041}\u{202E}\u{7F}").description == #""\udb40\udc41\u202e\u007f""#)
    #expect(JSON.string("é漢❤\u{FE0F}🙂").description == "\"é漢❤\u{FE0F}🙂\"")
  }

  @Test("Listings and messages contain no deceptive scalars except joiners")
  func texts() throws {
    let stage = try CommandStage()
    let name = "n\u{202E}b\u{200B}c\u{E0041}"
    try stage.output("add", "--", name)
    try stage.output("board", "add", "--", name)
    for words in [["list"], ["boards"], ["show", "0"], ["search", "n"]] {
      expectHarmless(try stage.lines(words).joined(separator: "\n"), "\(words)")
    }
    let terminal = try stage.terminal("list").waitForExit()
    expectHarmless(terminal.shown.replacing("\u{1B}", with: ""), "a terminal")
    for words in [["list", "--board", "x" + name], ["get", name], ["drop", "--as", name]] {
      let result = try stage.daemon.run(builtProduct("dragboard"), words)
      #expect(result.status != .exited(0))
      expectHarmless(result.errors, "\(words)")
    }
  }

  @Test("A tab within a type does not begin another field")
  func tabs() throws {
    let stage = try CommandStage()
    let result = try stage.shell(
      #"printf x | dragboard add --stdin --type $'x/y;a="b\tc"' > /dev/null && dragboard list"#)
    #expect(result.errors == "")
    let fields = result.output.split(separator: "\t", omittingEmptySubsequences: false)
    #expect(fields.count == 6)
    #expect(fields[2] == #"x/y;a="b c""#)
  }

  @Test("A message of the daemon is one line without deceptive scalars")
  func daemon() throws {
    let bus = try PrivateBus()
    let folder = "/dev/null/a\u{202E}b\u{200B}c\n<0>d"
    let result = try run(
      builtProduct("dragboardd"), ["--data", folder], environment: bus.environment)
    #expect(result.status != .exited(0))
    #expect(result.errors.contains("/dev/null/a\u{FFFD}b\u{FFFD}c"))
    #expect(result.errors.split(separator: "\n").count == 1)
    expectHarmless(result.errors, "dragboardd")
  }

  private func expectHarmless(
    _ text: String, _ source: Comment, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let raw = text.unicodeScalars.filter { Self.deceptive.contains($0) }
    #expect(raw.isEmpty, source, sourceLocation: sourceLocation)
  }
}
