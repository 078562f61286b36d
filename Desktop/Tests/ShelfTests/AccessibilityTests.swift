import DragboardClient
import Foundation
import Testing

extension ShelfTests {
  @Suite("Screen readers") struct AccessibilityTests {
    /// A view of the shelf.
    private struct View {
      let name: String
      /// The title of its window; nil if it is a part of the shelf's window.
      var window: String?
      /// Opens the view.
      let open: (Desk) async throws -> Void
      /// Whether an object belongs to this view.
      let contains: (Control) -> Bool
      /// Closes the view.
      let close: (Desk) async throws -> Void
    }

    /// The roles of objects that have the focus or can be clicked.
    private static let roles: Set<String> = [
      "check box", "check menu item", "entry", "list", "list item", "menu item", "page tab",
      "push button", "radio button", "radio menu item", "scroll pane", "text", "toggle button",
    ]

    /// Returns the controls that have no name, or that have the role of another kind of object.
    private func faults(in controls: [Control]) -> [Control] {
      controls.indices.filter { index in
        let control = controls[index]
        guard !control.actions.isDisjoint(with: ["click"]) || control.states.contains("focusable")
        else { return false }
        // A scrolled window can have the focus only if no object inside it can.
        let inside = controls[(index + 1)...].prefix { $0.depth > control.depth }
        if control.role == "scroll pane",
          inside.contains(where: { $0.states.contains("focusable") })
        {
          return false
        }
        // For an object without a name, GTK reports the name of its class.
        let isNamed =
          !control.name.isEmpty && control.name.wholeMatch(of: /(Gtk|Adw|Shelf)[A-Z]\w*/) == nil
        return !isNamed || !Self.roles.contains(control.role)
      }
      .map { controls[$0] }
    }

    private static func key(_ keys: String...) -> (Desk) async throws -> Void {
      { try $0.press(keys) }
    }

    private func views(_ reader: ScreenReader) -> [View] {
      [
        View(
          name: "board", open: { _ in }, contains: { $0.role == "list item" && $0.name == "one" },
          close: { _ in }),
        View(
          name: "menu of a row", open: Self.key("Home", "shift+F10"),
          contains: { $0.role == "menu item" && $0.name == "Edit Text" },
          close: { _ in try await reader.closeMenu(with: "Edit Text") }),
        View(
          name: "main menu", open: Self.key("F10"),
          contains: { $0.role == "menu item" && $0.name == "Delete All Rows" },
          close: { _ in try await reader.closeMenu(with: "Delete All Rows") }),
        View(
          name: "text editor", open: Self.key("F2"),
          contains: { $0.role == "text" && $0.name == "Text of the row" }, close: Self.key("Escape")
        ),
        View(
          name: "preview", window: "Preview", open: Self.key("space"),
          contains: { $0.role == "text" && $0.name == "Text of the row" },
          close: { _ in }),
        View(
          name: "search",
          open: {
            try $0.press("ctrl+f")
            try await reader.until {
              $0.role == "entry" && $0.states.contains("focused")
            }
            try $0.press("z", "z")
          },
          contains: { $0.role == "scroll pane" && $0.name == "No Rows Found" },
          close: Self.key("Escape")),
        View(
          name: "question for a name", window: "New Board", open: { try $0.activate("new-board") },
          contains: { $0.role == "dialog" && $0.name == "New Board" },
          close: { _ in }),
        View(
          name: "empty board", open: Self.key("ctrl+Page_Down"),
          contains: {
            $0.role == "page tab" && $0.name == "Work" && $0.states.contains("selected")
          }, close: { _ in }),
        View(
          name: "question for a confirmation", window: "Delete “Work”?",
          open: { try $0.activate("delete-board") },
          contains: { $0.role == "dialog" && $0.name == "Delete “Work”?" },
          close: { _ in }),
        View(
          name: "waiting drag",
          open: { _ = try await $0.connection.beginDrag([.text("Hi")], as: "org.example.Script") },
          contains: {
            $0.role == "push button" && $0.name.hasPrefix("Dismiss Text")
          },
          close: {
            for session in try await $0.connection.sessions() { try await session.session.cancel() }
          }
        ),
        View(
          name: "toast", open: { try $0.press("ctrl+Page_Up", "Home", "Delete") },
          contains: { $0.role == "push button" && $0.name.hasPrefix("Undo") }, close: { _ in }),
        View(
          name: "page without a daemon", open: { $0.killDaemon() },
          contains: { $0.role == "push button" && $0.name == "Try Again" },
          close: { try $0.restartDaemon() }),
      ]
    }

    @Test("Every control of every view has a name and a role")
    func names() async throws {
      let desk = try await Desk()
      let reader = try ScreenReader(at: desk)
      _ = try await desk.connection.createBoard(named: "Work")
      try desk.run("dragboard", "add", "one", "two", "three")
      try desk.run("dragboard", "section", "add", "Later")
      try await desk.openShelf(with: reader.variables)
      for view in views(reader) {
        try await view.open(desk)
        // GTK 4.8 crashes if a screen reader asks for the windows while one opens or closes.
        if let window = view.window { try desk.answer(window) }
        do {
          let controls = try await reader.until(has: view.contains)
          #expect(faults(in: controls).isEmpty, "\(view.name)")
        } catch {
          Issue.record("\(view.name): \(error)")
          return
        }
        try await view.close(desk)
        if let window = view.window {
          try desk.answer(window, "Escape")
          try await desk.untilClosed(window)
        }
      }
    }

    @Test("Internal names of the daemon are never shown")
    func internalNames() async throws {
      let desk = try await Desk()
      let reader = try ScreenReader(at: desk)
      _ = try await desk.connection.createBoard(named: "Work")
      try desk.run("dragboard", "add", "one")
      try desk.run("dragboard", "section", "add", "Later")
      try await desk.openShelf(with: reader.variables)
      try desk.press("Home", "shift+F10")
      try await reader.wait(for: "menu item", "Move to Section")
      try reader.tab(to: "Move to Section", by: "Down")
      try desk.press("Return")
      let controls = try await reader.until {
        $0.role == "menu item" && $0.name == "Later"
      }
      #expect(controls.contains { $0.role == "list item" && $0.name == "Section Default" })
      #expect(!controls.contains { ["default", "main", "Section main"].contains($0.name) })
    }

    @Test("A tab has a menu, and nothing on it deletes its board")
    func tabs() async throws {
      let desk = try await Desk()
      let reader = try ScreenReader(at: desk)
      _ = try await desk.connection.createBoard(named: "Work")
      try await desk.openShelf(with: reader.variables)
      try await desk.until {
        try desk.run("xdotool", "mousemove", "200", "74", "click", "3", "sleep", "0.5")
        return try reader.controls().contains {
          $0.role == "menu item" && $0.name == "Rename Board…"
        }
      }
      try await reader.closeMenu(with: "Rename Board…")
      #expect(try !reader.controls().contains { $0.name == "Close Tab" })
      // A click with the middle button, and a click at the place of a close button.
      for click in [("200", "2"), ("325", "1")] {
        try desk.run("xdotool", "mousemove", click.0, "74", "click", click.1, "sleep", "0.5")
      }
      #expect(try !reader.controls().contains { $0.role == "dialog" })
      #expect(try await desk.connection.boards().count == 2)
      try await reader.wait(for: "page tab", "Work")
    }
  }
}
