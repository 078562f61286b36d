import DragboardClient
import Foundation
import TestSupport
import Testing

extension ShelfTests {
  @Suite("The settings") struct SettingsTests {
    /// A desktop with an open settings window, and with a window manager, which gives windows the
    /// keyboard focus.
    private struct Opened {
      let desk: Desk
      let reader: ScreenReader
      let manager: TestProgram
      let window: String

      init(
        boards: [String] = [], rows: [String] = [], with variables: [String: String] = [:],
        after prepare: (Desk) async throws -> Void = { _ in }
      ) async throws {
        desk = try await Desk()
        try await prepare(desk)
        manager = try desk.start("openbox", "--sm-disable")
        for name in boards { _ = try await desk.connection.createBoard(named: name) }
        if !rows.isEmpty { try await desk.board.insert(rows) }
        reader = try ScreenReader(at: desk)
        try await desk.openShelf(with: reader.variables.merging(variables) { $1 })
        try desk.press("ctrl+comma")
        window = try desk.window(named: "Preferences")
        try desk.run(
          "xdotool", "windowmove", window, "400", "20", "windowfocus", "--sync", window)
        try await reader.wait(for: "list item", "Keyboard Shortcuts")
      }

      /// Shows the settings of the boards and expands the settings of one board, by the keyboard.
      func expand(_ board: String) async throws {
        try reader.tab(to: "Shelf", by: "shift+Tab")
        try key("Right", "space")
        try reader.tab(to: board)
        try key("space")
      }

      func key(_ keys: String...) throws {
        try TestProgram.run(["xdotool", "key", "--delay", "60"] + keys, desk.environment)
      }

      /// Replaces the text of an entry, and applies it.
      func enter(_ text: String, in entry: String) throws {
        try reader.tab(to: entry, role: "text")
        try key("ctrl+a")
        try desk.run("xdotool", "type", "--delay", "40", text)
        try key("Return")
      }

      /// The stored settings of the shelf.
      func stored() throws -> String {
        try String(
          contentsOfFile: "\(desk.environment["XDG_CONFIG_HOME"] ?? "")/dragboard/shelf.ini",
          encoding: .utf8)
      }
    }

    @Test("A screen reader finds each setting by its role and name")
    func names() async throws {
      let opened = try await Opened(boards: ["Work", "Ideas"])
      let expected = [
        ("combo box", "Screen Edge"), ("check box", "Start at Login"),
        ("check box", "Open When a Drag Begins"), ("combo box", "Delay"),
        ("text", "Except for These Programs"),
        ("check box", "Store Copied Content"), ("check box", "Store Selected Text"),
        ("list item", "Keyboard Shortcuts"),
        ("page tab", "Shelf"), ("page tab", "Boards"), ("list", "Boards"),
        ("page tab", "Other Machines"), ("check box", "Exchange With Other Machines"),
        ("text", "Connect by ssh to User@Machine"),
        ("text", "Paste an Invitation of Another Machine"),
        ("push button", "Move “Work” up"), ("push button", "Move “Work” down"),
        ("text", "Name"), ("combo box", "Accepted Content"), ("text", "Rows to Keep"),
        ("combo box", "Keep Each Row For"), ("check box", "Move Duplicates"),
      ]
      for (role, name) in expected { try await opened.reader.wait(for: role, name) }
    }

    @Test("A board is renamed, restricted and limited by the keyboard alone")
    func board() async throws {
      let opened = try await Opened(boards: ["Work"])
      let work = try await opened.desk.connection.board(named: "Work")
      try await work.insert(["one", "two", "three"])
      try await opened.expand("Work")
      // Custom types are the last choice, and show an entry.
      try opened.reader.tab(to: "Accepted Content")
      try opened.key("space", "End", "Return")
      try await opened.reader.wait(for: "text", "Accepted Types")
      try opened.enter("text/plain, image/*", in: "Accepted Types")
      try await opened.desk.until {
        try await work.info().acceptedTypes == ["text/plain", "image/*"]
      }
      try opened.enter("plain", in: "Accepted Types")
      try await opened.reader.wait(for: "label", "These are not types: plain")
      #expect(try await work.info().acceptedTypes == ["text/plain", "image/*"])
      try opened.enter("2", in: "Rows to Keep")
      try opened.desk.answer("Delete One Row?", "Escape")
      #expect(try await work.info().retainedRows == 0)
      try opened.enter("5", in: "Rows to Keep")
      try await opened.desk.until { try await work.info().retainedRows == 5 }
      #expect(try await work.info().count == 3)
      try opened.enter("many", in: "Rows to Keep")
      try await opened.reader.wait(for: "label", "This is not a whole number from 0 to")
      try opened.reader.tab(to: "Move Duplicates")
      try opened.key("space")
      try await opened.desk.until { try await work.info().movesDuplicates }
      try opened.enter("Job", in: "Name")
      try await opened.desk.until { try await work.info().name == "Job" }
      try await opened.reader.wait(for: "list item", "Job")
    }

