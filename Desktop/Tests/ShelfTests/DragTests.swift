import DragboardClient
import TestSupport
import Testing

extension ShelfTests {
  /// Drags to and from another application.
  ///
  /// The upper half of its window is a drag source, the lower half a drop target.
  @Suite("The pointer") struct DragTests {
    private func peer(_ action: String, on desk: Desk) throws -> TestProgram {
      let peer = try desk.start(
        "drag-peer", action, "text/html|<b>Hi</b>", "text/plain;charset=utf-8|Hi")
      let window = try desk.window(named: "Peer")
      try desk.run("xdotool", "windowmove", "--sync", window, "500", "50")
      return peer
    }

    /// A point in the first row.
    ///
    /// The shelf's window is in the upper left corner.
    private let firstRow = (x: 120, y: 75)
    /// A point below all rows.
    private let end = (x: 150, y: 450)
    private let source = (x: 650, y: 150)
    private let target = (x: 650, y: 350)

    @Test("A drop is inserted at the pointer's position, with all types in order")
    func dropIn() async throws {
      let desk = try await Desk()
      try await desk.openShelf()
      let peer = try peer("copy", on: desk)
      try desk.run("dragboard", "add", "one", "two")
      let rows = try await desk.board.snapshot().sections[0].items
      try await desk.select(rows[1], by: "End")
      try desk.drag(from: source, to: end)
      try await desk.drop(when: .copy)
      try await desk.untilTexts(["one", "two", "Hi"])
      #expect(peer.nextLine() == "ended copy")
      let types = try await desk.board.row(at: RowPosition(section: 0, row: 2)).types
      #expect(types == ["text/html", .plainText])
      try desk.drag(from: source, to: (150, 58))
      try await desk.drop(when: .copy)
      try await desk.untilTexts(["Hi", "one", "two", "Hi"])
      #expect(try await desk.connection.sessions().isEmpty)
    }

    @Test("A drop that the board refuses after its proposal leaves no drag behind")
    func refused() async throws {
      let desk = try await Desk()
      try await desk.openShelf()
      let peer = try peer("copy", on: desk)
      try desk.drag(from: source, to: end)
      try await desk.until { try await desk.connection.sessions().first?.info.operation == .copy }
      try await desk.board.settings.setAcceptedTypes([.png])
      try desk.run("xdotool", "mouseup", "1")
      #expect(peer.nextLine() != nil)
      try await desk.until { try await desk.connection.sessions().isEmpty }
      #expect(try await desk.board.info().count == 0)
    }

    @Test("If the board does not accept a drag, the shelf shows the reason before the drop")
    func explanation() async throws {
      let desk = try await Desk()
      let reader = try ScreenReader(at: desk)
      try await desk.board.settings.setAcceptedTypes([.png])
      try await desk.openShelf(with: reader.variables)
      let peer = try peer("copy", on: desk)
      try desk.drag(from: source, to: end)
      let isExplanation = { (control: Control) in
        control.name == "“Default” accepts only: PNG image"
      }
      try await reader.until(has: isExplanation)
      try desk.move(from: end, to: (900, 650))
      try await desk.until { try !reader.controls().contains(where: isExplanation) }
      try desk.run("xdotool", "mouseup", "1")
      #expect(peer.nextLine() == "cancelled")
    }

    @Test(
      "A row is moved within the board, and keeps its id, also if it is locked or pinned",
      arguments: [nil, "lock", "pin"])
    func reorder(command: String?) async throws {
      let desk = try await Desk()
      try desk.run("dragboard", "add", "one", "two", "three")
      if let command { try desk.run("dragboard", command, "0") }
      try await desk.openShelf()
      let rows = try await desk.board.snapshot().sections[0].items
      try await desk.select(rows[0], by: "Home")
      try desk.drag(from: firstRow, to: end)
      try await desk.drop(when: .move)
      try await desk.untilTexts(["two", "three", "one"])
      #expect(try await desk.board.snapshot().sections[0].items == [rows[1], rows[2], rows[0]])
    }

