import DragboardClient
import Foundation
import TestSupport
import Testing

extension ShelfTests {
  /// A peer's window is at (600, 50), with the source in its upper half.
  ///
  /// The screen has 1000 × 700 pixels.
  @Suite("Opening at drags of other programs") struct OpeningTests {
    private let source = (x: 750, y: 150)
    private let begun = (x: 750, y: 190)
    private let nothing = (x: 100, y: 650)
    private static let title = "Shelf at the Pointer"

    /// A desktop with Openbox, a shelf without a window, and a program.
    private struct Opened {
      let desk: Desk
      let manager: TestProgram

      /// Starts a shelf that opens for drags, with further lines of its settings.
      init(settings: String = "") async throws {
        desk = try await Desk()
        // An earlier test may have failed during a drag.
        try desk.run("xdotool", "mouseup", "1")
        manager = try await desk.startWindowManager()
        try desk.storeSettings("open-for-drags=true\n\(settings)")
        try desk.startShelf("--gapplication-service")
        try await desk.untilBoardIsShown()
      }

      /// Starts the program of a toolkit, whose window has the keyboard focus.
      func startPeer(_ toolkit: Peer.Toolkit) throws -> TestProgram {
        let words = toolkit.command + ["copy", "text/plain;charset=utf-8|Hi"]
        let peer = try TestProgram(words, desk.environment)
        try desk.place("Peer", at: (600, 50))
        return peer
      }

      /// The numbers of the visible windows beside the pointer.
      func windows() throws -> [Substring] {
        try desk.run(
          "sh", "-c", "xdotool search --onlyvisible --name '^\(OpeningTests.title)$' || true"
        ).split(separator: "\n")
      }

      /// The position of the window beside the pointer.
      func corner() throws -> Point {
        let words = try desk.run(
          "xdotool", "getwindowgeometry", "--shell", try desk.window(named: OpeningTests.title))
        let values = words.split(separator: "\n").map { $0.split(separator: "=") }
        let numbers = ["X", "Y"].map { name in
          values.first { $0[0] == name }.flatMap { Int($0[1]) } ?? -1
        }
        return (numbers[0], numbers[1])
      }

      /// Waits until the shelf has opened.
      func untilOpen() async throws { try await desk.until { try windows().count == 1 } }
    }

    /// Presses the button on the source and moves the pointer until a drag has begun.
    private func begin(on desk: Desk) throws { try desk.drag(from: source, to: begun) }

    @Test(
      "The shelf opens beside the pointer, takes the drop, and closes; the focus does not change",
      arguments: Peer.Toolkit.installed)
    func drop(_ toolkit: Peer.Toolkit) async throws {
      let opened = try await Opened()
      let desk = opened.desk
      let peer = try opened.startPeer(toolkit)
      var texts: [String] = []
      // GTK 4.8 could ignore every second drag after its window was hidden.
      for _ in 1...(Rounds.number ?? 3) {
        let focus = try desk.run("xdotool", "getwindowfocus")
        try begin(on: desk)
        try await opened.untilOpen()
        // Left of the pointer, because there is no place at the right. A toolkit begins the drag
        // after some pixels.
        try await desk.until {
          let corner = try opened.corner()
          return corner.x == 406 && (30...70).contains(corner.y)
        }
        #expect(try desk.run("xdotool", "getwindowfocus") == focus)
        try desk.move(from: begun, to: (560, 300))
        try await desk.drop(when: .copy)
        texts.append("Hi")
        try await desk.untilTexts(texts)
        #expect(peer.nextLine() == "ended copy")
        try desk.move(from: (560, 300), to: nothing)
        try await desk.untilClosed(Self.title)
      }
      #expect(!desk.shelfLog.contains("CRITICAL"))
      peer.kill()
    }

    @Test(
      "A shelf that takes no drop closes: after a release elsewhere, Escape, or the source's end")
    func unused() async throws {
      let opened = try await Opened()
      let desk = opened.desk
      var peer = try opened.startPeer(.gtk3)
      for way in ["release", "escape", "death"] {
        try begin(on: desk)
        try await opened.untilOpen()
        switch way {
        case "escape": try desk.run("xdotool", "key", "Escape")
        case "death":
          peer.kill()
          peer = try opened.startPeer(.gtk3)
        default: break
        }
        try desk.run("xdotool", "mouseup", "1")
        try await desk.untilClosed(Self.title)
      }
      #expect(try await desk.texts() == [])
      peer.kill()
    }

