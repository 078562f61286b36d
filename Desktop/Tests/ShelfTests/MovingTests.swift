import DragboardClient
import Foundation
import TestSupport
import Testing

extension ShelfTests {
  @Suite("Moving rows to another board") struct MovingTests {
    /// Opens a shelf whose board has two texts, beside an empty board "Work".
    private func open(_ desk: Desk) async throws -> (work: Board, rows: [ItemID]) {
      let work = try await desk.connection.createBoard(named: "Work")
      let rows = try await desk.board.insert(["one", "two"])
      try await desk.openShelf()
      return (work, rows)
    }

    private func texts(_ board: Board) async throws -> [String] { try await board.texts(count: 10) }

    @Test("Rows that do not arrive completely stay on their board")
    func incomplete() async throws {
      let desk = try await Desk()
      let (work, rows) = try await open(desk)
      try await work.settings.setAcceptedTypes([.plainText])
      let page = try await desk.board.insert([
        (.html, .data(Array("<b>three</b>".utf8))), (.plainText, .data(Array("three".utf8))),
      ])
      let picture = try await desk.board.insert(
        try Sample.image.parts(in: desk.folder)[0].bytes, as: .png)
      try await desk.select(rows[0], by: "Home")
      try desk.press("ctrl+a")
      try await desk.until { try await desk.selection().count == 4 }
      try desk.activate("move-to-board", "[<uint32 1>]")
      try await desk.until { try await texts(work) == ["one", "two", "three"] }
      // The daemon performs the shelf's calls in order, so the move has ended when this row is
      // selected.
      try desk.activate("select-all")
      try await desk.select(rows[0], by: "Home")
      #expect(try await desk.rows() == rows + [page, picture])
      // The remaining row arrives completely, so it is moved.
      try await desk.board.delete([picture])
      try await desk.select(page, by: "End")
      try desk.activate("move-to-board", "[<uint32 1>]")
      try await desk.until { try await texts(work).count == 4 }
      try await desk.select(rows[0], by: "Home")
      #expect(try await desk.rows() == rows + [page])
      try desk.activate("move-to-board", "[<uint32 1>]")
      try await desk.until { try await desk.rows() == [rows[1], page] }
    }

    @Test("A row that is released on a tab moves to the board of the tab")
    func releasedOnTab() async throws {
      let desk = try await Desk()
      let (work, rows) = try await open(desk)
      try await desk.select(rows[0], by: "Home")
      // The tabs are below the header, and the rows are below the tabs.
      try desk.drag(from: (120, 130), to: (260, 75))
      try await desk.until { try await !desk.connection.sessions().isEmpty }
      try desk.run("xdotool", "mousemove_relative", "2", "0", "sleep", "0.2", "mouseup", "1")
      try await desk.until { try await texts(work) == ["one"] }
      try await desk.until { try await desk.rows() == [rows[1]] }
      try desk.activate("undo")
      try await desk.until { try await texts(work).isEmpty }
      try await desk.until { try await desk.rows() == rows }
    }

    @Test("If a board accepts no row of a move, no drag remains active")
    func refused() async throws {
      let desk = try await Desk()
      let (work, rows) = try await open(desk)
      try await work.settings.setAcceptedTypes([.png])
      try await desk.select(rows[0], by: "Home")
      let events = await desk.connection.events()
      try desk.activate("move-to-board", "[<uint32 1>]")
      for try await case .dragBegan in events { break }
      try await desk.until { try await desk.connection.sessions().isEmpty }
      #expect(try await desk.texts() == ["one", "two"])
    }

    @Test("Undo restores the rows, and removes them from the other board")
    func undo() async throws {
      let desk = try await Desk()
      let (work, rows) = try await open(desk)
      try await desk.select(rows[1], by: "End")
      try desk.activate("move-to-board", "[<uint32 1>]")
      try await desk.untilTexts(["one"])
      #expect(try await texts(work) == ["two"])
      try await desk.until {
        try desk.pressButtonOfToast()
        return try await desk.rows() == rows
      }
      try await desk.until { try await texts(work).isEmpty }
    }

    @Test(
      "Ctrl+Z undoes a move on both boards, and Ctrl+Shift+Z repeats it, on either board",
      arguments: [true, false])
    func undoByKey(isSource: Bool) async throws {
      let desk = try await Desk()
      let manager = try desk.start("openbox", "--sm-disable")
      defer { manager.kill() }
      let (work, rows) = try await open(desk)
      try await desk.select(rows[1], by: "End")
      try desk.activate("move-to-board", "[<uint32 1>]")
      try await desk.untilTexts(["one"])
      // An earlier change of the other board remains.
      try await desk.select(rows[0], by: "Home")
      try desk.activate("move-to-board", "[<uint32 1>]")
      try await desk.until { try await texts(work) == ["two", "one"] }
      try await desk.untilTexts([])
      if !isSource { try desk.press("ctrl+Page_Down") }
      for (left, moved) in [([rows[0]], ["two"]), (rows, [])] {
        try desk.press("ctrl+z")
        try await desk.until { try await desk.rows() == left }
        try await desk.until { try await texts(work) == moved }
      }
      for (left, moved) in [([rows[0]], ["two"]), ([], ["two", "one"])] {
        try desk.press("ctrl+shift+z")
        try await desk.until { try await desk.rows() == left }
        try await desk.until { try await texts(work) == moved }
      }
    }

