import DBus
import DragboardInterface
import Foundation
import TestSupport
import Testing

/// One sandboxed application opened all views and sessions, made `GetManagedObjects` too large for
/// everybody, and filled the disk.
@Suite(
  "Regression: a sandboxed client used up limits that all clients share",
  .enabled(if: Relay.Wall.mountNamespace.isPossible, "needs a mount namespace"))
struct SandboxUsedSharedLimits {
  private static let id = "org.team.group.Boxed"

  @Test("The connections of a sandbox together can open a quarter of all views")
  func views() throws {
    let daemon = try Daemon("--max-views", "8")
    let relay = try Relay(on: daemon.bus, as: Self.id)
    let boxed = try (0..<3).map { _ in try relay.client() }
    _ = try boxed[0].openView(as: Self.id)
    _ = try boxed[1].openView(as: boxed[1].name)
    expect(.limitsExceeded, naming: "sandbox", "max-views", "2") {
      _ = try boxed[2].openView(as: boxed[2].name)
    }
    let free = try daemon.client()
    for _ in 0..<6 { _ = try free.openView() }
    expect(.limitsExceeded, naming: "max-views", "8") { _ = try free.openView() }
  }

  @Test("The views of a sandbox close when the last of its connections leaves")
  func lastConnection() throws {
    let daemon = try Daemon()
    let relay = try Relay(on: daemon.bus, as: Self.id)
    let (first, second, third) = (try relay.client(), try relay.client(), try relay.client())
    let free = try daemon.client()
    for client in [second, third] { _ = try client.get(BoardInterface.count) }
    let view = try first.openView(as: Self.id)
    let other = try free.openView(as: Self.id)
    for client in [first, third] {
      client.leave()
      free.waitForBus()
      #expect(try free.objects().isSuperset(of: [view, other]))
    }
    #expect(try second.look(at: view) == ViewLook())
    second.leave()
    #expect(try free.nextGone() == view)
    #expect(try free.objects().contains(other))
    withExtendedLifetime(relay) {}
  }

  @Test("The connections of a sandbox together can have a quarter of all sessions")
  func sessions() throws {
    let daemon = try Daemon("--max-sessions", "8")
    let relay = try Relay(on: daemon.bus, as: Self.id)
    let boxed = try (0..<3).map { _ in try relay.client() }
    _ = try boxed[0].beginDrag(as: Self.id)
    let second = try boxed[1].beginDrag(as: "")
    expect(.limitsExceeded, naming: "sandbox", "max-sessions", "2") {
      _ = try boxed[2].beginDrag(as: "")
    }
    let free = try daemon.client()
    _ = try (0..<6).map { _ in try free.beginDrag() }
    try boxed[1].cancel(second)
    _ = try boxed[2].beginDrag(as: "")
  }

  @Test("The sessions of a sandbox together can have a quarter of all bytes")
  func bytes() throws {
    let daemon = try Daemon("--max-bytes", "4000")
    let relay = try Relay(on: daemon.bus, as: Self.id)
    let boxed = try (0..<2).map { _ in try relay.client() }
    let text = String(repeating: "x", count: 600)
    _ = try boxed[0].drag([text], as: "")
    expect(.limitsExceeded, naming: "sandbox", "max-bytes", "1000") {
      _ = try boxed[1].drag([text], as: "")
    }
    let free = try daemon.client()
    for _ in 0..<5 { _ = try free.drag([text]) }
  }

  @Test("GetManagedObjects works with any number of selected and dragged rows")
  func selections() throws {
    let daemon = try Daemon()
    let client = try daemon.client()
    let rows = try client.insert((0...10_000).map { "\($0)" })
    let some = Array(rows.dropLast())
    let former = try client.openView()
    try client.call(ViewInterface.selectRow, at: former, 0, 0)
    for isEditing in [true, false] { try client.setEditing(isEditing, in: former) }
    var selections = 0
    do {
      while selections < 200 {
        let view = try client.openView()
        try client.set(ViewInterface.allowsMultipleSelection, to: true, at: view)
        try client.select(some, in: view)
        selections += 1
      }
    } catch { #expect(error.name == .limitsExceeded) }
    #expect(selections == 30)
    expect(.limitsExceeded, naming: "300000") { _ = try client.drag(rows: some) }
    for member in [ViewInterface.reselect, ViewInterface.commit] {
      _ = try client.setReselect(in: former)
      expect(.limitsExceeded, naming: "300000") { _ = try client.call(member, at: former) }
      #expect(try client.get(ViewInterface.pending, at: former) == rows[0])
    }
    expect(.limitsExceeded, naming: "300000") {
      try client.call(ViewInterface.selectRow, at: former, 0, 0)
    }
    expect(.limitsExceeded, naming: "300000") {
      _ = try client.call(DragSourceInterface.beginRowDrag, "", 0, 0)
    }
    #expect(try client.get(ViewInterface.selection, at: former) == [])
    let view = try client.openView()
    try client.set(ViewInterface.allowsMultipleSelection, to: true, at: view)
    expect(.limitsExceeded, naming: "items", "10000") { try client.select(rows, in: view) }
    #expect(try client.objects().count >= 30)
  }

  @Test("The rows of a sandbox have a maximum number of bytes, which deletion frees")
  func disk() throws {
    let daemon = try Daemon("--max-sandbox-bytes", "3000000", "--undo-steps", "1")
    let relay = try Relay(on: daemon.bus, as: Self.id)
    let (boxed, free) = (try relay.client(), try daemon.client())
    let data = [UInt8](repeating: 7, count: 1_000_000)
    func insert(_ client: BusClient) throws -> String {
      try client.call(BoardInterface.insertData, 0, -1, "application/x-data", data)
    }
    let rows = try [insert(boxed), insert(boxed)]
    expect(.limitsExceeded, naming: "sandbox", "max-sandbox-bytes") { _ = try insert(boxed) }
    let session = try boxed.drag([String(repeating: "x", count: 1_000_000)], as: Self.id)
    try boxed.set(DragSessionInterface.restrictedToApplication, to: false, at: session)
    expect(.limitsExceeded, naming: "sandbox") { _ = try free.drop(session) }
    expect(.limitsExceeded, naming: "sandbox") {
      _ = try boxed.call(
        BoardInterface.setText, rows[0], String(repeating: "x", count: 1_000_000))
    }
    _ = try (0..<3).map { _ in try insert(free) }
    // The daemon counts the bytes correctly again after the purge of the rows.
    _ = try boxed.call(BoardInterface.deleteItems, rows)
    for _ in 0..<4 { _ = try free.insert(["x"]) }
    let deadline = ContinuousClock.now + .seconds(60)
    var isStored = false
    while !isStored, .now < deadline {
      isStored = (try? insert(boxed)) != nil
      usleep(20_000)
    }
    #expect(isStored)
    // A restarted daemon counts them correctly, too.
    #expect(daemon.terminate() == .exited(0))
    try daemon.start()
    let again = try relay.client()
    _ = try insert(again)
    try #require(try daemon.client().get(BoardInterface.count) > 0)
    while (try? insert(again)) != nil, .now < deadline {}
    expect(.limitsExceeded, naming: "max-sandbox-bytes") { _ = try insert(again) }
  }
}