    @Test("The kind of content and the time of rows are chosen from lists, and apply at once")
    func choices() async throws {
      let opened = try await Opened(boards: ["Work"])
      let work = try await opened.desk.connection.board(named: "Work")
      try await work.insert(["one"])
      try await opened.expand("Work")
      for (key, types) in [
        ("Down", ["text/plain", "text/html"]), ("Down", ["image/*"]), ("Down", ["text/uri-list"]),
        ("Home", ["*/*"]),
      ] {
        try opened.reader.tab(to: "Accepted Content")
        try opened.key("space", key, "Return")
        try await opened.desk.until {
          try await work.info().acceptedTypes.map(\.rawValue) == types
        }
      }
      try opened.reader.tab(to: "Keep Each Row For")
      try opened.key("space", "Down", "Return")
      // The setting would delete old rows, so the shelf asks first.
      try opened.desk.answer("Delete Old Rows?", "Tab", "space")
      try await opened.desk.until { try await work.info().retainedTime == .seconds(86_400) }
      // Return in the question keeps the earlier time.
      try opened.reader.tab(to: "Keep Each Row For")
      try opened.key("space", "Home", "Return")
      try await opened.desk.until { try await work.info().retainedTime == .zero }
      try opened.reader.tab(to: "Keep Each Row For")
      try opened.key("space", "End", "Return")
      try opened.desk.answer("Delete Old Rows?", "Return")
      try await opened.desk.untilClosed("Delete Old Rows?")
      #expect(try await work.info().retainedTime == .zero)
    }

    @Test("A text applies when the focus leaves its entry, and when the window closes")
    func leaving() async throws {
      let opened = try await Opened(boards: ["Work"])
      let work = try await opened.desk.connection.board(named: "Work")
      try await opened.expand("Work")
      try opened.reader.tab(to: "Name", role: "text")
      try opened.key("ctrl+a")
      try opened.desk.run("xdotool", "type", "--delay", "40", "Job")
      #expect(try await work.info().name == "Work")
      try opened.key("Tab")
      try await opened.desk.until { try await work.info().name == "Job" }
      try opened.reader.tab(to: "Rows to Keep", role: "text")
      try opened.key("ctrl+a")
      try opened.desk.run("xdotool", "type", "--delay", "40", "12")
      try opened.key("Escape")
      try await opened.desk.untilClosed("Preferences")
      #expect(try await work.info().retainedRows == 12)
    }

    @Test("A limit names the rows that it will delete; Return keeps them, and Undo restores them")
    func limit() async throws {
      let opened = try await Opened()
      let desk = opened.desk
      try desk.run("sh", "-c", "seq 35 | dragboard add --lines")
      let rows = try await desk.rows()
      // A limit deletes neither locked nor pinned rows.
      try await desk.board.setPinned(true, of: rows[0])
      try await opened.expand("Default")
      try opened.enter("7", in: "Rows to Keep")
      try desk.answer("Delete 28 Rows?", "Return")
      try await desk.untilClosed("Delete 28 Rows?")
      #expect(try await desk.rows() == rows)
      #expect(try await desk.board.info().retainedRows == 0)
      try opened.enter("7", in: "Rows to Keep")
      try desk.answer("Delete 28 Rows?", "Tab", "space")
      try await desk.until { try await desk.rows().count == 7 }
      try await opened.reader.wait(for: "label", "28 rows deleted")
      // The button is near the right end of the toast.
      for x in stride(from: 760, through: 832, by: 12) {
        try desk.run("xdotool", "mousemove", "\(x)", "587", "click", "1")
      }
      try await desk.until { try await desk.rows() == rows }
      #expect(try await desk.board.info().retainedRows == 0)
    }

