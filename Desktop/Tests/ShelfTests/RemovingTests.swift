import DragboardClient
import Foundation
import TestSupport
import Testing

extension ShelfTests {
  @Suite("Removing rows") struct RemovingTests {
    @Test("A locked row stays; the others are deleted, and the toast's button restores them")
    func locked() async throws {
      let desk = try await Desk()
      try desk.run("dragboard", "add", "one", "two", "three")
      try desk.run("dragboard", "lock", "1")
      try await desk.openShelf()
      try desk.press("ctrl+a", "Delete")
      try await desk.untilTexts(["two"])
      try await desk.until {
        try desk.pressButtonOfToast()
        return try await desk.texts() == ["one", "two", "three"]
      }
    }

    @Test("A long toast wraps, so its button stays in the window")
    func longToast() async throws {
      let desk = try await Desk()
      let manager = try desk.start("openbox", "--sm-disable")
      defer { manager.kill() }
      let texts = [
        "A text with a title that is rather long", "Another text with a long first line",
      ]
      try desk.run("dragboard", "add", texts[0], texts[1])
      try desk.run("dragboard", "lock", "1")
      try await desk.openShelf()
      try desk.press("ctrl+a", "Delete")
      try await desk.untilTexts([texts[1]])
      try await desk.until {
        for y in stride(from: 470, through: 530, by: 12) { try desk.pressButtonOfToast(at: y) }
        return try await desk.texts() == texts
      }
    }

    @Test("Several selected rows are moved together by the pointer")
    func several() async throws {
      let desk = try await Desk()
      try desk.run("dragboard", "add", "one", "two", "three", "four")
      let rows = try await desk.board.snapshot().sections[0].items
      try await desk.openShelf()
      try await desk.select(rows[0], by: "Home")
      try desk.press("shift+Down")
      try await desk.until { try await desk.selection() == [rows[0], rows[1]] }
      try desk.drag(from: Desk.middle(ofRow: 0), to: (150, 450))
      try await desk.until { try await !desk.connection.sessions().isEmpty }
      try await desk.until {
        try desk.run("xdotool", "mousemove", "150", "451", "mousemove", "150", "450")
        try desk.run("xdotool", "mouseup", "1")
        return try await desk.texts() == ["three", "four", "one", "two"]
      }
      #expect(try await desk.board.snapshot().sections[0].items == [2, 3, 0, 1].map { rows[$0] })
      try await desk.until { try await desk.connection.sessions().isEmpty }
    }

    @Test("A row is moved to another board through its tab, and Escape still cancels drags")
    func betweenBoards() async throws {
      let desk = try await Desk()
      try desk.run("dragboard", "add", "one", "two")
      let rows = try await desk.board.snapshot().sections[0].items
      let work = try await desk.connection.createBoard(named: "Work")
      try await desk.openShelf()
      try await desk.select(rows[0], by: "Home")
      let row = (x: 120, y: 85 + 46)
      try desk.drag(from: row, to: (200, 74))
      try desk.run("xdotool", "sleep", "1")
      try desk.move(from: (200, 74), to: (150, 300))
      try await desk.drop(when: .copy)
      try await desk.until {
        guard try await work.texts(count: 10) == ["one"] else { return false }
        return try await desk.texts() == ["two"]
      }
      try desk.press("ctrl+Page_Up")
      try desk.drag(from: row, to: (200, 300))
      try await desk.until { try await desk.connection.sessions().count == 1 }
      try desk.run("xdotool", "key", "Escape")
      try await desk.until { try await desk.connection.sessions().isEmpty }
      try desk.run("xdotool", "mouseup", "1")
    }

    @Test("Files of a drag stay for a day, also without their row; an erasure deletes them")
    func files() async throws {
      let desk = try await Desk()
      let cache = "\(try #require(desk.environment["XDG_CACHE_HOME"]))/dragboard-shelf"
      let manager = FileManager.default
      let letter = "\(desk.folder)/letters/letter.txt"
      for folder in ["\(cache)/old", "\(cache)/new", "\(desk.folder)/letters"] {
        try manager.createDirectory(atPath: folder, withIntermediateDirectories: true)
      }
      try "x".write(toFile: letter, atomically: true, encoding: .utf8)
      try manager.createSymbolicLink(
        atPath: "\(cache)/link", withDestinationPath: "\(desk.folder)/letters")
      try desk.run("touch", "-h", "-d", "2 days ago", "\(cache)/old", "\(cache)/link")
      try await desk.board.settings.setAcceptedTypes([.any])
      try await desk.openShelf()
      #expect(try manager.contentsOfDirectory(atPath: cache) == ["new"])
      #expect(manager.fileExists(atPath: letter))
      let peer = try Peer(.gtk4, with: .text, asksForMove: false, at: desk)
      let row = try await desk.fill([Sample.image.parts(in: desk.folder), Sample.row("two")])[0]
      try desk.screen.carry(from: Desk.middle(ofRow: 0), to: peer.prepareDrop())
      for _ in 1...3 { try desk.screen.tremble(at: peer.prepareDrop()) }
      try desk.screen.perform([.release])
      #expect(peer.linesOfDrop().contains { $0.hasPrefix("got text/uri-list ") })
      let file = "\(cache)/\(row)/Image.png"
      #expect(try desk.run("stat", "-c", "%a", file, "\(cache)/\(row)", cache) == "600\n700\n700")
      try await desk.board.delete([row])
      try await desk.until { try await desk.selection().count == 1 }
      #expect(manager.fileExists(atPath: file))
      try desk.run("dragboard", "clear", "--erase")
      #expect(try manager.contentsOfDirectory(atPath: cache) == [])
    }
  }

