import DragboardClient
import Foundation
import TestSupport
import Testing

extension ShelfTests {
  @Suite("Searching") struct SearchTests {
    /// Inserts seven rows of different kinds, and returns their ids.
    private func fill(_ desk: Desk) async throws -> [ItemID] {
      try await desk.board.settings.setAcceptedTypes([.any])
      try desk.run("dragboard", "add", "Crème brûlée", "nothing")
      let home = try #require(desk.environment["HOME"])
      try "x".write(toFile: "\(home)/Quarterly.bin", atomically: true, encoding: .utf8)
      try desk.run("dragboard", "add", "--file", "\(home)/Quarterly.bin")
      try desk.run("dragboard", "add", "--link", "--file", "\(home)/Quarterly.bin")
      try await desk.board.insert(Array("<p>A <b>form</b>atted page".utf8), as: .html)
      try await desk.board.insert(Array("https://example.org/\r\n".utf8), as: .uriList)
      let link = Sample.link(to: "https://one.two/", titled: "The Heading")
      try await desk.board.insert(link.bytes, as: link.type)
      return try await desk.board.snapshot().sections[0].items
    }

    @Test(
      "A search finds parts of words, names, addresses, titles and HTML, and selects the first hit",
      arguments: [
        ("brulee", 0), ("rterly", 2), ("matted", 4), ("xample", 5), ("heading", 6), ("zzz", -1),
      ])
    func find(words: String, row: Int) async throws {
      let desk = try await Desk()
      let rows = try await fill(desk)
      try await desk.openShelf()
      try await desk.select(rows[1], by: "Down")
      try desk.press("ctrl+f")
      try desk.press(words.map(String.init))
      try await desk.until { try await desk.selection() == (row < 0 ? [] : [rows[row]]) }
    }

    /// Types a text into the widget with the keyboard focus.
    private func type(_ text: String, on desk: Desk) throws {
      try desk.run("xdotool", "type", "--delay", "40", text)
    }

    @Test("After the text of a search is deleted, the next text is typed into the search")
    func clear() async throws {
      let desk = try await Desk()
      let manager = try desk.start("openbox", "--sm-disable")
      defer { manager.kill() }
      let rows = try await fill(desk)
      try await desk.openShelf()
      try desk.press("ctrl+f")
      try type("rterly", on: desk)
      try await desk.until { try await desk.selection() == [rows[2]] }
      try desk.press("ctrl+a", "BackSpace")
      // The search begins 150 ms after the latest key.
      try desk.run("xdotool", "sleep", "0.6", "key", "Delete")
      try type("xample", on: desk)
      try await desk.until { try await desk.selection() == [rows[5]] }
      #expect(try await desk.rows() == rows)
    }

    @Test("An edit by another client, and a drop, leave the keyboard in the search")
    func edits() async throws {
      let desk = try await Desk()
      let manager = try desk.start("openbox", "--sm-disable")
      defer { manager.kill() }
      let rows = try await fill(desk)
      try await desk.openShelf()
      try desk.press("ctrl+f")
      try type("quarterly", on: desk)
      try await desk.until { try await desk.selection() == [rows[2]] }
      // The shelf selects another row.
      try await desk.board.delete([rows[2]])
      try await desk.until { try await desk.selection() == [rows[3]] }
      let drag = try await desk.connection.beginDrag([.text("drop")], as: "tests")
      _ = try await desk.board.dropTarget.perform(drag.session.id, as: "tests")
      try desk.run("xdotool", "sleep", "0.6", "key", "ctrl+a")
      try type("xample", on: desk)
      try await desk.until { try await desk.selection() == [rows[5]] }
    }

    @Test("Down moves the keyboard from the search to the found row")
    func down() async throws {
      let desk = try await Desk()
      let manager = try desk.start("openbox", "--sm-disable")
      defer { manager.kill() }
      let rows = try await fill(desk)
      _ = try await desk.connection.createBoard(named: "Work")
      try await desk.openShelf()
      try desk.press("ctrl+f")
      try type("t", on: desk)
      try await desk.until { try await desk.selection() == [rows[1]] }
      // The tabs are between the search and the list.
      try desk.run("xdotool", "key", "Down", "sleep", "0.3", "key", "Down")
      try await desk.until { try await desk.selection() == [rows[2]] }
    }

    @Test("Rows that a search hides are not deleted; the found row stays selected afterwards")
    func hidden() async throws {
      let desk = try await Desk()
      try desk.run("sh", "-c", "seq 100 | dragboard add --lines")
      let rows = try await desk.board.snapshot().sections[0].items
      try await desk.openShelf()
      try await desk.select(rows[0], by: "Home")
      // The keys arrive before the search bar has been laid out.
      try desk.run("xdotool", "key", "--delay", "0", "ctrl+f", "9", "9")
      try await desk.until { try await desk.selection() == [rows[98]] }
      try desk.press("Return", "Escape")
      try desk.press("Down")
      try await desk.until { try await desk.selection() == [rows[99]] }
      try desk.press("Delete")
      try await desk.until { try await desk.board.snapshot().count == 99 }
      #expect(try await desk.board.snapshot().sections[0].items == Array(rows.dropLast()))
    }
  }

  @Test("A text takes at most three lines")
  func threeLines() async throws {
    let desk = try await Desk()
    let line = String(repeating: "word ", count: 20)
    try desk.run("dragboard", "add", "\(line)\n\(line)\n\(line)", "two")
    let rows = try await desk.board.snapshot().sections[0].items
    try await desk.openShelf()
    for (height, row) in [("120", rows[0]), ("165", rows[1])] {
      try await desk.until {
        try desk.run("xdotool", "mousemove", "120", height, "click", "1", "sleep", "0.6")
        return try await desk.selection() == [row]
      }
    }
  }
}