    @Test("The settings close each time, and the shelf takes keys afterwards")
    func again() async throws {
      let opened = try await Opened()
      let desk = opened.desk
      for round in 1...4 {
        if round > 1 {
          try desk.press("ctrl+comma")
          _ = try desk.window(named: "Preferences")
        }
        // A second request shows the same window.
        if round > 2 { try desk.press("ctrl+comma") }
        try desk.answer("Preferences", "Escape")
        try await desk.untilClosed("Preferences")
      }
      try desk.run("dragboard", "add", "one")
      let row = try await desk.rows()[0]
      try await desk.select(row, by: "Home")
    }

    @Test("The order of the boards is changed by buttons and by the pointer")
    func order() async throws {
      let opened = try await Opened(boards: ["Ideas", "Work"])
      let ids = try await ["Ideas", "Work"].asyncMap {
        try await opened.desk.connection.board(named: $0).id
      }
      try opened.reader.tab(to: "Shelf", by: "shift+Tab")
      try opened.key("Right", "space")
      try opened.reader.tab(to: "Move “Work” up")
      try opened.key("space")
      try await opened.desk.until { try opened.stored().contains("\(ids[1]);\(ids[0])") }
      // The keyboard focus stays on the row that has moved.
      #expect(try opened.reader.focus()?.name == "Move “Work” down")
      try await opened.desk.until {
        // Drag from the handle of the third board to the second board.
        try opened.desk.drag(from: (400 + 60, 20 + 260), to: (400 + 60, 20 + 200))
        try opened.desk.run("xdotool", "mouseup", "1")
        return try opened.stored().contains("\(ids[0]);\(ids[1])")
      }
      // The tabs have the same order, so the second tab shows this board.
      try opened.key("Escape")
      try opened.desk.press("ctrl+Page_Down")
      try await opened.desk.until {
        try await opened.desk.connection.views().contains { $0.info.board == ids[0] }
      }
    }

    @Test("The shelf moves to the screen's edge, and the settings stay open")
    func edge() async throws {
      let opened = try await Opened()
      try opened.reader.tab(to: "Screen Edge")
      try opened.key("space", "Down", "Return")
      try await opened.desk.until { try opened.stored().contains("edge=left") }
      try await opened.reader.wait(for: "combo box", "Screen Edge")
      try opened.key("space", "Up", "Return")
      try await opened.desk.until { try opened.stored().contains("edge=none") }
    }

    @Test("The autostart file equals the installer's, and is removed again")
    func autostart() async throws {
      let opened = try await Opened()
      let config = try #require(opened.desk.environment["XDG_CONFIG_HOME"])
      let path = "\(config)/autostart/org.dragboard.Shelf.desktop"
      try opened.reader.tab(to: "Start at Login")
      try opened.key("space")
      try await opened.desk.until { FileManager.default.fileExists(atPath: path) }
      let template = try String(contentsOf: DataFilesTests.autostart, encoding: .utf8)
      let program = "\(try Desk.ownProducts())/dragboard-shelf"
      #expect(
        try String(contentsOfFile: path, encoding: .utf8)
          == template.replacing("Exec=dragboard-shelf", with: "Exec=\(program)"))
      try opened.desk.run("desktop-file-validate", path)
      try opened.key("space")
      try await opened.desk.until { !FileManager.default.fileExists(atPath: path) }
    }

