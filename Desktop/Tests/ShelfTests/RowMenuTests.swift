import DragboardClient
import Foundation
import TestSupport
import Testing

extension ShelfTests {
  @Suite("The menu of a row") struct RowMenuTests {
    /// Opens a shelf with a text and a file, and returns the path of the file.
    private func open(_ desk: Desk) async throws -> String {
      try await desk.board.settings.setAcceptedTypes([.any])
      let path = "\(desk.folder)/Note 1.txt"
      try "a note".write(toFile: path, atomically: true, encoding: .utf8)
      try desk.run("dragboard", "add", "some text")
      try desk.run("dragboard", "add", "--link", "--file", path)
      try await desk.openShelf()
      return path
    }

    @Test("A file is shown in its folder, and its path is copied")
    func files() async throws {
      let desk = try await Desk()
      let manager = try desk.start([Peer.folder.appending(path: "file-manager").path])
      #expect(manager.nextLine() == "serves")
      let path = try await open(desk)
      try await desk.select(try await desk.rows()[1], by: "End")
      // The shelf knows the address of the file when it has read the preview of the row.
      try await desk.until {
        try desk.activate("copy-addresses")
        try desk.press("ctrl+v")
        return try await desk.texts().contains(path)
      }
      try await desk.select(try await desk.rows()[1], by: "Up")
      try desk.activate("show-in-folder")
      let address = URL(fileURLWithPath: path).absoluteString
      #expect(manager.nextLine() == "shows \(address)")
    }

    @Test("A text is saved as a file")
    func save() async throws {
      let desk = try await Desk()
      _ = try await open(desk)
      try await desk.select(try await desk.rows()[0], by: "Home")
      try desk.activate("save-as")
      try desk.answer("Save As", "Return")
      try await desk.until {
        let text = try? String(contentsOfFile: "\(desk.folder)/some text.txt", encoding: .utf8)
        return text == "some text"
      }
    }

    @Test("An HTML text opens in the browser only at the user's request")
    func scripts() async throws {
      let desk = try await Desk()
      let marker = "\(desk.folder)/started"
      try Self.setBrowser("touch \(marker)", at: desk)
      let text = "<p>Hi<script>alert(1)</script>"
      try await desk.board.insert(Array(text.utf8), as: .html)
      try await desk.openShelf()
      try await desk.select(try await desk.rows()[0], by: "Home")
      try desk.press("Return")
      try desk.answer("Preview", "Escape")
      try await desk.untilClosed("Preview")
      #expect(!FileManager.default.fileExists(atPath: marker))
      try desk.activate("open")
      try await desk.until { FileManager.default.fileExists(atPath: marker) }
    }

    /// Makes a command the program that opens HTML files.
    private static func setBrowser(_ command: String, at desk: Desk) throws {
      let folder = "\(try #require(desk.environment["XDG_DATA_HOME"]))/applications"
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      let program = "[Desktop Entry]\nType=Application\nName=Browser\nExec=\(command)\n"
      try program.write(
        toFile: "\(folder)/browser.desktop", atomically: true, encoding: .utf8)
      try "[Default Applications]\ntext/html=browser.desktop\n".write(
        toFile: "\(folder)/mimeapps.list", atomically: true, encoding: .utf8)
    }

    @Test("The arrows browse the rows in the large preview")
    func browsing() async throws {
      let desk = try await Desk()
      try await desk.board.insert(["one", "two", "three"])
      try await desk.openShelf()
      let rows = try await desk.rows()
      try await desk.select(rows[0], by: "Home")
      try desk.press("space")
      try desk.answer("Preview", "Right", "Right")
      try await desk.until { try await desk.selection() == [rows[2]] }
      try desk.answer("Preview", "Left")
      try await desk.until { try await desk.selection() == [rows[1]] }
      try desk.answer("Preview", "Escape")
      try await desk.untilClosed("Preview")
    }

    @Test("Rows are moved to another board")
    func move() async throws {
      let desk = try await Desk()
      let work = try await desk.connection.createBoard(named: "Work")
      try await desk.board.insert(["one", "two"])
      try await desk.openShelf()
      try await desk.select(try await desk.rows()[1], by: "End")
      try desk.activate("move-to-board", "[<uint32 1>]")
      try await desk.untilTexts(["one"])
      #expect(try await work.texts(count: 10) == ["two"])
    }

    @Test("A picture is renamed by F2")
    func rename() async throws {
      let desk = try await Desk()
      try await desk.board.insert(["one"])
      let picture = try await desk.board.insert(
        try Sample.image.parts(in: desk.folder)[0].bytes, as: .png)
      try await desk.openShelf()
      try await desk.select(picture, by: "End")
      try desk.press("F2")
      try desk.answer("Rename Row", "ctrl+a", "a", "period", "p", "n", "g", "Return")
      try await desk.until {
        try await desk.board.row(at: RowPosition(section: 0, row: 1)).suggestedName == "a.png"
      }
    }

    @Test("All rows except locked and pinned rows are deleted and restored")
    func clear() async throws {
      let desk = try await Desk()
      try await desk.board.insert(["one", "two", "three", "four"])
      try await desk.board.setEditable(false, of: try await desk.rows()[1])
      try await desk.board.setPinned(true, of: try await desk.rows()[3])
      try await desk.openShelf()
      try desk.activate("clear")
      try await desk.untilTexts(["two", "four"])
      try desk.activate("undo")
      try await desk.untilTexts(["one", "two", "three", "four"])
    }

    @Test("Space shows a large preview, and closes it")
    func preview() async throws {
      let desk = try await Desk()
      _ = try await open(desk)
      try await desk.select(try await desk.rows()[0], by: "Home")
      try desk.press("space")
      try desk.answer("Preview", "space")
      try await desk.untilClosed("Preview")
    }
  }
}
