import DragboardClient
import Foundation
import TestSupport
import Testing

extension ShelfTests {
  @Suite("Stacks") struct StackTests {
    /// The stack of each row; "" for none.
    private func stacks(on desk: Desk) async throws -> [String] {
      try await desk.board.page(ofSection: 0, from: 0, count: 100).rows.map(\.attributes.stack)
    }

    /// Opens a shelf whose board has these texts.
    ///
    /// The texts at the indexes `members` form a stack.
    private func open(
      _ desk: Desk, _ texts: [String], stacking members: Range<Int>
    ) async throws -> [ItemID] {
      let rows = try await desk.board.insert(texts)
      try await desk.board.stack(
        Array(rows[members]), as: "s", inSection: 0, at: members.lowerBound)
      try await desk.openShelf()
      return rows
    }

    @Test("Ctrl+G makes selected rows a stack in one edit, and Ctrl+Shift+G takes it apart")
    func keys() async throws {
      let desk = try await Desk()
      let rows = try await desk.board.insert(["one", "two", "three", "four"])
      try await desk.openShelf()
      try await desk.select(rows[0], by: "Home")
      try desk.press("shift+Down", "ctrl+g")
      try await desk.until { try await stacks(on: desk)[0] != "" }
      let stack = try await stacks(on: desk)[0]
      #expect(try await stacks(on: desk) == [stack, stack, "", ""])
      // The stack is one line: Down moves past it, and Up selects all of its rows.
      try await desk.select([rows[2]], by: "Down")
      try await desk.select([rows[0], rows[1]], by: "Up")
      try desk.press("ctrl+shift+g")
      try await desk.until { try await stacks(on: desk) == ["", "", "", ""] }
      try desk.press("ctrl+z")
      try await desk.until { try await stacks(on: desk) == [stack, stack, "", ""] }
      try desk.press("ctrl+z")
      try await desk.until { try await stacks(on: desk) == ["", "", "", ""] }
      #expect(try await desk.rows() == rows)
    }

    @Test("A stack opens by Enter or an arrow key in place, and closes again")
    func opening() async throws {
      let desk = try await Desk()
      let rows = try await open(desk, ["one", "two", "three", "four"], stacking: 0..<3)
      for (opening, closing) in [("Return", "Left"), ("Right", "Left"), ("F2", "Left")] {
        try await desk.select(Set(rows[0..<3]), by: "Home")
        try desk.press(opening)
        try await desk.select([rows[1]], by: "Down")
        try desk.press(closing)
        try await desk.select([rows[3]], by: "End")
      }
      // Click the button of the closed stack, then the button of its first row, which is at the
      // same position.
      try desk.run("xdotool", "mousemove", "345", "85", "click", "1")
      try await desk.select([rows[0]], by: "Home")
      try desk.run("xdotool", "mousemove", "345", "85", "click", "1")
      try await desk.select(Set(rows[0..<3]), by: "Home")
    }

    @Test("A screen reader reads the number and the kind of a stack's rows")
    func names() async throws {
      let desk = try await Desk()
      let reader = try ScreenReader(at: desk)
      var rows: [ItemID] = []
      for name in ["a.pdf", "b.pdf", "c.pdf", "d.pdf"] {
        try "%PDF-1.4".write(
          toFile: "\(desk.folder)/\(name)", atomically: true, encoding: .utf8)
        rows.append(
          try await desk.board.insert(
            Array("file://\(desk.folder)/\(name)\r\n".utf8), as: .uriList))
      }
      try await desk.board.stack(rows, as: "s", inSection: 0, at: 0)
      try await desk.openShelf(with: reader.variables)
      try await reader.until {
        $0.role == "list item"
          && $0.name == "Stack of 4 items, 4 PDF documents, a.pdf, b.pdf, c.pdf"
      }
      try await reader.click("push button", "Open Stack")
      let controls = try await reader.until {
        $0.role == "list item" && $0.name.hasPrefix("d.pdf, PDF document")
          && $0.name.hasSuffix("4 of 4 in a stack")
      }
      #expect(controls.count { $0.role == "push button" && $0.name == "Close Stack" } == 1)
      try await desk.select(rows[3], by: "End")
      try desk.press("shift+F10")
      let menu = try await reader.until { $0.name == "Take Stack Apart" }
      #expect(!menu.contains { $0.name == "Stack" })
    }