    @Test("An autostart file for all users can be disabled for one user")
    func autostartForAll() async throws {
      let all = FileManager.default.temporaryDirectory.appending(path: "xdg-\(UUID().uuidString)")
      defer { try? FileManager.default.removeItem(at: all) }
      let folder = all.appending(path: "autostart")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try FileManager.default.copyItem(
        at: DataFilesTests.autostart,
        to: folder.appending(path: "org.dragboard.Shelf.desktop"))
      let opened = try await Opened(with: ["XDG_CONFIG_DIRS": all.path])
      let config = try #require(opened.desk.environment["XDG_CONFIG_HOME"])
      let path = "\(config)/autostart/org.dragboard.Shelf.desktop"
      #expect(
        try await opened.reader.wait(for: "check box", "Start at Login").states.contains("checked"))
      try opened.reader.tab(to: "Start at Login")
      try opened.key("space")
      try await opened.desk.until {
        (try? String(contentsOfFile: path, encoding: .utf8))?.contains("Hidden=true") ?? false
      }
    }

    /// Writes an executable script into a directory.
    private func write(_ name: String, _ script: String, in folder: URL) throws {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let file = folder.appending(path: name)
      try "#!/bin/sh\n\(script)\n".write(to: file, atomically: true, encoding: .utf8)
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file.path)
    }

    @Test("The switch of the clipboard bridge says that it has failed, without words of systemd")
    func clipboard() async throws {
      let folder = FileManager.default.temporaryDirectory.appending(
        path: "bin-\(UUID().uuidString)")
      defer { try? FileManager.default.removeItem(at: folder) }
      let calls = folder.appending(path: "calls")
      try write(
        "systemctl",
        """
        echo "$@" >> \(calls.path)
        echo 'Unit dragboard-clipboard.service does not exist.'
        exit 1
        """, in: folder)
      let variables = ProcessInfo.processInfo.environment
      let path = [
        folder.path, try Desk.ownProducts(), try Desk.rootProducts(),
        variables["PATH"] ?? "/usr/bin",
      ]
      let opened = try await Opened(with: ["PATH": path.joined(separator: ":")])
      try await opened.reader.wait(for: "label", "Off")
      try opened.reader.tab(to: "Store Copied Content")
      try opened.key("space")
      try await opened.reader.wait(for: "label", "The clipboard bridge could not be switched.")
      let text = try String(contentsOf: calls, encoding: .utf8)
      #expect(text == "--user enable --now dragboard-clipboard.service\n")
      let toggle = try await opened.reader.wait(for: "check box", "Store Copied Content")
      #expect(!toggle.states.contains("checked"))
    }

    @Test("The switch is on while a bridge runs")
    func runningBridge() async throws {
      let desk = try await Desk()
      let bridge = try desk.start("dragboard-clipboard")
      try desk.run("gdbus", "wait", "--session", "--timeout", "30", "org.dragboard.Clipboard1")
      let reader = try ScreenReader(at: desk)
      try await desk.openShelf(with: reader.variables)
      try desk.press("ctrl+comma")
      try await reader.wait(for: "label", "Copies become rows of the board “clipboard”")
      let toggle = try await reader.wait(for: "check box", "Store Copied Content")
      #expect(toggle.states.contains("checked"))
      bridge.kill()
    }

    @Test("An application that has copied lately is excluded by the keyboard")
    func exclusions() async throws {
      var programs: [TestProgram] = []
      let opened = try await Opened { desk in
        programs.append(try desk.start("dragboard-clipboard"))
        try desk.run("gdbus", "wait", "--session", "--timeout", "30", "org.dragboard.Clipboard1")
        programs.append(
          try desk.start("bash", "-c", "printf copy | xclip -quiet -selection clipboard"))
        try await desk.until {
          try await desk.connection.clipboard.info().recentApplications == ["xclip"]
        }
      }
      let bridge = opened.desk.connection.clipboard
      #expect(try await bridge.info().excludedApplications.contains("keepassxc"))
      try opened.reader.tab(to: "Applications Seen Lately")
      try opened.key("space")
      try opened.reader.tab(to: "Exclude “xclip”")
      try opened.key("space")
      try await opened.desk.until {
        try await bridge.info().excludedApplications.contains("xclip")
      }
      for program in programs { program.kill() }
    }

    @Test("If the desktop requires a permission to paste, a switch requests and revokes it")
    func pastePermission() async throws {
      var programs: [TestProgram] = []
      let opened = try await Opened { desk in
        programs.append(
          try TestProgram(
            [Peer.folder.appending(path: "paste-bridge").path, "--portal=allow"], desk.environment))
        #expect(programs[0].nextLine() == "serves")
      }
      let bridge = opened.desk.connection.clipboard
      try opened.reader.tab(to: "Paste Into Other Windows")
      try opened.key("space")
      #expect(programs[0].nextLine() == "allow")
      try await opened.desk.until {
        try await bridge.info().pastePermission == .granted
      }
      try await opened.desk.until {
        try await opened.reader.wait(for: "check box", "Paste Into Other Windows").states.contains(
          "checked")
      }
      try opened.key("space")
      #expect(programs[0].nextLine() == "forbid")
      for program in programs { program.kill() }
    }

    @Test("The list of keys opens over the settings")
    func keys() async throws {
      let opened = try await Opened()
      try opened.reader.tab(to: "Keyboard Shortcuts")
      try opened.key("space")
      try await opened.reader.wait(for: "label", "Go to the next or the previous row")
    }
  }
}

extension Array {
  func asyncMap<Result>(
    _ transform: (Element) async throws -> Result
  ) async throws -> [Result] {
    var results: [Result] = []
    for element in self { results.append(try await transform(element)) }
    return results
  }
}
