import DragboardClient
import Foundation
import TestSupport
import Testing

/// Other clipboard managers on the same display.
///
/// The bridge and another manager must not claim the clipboard from each other forever.
@Suite(.serialized) struct NeighbourTests {
  /// The time after the last expected change for which changes are counted.
  private static let quietTime = Duration.seconds(10)
  /// The expected changes: the copy, its restoration, and one more claim by each of two managers.
  private static let maxChanges = 6

  enum Neighbour: String, CaseIterable {
    case copyq, gpaste, bridge

    func start(_ desk: ClipboardDesk) async throws -> TestProgram {
      switch self {
      case .copyq:
        let manager = try desk.start("exec copyq")
        try desk.shell("until copyq count >/dev/null 2>&1; do sleep 0.1; done")
        return manager
      case .gpaste:
        let manager = try desk.start("exec /usr/libexec/gpaste/gpaste-daemon")
        try desk.shell("gdbus wait --session --timeout 20 org.gnome.GPaste")
        return manager
      case .bridge:
        // Only one bridge can be on a bus, so the second bridge uses another bus.
        let run = "dragboardd & dragboard-clipboard & gdbus wait --session"
        let bridge = try desk.start(
          "XDG_DATA_HOME=$HOME/other dbus-run-session -- bash -c"
            + " '\(run) org.dragboard.Clipboard1; echo ready; wait'")
        #expect(bridge.nextLine() == "ready")
        return bridge
      }
    }
  }

  private static func types(_ text: String, on desk: ClipboardDesk) throws -> [OfferedType] {
    [
      try desk.type("text/html", "<b>\(text)</b>"),
      try desk.type("text/plain;charset=utf-8", text),
      try desk.type("image/png", ClipboardDesk.noise(200_000)),
    ]
  }

  @Test("No loop of claims begins", arguments: Neighbour.allCases)
  func noLoopOfClaimsBegins(_ neighbour: Neighbour) async throws {
    let desk = try await ClipboardDesk(.x11)
    let manager = try await neighbour.start(desk)
    // The manager reads the copy at the same time.
    let other = try desk.own(Self.types("other", on: desk))
    try await desk.untilRows(1)
    let types = try Self.types("x", on: desk)
    let changes = try desk.countChanges()
    let owner = try desk.own(types)
    let row = try await desk.untilRows(2)[0]
    owner.kill()
    // Either the bridge or the other manager offers the copy.
    try await desk.until { (try? desk.offeredNames())?.isEmpty == false }
    try await desk.copy(row)
    // The owner may change between the request and the answer.
    try await desk.until {
      try (try? desk.pastedHash("image/png")) == desk.hash(types[2].source)
    }
    try await Task.sleep(for: Self.quietTime)
    let count = changes.count()
    #expect((2...Self.maxChanges).contains(count))
    let rows = try await desk.rows()
    #expect(rows.count == 2, "\(rows.map(\.types))")
    other.kill()
    manager.kill()
  }
}