    @Test("A stack is deleted by one key, and restored by the toast's button")
    func delete() async throws {
      let desk = try await Desk()
      let rows = try await open(desk, ["one", "two", "three", "four"], stacking: 1..<4)
      try await desk.select(Set(rows[1...]), by: "End")
      let revision = try await desk.board.info().revision
      try desk.press("Delete")
      try await desk.untilTexts(["one"])
      #expect(try await desk.board.info().revision == revision + 1)
      try await desk.until {
        try desk.pressButtonOfToast()
        return try await desk.rows() == rows
      }
      #expect(try await stacks(on: desk) == ["", "s", "s", "s"])
      // The stack is closed again. When the row above it is deleted, the stack is selected as a
      // whole.
      try await desk.select(rows[0], by: "Home")
      try desk.press("Delete")
      try await desk.untilTexts(["two", "three", "four"])
      try await desk.until { try await Set(desk.selection()) == Set(rows[1...]) }
      // If one of its rows is selected and the stack is closed, the stack is selected as a whole,
      // too.
      try desk.press("Right")
      try await desk.select([rows[2]], by: "Down")
      try desk.press("Left")
      try await desk.until { try await Set(desk.selection()) == Set(rows[1...]) }
    }

    @Test("Rows are pasted below an open stack, not into it")
    func paste() async throws {
      let desk = try await Desk()
      let rows = try await open(desk, ["one", "two", "three"], stacking: 0..<2)
      try await desk.select(Set(rows[0..<2]), by: "Home")
      try desk.press("Right")
      try await desk.select([rows[1]], by: "Down")
      try await desk.select([rows[0]], by: "Up")
      try desk.press("ctrl+c", "ctrl+v")
      try await desk.untilTexts(["one", "two", "one", "three"])
    }

    @Test("A locked row can be dragged out of its stack")
    func locked() async throws {
      let desk = try await Desk()
      let rows = try await open(desk, ["one", "two", "three", "four"], stacking: 0..<3)
      try await desk.board.setEditable(false, of: rows[1])
      try await desk.select(Set(rows[0..<3]), by: "Home")
      try desk.press("Right")
      try await desk.select([rows[3]], by: "End")
      try await move(row: 1, to: (150, 450), on: desk)
      try await desk.untilTexts(["one", "three", "four", "two"])
    }

    @Test("A stack is dragged as a whole, also to another application")
    func dragging() async throws {
      let desk = try await Desk()
      let rows = try await open(desk, ["one", "two", "three"], stacking: 0..<2)
      try await desk.select([rows[2]], by: "End")
      try await move(row: 0, to: (150, 450), on: desk)
      try await desk.untilTexts(["three", "one", "two"])
      #expect(try await stacks(on: desk) == ["", "s", "s"])
      let peer = try Peer(.gtk4, with: .text, asksForMove: true, at: desk)
      try await desk.carry(row: 1, to: peer.prepareDrop(), holding: "Shift_L")
      try desk.screen.perform([.release])
      #expect(peer.linesOfDrop().contains("got text/plain;charset=utf-8 one\\ntwo"))
      try desk.screen.perform([.releaseKey("Shift_L")])
      try await desk.untilTexts(["three"])
      try await desk.until {
        try desk.pressButtonOfToast()
        return try await desk.texts() == ["three", "one", "two"]
      }
      #expect(try await stacks(on: desk) == ["", "s", "s"])
    }

    @Test("A row leaves a stack if it is dragged out, and joins a stack if it is dragged into it")
    func member() async throws {
      let desk = try await Desk()
      let rows = try await open(desk, ["one", "two", "three", "four"], stacking: 0..<3)
      try await desk.select(Set(rows[0..<3]), by: "Home")
      try desk.press("Right", "End")
      try await desk.until { try await desk.selection() == [rows[3]] }
      try await move(row: 1, to: (150, 450), on: desk)
      try await desk.untilTexts(["one", "three", "four", "two"])
      #expect(try await stacks(on: desk) == ["s", "s", "", ""])
      try await move(row: 3, to: Desk.gap(aboveRow: 1), on: desk)
      try await desk.untilTexts(["one", "two", "three", "four"])
      #expect(try await stacks(on: desk) == ["s", "s", "s", ""])
      // Each move was one edit.
      try desk.press("ctrl+z", "ctrl+z")
      try await desk.untilTexts(["one", "two", "three", "four"])
      #expect(try await stacks(on: desk) == ["s", "s", "s", ""])
    }

    /// Drags from one point to another; starts the drag again if no session has begun.
    private func carry(from start: Point, to end: Point, on desk: Desk) async throws {
      var next = ContinuousClock.now
      try await desk.until {
        if ContinuousClock.now >= next {
          try desk.screen.perform([.release])
          try desk.screen.carry(from: start, to: end)
          next = .now + .seconds(4)
        }
        try desk.screen.tremble(at: end)
        return try await !desk.connection.sessions().isEmpty
      }
    }

