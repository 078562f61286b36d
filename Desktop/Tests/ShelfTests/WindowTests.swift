import DragboardClient
import Foundation
import TestSupport
import Testing

extension ShelfTests {
  @Suite("The window") struct WindowTests {
    @Test("The window's size is stored")
    func size() async throws {
      let desk = try await Desk()
      try await desk.openShelf()
      try desk.press("ctrl+w")
      try await desk.until {
        try await desk.connection.views().isEmpty
      }
      let again = try desk.start("dragboard-shelf")
      let window = try desk.window(named: "Shelf")
      let frame = try desk.run("xdotool", "getwindowgeometry", "--shell", window)
      #expect(frame.contains("WIDTH=380\nHEIGHT=560"))
      again.kill()
    }

    @Test("The selected board is stored")
    func selectedBoard() async throws {
      let desk = try await Desk()
      let work = try await desk.connection.createBoard(named: "Work")
      _ = try await work.insert(["one"])
      try await desk.openShelf()
      try desk.press("ctrl+Page_Down")
      try await selectRow(of: work, on: desk)
      try desk.press("ctrl+q")
      try await desk.until { try await desk.connection.views().isEmpty }
      try await desk.openShelf()
      try await selectRow(of: work, on: desk)
    }

    /// Presses a key until a row of a board is selected, which must be the selected board.
    private func selectRow(of board: Board, on desk: Desk) async throws {
      var next = ContinuousClock.now
      try await desk.until {
        let views = try await desk.connection.views()
        if views.contains(where: { $0.info.board == board.id && !$0.info.selection.isEmpty }) {
          return true
        }
        if ContinuousClock.now >= next {
          try desk.press("Home")
          next = .now + .seconds(2)
        }
        return false
      }
    }

    /// Returns the mean brightness of the upper left corner of the screen, where the shelf is, from
    /// 0 to 1.
    private func brightness(on desk: Desk) throws -> Double {
      let mean = try desk.run(
        "convert", "x:root", "-crop", "300x500+20+20", "-colorspace", "Gray", "-format",
        "%[fx:mean]",
        "info:")
      return try #require(Double(mean))
    }

