import DragboardClient
import Foundation
import TestSupport
import Testing

extension ShelfTests {
  /// The promises of the shelf on the desktop on which the tests were started.
  ///
  /// `Desktop/test --desktops` runs them on each desktop, and makes a page of the results.
  @Suite(
    "A desktop", .enabled(if: ProcessInfo.processInfo.environment["DRAGBOARD_TEST_DESKTOP"] != nil))
  struct DesktopTests {
    @Test("The shelf starts and shows a row")
    func start() async throws {
      try await check("start") { desk in
        try await open(desk)
        try await Rounds("start", at: desk).run { picture in
          try await step("the shelf does not show a row") {
            try await desk.fill([Sample.row("one")])
          }
          try picture("start")
        }
      }
    }

    @Test(
      "A peer's drag is dropped on the shelf, and a row on the peer",
      arguments: Peer.Toolkit.installed)
    func drags(_ toolkit: Peer.Toolkit) async throws {
      let (inside, outside) = ("in, \(toolkit.rawValue)", "out, \(toolkit.rawValue)")
      try await check(inside, outside) { desk in
        try await open(desk)
        let parts = try Sample.html.parts(in: desk.folder)
        let peer = try await step("the window of the program does not go to its place") {
          try Peer(toolkit, with: .html, asksForMove: false, at: desk)
        }
        try await Rounds(inside, at: desk).run { picture in
          try await desk.dropIn(from: peer, asMove: false, expecting: parts, picture)
        }
        try await Rounds(outside, at: desk).run { picture in
          try await desk.dropOut(parts, on: peer, isMove: false, picture)
        }
      }
    }

    @Test("A drag of a web page is dropped on the shelf, and a row on the page")
    func page() async throws {
      try await check("in, Firefox", "out, Firefox") { desk in
        try await open(desk)
        let parts = try Sample.html.parts(in: desk.folder)
        let browser = try await step("the window of the browser does not go to its place") {
          try Browser(with: .html, at: desk)
        }
        try await Rounds("in, Firefox", at: desk).run { picture in
          try await desk.dropIn(from: browser, asMove: false, expecting: browser.parts, picture)
        }
        try await Rounds("out, Firefox", at: desk).run { picture in
          try await desk.dropOut(parts, on: browser, isMove: false, picture)
        }
      }
    }

    /// The strip is 10 pixels wide, and the open shelf 360.
    @Test(
      "A shelf at the edge is closed at the start, opens for a drag, and takes the drop",
      .enabled(if: !WaylandScreen.hasNoLayers))
    func edge() async throws { try await checkEdge("edge", at: (4, 350)) }

    @Test(
      "A strip of two pixels opens under a drag, and takes the drop",
      .enabled(if: WaylandScreen.isUsed && !WaylandScreen.hasNoLayers))
    func strip() async throws {
      try await checkEdge("strip", at: (1, 200), settings: "open-for-drags=true\n")
    }

    @Test(
      "The shelf opens beside the pointer when a drag begins, takes the drop, and closes",
      .enabled(if: !WaylandScreen.isUsed))
    func begin() async throws {
      try await check("begin") { desk in
        let title = "Shelf at the Pointer"
        try desk.storeSettings("open-for-drags=true\n")
        try await step("the shelf does not start") {
          try desk.startShelf("--gapplication-service")
          try await desk.untilBoardIsShown()
        }
        let peer = try await step("the window of the program does not go to its place") {
          try Peer(.gtk4, with: .text, asksForMove: false, at: desk)
        }
        let (start, inside) = (peer.prepareDrag(), (x: 500, y: 250))
        try await Rounds("begin", at: desk).run { picture in
          let before = try await desk.rows()
          try await step("the shelf does not open when a drag begins") {
            try desk.screen.carry(from: start, to: (start.x, start.y + 40))
            _ = try XScreen.search("^\(title)$")
          }
          try await step("the shelf does not take the drag") {
            try await desk.until {
              try desk.screen.tremble(at: inside)
              return try await desk.connection.sessions().last?.info.operation == .copy
            }
          }
          try picture("open")
          try desk.screen.perform([.release])
          try await step("the program does not report the end of its drag") {
            try peer.untilDelivered(asMove: false)
          }
          try await step("the board does not have the dropped row") {
            try await desk.until { try await desk.rows().count == before.count + 1 }
            try await desk.untilQuiet()
          }
          try desk.screen.perform([.move((900, 600))])
          try await step("the shelf does not close") { try await desk.untilClosed(title) }
        }
      }
    }

