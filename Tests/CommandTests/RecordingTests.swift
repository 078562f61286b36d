import Foundation
import TestSupport
import Testing

/// The recording in the README: a terminal in which its commands run.
///
/// `DRAGBOARD_TEST_RECORDING=docs/terminal.svg swift test --filter RecordingTests` makes it again.
@Suite("The recording of a terminal")
struct RecordingTests {
  @Test("The picture shows the output of the README's first commands")
  func picture() throws {
    let svg = try record()
    if let path = ProcessInfo.processInfo.environment["DRAGBOARD_TEST_RECORDING"] {
      try Data(svg.utf8).write(to: URL(fileURLWithPath: Checkout.path(path)))
    }
    #expect(try Checkout.text(of: "docs/terminal.svg") == svg)
    #expect(svg.contains("Breakfast with Ada  text"))
  }

  private func record() throws -> String {
    let commands = try #require(Document("README.md").blocks(below: "Start").last).code
    let daemon = try Daemon()
    let folder = URL(fileURLWithPath: try builtProduct("dragboard")).deletingLastPathComponent()
    var environment = daemon.bus.environment
    environment["PATH"] = "\(folder.path):/usr/bin:/bin"
    environment["LC_ALL"] = "C.UTF-8"
    environment["NO_COLOR"] = ""
    var ids = FixedIDs()
    var picture = TerminalPicture(columns: 76)
    for command in commands.split(separator: "\n") {
      picture.write("\u{1b}[1m$ \(command)\u{1b}[0m\n")
      picture.wait(milliseconds: 700)
      let terminal = try Terminal("bash", ["-c", "\(command)"], environment: environment)
      let (status, shown) = terminal.waitForExit()
      #expect(status == .exited(0), "\(shown)")
      picture.write(ids.fixed(shown))
      picture.wait(milliseconds: 1_200)
    }
    return picture.svg
  }
}

/// A replacement of the random ids of rows by ids that are the same in each run.
private struct FixedIDs {
  private var known: [Substring] = []

  /// Returns the text with fixed ids; a shortened id is recognised by its first digits.
  mutating func fixed(_ text: String) -> String {
    for match in text.matches(of: /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/) {
      if !known.contains(match.0) { known.append(match.0) }
    }
    var text = text
    for (index, id) in known.enumerated() {
      let first = String(0x3eb5_c958 + index * 0x1357_9bdf, radix: 16)
      text = text.replacing(id.prefix(8), with: first)
      text = text.replacing(id.dropFirst(8), with: "-4ee5-8d3e-916e-d633e5ed53c\(index)")
    }
    return text
  }
}
