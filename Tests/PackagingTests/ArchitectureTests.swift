import Foundation
import TestSupport
import Testing

@Suite("docs/ARCHITECTURE.md")
struct ArchitectureTests {
  private static let folders = ["Sources", "Desktop/Sources", "Link/Sources"]
  private let text: String

  init() throws { text = try Checkout.text(of: "docs/ARCHITECTURE.md") }

  /// The part below a heading, up to the next heading.
  private func part(below heading: String) throws -> Substring {
    let start = try #require(text.range(of: "\n\(heading)\n")).upperBound
    let rest = text[start...]
    return rest[..<(rest.range(of: "\n#")?.lowerBound ?? rest.endIndex)]
  }

  /// The words in backquotes in the first column of a table.
  private func names(below heading: String) throws -> [String] {
    try part(below: heading).split(separator: "\n").filter { $0.hasPrefix("| `") }.flatMap { line in
      line.split(separator: "|")[0].matches(of: /`([^`]+)`/).map { String($0.1) }
    }
  }

  /// The Swift files of all modules, each with its module.
  private static func files() throws -> [(module: String, path: String)] {
    try folders.flatMap { folder in
      try FileManager.default.subpathsOfDirectory(atPath: Checkout.path(folder))
        .filter { $0.hasSuffix(".swift") }
        .map { (String($0.prefix { $0 != "/" }), "\(folder)/\($0)") }
    }
  }

  @Test("The table has all modules of the three packages")
  func modules() throws {
    let modules = try Self.folders.flatMap {
      try FileManager.default.contentsOfDirectory(atPath: Checkout.path($0))
    }
    #expect(try names(below: "## Modules").sorted() == modules.sorted())
  }

  @Test("The files and functions exist")
  func functions() throws {
    let files = Dictionary(grouping: try Self.files().map(\.path)) {
      $0.split(separator: "/").last.map(String.init) ?? ""
    }
    let mentioned = text.matches(of: /`([A-Za-z0-9+]+\.swift)(?:: ([A-Za-z]+))?`/)
    #expect(mentioned.count > 80)
    for match in mentioned {
      let (file, function) = (String(match.1), match.2.map(String.init))
      let paths = files[file] ?? []
      #expect(!paths.isEmpty, "there is no file \(file)")
      guard let function, !paths.isEmpty else { continue }
      let declaration = try Regex("\\b\(function == "init" ? "init" : "(func|var) \(function)")\\b")
      let isDeclared = try paths.contains { try Checkout.text(of: $0).contains(declaration) }
      #expect(isDeclared, "\(file) has no function \(function)")
    }
  }

  @Test("docs/testing.md has all suites of the three packages")
  func suites() throws {
    let table = try Checkout.text(of: "docs/testing.md")
    for folder in ["Tests", "Desktop/Tests", "Link/Tests"] {
      let suites = try FileManager.default.contentsOfDirectory(atPath: Checkout.path(folder))
        .filter { $0.hasSuffix("Tests") }
      #expect(!suites.isEmpty)
      for suite in suites { #expect(table.contains("`\(suite)`"), "\(suite)") }
    }
  }

  @Test("The page explains each name that types of two modules have")
  func sharedNames() throws {
    let declaration =
      /^(?:@\S+ |public |package |final |indirect )*(?:struct|class|enum|protocol|actor|typealias) (\w+)/
    var modules: [String: Set<String>] = [:]
    for (module, path) in try Self.files() {
      for line in try Checkout.text(of: path).split(separator: "\n") {
        guard let name = line.firstMatch(of: declaration)?.1 else { continue }
        modules[String(name), default: []].insert(module)
      }
    }
    let shared = modules.filter { $0.value.count > 1 }.keys.sorted()
    #expect(try names(below: "### Names in two modules").sorted() == shared)
  }
}
