import Foundation
import TestSupport
import Testing

@Suite("Help")
struct HelpTests {
  /// A program's help, and the file that holds it.
  struct Case: CustomTestStringConvertible, Sendable {
    let program: String
    let arguments: [String]
    let file: String
    var testDescription: String { ([program] + arguments).joined(separator: " ") }
  }

  static let cases = [
    Case(program: "dragboard", arguments: ["--help"], file: "dragboard.txt"),
    Case(program: "dragboard", arguments: ["demo", "--help"], file: "dragboard-demo.txt"),
    Case(program: "dragboardd", arguments: ["--help"], file: "dragboardd.txt"),
  ]

  @Test("Help is what the golden file says", arguments: cases)
  func help(_ help: Case) throws {
    let golden = try text(of: "Tests/CommandTests/Golden/\(help.file)")
    #expect(try shown(help) == golden)
  }

  @Test("The README shows the daemon's help as it is")
  func readme() throws {
    let readme = try text(of: "README.md")
    let daemon = try #require(Self.cases.last)
    #expect(readme.contains(try shown(daemon)))
  }

  @Test("Without a subcommand, dragboard shows its help")
  func noArguments() throws {
    let bare = Case(program: "dragboard", arguments: [], file: "")
    #expect(try shown(bare) == text(of: "Tests/CommandTests/Golden/dragboard.txt"))
  }

  /// What the program prints, in a terminal 80 columns wide.
  private func shown(_ help: Case) throws -> String {
    var environment = ProcessInfo.processInfo.environment
    environment["COLUMNS"] = "80"
    let result = try run(
      builtProduct(help.program), help.arguments, environment: environment)
    #expect(result.status == .exited(0))
    #expect(result.errors == "")
    return result.output
  }

  private func text(of path: String) throws -> String {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    return try String(contentsOf: root.appending(path: path), encoding: .utf8)
  }
}
