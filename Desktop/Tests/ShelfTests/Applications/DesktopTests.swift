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
        try await desk.openShelf()
        try await Rounds("start", at: desk).run { picture in
          _ = try await desk.fill([Sample.row("one")])
          try picture("start")
        }
      }
    }

    @Test("A peer's drag is dropped on the shelf", arguments: Peer.Toolkit.installed)
    func dragIn(_ toolkit: Peer.Toolkit) async throws {
      try await check("in, \(toolkit.rawValue)") { desk in
        try await desk.openShelf()
        let parts = try Sample.html.parts(in: desk.folder)
        let peer = try Peer(toolkit, with: .html, asksForMove: false, at: desk)
        try await Rounds("in, \(toolkit.rawValue)", at: desk).run { picture in
          try await desk.dropIn(from: peer, asMove: false, expecting: parts, picture)
        }
      }
    }

    @Test("A row is dropped on a peer", arguments: Peer.Toolkit.installed)
    func dragOut(_ toolkit: Peer.Toolkit) async throws {
      try await check("out, \(toolkit.rawValue)") { desk in
        try await desk.openShelf()
        let parts = try Sample.html.parts(in: desk.folder)
        let peer = try Peer(toolkit, with: .html, asksForMove: false, at: desk)
        try await Rounds("out, \(toolkit.rawValue)", at: desk).run { picture in
          try await desk.dropOut(parts, on: peer, isMove: false, picture)
        }
      }
    }

    @Test("A drag of a web page is dropped on the shelf")
    func pageIn() async throws {
      try await check("in, Firefox") { desk in
        try await desk.openShelf()
        let browser = try Browser(with: .html, at: desk)
        try await Rounds("in, Firefox", at: desk).run { picture in
          try await desk.dropIn(from: browser, asMove: false, expecting: browser.parts, picture)
        }
      }
    }

    @Test("A row is dropped on a web page")
    func pageOut() async throws {
      try await check("out, Firefox") { desk in
        try await desk.openShelf()
        let browser = try Browser(with: .html, at: desk)
        let parts = try Sample.html.parts(in: desk.folder)
        try await Rounds("out, Firefox", at: desk).run { picture in
          try await desk.dropOut(parts, on: browser, isMove: false, picture)
        }
      }
    }

    /// The strip is 10 pixels wide, and the open shelf 360.
    @Test(
      "A shelf at the edge is closed at the start, opens for a drag, and takes the drop",
      .enabled(if: !WaylandScreen.hasNoLayers))
    func edge() async throws {
      try await check("edge") { desk in
        try desk.screen.perform([.move((900, 600))])
        try desk.startShelf("--edge", "left")
        try await desk.untilBoardIsShown()
        let peer = try Peer(.gtk4, with: .text, asksForMove: false, at: desk)
        try await Rounds("edge", at: desk).run { picture in
          let before = try await desk.rows()
          // Nothing takes a drag beside the strip.
          try desk.screen.carry(from: peer.prepareDrag(), to: (200, 350))
          for _ in 1...5 { try desk.screen.tremble(at: (200, 350)) }
          let isCovered = try await !desk.connection.sessions().isEmpty
          try desk.cancelDrag(at: (450, 600))
          guard !isCovered else {
            throw TestProgram.Failure(description: "the closed shelf takes a drag 200 pixels away")
          }
          try peer.untilCancelled()
          try desk.screen.carry(from: peer.prepareDrag(), to: (4, 350))
          try await desk.until {
            try desk.screen.tremble(at: (4, 350))
            return try await desk.connection.sessions().last?.info.operation == .copy
          }
          try desk.screen.perform([.move((100, 400)), .rest(.milliseconds(40)), .move((150, 500))])
          try await desk.until {
            try desk.screen.tremble(at: (150, 500))
            return try await desk.connection.sessions().last?.info.operation == .copy
          }
          try picture("open")
          try desk.screen.perform([.release])
          try peer.untilDelivered(asMove: false)
          try await desk.until { try await desk.rows().count == before.count + 1 }
          try await desk.untilQuiet()
          try desk.screen.perform([.move((500, 600)), .rest(.milliseconds(40)), .move((900, 600))])
          // The strip has no name by which a test could find it. It closes half a second after the
          // pointer has left it.
          try desk.screen.perform([.rest(.seconds(2))])
        }
      }
    }

    @Test(
      "Without layers, the shelf reports that it cannot be at the edge, and opens as a window",
      .enabled(if: WaylandScreen.hasNoLayers))
    func noEdge() async throws {
      try await check("no edge") { desk in
        try desk.startShelf("--edge", "left")
        try await Rounds("no edge", at: desk).run { _ in
          try await desk.untilBoardIsShown()
          try await desk.until { desk.shelfLog.contains("cannot be at the screen edge here") }
        }
      }
    }

    /// Runs a test on a new desk, and records the critical messages of the shelf.
    private func check(_ name: String, _ test: (Desk) async throws -> Void) async throws {
      let desk = try await Desk()
      var failure: (any Error)?
      do { try await test(desk) } catch { failure = error }
      try Rounds.record(failure, of: name)
      let criticals = desk.shelfLog.split(separator: "\n").filter { $0.contains("CRITICAL") }
      try Rounds.record(
        criticals.first.map { TestProgram.Failure(description: String($0)) },
        of: "no criticals, \(name)", isAlways: true)
      #expect(criticals.isEmpty)
      if let failure { throw failure }
    }
  }
}