    @Test("The window is dark if the desktop is dark", arguments: [true, false])
    func dark(isDark: Bool) async throws {
      let desk = try await Desk()
      let portal =
        isDark ? try desk.start([Peer.folder.appending(path: "settings-portal").path]) : nil
      if let portal { #expect(portal.nextLine() == "serves") }
      try await desk.openShelf()
      try await desk.until {
        let brightness = try brightness(on: desk)
        return isDark ? 0.05..<0.4 ~= brightness : brightness > 0.8
      }
    }

    @Test("Without a bus, the window reports the error and a button tries again")
    func noBus() async throws {
      let desk = try await Desk()
      let address = "unix:path=\(desk.folder)/late-bus"
      var environment = desk.environment
      environment["DBUS_SESSION_BUS_ADDRESS"] = address
      let shelf = try TestProgram(["dragboard-shelf"], environment)
      let window = try desk.window(named: "Shelf")
      let bus = try TestProgram(
        ["dbus-daemon", "--session", "--nofork", "--print-address", "--address=\(address)"],
        environment)
      _ = bus.nextLine()
      environment["XDG_DATA_HOME"] = "\(desk.folder)/late-data"
      let daemon = try TestProgram(["dragboardd"], environment)
      try TestProgram.run(
        ["gdbus", "wait", "--session", "--timeout", "30", "org.dragboard.Dragboard1"], environment)
      try desk.run("xdotool", "windowfocus", "--sync", window, "key", "Return")
      let connection = try await DragboardConnection.connect(to: address)
      try await desk.until { try await connection.views().count == 1 }
      for program in [shelf, daemon, bus] { program.kill() }
    }

    @Test("An empty board shows a button that pastes, and the button has the focus")
    func empty() async throws {
      let desk = try await Desk()
      let manager = try desk.start("openbox", "--sm-disable")
      let reader = try ScreenReader(at: desk)
      let owner = try desk.start(
        "sh", "-c", "printf copied | xclip -quiet -selection clipboard")
      try await desk.openShelf(with: reader.variables)
      try await desk.until { try reader.focus()?.name == "Paste" }
      try TestProgram.run(["xdotool", "key", "Return"], desk.environment)
      try await desk.untilTexts(["copied"])
      // After the paste, the list has the keyboard focus.
      try await desk.until { try reader.focus()?.name == "copied" }
      for program in [owner, manager] { program.kill() }
    }

    @Test("Without a daemon, the window reports the error and a button tries again")
    func noDaemon() async throws {
      let desk = try await Desk()
      let reader = try ScreenReader(at: desk)
      try await desk.openShelf(with: reader.variables)
      desk.killDaemon()
      try await reader.wait(for: "label", "Dragboard Is Not Running")
      try await reader.wait(for: "push button", "Try Again")
      try desk.restartDaemon()
      try await desk.board.insert(["one"])
      try await reader.wait(for: "list item", "one")
    }

    /// Lets the bus start the daemon.
    private func installActivation(on desk: Desk) throws {
      let data = try #require(desk.environment["XDG_DATA_HOME"])
      let services = "\(data)/dbus-1/services"
      try FileManager.default.createDirectory(
        atPath: services, withIntermediateDirectories: true)
      try """
      [D-BUS Service]
      Name=org.dragboard.Dragboard1
      Exec=\(try Desk.rootProducts())/dragboardd
      """.write(
        toFile: "\(services)/org.dragboard.Dragboard1.service", atomically: true, encoding: .utf8)
      try desk.run(
        "gdbus", "call", "--session", "--dest", "org.freedesktop.DBus", "--object-path",
        "/org/freedesktop/DBus", "--method", "org.freedesktop.DBus.ReloadConfig")
    }

    @Test("The shelf starts a daemon that has crashed, and shows the board again")
    func restart() async throws {
      let desk = try await Desk()
      let reader = try ScreenReader(at: desk)
      try installActivation(on: desk)
      try await desk.board.insert(["one"])
      try await desk.openShelf(with: reader.variables)
      try await reader.wait(for: "list item", "one")
      let before = try await desk.connection.daemon.processID()
      desk.killDaemon()
      // This call starts no daemon.
      try await desk.until {
        guard let now = try? await desk.connection.daemon.processID() else { return false }
        return now != before
      }
      try await reader.wait(for: "list item", "one")
      kill(try await desk.connection.daemon.processID(), SIGKILL)
    }

    @Test("If the daemon cannot be started, the shelf names the reason")
    func reason() async throws {
      let desk = try await Desk()
      let reader = try ScreenReader(at: desk)
      try installActivation(on: desk)
      try await desk.openShelf(with: reader.variables)
      let settings = "\(try #require(desk.environment["XDG_CONFIG_HOME"]))/dragboard"
      try FileManager.default.createDirectory(
        atPath: settings, withIntermediateDirectories: true)
      try "max-rows = many\n".write(
        toFile: "\(settings)/config.toml", atomically: true, encoding: .utf8)
      desk.killDaemon()
      try await reader.until { $0.role == "label" && $0.name.contains("max-rows") }
    }

    @Test("An empty board says how it gets rows: the clipboard, shared and restricted boards, too")
    func kinds() async throws {
      let desk = try await Desk()
      let reader = try ScreenReader(at: desk)
      let boards = try await ["Pictures", "clipboard", "Team"].asyncMap {
        try await desk.connection.createBoard(named: $0)
      }
      try await boards[0].settings.setAcceptedTypes(["image/*"])
      let programs = "\(desk.folder)/programs"
      try FileManager.default.createDirectory(atPath: programs, withIntermediateDirectories: true)
      let link = "\(programs)/dragboard-link"
      try "#!/bin/sh\necho 'board    Team: 3 read, 0 edits to send'\nexit 1\n".write(
        toFile: link, atomically: true, encoding: .utf8)
      try desk.run("chmod", "+x", link)
      // The link of this package is beside the shelf, so a copy of the shelf runs without it.
      try desk.run("cp", "\(try Desk.ownProducts())/dragboard-shelf", programs)
      let path = "\(programs):\(desk.environment["PATH"] ?? "")"
      try await desk.openShelf(with: reader.variables.merging(["PATH": path]) { $1 })
      try await reader.wait(for: "label", "Drag texts, pictures, links or files here")
      for text in [
        "Drag content here from any application. This board accepts: Pictures.",
        "To collect everything that you copy, turn on “Store Copied Content”.",
        "Rows that you drop here appear on your other machines",
      ] {
        try desk.press("ctrl+Page_Down")
        try await reader.wait(for: "label", text)
      }
      try desk.press("ctrl+Page_Up")
      try await reader.wait(for: "push button", "Preferences")
      try desk.press("ctrl+Home", "ctrl+f")
      try await boards[0].insert(["one"])
      try desk.press("ctrl+Page_Down")
      try await reader.wait(for: "list item", "one")
      try desk.press("ctrl+f")
      try await reader.until { $0.role == "entry" && $0.states.contains("focused") }
      try desk.press("z", "z")
      try await reader.wait(for: "label", "No row of this board contains these words.")
    }

    @Test("The Undo button of the header undoes the latest edit, and leaves the focus in the list")
    func undo() async throws {
      let desk = try await Desk()
      let reader = try ScreenReader(at: desk)
      try await desk.board.insert(["one", "two"])
      let rows = try await desk.rows()
      try await desk.openShelf(with: reader.variables)
      try await desk.select(rows[1], by: "Down")
      try desk.press("Delete")
      try await desk.untilTexts(["one"])
      try await desk.until {
        try desk.run("xdotool", "mousemove", "24", "24", "click", "1", "sleep", "0.3")
        return try await desk.texts() == ["one", "two"]
      }
      try await desk.until { try reader.focus()?.role == "list item" }
      #expect(!desk.shelfLog.contains("Theme parser error"))
    }

    @Test("The manual page lists every option of the program")
    func manual() throws {
      let help = try TestProgram.run(
        ["\(try Desk.ownProducts())/dragboard-shelf", "--help-all"],
        ProcessInfo.processInfo.environment)
      let page = try String(contentsOfFile: "\(Desk.data)/dragboard-shelf.1", encoding: .utf8)
      let options = help.matches(of: /^  (?:-\w, )?--([\w-]+)/.anchorsMatchLineEndings())
        .map { String($0.1) }
      #expect(options.contains("edge") && options.contains("version"))
      for option in options {
        #expect(page.contains("\\-\(option.replacing("-", with: "\\-"))"), "\(option)")
      }
    }

    @Test("If the window is closed without a bus, the exit status is not 0")
    func statusWithoutBus() async throws {
      let desk = try await Desk()
      let manager = try desk.start("openbox", "--sm-disable")
      var environment = desk.environment
      environment["DBUS_SESSION_BUS_ADDRESS"] = "unix:path=\(desk.folder)/no-bus"
      let shelf = try TestProgram(
        ["sh", "-c", "dragboard-shelf 2>&1; echo status $?"], environment)
      let reason = "Failed to connect to socket \(desk.folder)/no-bus: No such file or directory"
      #expect(shelf.nextLine() == "dragboard-shelf: \(reason)")
      let window = try desk.window(named: "Shelf")
      try desk.run("xdotool", "windowfocus", "--sync", window, "key", "alt+F4")
      var line = shelf.nextLine()
      while let text = line, !text.hasPrefix("status") { line = shelf.nextLine() }
      #expect(line == "status 1")
      manager.kill()
    }

    @Test("The class of the window is in the installed desktop file")
    func windowClass() async throws {
      let desk = try await Desk()
      var environment = desk.environment
      environment["DESTDIR"] = "\(desk.folder)/root"
      let programs = try Desk.rootProducts()
      try TestProgram.run(
        [
          "\(Desk.data)/../../packaging/install", "--prefix", "/opt/x", "--toolchain",
          "--programs", programs, "--shelf", Desk.ownProducts(),
        ], environment)
      let file = "\(desk.folder)/root/opt/x/share/applications/org.dragboard.Shelf.desktop"
      try desk.run("desktop-file-validate", file)
      let entry = try String(contentsOfFile: file, encoding: .utf8)
      #expect(entry.contains("\nExec=/opt/x/bin/dragboard-shelf\n"))
      let name = try #require(entry.firstMatch(of: /StartupWMClass=(.*)/)).1
      try await desk.openShelf()
      let property = try desk.run("xprop", "-name", "Shelf", "WM_CLASS")
      #expect(property.hasSuffix("\"\(name)\""))
    }

    @Test("The order of the tabs is stored")
    func order() async throws {
      let desk = try await Desk()
      for name in ["Work", "Ideas"] { _ = try await desk.connection.createBoard(named: name) }
      let boards = try await desk.connection.boards()
      let ids = ["Work", "Ideas"].compactMap { name in
        boards.first { $0.info.name == name }.map { "\($0.board.id)" }
      }
      try await desk.openShelf()
      let settings = "\(try #require(desk.environment["XDG_CONFIG_HOME"]))/dragboard/shelf.ini"
      for order in [ids, ids.reversed()] {
        try await desk.until {
          // Select the last tab, then move it one position forward.
          try desk.press("ctrl+End", "ctrl+shift+Page_Up")
          let text = try? String(contentsOfFile: settings, encoding: .utf8)
          return text?.contains("\(order[0]);\(order[1])") ?? false
        }
      }
    }
  }

