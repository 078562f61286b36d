import DragboardClient
import Foundation
import TestSupport
import Testing
import Text

extension ShelfTests {
  /// The screen has 1000 × 700 pixels, and the strip is in the middle of its side.
  @Suite("The shelf at the screen's edge") struct EdgeTests {
    private let strip = (x: 4, y: 350)
    private let nothing = (x: 900, y: 650)

    /// Returns the left edge and the width of the shelf's window.
    private func frame(on desk: Desk) throws -> (x: Int, width: Int) {
      // When the shelf moves to the other side, a new window replaces the old one, which may be
      // destroyed between the two queries.
      let words = try desk.run(
        "sh", "-c",
        "xdotool search --onlyvisible --name '^Shelf$' getwindowgeometry --shell || true"
      )
      let values = words.split(separator: "\n").map { $0.split(separator: "=") }
      let numbers = ["X", "WIDTH"].map { name in
        values.first { $0[0] == name }.flatMap { Int($0[1]) } ?? -1
      }
      return (numbers[0], numbers[1])
    }

    private func until(_ expected: (x: Int, width: Int), on desk: Desk) async throws {
      try await desk.until { try frame(on: desk) == expected }
    }

    /// Starts a shelf at the left edge for a board of one row, with the pointer far from the strip.
    ///
    /// Waits until the strip has its size and the shelf shows the board.
    private func startStrip(on desk: Desk) async throws -> TestProgram {
      try desk.run("dragboard", "add", "one")
      try desk.run("xdotool", "mousemove", "\(nothing.x)", "\(nothing.y)")
      // At the first start, questions are where the tests drop.
      try desk.storeSettings("")
      let shelf = try desk.start("dragboard-shelf", "--edge", "left")
      try await until((0, 10), on: desk)
      try await desk.untilBoardIsShown()
      return shelf
    }

