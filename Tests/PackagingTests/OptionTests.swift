import Foundation
import TestSupport
import Testing

@Suite("The scripts that take folders")
struct OptionTests {
  private static let scripts = [
    "build-deb", "desktop-root", "documentation", "install-documentation", "release", "repository",
    "stage", "test-packages",
  ]

  @Test(
    "A word like an option does not count as a directory", arguments: scripts,
    [["--bogus"], ["a", "--bogus"]])
  func misuse(script: String, arguments: [String]) throws {
    let result = try run("bash", [Checkout.path("packaging/\(script)")] + arguments)
    #expect(result.status == .exited(64))
    #expect(result.errors.hasPrefix("packaging/\(script): --bogus is not an option"))
  }

  @Test("With --help the scripts print their usage", arguments: scripts)
  func help(script: String) throws {
    let result = try run("bash", [Checkout.path("packaging/\(script)"), "--help"])
    #expect(result.status == .exited(0))
    #expect(result.output.contains("\n  packaging/\(script) "))
  }
}