    @Test("A row is deleted after it was moved to another application", arguments: [true, false])
    func dropOut(isMove: Bool) async throws {
      let desk = try await Desk()
      try await desk.openShelf()
      let peer = try peer(isMove ? "move" : "copy", on: desk)
      try desk.run("dragboard", "add", "one", "two")
      let rows = try await desk.board.snapshot().sections[0].items
      try await desk.select(rows[0], by: "Home")
      try desk.drag(from: firstRow, to: target)
      if isMove { try desk.run("xdotool", "keydown", "Shift_L", "mousemove_relative", "1", "0") }
      try desk.run("xdotool", "mouseup", "1")
      #expect(peer.nextLine() == "got text/plain;charset=utf-8 one")
      #expect(peer.nextLine() == "got text/plain one")
      #expect(peer.nextLine() == "dropped")
      if isMove { try desk.run("xdotool", "keyup", "Shift_L") }
      try await desk.untilTexts(isMove ? ["two"] : ["one", "two"])
      try await desk.until { try await desk.connection.sessions().isEmpty }
    }

    @Test("Another application cannot move a row without Shift")
    func noMove() async throws {
      let desk = try await Desk()
      try await desk.openShelf()
      let peer = try peer("move", on: desk)
      try desk.run("dragboard", "add", "one", "two")
      let rows = try await desk.board.snapshot().sections[0].items
      try await desk.select(rows[0], by: "Home")
      try desk.drag(from: firstRow, to: target)
      try desk.run("xdotool", "mouseup", "1")
      try await desk.untilQuiet()
      try desk.drag(from: firstRow, to: target)
      try desk.run("xdotool", "keydown", "Shift_L", "mousemove_relative", "1", "0", "mouseup", "1")
      #expect(peer.nextLine() == "got text/plain;charset=utf-8 one")
      try desk.run("xdotool", "keyup", "Shift_L")
      try await desk.untilTexts(["two"])
    }

    @Test("A drag of several rows shows a pile of cards with their number", arguments: [1, 3])
    func cards(count: Int) async throws {
      let desk = try await Desk()
      try desk.run("dragboard", "add", "one", "two", "three")
      try await desk.openShelf()
      try await desk.select(desk.rows()[0], by: "Home")
      for _ in 1..<count { try desk.press("shift+Down") }
      try await desk.until { try await desk.selection().count == count }
      try desk.drag(from: firstRow, to: (500, 300))
      // The screen around the picture is black.
      func mean(_ area: String, _ expression: String) throws -> Double {
        let text = try desk.run(
          "convert", "x:root", "-crop", area, "-format", "%[fx:\(expression)]", "info:")
        return try #require(Double(text))
      }
      // A row is 54 pixels high, and each card below it adds five pixels.
      let height = count == 1 ? 50.0..<60 : 60.0..<70
      try await desk.until { try height ~= mean("1x100+560+276", "100*mean") }
      let badge = try mean("60x60+555+276", "mean.b-mean.r")
      #expect((badge > 0.02) == (count > 1), "\(badge)")
      try desk.run("xdotool", "key", "Escape", "mouseup", "1")
      try await desk.untilQuiet()
    }

    @Test("The handle in the header drags all rows of the board, with their stack")
    func everything() async throws {
      let desk = try await Desk()
      try desk.run("dragboard", "add", "one", "two", "three")
      try desk.run("dragboard", "stack", "1", "2")
      let rows = try await desk.board.snapshot().sections[0].items
      try await desk.openShelf()
      try await desk.select(rows[0], by: "Home")
      try desk.drag(from: (67, 28), to: target)
      try await desk.until { try await desk.connection.sessions().first?.info.sourceRows == rows }
      try desk.run("xdotool", "key", "Escape", "mouseup", "1")
      try await desk.until { try await desk.connection.sessions().isEmpty }
    }