  /// The tests use a window manager, which gives windows the keyboard focus.
  @Suite("The focus") struct FocusTests {
    @Test("The list has the focus at first, is one Tab stop, and keeps the selection")
    func tab() async throws {
      let desk = try await Desk()
      let reader = try ScreenReader(at: desk)
      let manager = try desk.start("openbox", "--sm-disable")
      try desk.run("dragboard", "add", "one", "two", "three")
      try desk.run("dragboard", "section", "add", "Later")
      try desk.run("dragboard", "add", "--at", "Later:", "four")
      let rows = try await desk.board.snapshot().sections.flatMap(\.items)
      try await desk.openShelf(with: reader.variables)
      func press(_ keys: String...) throws {
        try TestProgram.run(["xdotool", "key", "--delay", "60"] + keys, desk.environment)
      }
      try await reader.until { $0.name == "one" && $0.states.contains("focused") }
      try press("Down")
      try await desk.until { try await desk.selection() == [rows[1]] }
      // Tab leaves the list, and Shift+Tab returns to the same row.
      for _ in 1...2 {
        try press("Tab")
        try await desk.until {
          try !reader.controls().contains {
            $0.role == "list item" && $0.states.contains("focused")
          }
        }
        try press("shift+Tab")
        try await reader.until {
          $0.role == "list item" && $0.name == "two" && $0.states.contains("focused")
        }
      }
      #expect(try await desk.selection() == [rows[1]])
      try press("Down")
      try await desk.until { try await desk.selection() == [rows[2]] }
      // After a menu closes, the list has the focus again.
      try press("shift+F10", "Escape")
      try await desk.until {
        try press("Down")
        return try await desk.selection() == [rows[3]]
      }
      manager.kill()
    }