    @Test(
      "Ctrl+Z does not undo a part of a move if the other board has changed in the meantime",
      arguments: [true, false])
    func staleKey(isSource: Bool) async throws {
      let desk = try await Desk()
      let (work, rows) = try await open(desk)
      try await desk.select(rows[1], by: "End")
      try desk.activate("move-to-board", "[<uint32 1>]")
      try await desk.untilTexts(["one"])
      try await desk.until { try await desk.selection() == [rows[0]] }
      let added = try await (isSource ? work : desk.board).insert(["three"])
      if !isSource { try desk.press("ctrl+Page_Down") }
      let revision = try await (isSource ? desk.board : work).info().revision
      try desk.press("ctrl+z")
      // The edit is undone and redone.
      try await desk.until {
        try await (isSource ? desk.board : work).info().revision == revision + 2
      }
      #expect(try await desk.texts() == (isSource ? ["one"] : ["one", "three"]))
      #expect(try await texts(work) == (isSource ? ["two", "three"] : ["two"]))
      // After the change of the other board has been undone, the move is undone.
      try await (isSource ? work : desk.board).history.undo()
      _ = added
      try desk.press("ctrl+z")
      try await desk.until { try await desk.rows() == rows }
      try await desk.until { try await texts(work).isEmpty }
    }

    @Test(
      "Undo changes nothing if one of the boards has changed in the meantime",
      arguments: [true, false])
    func stale(isSource: Bool) async throws {
      let desk = try await Desk()
      let (work, rows) = try await open(desk)
      try await desk.select(rows[1], by: "End")
      try desk.activate("move-to-board", "[<uint32 1>]")
      try await desk.untilTexts(["one"])
      // Wait until the neighbour is selected; the next row must be inserted after that.
      try await desk.until { try await desk.selection() == [rows[0]] }
      try await (isSource ? desk.board : work).insert(["three"])
      try desk.pressButtonOfToast()
      try desk.pressButtonOfToast()
      // The daemon performs the shelf's edits in order, so the undo has ended when the row is
      // pinned.
      try desk.activate("pin")
      try await desk.until {
        try await desk.board.row(at: RowPosition(section: 0, row: 0)).isPinned
      }
      #expect(try await desk.texts() == (isSource ? ["one", "three"] : ["one"]))
      #expect(try await texts(work) == (isSource ? ["two"] : ["two", "three"]))
    }

    @Test(
      "A drag to another board moves a row, unless Ctrl is held or the row is locked or pinned",
      arguments: ["moved", "Ctrl", "locked", "pinned"])
    func drag(how: String) async throws {
      let desk = try await Desk()
      let (work, rows) = try await open(desk)
      if how == "locked" { try await desk.board.setEditable(false, of: rows[0]) }
      if how == "pinned" { try await desk.board.setPinned(true, of: rows[0]) }
      try await desk.select(rows[0], by: "Home")
      try desk.drag(from: (x: 120, y: 85 + 46), to: (200, 74))
      try desk.run("xdotool", "sleep", "1")
      if how == "Ctrl" { try desk.screen.perform([.holdKey("Control_L")]) }
      defer { try? desk.screen.perform([.releaseKey("Control_L")]) }
      try desk.move(from: (200, 74), to: (150, 300))
      try await desk.drop(when: .copy)
      try desk.screen.perform([.releaseKey("Control_L")])
      try await desk.until { try await texts(work) == ["one"] }
      try await desk.untilQuiet()
      guard how == "moved" else {
        // The daemon performs the shelf's calls in order, so the drop has ended when the row is
        // selected.
        try desk.press("ctrl+Page_Up")
        try await desk.select(rows[0], by: "Home")
        #expect(try await desk.rows() == rows)
        return
      }
      try await desk.untilTexts(["two"])
      try await desk.until {
        try desk.pressButtonOfToast()
        return try await desk.rows() == rows
      }
      try await desk.until { try await texts(work).isEmpty }
    }

    @Test("If only a part of a row is dropped on a tab, the row is not deleted")
    func tab() async throws {
      let desk = try await Desk()
      let (work, rows) = try await open(desk)
      try await work.settings.setAcceptedTypes([.plainText])
      try await desk.board.delete(rows)
      let row = try await desk.board.insert([
        (.html, .data(Array("<b>one</b>".utf8))), (.plainText, .data(Array("one".utf8))),
      ])
      try await desk.select(row, by: "Home")
      try desk.drag(from: (x: 120, y: 85 + 46), to: (200, 74))
      try desk.run("xdotool", "sleep", "1")
      try desk.move(from: (200, 74), to: (150, 300))
      try await desk.drop(when: .copy)
      try await desk.until { try await texts(work) == ["one"] }
      try await desk.until { try await desk.connection.sessions().isEmpty }
      // The daemon performs the shelf's calls in order, so the drop has ended when the row is
      // selected.
      try desk.press("ctrl+Page_Up")
      try await desk.select(row, by: "Home")
      #expect(try await desk.rows() == [row])
    }
  }
}
