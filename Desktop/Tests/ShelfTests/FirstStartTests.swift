import Foundation
import TestSupport
import Testing

extension ShelfTests {
  @Suite("The first start") struct FirstStartTests {
    /// Returns a desktop on which the shelf has never run, with a stand-in for systemctl.
    private func firstDesk() async throws -> ProgramDesk {
      let first = try await ProgramDesk()
      let file = "\(first.folder)/systemctl"
      try """
      #!/bin/sh
      echo disabled
      [ $2 = is-enabled ] || echo "$*" >> \(first.folder)/calls
      """.write(toFile: file, atomically: true, encoding: .utf8)
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file)
      return first
    }

    private static let questions = [
      ("check box", "Store Copied Content"), ("check box", "Start at Login"),
      ("check box", "Open When a Drag Begins"), ("check box", "Open with a Shortcut"),
    ]

    @Test("The shelf asks the questions of “dragboard setup” once, and applies the answers")
    func answers() async throws {
      let first = try await firstDesk()
      let (desk, reader) = (first.desk, first.reader)
      try await first.openAtFirst()
      for (role, name) in Self.questions { try await reader.wait(for: role, name) }
      // Nothing changes without an answer.
      #expect(first.calls == "" && !first.settings.contains("open-for-drags"))
      #expect(!FileManager.default.fileExists(atPath: first.autostart))
      // The board can be used at the same time.
      try desk.run("dragboard", "add", "one")
      try await reader.wait(for: "list item", "one")

      try reader.tab(to: "Start at Login")
      try desk.run("xdotool", "key", "space")
      try await desk.until { FileManager.default.fileExists(atPath: first.autostart) }
      try reader.tab(to: "Open When a Drag Begins")
      try desk.run("xdotool", "key", "space")
      try await desk.until { first.settings.contains("open-for-drags=true") }
      try reader.tab(to: "Open with a Shortcut")
      try desk.run("xdotool", "key", "space")
      try await desk.until { first.settings.contains("picker-shortcut-on=true") }
      try await reader.click("push button", "Done")
      try await desk.until {
        try !reader.controls().contains { $0.name == "Start at Login" }
      }
      #expect(first.settings.contains("asked=true"))
      try await expectNoQuestions(first)
      first.manager.kill()
    }

    @Test("A user who closes the shelf without an answer is not asked again, and nothing changes")
    func noAnswer() async throws {
      let first = try await firstDesk()
      try await first.openAtFirst()
      try await first.reader.wait(for: "push button", "Done")
      try await expectNoQuestions(first)
      #expect(first.calls == "" && !first.settings.contains("open-for-drags=true"))
      #expect(!FileManager.default.fileExists(atPath: first.autostart))
      first.manager.kill()
    }

    /// Closes the shelf, and checks that the next shelf asks nothing.
    private func expectNoQuestions(_ first: ProgramDesk) async throws {
      let process = try #require(first.desk.shelf).id
      try first.desk.press("ctrl+q")
      // A shelf that opens for drags continues to run without a window.
      if first.settings.contains("open-for-drags=true") {
        try await first.desk.untilClosed("Shelf")
        first.desk.shelf?.kill()
      }
      try await first.desk.until { kill(process, 0) != 0 }
      try await first.openAtFirst()
      try await first.reader.wait(for: "push button", "Main Menu")
      let names = try first.reader.controls().map(\.name)
      #expect(!names.contains("Start at Login") && !names.contains("Done"))
    }
  }
}

extension ProgramDesk {
  fileprivate func openAtFirst() async throws {
    try await open(isFirst: true, with: ["XDG_CONFIG_DIRS": "/none"])
  }

  /// The calls of systemctl that change settings of the desktop.
  fileprivate var calls: String {
    (try? String(contentsOfFile: "\(folder)/calls", encoding: .utf8)) ?? ""
  }

  fileprivate var settings: String {
    (try? String(contentsOfFile: desk.settingsFile, encoding: .utf8)) ?? ""
  }

  fileprivate var autostart: String {
    "\(desk.environment["XDG_CONFIG_HOME"] ?? "")/autostart/org.dragboard.Shelf.desktop"
  }
}
