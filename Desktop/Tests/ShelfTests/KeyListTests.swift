import DragboardClient
import Foundation
import Testing

extension ShelfTests {
  /// The list of keys that the shelf shows.
  @Suite("The list of keys") struct KeyListTests {
    /// A key of the list, by GTK's name, and a test of its effect.
    private typealias Step = (key: String, test: (Desk, ScreenReader) async throws -> Void)

    /// The keys of `keys.ui`.
    private func listed() throws -> Set<String> {
      let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Sources/dragboard-shelf/Resources/keys.ui")
      let text = try String(contentsOf: file, encoding: .utf8)
        .replacing("&lt;", with: "<").replacing("&gt;", with: ">")
      let keys = text.matches(of: /"accelerator">([^\n]+)<\/property>/).flatMap {
        $0.1.split(separator: " ").map(String.init)
      }
      return Set(keys)
    }

    private static func isSelected(_ rows: Int...) -> (Desk) async throws -> Bool {
      { desk in
        let all = try await desk.rows()
        return try await desk.selection() == rows.map { all[$0] }
      }
    }

    private static func isTab(_ name: String) -> (Control) -> Bool {
      { $0.role == "page tab" && $0.name == name && $0.states.contains("selected") }
    }

    private static func isStack(_ control: Control) -> Bool {
      control.role == "list item" && control.name.hasPrefix("Stack of 3 items")
    }

    private static func isRow(_ text: String) -> (Control) -> Bool {
      { $0.role == "list item" && $0.name.hasPrefix(text) }
    }

    private static func isMenu(with entry: String) -> (Control) -> Bool {
      { $0.role == "menu item" && $0.name == entry }
    }

    private var rows: [Step] {
      [
        (
          "Down",
          { desk, _ in
            try await desk.select(desk.rows()[0], by: "Home")
            try desk.press("Down")
            try await desk.until { try await Self.isSelected(1)(desk) }
          }
        ),
        (
          "Up",
          { desk, _ in
            try desk.press("Up")
            try await desk.until { try await Self.isSelected(0)(desk) }
          }
        ),
        (
          "<Alt>Down",
          { desk, _ in
            try desk.press("alt+Down")
            try await desk.untilTexts(["two", "one", "three"])
          }
        ),
        (
          "<Alt>Up",
          { desk, _ in
            try desk.press("alt+Up")
            try await desk.untilTexts(["one", "two", "three"])
          }
        ),
        (
          "<Control>d",
          { desk, _ in
            try desk.press("ctrl+d")
            try await desk.until { try await desk.connection.sessions().count == 1 }
          }
        ),
        (
          "<Control><Shift>d",
          { desk, _ in
            try desk.press("Down")
            try await desk.until { try await Self.isSelected(1)(desk) }
            try desk.press("ctrl+shift+d")
            try await desk.untilTexts(["two", "one", "three"])
            try desk.press("ctrl+z")
            try await desk.untilTexts(["one", "two", "three"])
          }
        ),
        (
          "<Control>a",
          { desk, _ in
            try desk.press("ctrl+a")
            try await desk.until { try await Self.isSelected(0, 1, 2)(desk) }
          }
        ),
        (
          "<Control>g",
          { desk, reader in
            try desk.press("ctrl+g")
            try await reader.until(has: Self.isStack)
          }
        ),
        (
          "Right",
          { desk, reader in
            try desk.press("Right")
            try await reader.until(has: Self.isRow("one"))
          }
        ),
        (
          "Left",
          { desk, reader in
            try desk.press("Left")
            try await reader.until(has: Self.isStack)
          }
        ),
        (
          "<Control><Shift>g",
          { desk, reader in
            try desk.press("ctrl+shift+g")
            try await reader.until(has: Self.isRow("one"))
          }
        ),
        (
          "Escape",
          { desk, _ in
            try desk.press("Escape")
            try await desk.until { try await Self.isSelected()(desk) }
          }
        ),
        (
          "space",
          { desk, _ in
            try await desk.select(desk.rows()[0], by: "Home")
            try desk.press("space")
            try desk.answer("Preview", "space")
            try await desk.untilClosed("Preview")
          }
        ),
        (
          "F2",
          { desk, reader in
            try desk.press("F2")
            try await reader.until { $0.role == "text" && $0.states.contains("focused") }
            try desk.press("ctrl+a", "x", "Return")
            try await desk.untilTexts(["x", "two", "three"])
          }
        ),
        (
          "Delete",
          { desk, _ in
            try await desk.select(desk.rows()[0], by: "Home")
            try desk.press("Delete")
            try await desk.untilTexts(["two", "three"])
          }
        ),
        (
          "<Control>z",
          { desk, _ in
            try desk.press("ctrl+z")
            try await desk.untilTexts(["x", "two", "three"])
          }
        ),
        (
          "<Control><Shift>z",
          { desk, _ in
            try desk.press("ctrl+shift+z")
            try await desk.untilTexts(["two", "three"])
          }
        ),
        (
          "<Control>c",
          { desk, _ in
            try await desk.select(desk.rows()[1], by: "End")
            try desk.press("ctrl+c")
          }
        ),
        (
          "<Control>v",
          { desk, _ in
            try desk.press("ctrl+v")
            try await desk.untilTexts(["two", "three", "three"])
          }
        ),
      ]
    }

