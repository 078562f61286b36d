import DragboardClient
import Testing

extension ShelfTests {
  @Suite("The menus") struct MenuTests {
    /// Returns the description of an action of the shelf's window: whether it is enabled, and its
    /// state.
    private func describe(_ action: String, on desk: Desk) throws -> String {
      try desk.run(
        "gdbus", "call", "--session", "--dest", "org.dragboard.Shelf", "--object-path",
        "/org/dragboard/Shelf/window/1", "--method", "org.gtk.Actions.Describe", action)
    }

    private func row(_ index: Int, on desk: Desk) async throws -> Row {
      try await desk.board.row(at: RowPosition(section: 0, row: index))
    }

    /// Opens the menu of the second section's header, which is below the first header and its row,
    /// and presses keys in it.
    private func chooseOfSecondHeader(_ keys: String..., on desk: Desk) throws {
      try desk.run("xdotool", "mousemove", "60", "182", "click", "3")
      for key in keys { try desk.press(key) }
    }

    /// Returns whether a condition becomes true within a second.
    private func becomesTrue(_ condition: () async throws -> Bool) async throws -> Bool {
      let end = ContinuousClock.now + .seconds(1)
      while ContinuousClock.now < end { if try await condition() { return true } }
      return false
    }

    @Test("A row is locked by the keyboard, and pinned and fixed in place by the pointer")
    func gates() async throws {
      let desk = try await Desk()
      try await desk.openShelf()
      try desk.run("dragboard", "add", "one", "two")
      let rows = try await desk.board.snapshot().sections[0].items
      try await desk.select(rows[0], by: "Home")
      try desk.press("shift+F10")
      try desk.press("Up", "Return")
      try await desk.until { try await !row(0, on: desk).isEditable }
      #expect(try await row(1, on: desk).isEditable)
      try desk.press("Menu")
      // The menu shows that a row is locked.
      try await desk.until { try describe("lock", on: desk).contains("<true>") }
      try desk.press("Up", "Return")
      try await desk.until { try await row(0, on: desk).isEditable }
      // The secondary button also selects the second row.
      try desk.run("xdotool", "mousemove", "120", "130", "click", "3")
      try await desk.until { try await desk.selection() == [rows[1]] }
      try desk.press("Up", "Up", "Return")
      try await desk.until { try await !row(1, on: desk).isMovable }
      #expect(try await row(0, on: desk).isMovable)
      // If the previous menu is still closing, it takes the first click.
      try await desk.until {
        try desk.run("xdotool", "mousemove", "120", "130", "click", "3")
        try desk.press("Up", "Up", "Up", "Return")
        return try await becomesTrue { try await row(1, on: desk).isPinned }
      }
      #expect(try await !row(0, on: desk).isPinned)
      #expect(try await row(1, on: desk).isEditable)
    }

    /// Opens a menu with a key, and chooses an entry of one of its submenus.
    private func choose(
      _ submenu: String, _ entry: String, byKey key: String, _ reader: ScreenReader, on desk: Desk
    ) async throws {
      try desk.press(key)
      for name in [submenu, entry] {
        try await reader.wait(for: "menu item", name)
        try reader.tab(to: name, by: "Down")
        try desk.press("Return")
      }
    }

    @Test("Sections are created, named, filled, deleted and restored")
    func sections() async throws {
      let desk = try await Desk()
      let reader = try ScreenReader(at: desk)
      try await desk.openShelf(with: reader.variables)
      try desk.run("dragboard", "add", "one", "two")
      let rows = try await desk.board.snapshot().sections[0].items
      try desk.activate("new-section")
      try desk.answer("New Section", "L", "a", "t", "e", "r", "Return")
      try await desk.until { try await desk.board.info().sections == ["main", "Later"] }
      try await desk.select(rows[0], by: "Home")
      try await choose("Move to Section", "Later", byKey: "shift+F10", reader, on: desk)
      try await desk.until {
        try await desk.board.snapshot().sections.map(\.items) == [[rows[1]], [rows[0]]]
      }
      // The list has the keyboard focus again.
      try await desk.select(rows[1], by: "Home")
      // A menu that is still closing receives the first click.
      try await desk.until {
        try chooseOfSecondHeader("Up", "Up", "Return", on: desk)
        try desk.answer("Rename Section", "ctrl+a", "N", "o", "w", "Return")
        return try await becomesTrue { try await desk.board.info().sections.contains("Now") }
      }
      try await desk.until {
        try chooseOfSecondHeader("Up", "Return", on: desk)
        return try await becomesTrue { try await desk.board.info().sections.count == 1 }
      }
      #expect(try await desk.texts() == ["two"])
      try desk.press("ctrl+z")
      try await desk.untilTexts(["two", "one"])
    }

    @Test("An empty section is renamed and deleted in the window's menu, by the keyboard")
    func sectionKeys() async throws {
      let desk = try await Desk()
      let reader = try ScreenReader(at: desk)
      try desk.run("dragboard", "section", "add", "Later")
      try await desk.openShelf(with: reader.variables)
      try await choose("Rename Section", "Later", byKey: "F10", reader, on: desk)
      try desk.answer("Rename Section", "ctrl+a", "N", "o", "w", "Return")
      try await desk.until { try await desk.board.info().sections == ["main", "Now"] }
      try await desk.untilClosed("Rename Section")
      try await choose("Delete Section", "Now", byKey: "F10", reader, on: desk)
      try await desk.until { try await desk.board.info().sections == ["main"] }
      // If a board has only one section, the menu has no entries for sections.
      try desk.press("F10")
      let menu = try await reader.until { $0.role == "menu item" && $0.name == "New Section…" }
      #expect(!menu.contains { $0.name == "Delete Section" })
    }

    @Test("A board is created, and deleted under the name that another client has set")
    func boards() async throws {
      let desk = try await Desk()
      try await desk.openShelf()
      #expect(try describe("delete-board", on: desk).contains("false"))
      try desk.activate("new-board")
      try desk.answer("New Board", "W", "o", "r", "k", "Return")
      // The action is enabled when the new board's tab is in front; the board "default" cannot be
      // deleted.
      try await desk.until { try !describe("delete-board", on: desk).contains("false") }
      // The new board accepts files.
      let file = DragItem([.init(.uriList, .data(Array("file:///etc/hostname\r\n".utf8)))])
      let session = try await desk.connection.beginDrag([file], as: "tests").session
      let work = try await desk.connection.board(named: "Work")
      #expect(try await work.dropTarget.perform(session.id, as: "tests").operation == .copy)
      try await desk.connection.renameBoard(named: "Work", to: "Job")
      // Until the shelf has read the new name, it ignores the action or asks for the old name.
      try await desk.until {
        try desk.activate("delete-board")
        let question = try desk.run(
          "sh", "-c",
          """
          for _ in $(seq 40); do
            xdotool search --onlyvisible --name '^Delete “' getwindowname 2>/dev/null && exit
            sleep 0.05
          done
          true
          """)
        guard !question.isEmpty else { return false }
        let isNew = question == "Delete “Job”?"
        if isNew {
          try desk.answer(question, "Tab", "space")
        } else {
          try desk.answer(question, "Escape")
        }
        return isNew
      }
      try await desk.until { try await desk.connection.boards().count == 1 }
      try await desk.until { try describe("delete-board", on: desk).contains("false") }
    }
  }
}