    @Test("Sliders, selections of text, motions of windows and other owners open no shelf")
    func gestures() async throws {
      let opened = try await Opened()
      let desk = opened.desk
      let controls = try desk.start(Peer.folder.appending(path: "controls-peer").path)
      let window = try desk.place("Controls", at: (600, 450))
      var count = 0
      for _ in 1...(Rounds.number ?? 4) {
        let gestures: [(Point, Point, key: String?)] = [
          ((640, 490), (800, 490), nil), ((640, 520), (760, 560), nil),
          ((700, 600), (720, 580), "alt"),
        ]
        for (start, end, key) in gestures {
          // A click ends the selection; a drag of selected text would be a drag.
          try desk.run(
            "xdotool", "windowmove", window, "600", "450", "mousemove", "890", "640", "click", "1")
          if let key { try desk.run("xdotool", "keydown", key) }
          try desk.drag(from: start, to: end)
          if let key { try desk.run("xdotool", "keyup", key) }
          count += try opened.windows().count
          try desk.run("xdotool", "mouseup", "1")
        }
      }
      #expect(count == 0)
      try desk.run("xdotool", "windowfocus", "--sync", window, "key", "x")
      var line = controls.nextLine()
      var seen: Set<String> = []
      while let word = line, word != "owner" {
        seen.insert(word)
        line = controls.nextLine()
      }
      #expect(seen == ["slid", "selected"])
      #expect(try opened.windows() == [])
      // The shelf still watches.
      let peer = try opened.startPeer(.gtk3)
      try begin(on: desk)
      try await opened.untilOpen()
      try desk.run("xdotool", "mouseup", "1")
      for program in [peer, controls] { program.kill() }
    }

    @Test("Drags of excluded programs, and drags that end before the delay, open no shelf")
    func exceptions() async throws {
      let opened = try await Opened(
        settings: "no-open-for-drags-of=other;GTK3-*;\nopen-for-drags-after=400\n")
      let desk = opened.desk
      var peer = try opened.startPeer(.gtk3)
      try begin(on: desk)
      // The drag lasts longer than the delay.
      try desk.run("sleep", "1")
      #expect(try opened.windows() == [])
      try desk.run("xdotool", "mouseup", "1")
      peer.kill()
      peer = try opened.startPeer(.gtk4)
      try desk.run(
        "xdotool", "mousemove", "750", "150", "mousedown", "1", "mousemove", "750", "170",
        "mousemove", "750", "190", "sleep", "0.1", "mouseup", "1")
      #expect(peer.nextLine() == "cancelled")
      #expect(try opened.windows() == [])
      try begin(on: desk)
      try await opened.untilOpen()
      try desk.run("xdotool", "mouseup", "1")
      peer.kill()
    }

    @Test("A shelf at the edge opens there")
    func edge() async throws {
      let opened = try await Opened(settings: "edge=left\n")
      let desk = opened.desk
      // A second start shows the strip.
      try desk.run("dragboard-shelf", "--edge", "left")
      let peer = try opened.startPeer(.gtk4)
      let frame = {
        try desk.run(
          "sh", "-c", "xdotool search --onlyvisible --name '^Shelf$' getwindowgeometry || true")
      }
      try await desk.until { try frame().contains(" 10x") }
      try begin(on: desk)
      try await desk.until { try frame().contains(" 360x") }
      #expect(try opened.windows() == [])
      try desk.run("xdotool", "mouseup", "1")
      try await desk.until { try frame().contains(" 10x") }
      peer.kill()
    }

    @Test("The button of an empty board turns the opening on, and the preferences turn it off")
    func consent() async throws {
      let desk = try await Desk()
      let manager = try desk.start("openbox", "--sm-disable")
      let reader = try ScreenReader(at: desk)
      try await desk.openShelf(with: reader.variables)
      let peer = try TestProgram(
        Peer.Toolkit.gtk3.command + ["copy", "text/plain|Hi"], desk.environment)
      try desk.place("Peer", at: (600, 50))
      let isOpen = {
        try !desk.run(
          "sh", "-c", "xdotool search --onlyvisible --name '^\(Self.title)$' || true"
        ).isEmpty
      }
      try begin(on: desk)
      try desk.run("sleep", "0.5")
      #expect(try !isOpen())
      try desk.run("xdotool", "mouseup", "1")
      try await reader.click("push button", "Open When a Drag Begins")
      // The window beside the pointer, which is still hidden, shows the board, too.
      try await desk.until { try await desk.connection.views().count == 2 }
      try begin(on: desk)
      try await desk.until(isOpen)
      try desk.run("xdotool", "mouseup", "1")
      try await desk.untilClosed(Self.title)
      try desk.press("ctrl+comma")
      try await reader.wait(for: "list item", "Keyboard Shortcuts")
      try desk.run("xdotool", "windowfocus", "--sync", try desk.window(named: "Preferences"))
      try reader.tab(to: "Open When a Drag Begins", role: "check box")
      try desk.run("xdotool", "key", "space")
      let settings = "\(try #require(desk.environment["XDG_CONFIG_HOME"]))/dragboard/shelf.ini"
      try await desk.until {
        try String(contentsOfFile: settings, encoding: .utf8).contains("open-for-drags=false")
      }
      // The destroyed window leaves no view behind.
      try await desk.until { try await desk.connection.views().count == 1 }
      try begin(on: desk)
      try desk.run("sleep", "0.5")
      #expect(try !isOpen())
      try desk.run("xdotool", "mouseup", "1")
      for program in [peer, manager] { program.kill() }
    }
  }
}

extension Desk {
  /// Waits for a window, moves it to a position, and gives it the keyboard focus.
  @discardableResult
  fileprivate func place(_ title: String, at corner: Point) throws -> String {
    let window = try window(named: title)
    try run(
      "xdotool", "windowmove", "--sync", window, "\(corner.x)", "\(corner.y)", "windowfocus",
      "--sync", window)
    return window
  }
}