  @Suite("Files") struct FileTests {
    /// Inserts a row that refers to a file with this name.
    private func addFile(_ name: String, on desk: Desk) async throws -> String {
      try await desk.board.settings.setAcceptedTypes([.any])
      let path = "\(desk.folder)/\(name)"
      try "a note".write(toFile: path, atomically: true, encoding: .utf8)
      try desk.run("dragboard", "add", "--link", "--file", path)
      return path
    }

    private func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

    @Test("A copied file is pasted by Thunar")
    func paste() async throws {
      let desk = try await Desk()
      _ = try await addFile("Note 1.txt", on: desk)
      let row = try await desk.rows()[0]
      try await desk.openShelf()
      let thunar = try FileManagerGuest(.thunar, withFile: false, at: desk)
      try await desk.select(row, by: "Home")
      try desk.press("ctrl+c")
      let window = try desk.run("xdotool", "search", "--onlyvisible", "--name", "^Inbox")
      try await desk.until {
        try desk.run(
          "xdotool", "windowfocus", "--sync", String(window.prefix { !$0.isNewline }), "key",
          "ctrl+v", "sleep", "0.3")
        return exists("\(desk.folder)/Inbox/Note 1.txt")
      }
      withExtendedLifetime(thunar) {}
    }

    @Test(
      "A locked or pinned row is copied to Thunar; another row is moved there, and restored",
      arguments: ["lock", "pin", nil])
    func drag(command: String?) async throws {
      let desk = try await Desk()
      let path = try await addFile("Note 1.txt", on: desk)
      if let command { try desk.run("dragboard", command, "0") }
      let reader = try ScreenReader(at: desk)
      try await desk.openShelf(with: reader.variables)
      let thunar = try FileManagerGuest(.thunar, withFile: false, at: desk)
      // Only Shift requests a move.
      let key = command == nil ? "Shift_L" : nil
      try await desk.carry(row: 0, to: thunar.prepareDrop(), holding: key)
      try desk.screen.perform([.release] + (key.map { [.releaseKey($0)] } ?? []))
      try await desk.until { exists("\(desk.folder)/Inbox/Note 1.txt") }
      try await desk.until { try await desk.connection.sessions().isEmpty }
      try await desk.until { try await desk.rows().count == (command == nil ? 0 : 1) }
      #expect(exists(path) == (command != nil))
      guard command == nil else { return }
      try await desk.until {
        try desk.pressButtonOfToast()
        return try await desk.rows().count == 1
      }
      #expect(!exists(path))
      try await reader.wait(for: "label", "The row is restored, but its file was moved.")
    }

    @Test("Enter or a double click opens a link, a file and a picture with its application")
    func open() async throws {
      let desk = try await Desk()
      let path = try await addFile("Note 1.txt", on: desk)
      let opened = "\(desk.folder)/opened"
      let data = "\(try #require(desk.environment["XDG_DATA_HOME"]))/applications"
      try FileManager.default.createDirectory(atPath: data, withIntermediateDirectories: true)
      try "#!/bin/sh\necho \"$1\" >> '\(opened)'\n".write(
        toFile: "\(desk.folder)/opener", atomically: true, encoding: .utf8)
      try desk.run("chmod", "+x", "\(desk.folder)/opener")
      let types = ["text/plain", "image/png", "x-scheme-handler/https"]
      try """
      [Desktop Entry]
      Type=Application
      Name=Opener
      Exec=\(desk.folder)/opener %u
      MimeType=\(types.joined(separator: ";"));
      """.write(toFile: "\(data)/opener.desktop", atomically: true, encoding: .utf8)
      let defaults = types.map { "\($0)=opener.desktop\n" }.joined()
      try "[Default Applications]\n\(defaults)".write(
        toFile: "\(try #require(desk.environment["XDG_CONFIG_HOME"]))/mimeapps.list",
        atomically: true, encoding: .utf8)
      try await desk.board.insert(Array("https://example.org/\r\n".utf8), as: .uriList)
      let image = try Sample.image.parts(in: desk.folder)[0]
      try await desk.board.insert(image.bytes, as: .png)
      let rows = try await desk.rows()
      try await desk.openShelf()
      for (row, address) in zip(rows, [path, "https://example.org/", "Image.png"]) {
        try await desk.select(row, by: row == rows[0] ? "Home" : "Down")
        try desk.press("Return")
        try await desk.until {
          let text = (try? String(contentsOfFile: opened, encoding: .utf8)) ?? ""
          return text.removingPercentEncoding?.contains(address) ?? false
        }
      }
      try FileManager.default.removeItem(atPath: opened)
      let (x, y) = Desk.middle(ofRow: 1)
      try desk.run("xdotool", "mousemove", "\(x)", "\(y)", "click", "--repeat", "2", "1")
      try await desk.until {
        let text = try? String(contentsOfFile: opened, encoding: .utf8)
        return text == "https://example.org/\n"
      }
    }
  }
}
