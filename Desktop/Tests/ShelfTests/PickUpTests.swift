import DragboardClient
import Foundation
import TestSupport
import Testing

extension ShelfTests {
  @Suite("Drags without a pointer") struct PickUpTests {
    /// A shelf with three rows that a screen reader reads.
    private struct Opened {
      let desk: Desk
      let reader: ScreenReader

      init(boards: [String] = []) async throws {
        desk = try await Desk()
        for name in boards { _ = try await desk.connection.createBoard(named: name) }
        try await desk.board.insert(["one", "two", "three"])
        reader = try ScreenReader(at: desk)
        try await desk.openShelf(with: reader.variables)
      }

      /// Selects the first row, and picks it up by the keyboard.
      func pickUpFirst() async throws {
        try await desk.select(desk.rows()[0], by: "Home")
        try desk.press("ctrl+d")
        try await hear("“one” picked up")
      }

      /// Waits until the alert for screen readers begins with a text.
      func hear(_ text: String, line: Int = #line) async throws {
        try await reader.until(line: line) { control in
          Self.alerts.contains(control.role) && control.name.hasPrefix(text)
        }
      }

      private static let alerts = ["alert", "notification"]
    }

    @Test("A row is picked up and put down within a board by the keyboard, with announcements")
    func within() async throws {
      let opened = try await Opened()
      try await opened.pickUpFirst()
      try opened.desk.press("Down")
      try await opened.hear("Put “one” down below “two”")
      try opened.desk.press("Down")
      try await opened.hear("Put “one” down below “three”")
      try opened.desk.press("ctrl+shift+d")
      try await opened.desk.untilTexts(["two", "three", "one"])
      try await opened.hear("“one” moved below “three”")
      try await opened.desk.until { try await opened.desk.connection.sessions().isEmpty }
    }

    @Test("Escape puts a row back")
    func cancelled() async throws {
      let opened = try await Opened()
      try await opened.pickUpFirst()
      try opened.desk.press("Down", "Escape")
      try await opened.hear("“one” stays where it was")
      try await opened.desk.until { try await opened.desk.connection.sessions().isEmpty }
      #expect(try await opened.desk.texts() == ["one", "two", "three"])
    }

    @Test("A row is picked up on a board and put down on another, which says what it accepts")
    func boards() async throws {
      let opened = try await Opened(boards: ["Pictures", "Work"])
      let desk = opened.desk
      let work = try await desk.connection.board(named: "Work")
      try await desk.connection.board(named: "Pictures").settings.setAcceptedTypes(["image/*"])
      try await opened.pickUpFirst()
      try desk.press("ctrl+Page_Down")
      try await opened.hear("“Pictures” does not accept this content.")
      try desk.press("ctrl+shift+d")
      try desk.press("ctrl+Page_Down")
      try await opened.hear("Put “one” down at the end of “Work”")
      try desk.press("ctrl+shift+d")
      try await desk.until { try await work.texts(ofSection: 0, count: 10) == ["one"] }
      try await desk.untilTexts(["two", "three"])
      try await opened.hear("“one” moved to the end")
    }

    @Test("A whole drag between two programs by the keyboard alone, in both directions")
    func programs() async throws {
      let opened = try await Opened()
      let desk = opened.desk
      let speech = ScreenReader.hasAnnouncements ? try opened.reader.listen() : nil
      try await opened.pickUpFirst()
      // Another program takes the row, here the command in a terminal.
      #expect(try desk.run("dragboard", "drop", "--stdout") == "one")
      try await opened.hear("“one” was dropped in another program")
      try desk.run("dragboard", "drag", "--detach", "--as", "org.example.Notes", "Hi")
      try await opened.reader.until { control in
        control.name.contains("waits to be dropped. To put it down here, press Ctrl+Shift+D.")
      }
      try desk.press("ctrl+shift+d")
      try await desk.untilTexts(["one", "Hi", "two", "three"])
      try await opened.reader.until { $0.name.hasSuffix(" dropped below “one”") }
      if let speech { try requireAnnouncements(in: speech) }
      try Rounds.record(nil, of: "by keyboard", isAlways: true)
    }

    /// Requires the announcements of a whole drag in both directions.
    private func requireAnnouncements(in speech: TestProgram) throws {
      var (spoken, line): ([String], String?) = ([], speech.nextLine())
      while let text = line {
        spoken.append(text)
        line = text.hasSuffix(" dropped below “one”") ? nil : speech.nextLine()
      }
      let expected = [
        "“one” picked up", "“one” was dropped in another program", "waits to be dropped",
        "dropped below “one”",
      ]
      let isRight = zip(spoken, expected).allSatisfy { $0.contains($1) }
      try #require(isRight && spoken.count == expected.count, "\(spoken)")
    }

    @Test("A click on the handle of a row picks it up, and a click on another handle puts it down")
    func handles() async throws {
      let opened = try await Opened()
      let desk = opened.desk
      let click = { (row: Int) in
        _ =
          try desk.run("xdotool", "mousemove", "358", "\(80 + 56 * row)", "click", "1")
      }
      // The shelf may not have shown the row yet.
      try await desk.until {
        try click(0)
        return try await !desk.connection.sessions().isEmpty
      }
      try await opened.hear("“one” picked up")
      try click(2)
      try await desk.untilTexts(["two", "three", "one"])
    }
  }
}