    @Test("A row that changes all the time can be dragged")
    func changingRow() async throws {
      let desk = try await Desk()
      try await desk.openShelf()
      try desk.run("dragboard", "add", "one", "two")
      let rows = try await desk.board.snapshot().sections[0].items
      try await desk.select(rows[1], by: "End")
      // Between two frames, the shelf has no picture of a row that has changed.
      let board = desk.board
      let changes = Task {
        for number in 0... where !Task.isCancelled {
          _ = try await board.setPinned(number.isMultiple(of: 2), of: rows[0])
        }
      }
      defer { changes.cancel() }
      for _ in 1...5 {
        try desk.drag(from: firstRow, to: end)
        try await desk.until { try await !desk.connection.sessions().isEmpty }
        try desk.run("xdotool", "key", "Escape", "mouseup", "1")
        try await desk.until { try await desk.connection.sessions().isEmpty }
      }
      #expect(!desk.shelfLog.contains("CRITICAL"))
    }

    @Test("After a move of several rows of a long board, the line above the drop is where it was")
    func place() async throws {
      let desk = try await Desk()
      let rows = try await desk.board.insert((0..<100).map { "row \($0)" })
      try await desk.openShelf()
      try await desk.select(rows[0], by: "Home")
      try desk.run(
        "xdotool", "mousemove", "190", "300", "click", "--repeat", "40", "--delay", "40", "5")
      // The list scrolls smoothly, so wait until a click finds the same row as the click before.
      func row(at y: Int) async throws -> ItemID {
        var found: ItemID?
        try await desk.until {
          // Two clicks at one place would be a double click.
          try desk.run(
            "xdotool", "mousemove", "190", "\(y)", "click", "1", "sleep", "0.6")
          let selection = try await desk.selection()
          defer { found = selection.first }
          return selection.count == 1 && selection[0] != rows[0] && selection[0] == found
        }
        return try #require(found)
      }
      let still = try await row(at: 400)
      let first = try await row(at: 120)
      try desk.run("xdotool", "keydown", "ctrl")
      for y in ["230", "340"] { try desk.run("xdotool", "mousemove", "190", y, "click", "1") }
      try desk.run("xdotool", "keyup", "ctrl")
      try await desk.until { try await desk.selection().count == 3 }
      let dragged = try await desk.selection()
      #expect(dragged.contains(first) && !dragged.contains(still))
      // For GTK, two presses on a row soon after each other are a double click, even with a click on
      // another row between them.
      try desk.screen.perform([.rest(.seconds(1))])
      try desk.drag(from: (190, 230), to: (190, 440))
      try await desk.until { try await !desk.connection.sessions().isEmpty }
      for _ in 1...15 { try desk.screen.tremble(at: (190, 440)) }
      try desk.screen.perform([.release])
      try await desk.until { try await desk.connection.sessions().isEmpty }
      let now = try await desk.rows()
      let start = try #require(now.firstIndex(of: still))
      #expect(Set(now[start...].prefix(6)).isSuperset(of: dragged))
      #expect(try await row(at: 400) == still)
    }

    @Test("A drag that leaves the shelf and has no drop changes nothing")
    func cancelled() async throws {
      let desk = try await Desk()
      try await desk.openShelf()
      let peer = try peer("copy", on: desk)
      try desk.run("dragboard", "add", "one")
      let rows = try await desk.board.snapshot().sections[0].items
      try await desk.select(rows[0], by: "End")
      try desk.drag(from: source, to: end)
      try await desk.until { try await desk.connection.sessions().last?.info.operation == .copy }
      try desk.run("xdotool", "mousemove", "500", "600", "mousemove", "900", "650", "mouseup", "1")
      #expect(peer.nextLine() == "cancelled")
      try await desk.until { try await desk.connection.sessions().isEmpty }
      #expect(try await desk.texts() == ["one"])
    }
  }
}