    private func move(row: Int, to end: Point, on desk: Desk) async throws {
      try await carry(from: Desk.middle(ofRow: row), to: end, on: desk)
      for _ in 1...5 { try desk.screen.tremble(at: end) }
      try desk.screen.perform([.release])
      try await desk.untilQuiet()
    }

    @Test("A row that is dropped on a closed stack joins it at its end")
    func joining() async throws {
      let desk = try await Desk()
      let rows = try await open(desk, ["one", "two", "three", "four"], stacking: 1..<3)
      try await desk.select(Set(rows[1..<3]), by: "Down")
      try await move(row: 0, to: Desk.middle(ofRow: 1), on: desk)
      try await desk.untilTexts(["two", "three", "one", "four"])
      #expect(try await stacks(on: desk) == ["s", "s", "s", ""])
      // A drag that another program has begun.
      try desk.run("dragboard", "drag", "five", "--as", "org.example.Notes", "--detach")
      let chip = (x: 150, y: 530)
      try await desk.until {
        if try await desk.connection.sessions().isEmpty { return true }
        try desk.drag(from: chip, to: Desk.middle(ofRow: 0))
        for _ in 1...5 { try desk.screen.tremble(at: Desk.middle(ofRow: 0)) }
        try desk.screen.perform([.release])
        return try await desk.texts().count == 5
      }
      try await desk.until { try await stacks(on: desk) == ["s", "s", "s", "s", ""] }
      #expect(try await desk.texts() == ["two", "three", "one", "five", "four"])
    }

    @Test("The keys that move rows also move stacks, and move rows past stacks")
    func moving() async throws {
      let desk = try await Desk()
      let rows = try await open(desk, ["one", "two", "three", "four"], stacking: 1..<3)
      try await desk.select(rows[0], by: "Home")
      try desk.press("alt+Down")
      try await desk.untilTexts(["two", "three", "one", "four"])
      try await desk.select(Set(rows[1..<3]), by: "Up")
      try desk.press("alt+Down")
      try await desk.untilTexts(["one", "two", "three", "four"])
      #expect(try await stacks(on: desk) == ["", "s", "s", ""])
    }

    @Test("A stack that is dropped on another board becomes a new stack")
    func otherBoard() async throws {
      let desk = try await Desk()
      let work = try await desk.connection.createBoard(named: "Work")
      let rows = try await open(desk, ["one", "two", "three"], stacking: 0..<2)
      try await desk.select(Set(rows[0..<2]), by: "Home")
      try desk.activate("move-to-board", "[<uint32 1>]")
      try await desk.untilTexts(["three"])
      let there = try await work.page(ofSection: 0, from: 0, count: 10).rows
      #expect(there.map(\.preview) == ["one", "two"])
      #expect(Set(there.map(\.attributes.stack)).count == 1)
      #expect(!["", "s"].contains(there[0].attributes.stack))
    }

    /// Drops two files on the board.
    private func dropFiles(on desk: Desk, _ board: Board, at place: Point) async throws {
      let peer = try desk.start(
        "drag-peer", "copy", "text/uri-list|file:///etc/fstab\r\nfile:///etc/hosts\r\n")
      let window = try desk.window(named: "Peer")
      try desk.run("xdotool", "windowmove", "--sync", window, "500", "50")
      let count = try await board.info().count
      try await carry(from: (650, 150), to: place, on: desk)
      try await desk.drop(when: .copy)
      try await desk.until { try await board.info().count == count + 2 }
      peer.kill()
    }

    @Test("Several files that are dropped together are a stack, unless a setting turns this off")
    func files() async throws {
      let desk = try await Desk()
      try await desk.openShelf()
      try await dropFiles(on: desk, desk.board, at: (150, 450))
      let stack = try await stacks(on: desk)[0]
      #expect(stack != "")
      #expect(try await stacks(on: desk) == [stack, stack])
      try desk.activate("stack-files")
      try await dropFiles(on: desk, desk.board, at: (150, 450))
      #expect(try await stacks(on: desk) == [stack, stack, "", ""])
      let settings = "\(try #require(desk.environment["XDG_CONFIG_HOME"]))/dragboard/shelf.ini"
      #expect(try String(contentsOfFile: settings, encoding: .utf8).contains("stack-files=false"))
      // Files that are dropped between the rows of an open stack join it.
      let rows = try await desk.rows()
      try await desk.select(Set(rows[0..<2]), by: "Home")
      try desk.press("Right")
      try await desk.select([rows[1]], by: "Down")
      try await dropFiles(on: desk, desk.board, at: Desk.gap(aboveRow: 1))
      #expect(try await stacks(on: desk) == [stack, stack, stack, stack, "", ""])
    }
  }
}
