import Foundation
import TestSupport
import Testing

@Suite("The README's commands")
struct ReadmeTests {
  @Test("The check of every change ends with the README's command for the tests")
  func check() throws {
    let last = try #require(Checkout.text(of: ".ci/run").split(separator: "\n").last)
    #expect(last.hasSuffix("swift test"))
    #expect(try Checkout.text(of: "README.md").split(separator: "\n").contains(last))
  }

  @Test("The tour does what it says")
  func tour() throws {
    let section = try #require(
      try Checkout.text(of: "README.md").components(separatedBy: "\n## ")
        .first { $0.hasPrefix("A tour with dbus-send\n") })
    let blocks = section.components(separatedBy: "```").enumerated()
      .filter { !$0.offset.isMultiple(of: 2) }.map { $0.element.dropFirst("sh\n".count) }
    #expect(blocks.first == "dbus-run-session -- bash\n")
    let script = try #require(blocks.last)
      .replacing(".build/release/dragboardd", with: try builtProduct("dragboardd"))

    let home = try PrivateBus()
    var environment = home.environment
    environment["TMPDIR"] = home.home.path
    let result = try run(
      "dbus-run-session", ["--", "bash", "-e", "-c", "set -e -o pipefail\n\(script)"],
      environment: environment)
    #expect(result.status == .exited(0), "\(result.errors)")
    let words = result.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(words.contains(" copy insert-at-destination uint32 0 uint32 1 copy array [ "))
    #expect(words.contains(" move array [ "))
    #expect(
      words.hasSuffix("array [ Buy stamps Breakfast with Ada Return the books Call the garage ]"))
  }
}
