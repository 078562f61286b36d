import Foundation
import TestSupport
import Testing

@testable import dragboard

@Suite("Help")
struct HelpTests {
  /// The help of a program, and the golden file that contains it.
  struct Case: CustomTestStringConvertible, Sendable {
    let program: String
    let arguments: [String]
    let file: String
    var testDescription: String { ([program] + arguments).joined(separator: " ") }
  }

  /// The subcommands that the help shows, each with the words that name it.
  static let subcommands = words(below: .root)

  private static func words(below node: CommandTree) -> [String] {
    node.children.filter { !$0.isHidden }.flatMap { child in
      [child.name] + words(below: child).map { "\(child.name) \($0)" }
    }
  }

  static let cases =
    [Case(program: "dragboard", arguments: ["--help"], file: "dragboard.txt")]
    + subcommands.map { name in
      let words = name.split(separator: " ").map(String.init)
      return Case(
        program: "dragboard", arguments: words + ["--help"],
        file: (["dragboard"] + words).joined(separator: "-") + ".txt")
    } + [Case(program: "dragboardd", arguments: ["--help"], file: "dragboardd.txt")]

  @Test("The help equals the golden file", arguments: cases)
  func help(_ help: Case) throws {
    let golden = try Checkout.text(of: "Tests/CommandTests/Golden/\(help.file)")
    #expect(try shown(help) == golden)
  }

  @Test("No example in a help text is divided into two lines", arguments: cases)
  func examples(_ help: Case) throws {
    let lines = try Checkout.text(of: "Tests/CommandTests/Golden/\(help.file)")
      .split(separator: "\n", omittingEmptySubsequences: false)
    let examples = lines.drop { $0 != "EXAMPLES:" }.dropFirst().prefix { !$0.isEmpty }
    // The rest of a divided line would not be indented.
    #expect(examples.allSatisfy { $0.hasPrefix("  ") }, "\(examples)")
  }

  @Test("The user guide has the daemon's help, word for word")
  func guide() throws {
    let guide = try Checkout.text(of: "docs/guide.md")
    let daemon = try #require(Self.cases.last)
    #expect(guide.contains(try shown(daemon)))
  }

  @Test("Without a subcommand, dragboard shows its help")
  func noArguments() throws {
    let bare = Case(program: "dragboard", arguments: [], file: "")
    #expect(try shown(bare) == Checkout.text(of: "Tests/CommandTests/Golden/dragboard.txt"))
  }

  /// Returns the help that the program prints in a terminal of 80 columns.
  private func shown(_ help: Case) throws -> String {
    var environment = ProcessInfo.processInfo.environment
    environment["COLUMNS"] = "80"
    let result = try run(
      builtProduct(help.program), help.arguments, environment: environment)
    #expect(result.status == .exited(0))
    #expect(result.errors == "")
    return result.output
  }
}