    /// `Desktop/test --desktops` compares the findings with the results of the other tests.
    @Test("doctor examines the desktop")
    func doctor() async throws {
      let desk = try await Desk()
      var words = ["dragboard", "doctor", "--desktop", "--json"]
      // The interfaces of GNOME Shell are on its own bus.
      if WaylandScreen.kind == "gnomeShell",
        let bus = ProcessInfo.processInfo.environment["DISPLAY_BUS"]
      {
        words = ["env", "DBUS_SESSION_BUS_ADDRESS=\(bus)"] + words
      }
      try Rounds.store(try TestProgram.run(words, desk.environment), as: "doctor.json")
    }

    /// Checks a shelf at the left edge, whose strip is at a point.
    private func checkEdge(_ name: String, at strip: Point, settings: String = "") async throws {
      try await check(name) { desk in
        try desk.storeSettings(settings)
        try desk.screen.perform([.move((900, 600))])
        try await step("the shelf does not start") {
          try desk.startShelf("--edge", "left")
          try await desk.untilBoardIsShown()
        }
        let peer = try await step("the window of the program does not go to its place") {
          try Peer(.gtk4, with: .text, asksForMove: false, at: desk)
        }
        try await Rounds(name, at: desk).run { picture in
          let before = try await desk.rows()
          // Nothing takes a drag beside the strip. The strip has no name by which a test could
          // find it, so drags tell whether the shelf has closed after the previous drop.
          try await step("the closed shelf takes a drag 200 pixels away") {
            try await desk.until { try await !isTaken(from: peer, at: desk) }
          }
          try await step("the strip does not take the drag") {
            try desk.screen.carry(from: peer.prepareDrag(), to: strip)
            try await desk.until {
              try desk.screen.tremble(at: strip)
              return try await desk.connection.sessions().last?.info.operation == .copy
            }
          }
          try await step("the shelf does not open for the drag") {
            try desk.screen.perform([
              .move((100, 400)), .rest(.milliseconds(40)), .move((150, 500)),
            ])
            try await desk.until {
              try desk.screen.tremble(at: (150, 500))
              return try await desk.connection.sessions().last?.info.operation == .copy
            }
          }
          try picture("open")
          try desk.screen.perform([.release])
          try await step("the program does not report the end of its drag") {
            try peer.untilDelivered(asMove: false)
          }
          try await step("the board does not have the dropped row") {
            try await desk.until { try await desk.rows().count == before.count + 1 }
            try await desk.untilQuiet()
          }
        }
      }
    }

    /// Drags from a peer to a point that the open shelf covers, and cancels the drag there.
    ///
    /// - Returns: whether the shelf noticed the drag.
    private func isTaken(from peer: Peer, at desk: Desk) async throws -> Bool {
      try desk.screen.perform([.move((500, 600)), .rest(.milliseconds(40)), .move((900, 600))])
      // The shelf closes half a second after the pointer has left it.
      try desk.screen.perform([.rest(.seconds(1))])
      try desk.screen.carry(from: peer.prepareDrag(), to: (200, 350))
      for _ in 1...5 { try desk.screen.tremble(at: (200, 350)) }
      let isTaken = try await !desk.connection.sessions().isEmpty
      try desk.cancelDrag(at: (450, 600))
      try peer.untilCancelled()
      try await desk.untilQuiet()
      return isTaken
    }

    @Test(
      "Without layers, the shelf reports that it cannot be at the edge, and opens as a window",
      .enabled(if: WaylandScreen.hasNoLayers))
    func noEdge() async throws {
      try await check("no edge") { desk in
        try desk.startShelf("--edge", "left")
        try await Rounds("no edge", at: desk).run { _ in
          try await step("the shelf does not open as a window") {
            try await desk.untilBoardIsShown()
          }
          try await step("the shelf does not say that it cannot be at the edge") {
            try await desk.until { desk.shelfLog.contains("cannot be at the screen edge here") }
          }
        }
      }
    }

    /// Starts the shelf as a window.
    private func open(_ desk: Desk) async throws {
      try await step("the window of the shelf does not go to its place") {
        try await desk.openShelf()
      }
    }

    /// Runs a test on a new desk, and records the critical messages of the shelf.
    private func check(_ names: String..., test: (Desk) async throws -> Void) async throws {
      let desk = try await Desk()
      var failure: (any Error)?
      do { try await test(desk) } catch { failure = error }
      for name in names { try Rounds.record(failure, of: name) }
      let criticals = desk.shelfLog.split(separator: "\n").filter { $0.contains("CRITICAL") }
      try Rounds.record(
        criticals.first.map { TestProgram.Failure(description: String($0)) },
        of: "no criticals, \(names[0])", isAlways: true)
      #expect(criticals.isEmpty)
      if let failure { throw failure }
    }
  }
}
