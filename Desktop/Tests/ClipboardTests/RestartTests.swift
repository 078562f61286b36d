import DragboardClient
import Files
import Foundation
import TestSupport
import Testing

/// The daemon, the bridge and the display end and restart in every order.
@Suite(.serialized) struct RestartTests {
  private typealias Part = ClipboardDesk.Part

  private static let orders: [[Part]] = [
    [.daemon, .bridge, .display], [.daemon, .display, .bridge], [.bridge, .daemon, .display],
    [.bridge, .display, .daemon], [.display, .daemon, .bridge], [.display, .bridge, .daemon],
  ]

  /// Returns pairs of orders: all pairs on X11, each order once on other displays.
  private static func pairs(_ display: Display) -> [(ends: [Part], starts: [Part])] {
    // The bridge survives the end of the daemon, and exits when the display ends.
    [([.daemon], [.daemon]), ([.display], [.display, .bridge])]
      + (display == .x11
        ? orders.flatMap { ends in orders.map { (ends, $0) } }
        : orders.indices.map { (orders[$0], orders[orders.count - 1 - $0]) })
  }

  /// The test excludes `ext`, because this compositor has another name after each start.
  @Test(
    "Copies are stored after restarts in any order", arguments: Display.all.filter { $0 != .ext })
  func copiesAreStoredAfterRestartsInAnyOrder(_ display: Display) async throws {
    let desk = try await ClipboardDesk(display)
    for (count, (ends, starts)) in Self.pairs(display).enumerated() {
      // The owner never answers, so the bridge is still reading when programs are killed.
      let hanging = try desk.own(OfferedType(name: "image/png", source: "@hang"))
      for part in ends { desk.kill(part) }
      // End the owner only now, because Mutter reuses the object paths of its sessions.
      hanging.kill()
      if ends == [.display] { #expect(desk.bridge.nextLine() == "1") }
      for part in starts { try await desk.start(part) }
      try await desk.untilBridgeIsReady()
      let type = try desk.type("text/html", "copy \(count)")
      let owner = try desk.own(type)
      try await desk.untilRows(count + 1)
      owner.kill()
      try await desk.until { (try? desk.offeredNames()) == ["text/html"] }
      #expect(try desk.pastedHash("text/html") == desk.hash(type.source), "\(ends), \(starts)")
    }
  }

  @Test("After an update, the bridge starts the installed version when the daemon leaves")
  func update() async throws {
    let desk = try await ClipboardDesk(.x11)
    let program = desk.home.appending(path: "dragboard-clipboard").path
    func install() throws {
      let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
      let built = URL(fileURLWithPath: own).deletingLastPathComponent()
      try whileNothingStarts {
        try FileManager.default.copyItem(
          atPath: built.appending(path: "dragboard-clipboard").path, toPath: "\(program).new")
      }
      #expect(rename("\(program).new", program) == 0)
    }
    desk.kill(.bridge)
    try install()
    let bridge = try TestProgram([program], desk.environment)
    try await desk.untilBridgeIsReady()
    try install()
    #expect(RunningProgram(process: bridge.id)?.isReplaced == true)

    // A bridge that owns the clipboard stays, because the content would be lost.
    let type = try desk.type("text/html", "kept")
    let owner = try desk.own(type)
    try await desk.untilRows(1)
    owner.kill()
    try await desk.until { (try? desk.offeredNames()) == ["text/html"] }
    desk.kill(.daemon)
    try await desk.start(.daemon)
    #expect(try desk.pastedHash("text/html") == desk.hash(type.source))
    #expect(RunningProgram(process: bridge.id)?.isReplaced == true)

    let other = try desk.own(try desk.type("text/html", "other"))
    try await desk.untilRows(2)
    desk.kill(.daemon)
    try await desk.until { RunningProgram(process: bridge.id)?.isReplaced == false }
    try await desk.start(.daemon)
    try await desk.untilBridgeIsReady()
    other.kill()
    let later = try desk.own(try desk.type("text/html", "later"))
    try await desk.untilRows(3)
    later.kill()
    bridge.kill()
  }
}