    @Test("The selected row has the focus after every key of the list")
    func agreement() async throws {
      let desk = try await Desk()
      let manager = try desk.start("openbox", "--sm-disable")
      let reader = try ScreenReader(at: desk)
      let names = ["one", "two", "three", "four", "five"]
      try await desk.board.insert(names)
      try await desk.openShelf(with: reader.variables)
      // The list has the focus before the first key press.
      try await desk.until { try reader.focus()?.name == "one" }
      let keys = [
        "Home", "End", "Up", "Page_Up", "Down", "shift+Down", "alt+Down", "alt+Up", "Home",
        "ctrl+c", "ctrl+v", "Delete", "ctrl+z", "End", "Delete", "Delete", "Up", "Page_Down",
      ]
      for key in keys {
        try TestProgram.run(["xdotool", "key", key], desk.environment)
        // The focus and the selection change shortly after the key press. Wait until they agree.
        var state = (focus: "", selection: [String]())
        try await desk.until {
          state.focus = try reader.focus()?.name ?? ""
          let texts = try await desk.texts()
          let rows = try await desk.rows()
          state.selection = try await desk.selection().compactMap { row in
            rows.firstIndex(of: row).map { texts[$0] }
          }
          return state.selection.contains(state.focus)
        }
      }
      manager.kill()
    }

    /// Returns the number of pixels in the accent colour.
    ///
    /// Only the focus ring has this colour.
    private func ring(on desk: Desk) throws -> Int {
      let count = try desk.run(
        "convert", "x:root", "-crop", "380x560+0+0", "-fill", "black", "+opaque", "#1c71d8",
        "-fill", "white", "-opaque", "#1c71d8", "-format", "%[fx:int(mean*w*h)]", "info:")
      return Int(count) ?? 0
    }

    @Test(
      "The first key shows the focus ring, even if the focus stays on its row",
      arguments: ["Home", "Up"])
    func visibility(key: String) async throws {
      let desk = try await Desk()
      let manager = try desk.start("openbox", "--sm-disable")
      try await desk.board.insert(["one", "two"])
      try await desk.openShelf()
      try await desk.until {
        try TestProgram.run(["xdotool", "key", key], desk.environment)
        return try ring(on: desk) > 500
      }
      manager.kill()
    }
  }
}