    private var windows: [Step] {
      [
        (
          "<Shift>F10",
          { desk, reader in
            try desk.press("shift+F10")
            try await reader.until(has: Self.isMenu(with: "Edit Text"))
            try await reader.closeMenu(with: "Edit Text")
          }
        ),
        (
          "F10",
          { desk, reader in
            try desk.press("F10")
            try await reader.until(has: Self.isMenu(with: "Delete All Rows"))
            try await reader.closeMenu(with: "Delete All Rows")
          }
        ),
        (
          "<Control>f",
          { desk, reader in
            try desk.press("ctrl+f")
            try await reader.until {
              $0.role == "entry" && $0.states.contains("focused")
            }
            try desk.press("t", "w", "o")
            try await desk.until { try await Self.isSelected(0)(desk) }
            try desk.press("Escape")
          }
        ),
        (
          "<Control>n",
          { desk, reader in
            try desk.press("ctrl+n")
            _ = try desk.window(named: "New Board")
            try await reader.until { $0.role == "text" && $0.states.contains("focused") }
            try desk.answer("New Board", "W", "o", "r", "k", "Return")
            try await desk.untilClosed("New Board")
            try await reader.until(has: Self.isTab("Work"))
          }
        ),
        (
          "<Control>Page_Up",
          { desk, reader in
            try desk.press("ctrl+Page_Up")
            try await reader.until(has: Self.isTab("Default"))
          }
        ),
        (
          "<Control>Page_Down",
          { desk, reader in
            try desk.press("ctrl+Page_Down")
            try await reader.until(has: Self.isTab("Work"))
          }
        ),
        (
          "<Control>comma",
          { desk, reader in
            try desk.press("ctrl+comma")
            _ = try desk.window(named: "Preferences")
            try desk.answer("Preferences", "Escape")
            try await desk.untilClosed("Preferences")
          }
        ),
        (
          "<Control>question",
          { desk, reader in
            try desk.press("ctrl+question")
            _ = try desk.window(named: "Keyboard Shortcuts")
            try await reader.until { $0.name == "Go to the next or the previous row" }
            try desk.answer("Keyboard Shortcuts", "Escape")
            try await desk.untilClosed("Keyboard Shortcuts")
          }
        ),
        (
          "<Control>w",
          { desk, _ in
            try desk.press("ctrl+w")
            try await desk.until { try await desk.connection.views().isEmpty }
          }
        ),
      ]
    }

    @Test("Every key of the list works, without the pointer")
    func keys() async throws {
      let desk = try await Desk()
      let reader = try ScreenReader(at: desk)
      try desk.run("dragboard", "add", "one", "two", "three")
      try await desk.openShelf(with: reader.variables)
      // The pointer is outside of the window.
      try desk.run("xdotool", "mousemove", "900", "650")
      let steps = rows + windows
      #expect(Set(steps.map(\.key)) == (try listed()))
      for (key, test) in steps {
        do { try await test(desk, reader) } catch {
          Issue.record("\(key): \(error)")
          return
        }
      }
    }
  }
}