    @Test("An error has no characters that can deceive a reader, even if an argument has")
    func harmlessErrors() async throws {
      let desk = try await Desk()
      let error = try desk.run(
        "sh", "-c",
        #"dragboard-shelf --edge "$(printf '\033[31m\342\200\256\302\233\nx')" 2>&1 || true"#)
      #expect(error.contains("\u{FFFD}[31m\u{FFFD}\u{FFFD}\u{FFFD}x"))
      #expect(!error.unicodeScalars.contains { $0.isDeceptive })
    }

    @Test("A shelf at the edge is a strip that opens for a drag, takes the drop, and closes again")
    func drop() async throws {
      let desk = try await Desk()
      let shelf = try await startStrip(on: desk)
      let peer = try desk.start("drag-peer", "copy", "text/plain;charset=utf-8|Hi")
      let window = try desk.window(named: "Peer")
      try desk.run("xdotool", "windowmove", "--sync", window, "500", "50")
      try desk.drag(from: (650, 150), to: strip)
      // Other programs notice the new size of the window only when the drag moves, as a hand always
      // does.
      try await desk.until {
        try desk.run("xdotool", "mousemove_relative", "--", "2", "0")
        try desk.run("xdotool", "mousemove_relative", "--", "-2", "0")
        return try await desk.connection.sessions().last?.info.operation == .copy
      }
      #expect(try frame(on: desk) == (0, 360))
      try desk.move(from: strip, to: (150, 500))
      try await desk.drop(when: .copy)
      try await desk.untilTexts(["one", "Hi"])
      #expect(peer.nextLine() == "ended copy")
      try desk.move(from: (150, 500), to: nothing)
      try await until((0, 10), on: desk)
      shelf.kill()
    }

    @Test("A shelf at the edge opens for a resting pointer, and stays open for a drag out")
    func pointer() async throws {
      let desk = try await Desk()
      let shelf = try await startStrip(on: desk)
      try desk.move(from: nothing, to: strip)
      try await until((0, 360), on: desk)
      // Starts a drag of the first row. The shelf may not have shown this row yet, so repeat the
      // drag.
      try await desk.until {
        try desk.drag(from: (120, 150), to: (700, 600))
        if try await !desk.connection.sessions().isEmpty { return true }
        try desk.run("xdotool", "mouseup", "1")
        try desk.move(from: (700, 600), to: strip)
        try await until((0, 360), on: desk)
        return false
      }
      #expect(try frame(on: desk).width == 360)
      try desk.run("xdotool", "mouseup", "1")
      try await until((0, 10), on: desk)
      #expect(try await desk.texts() == ["one"])
      shelf.kill()
    }

    @Test(
      "With a window manager, the strip opens and closes again at both edges",
      arguments: [true, false])
    func windowManager(isLeft: Bool) async throws {
      let desk = try await Desk()
      try desk.run("xdotool", "mousemove", "\(nothing.x)", "\(nothing.y)")
      let manager = try desk.start("openbox")
      try await desk.until { try desk.run("xprop", "-root", "_NET_WORKAREA").contains("1000, 700") }
      let shelf = try desk.start("dragboard-shelf", "--edge", isLeft ? "left" : "right")
      let (closed, open, place) = isLeft ? (0, 0, strip) : (990, 640, (x: 996, y: strip.y))
      let outside = (x: 500, y: nothing.y)
      for _ in 1...(Rounds.number ?? 5) {
        try await until((closed, 10), on: desk)
        try desk.move(from: outside, to: place)
        try await until((open, 360), on: desk)
        try desk.run("xdotool", "mousemove", "\(outside.x)", "\(outside.y)")
      }
      try await until((closed, 10), on: desk)
      shelf.kill()
      manager.kill()
    }

    @Test("A second start moves the shelf to another edge, which is stored")
    func places() async throws {
      let desk = try await Desk()
      try desk.run("xdotool", "mousemove", "500", "10")
      let shelf = try desk.start("dragboard-shelf", "--edge", "left")
      try await until((0, 10), on: desk)
      try desk.run("dragboard-shelf", "--edge", "right")
      try await until((990, 10), on: desk)
      shelf.kill()
      let again = try desk.start("dragboard-shelf")
      // A user who starts the shelf wants to see it.
      try await until((640, 360), on: desk)
      try desk.run("dragboard-shelf", "--edge", "none")
      try await desk.until { try frame(on: desk).width == 400 }
      again.kill()
    }

    @Test("After activation by D-Bus, the action \"edge\" moves the shelf")
    func action() async throws {
      let desk = try await Desk()
      try desk.run("xdotool", "mousemove", "\(nothing.x)", "\(nothing.y)")
      let shelf = try desk.start("dragboard-shelf", "--gapplication-service")
      try desk.run("gdbus", "wait", "--session", "--timeout", "30", "org.dragboard.Shelf")
      for (side, place) in [("left", 0), ("right", 990)] {
        try desk.run(
          "gdbus", "call", "--session", "--dest", "org.dragboard.Shelf", "--object-path",
          "/org/dragboard/Shelf", "--method", "org.freedesktop.Application.ActivateAction", "edge",
          "[<'\(side)'>]", "{}")
        try await until((place, 10), on: desk)
      }
      shelf.kill()
    }

    @Test("The shelf does not cover a panel")
    func panel() async throws {
      let desk = try await Desk()
      let settings = "\(desk.folder)/rc.xml"
      try """
      <openbox_config xmlns="http://openbox.org/3.4/rc">
        <margins><left>60</left></margins>
      </openbox_config>
      """.write(toFile: settings, atomically: true, encoding: .utf8)
      try desk.run("xdotool", "mousemove", "\(nothing.x)", "\(nothing.y)")
      let manager = try desk.start("openbox", "--config-file", settings)
      try await desk.until {
        try desk.run("xprop", "-root", "_NET_WORKAREA").contains("60, 0, 940, 700")
      }
      let shelf = try desk.start("dragboard-shelf", "--edge", "left")
      try await until((60, 10), on: desk)
      shelf.kill()
      manager.kill()
    }

    @Test("If windows cannot be positioned, the shelf reports this and opens as an ordinary window")
    func unsupported() async throws {
      let desk = try await Desk()
      let server = try desk.start("gtk4-broadwayd", "--unixsocket=\(desk.folder)/web", ":7")
      try await desk.until { FileManager.default.fileExists(atPath: "\(desk.folder)/web") }
      let shelf = try TestProgram(
        ["sh", "-c", "exec dragboard-shelf --edge left 2>&1"],
        desk.environment.merging(["GDK_BACKEND": "broadway", "BROADWAY_DISPLAY": ":7"]) { $1 })
      var line = shelf.nextLine()
      while let text = line, !text.hasPrefix("dragboard-shelf: ") { line = shelf.nextLine() }
      #expect(
        line?.hasPrefix(
          "dragboard-shelf: The shelf cannot be at the screen edge here. This needs X11") == true)
      try await desk.untilBoardIsShown()
      shelf.kill()
      server.kill()
    }

    @Test(
      "Without a library for layers, the window reports that it cannot be at the edge",
      .enabled(if: WaylandScreen.isUsed && dlopen("libgtk4-layer-shell.so.0", RTLD_LAZY) == nil))
    func noLayers() async throws {
      let desk = try await Desk()
      let reader = try ScreenReader(at: desk)
      let settings = "\(try #require(desk.environment["XDG_CONFIG_HOME"]))/dragboard"
      try FileManager.default.createDirectory(
        atPath: settings, withIntermediateDirectories: true)
      try "[Window]\nedge=left\n".write(
        toFile: "\(settings)/shelf.ini", atomically: true, encoding: .utf8)
      try await desk.openShelf(with: reader.variables)
      try await reader.wait(for: "label", "The shelf cannot be at the screen edge here")
      // GTK joins two labels: the label of a toast's button, and the label of its content.
      try await reader.click("push button", "Details Details")
      try await reader.wait(for: "label", "This needs X11, or the library gtk4-layer-shell")
    }

    @Test("An invalid edge is refused")
    func refusal() async throws {
      let desk = try await Desk()
      let answer = try desk.run("sh", "-c", "dragboard-shelf --edge top 2>&1 || echo $?")
      #expect(
        answer == "dragboard-shelf: --edge: \"top\" is not a side (expected left, right or none)\n1"
      )
    }
  }
}
