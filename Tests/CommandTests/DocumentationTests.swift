import Foundation
import TestSupport
import Testing

@Suite("Manual pages, completions and their installation")
struct DocumentationTests {
  private let share = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)

  /// Installs the documentation with `packaging/install-documentation`, from the built programs.
  private func installed<Result>(_ body: (URL) throws -> Result) throws -> Result {
    defer { try? FileManager.default.removeItem(at: share) }
    let programs = URL(fileURLWithPath: try builtProduct("dragboard")).deletingLastPathComponent()
    let result = try run(
      Checkout.path("packaging/install-documentation"), [share.path, programs.path])
    #expect(result.status == .exited(0), "\(result.errors)")
    return try body(share)
  }

  private func texts(in folder: URL) throws -> [String: String] {
    var texts: [String: String] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
      texts[name] = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
    }
    return texts
  }

  @Test("The pages equal the golden files")
  func golden() throws {
    let golden = URL(fileURLWithPath: Checkout.path("Tests/CommandTests/Golden/man"))
    let pages = try installed { try texts(in: $0.appending(path: "man/man1")) }
    let wanted = try texts(in: golden)
    #expect(pages.keys.sorted() == wanted.keys.sorted())
    for (name, page) in pages { #expect(page == wanted[name], "\(name)") }
  }

  @Test("Every subcommand has a page, and every page has the usual sections and an example")
  func sections() throws {
    let pages = try installed { try texts(in: $0.appending(path: "man/man1")) }
    let commands = HelpTests.subcommands.filter { !$0.contains(" ") }.map { "dragboard-\($0).1" }
    #expect(pages.keys.sorted() == (commands + ["dragboard.1", "dragboardd.1"]).sorted())
    for (name, page) in pages {
      for section in [
        "NAME", "SYNOPSIS", "DESCRIPTION", "ENVIRONMENT", "EXIT STATUS", "EXAMPLES", "SEE ALSO",
      ] { #expect(page.contains("\n.Sh \(section)\n"), "\(name): \(section)") }
      #expect(!page.contains(".Bd -literal -offset indent\n.Ed"), "\(name) has no example")
    }
  }

  @Test(
    "The daemon's page has every option of its help, and the variable of each option with a value")
  func daemonOptions() throws {
    let page = try Checkout.text(of: "Tests/CommandTests/Golden/man/dragboardd.1")
    let help = try Checkout.text(of: "Tests/CommandTests/Golden/dragboardd.txt")
    let options = help.split(separator: "\n").filter { $0.hasPrefix("  --") }
    #expect(options.count > 10)
    for option in options {
      let words = option.split(separator: " ")
      let name = words[0].dropFirst(2).prefix { $0 != "," }
      #expect(page.contains("Fl \\-\(name.replacing("-", with: "\\-"))"), "\(name)")
      guard option.contains("--\(name) \(words[1])  ") || words[1].allSatisfy(\.isUppercase) else {
        continue
      }
      let variable = name.uppercased().replacing("-", with: "_")
      #expect(page.contains(".It Ev DRAGBOARD_\(variable)\n"), "\(name)")
    }
  }

  @Test(
    "man shows every page without a warning", .enabled(if: isInstalled("man"), "no man installed"))
  func man() throws {
    try installed { share in
      let result = try run(
        "bash",
        [
          "-c", "for page in \"$0\"/*; do man -Tutf8 -l --warnings \"$page\" || exit; done",
          pages(share),
        ])
      #expect(result.status == .exited(0))
      #expect(result.errors == "")
      #expect(result.output.contains("DRAGBOARD-LIST(1)"))
    }
  }

  @Test(
    "mandoc reports no warning for any page",
    .enabled(if: isInstalled("mandoc"), "mandoc is not installed"))
  func mandoc() throws {
    try installed { share in
      let line = "mandoc -W warning -T lint \"$0\"/* | grep -v ': STYLE:' || true"
      let result = try run("bash", ["-c", line, pages(share)])
      #expect(result.output == "")
    }
  }

  @Test("The completions are installed where each shell searches for them")
  func completions() throws {
    try installed { share in
      for (shell, path) in [
        ("bash", "bash-completion/completions/dragboard"), ("zsh", "zsh/site-functions/_dragboard"),
        ("fish", "fish/vendor_completions.d/dragboard.fish"),
      ] {
        let script = try run(builtProduct("dragboard"), ["completion", shell]).output
        let file = share.appending(path: path)
        #expect(try String(contentsOf: file, encoding: .utf8) == script)
      }
    }
  }

  private func pages(_ share: URL) -> String { share.appending(path: "man/man1").path }
}
