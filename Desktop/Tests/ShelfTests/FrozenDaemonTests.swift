import DragboardClient
import TestSupport
import Testing

extension ShelfTests {
  @Suite("A daemon that does not answer") struct FrozenDaemonTests {
    private let message = "Dragboard does not answer."

    /// Makes an ordinary call, and waits until it fails, which takes 25 seconds.
    private func waitForFailedCall(at desk: Desk) throws {
      #expect(throws: TestProgram.Failure.self) {
        try desk.run(
          "gdbus", "call", "--session", "--dest", "org.dragboard.Dragboard1", "--object-path",
          "/org/dragboard/Dragboard1", "--method", "org.freedesktop.DBus.Peer.Ping")
      }
    }

    @Test(
      "The shelf says that a drop waits, and performs it when the daemon answers again",
      arguments: [true, false])
    func drop(isFrozenBeforeDrag: Bool) async throws {
      let desk = try await Desk()
      let manager = try desk.start("openbox", "--sm-disable")
      defer { manager.kill() }
      let reader = try ScreenReader(at: desk)
      try await desk.openShelf(with: reader.variables)
      let peer = try Peer(.gtk4, with: .text, asksForMove: false, at: desk)
      let place = (x: 150, y: 300)
      if isFrozenBeforeDrag {
        desk.freezeDaemon()
        try desk.screen.carry(from: peer.prepareDrag(), to: place)
        for _ in 1...20 { try desk.screen.tremble(at: place) }
      } else {
        try desk.screen.carry(from: peer.prepareDrag(), to: place)
        try await desk.hover(at: place, until: .copy, row: 0)
        desk.freezeDaemon()
      }
      try desk.screen.perform([.release])
      let dropped = ContinuousClock.now
      try await reader.wait(for: "label", message)
      #expect(ContinuousClock.now - dropped < .seconds(8))
      try waitForFailedCall(at: desk)
      desk.thawDaemon()
      try await desk.until { try await desk.rows().count == 1 }
      try peer.untilDelivered(asMove: false)
      try await desk.untilQuiet()
    }

    @Test("The shelf says that an edit waits, and performs it when the daemon answers again")
    func edit() async throws {
      let desk = try await Desk()
      let manager = try desk.start("openbox", "--sm-disable")
      defer { manager.kill() }
      try desk.run("dragboard", "add", "one", "two")
      let rows = try await desk.rows()
      let reader = try ScreenReader(at: desk)
      try await desk.openShelf(with: reader.variables)
      try await desk.select(rows[0], by: "Home")
      desk.freezeDaemon()
      try desk.press("Delete")
      try await reader.wait(for: "label", message)
      try waitForFailedCall(at: desk)
      desk.thawDaemon()
      try await desk.untilTexts(["two"])
    }
  }
}
