import DBus
import DragboardInterface
import DragboardService
import DragboardStore
import Foundation
import Synchronization
import TestSupport
import Testing

@Suite("Boards that retain fewer rows")
struct RetentionTests {
  /// A service with a clock that the test sets.
  private final class Scene {
    /// The time, in seconds since 1970.
    private final class Clock: Sendable {
      let seconds = Mutex<UInt64>(1_000_000)
    }

    private let clock = Clock()
    let service: ServiceThread
    let client: BusClient

    init(limits: Limits = Limits()) throws {
      service = try ServiceThread(limits: limits) { [clock] in
        clock.seconds.withLock { $0 * 1_000_000 }
      }
      client = try service.client()
    }

    deinit { service.stop() }

    func wait(seconds: UInt64) { clock.seconds.withLock { $0 &+= seconds } }

    /// Waits until the board has these texts.
    func expect(texts: [String]) throws {
      let hasThem = client.run { (try? client.texts()) == texts }
      let present = try client.texts()
      #expect(hasThem, "\(present)")
    }
  }

  @Test("An insertion and the deletion of the oldest rows are one edit, and stay after a crash")
  func oneEdit() throws {
    let daemon = try Daemon()
    let client = try daemon.client()
    try client.retain(rows: 3)
    let ids = try client.insert(["a", "b", "c"])
    _ = client.takeSignals()
    // New rows are inserted at the beginning, so the oldest row is at the end.
    _ = try client.call(BoardInterface.insertText, 0, 0, "d")
    let revisions = try client.takeRevisions()
    #expect(revisions.count == 1)
    #expect(try client.texts() == ["d", "b", "c"])
    _ = try client.call(BoardInterface.moveRow, 0, 1, 0, 2)
    let session = try client.drag(["e", "f"])
    try client.drop(session, section: 0, row: 0)
    #expect(try client.texts() == ["e", "f", "d"])
    expect(.noSuchItem) { _ = try client.call(BoardInterface.getText, ids[2]) }
    daemon.kill()
    try daemon.start()
    let later = try daemon.client()
    #expect(try later.texts() == ["e", "f", "d"])
    _ = try later.call(BoardInterface.insertText, 0, 0, "g")
    #expect(try later.texts() == ["g", "e", "f"])
    #expect(try later.call(BoardInterface.search, "d", 0) == [])
  }

  @Test("Pinned and locked rows stay and count; the rows of the insertion stay")
  func spared() throws {
    let scene = try Scene()
    let client = scene.client
    let ids = try client.insert(["a", "b", "c", "d"])
    _ = try client.call(BoardInterface.setPinned, ids[0], true)
    _ = try client.call(BoardInterface.setEditable, ids[2], false)
    try client.retain(rows: 2)
    #expect(try client.texts() == ["a", "c"])
    try client.insert(["e"])
    #expect(try client.texts() == ["a", "c", "e"])
    try client.insert(["f", "g", "h"])
    #expect(try client.texts() == ["a", "c", "f", "g", "h"])
    _ = try client.call(BoardInterface.setPinned, ids[0], false)
    try client.insert(["i"])
    #expect(try client.texts() == ["c", "i"])
    try client.retain(rows: 0)
    try client.insert(["j"])
    #expect(try client.texts() == ["c", "i", "j"])
  }

  @Test("A new value applies at once by one edit, which undo skips")
  func newValue() throws {
    let scene = try Scene()
    let client = scene.client
    try client.insert(["a", "b", "c", "d"])
    _ = client.takeSignals()
    try client.retain(rows: 2)
    let revisions = try client.takeRevisions()
    #expect(revisions.count == 1)
    #expect(try client.texts() == ["c", "d"])
    try client.undo()
    #expect(try client.texts() == [])
    try client.redo()
    #expect(try client.texts() == ["c", "d"])
  }

  @Test(
    "Undo deletes only the inserted row; edits of deleted rows are skipped; redo reverts the undo")
  func undo() throws {
    let scene = try Scene()
    let client = scene.client
    let ids = try client.insert(["a", "b"])
    _ = try client.call(BoardInterface.moveRow, 0, 0, 0, 1)
    _ = try client.call(BoardInterface.setText, ids[0], "A")
    _ = try client.call(BoardInterface.setText, ids[1], "B")
    try client.retain(rows: 2)
    try client.insert(["c"])
    #expect(try client.texts() == ["B", "c"])
    try client.undo()
    #expect(try client.texts() == ["B"])
    try client.undo()
    #expect(try client.texts() == ["b"])
    // Undo skips the edits of the texts and the move of "a".
    try client.undo()
    #expect(try client.texts() == [])
    expect(.nothingToUndo) { try client.undo() }
    try client.redo()
    #expect(try client.texts() == ["b"])
    try client.redo(2)
    #expect(try client.texts() == ["B", "c"])
  }

  @Test("Undo with deleted rows works after a restart, and skips steps that do not fit")
  func undoAfterRestart() throws {
    let daemon = try Daemon()
    let client = try daemon.client()
    try client.retain(rows: 3)
    for text in ["a", "b", "c", "d", "e"] { try client.insert([text], at: 0) }
    _ = try client.call(BoardInterface.moveRow, 0, 0, 0, 2)
    try client.retain(rows: 2)
    #expect(try client.texts() == ["d", "e"])
    daemon.kill()
    try daemon.start()
    let later = try daemon.client()
    try later.undo()
    #expect(try later.texts() == ["e", "d"])
    try later.undo()
    #expect(try later.texts() == ["d"])
    daemon.kill()
    try daemon.start()
    let last = try daemon.client()
    try last.undo()
    #expect(try last.texts() == [])
    expect(.nothingToUndo) { try last.undo() }
    try last.redo(3)
    #expect(try last.texts() == ["d", "e"])
  }

  @Test("Rows are deleted when they reach the age, also without an insertion")
  func age() throws {
    let scene = try Scene()
    let client = scene.client
    let ids = try client.insert(["a", "b"])
    _ = try client.call(BoardInterface.setPinned, ids[1], true)
    scene.wait(seconds: 50)
    try client.insert(["c"])
    try client.retain(seconds: 100)
    scene.wait(seconds: 49)
    try client.insert(["d"])
    #expect(try client.texts() == ["a", "b", "c", "d"])
    scene.wait(seconds: 1)
    try client.insert(["e"])
    #expect(try client.texts() == ["b", "c", "d", "e"])
    try client.retain(seconds: 50)
    #expect(try client.texts() == ["b", "d", "e"])
    // The clock jumps to within a second of the age, so that the timer fires soon.
    scene.wait(seconds: 48)
    try client.retain(seconds: 49)
    #expect(try client.texts() == ["b", "e"])
    scene.wait(seconds: 1)
    try scene.expect(texts: ["b"])
    try client.undo()
  }

  @Test("A clock that is set back deletes nothing")
  func clock() throws {
    let scene = try Scene()
    try scene.client.insert(["a"])
    try scene.client.retain(seconds: 100)
    scene.wait(seconds: 0 &- 999_000)
    try scene.client.insert(["b"])
    #expect(try scene.client.texts() == ["a", "b"])
  }

  @Test("Expired rows are deleted at the start of the daemon")
  func start() throws {
    let daemon = try Daemon()
    let client = try daemon.client()
    try client.insert(["a"])
    let before = try client.get(BoardInterface.revision)
    try client.retain(seconds: 1)
    daemon.kill()
    try daemon.start()
    let later = try daemon.client()
    #expect(later.run { (try? later.texts()) == [] })
    #expect(try later.get(BoardInterface.revision) == before + 1)
    expect(.nothingToUndo) { try later.undo() }
  }

  @Test(
    "A failed batch deletes nothing, and the next insertion deletes the rows",
    arguments: [FaultyRepository.Step.put, .save, .commit])
  func failure(step: FaultyRepository.Step) throws {
    let fixture = try StorageFaultTests.Fixture()
    try fixture.client.retain(rows: 3)
    let before = try fixture.client.state()
    _ = fixture.signals()
    let errors = fixture.batch(
      failing: step,
      [
        call(BoardInterface.insertText, 0, 0, "x"), call(BoardInterface.insertText, 0, 0, "y"),
        setting(BoardInterface.retainRows, to: Variant(.uint32(1))),
      ])
    #expect(errors == ["IOError", "IOError", "IOError"])
    #expect(fixture.signals() == [])
    #expect(try fixture.client.state() == before)
    _ = try fixture.client.call(BoardInterface.insertText, 0, 0, "z")
    #expect(try fixture.client.texts() == ["z", "b", "c"])
    try fixture.client.undo()
    #expect(try fixture.client.texts() == ["b", "c"])
  }

  @Test("Deleted rows leave the database and its files")
  func purge() throws {
    let daemon = try Daemon()
    let client = try daemon.client()
    try client.retain(rows: 2)
    for number in 0..<6 {
      _ = try client.call(
        BoardInterface.insertData, 0, -1, "application/x-data",
        [UInt8](repeating: UInt8(number), count: 100_000))
    }
    let left = Set((4..<6).map { Data(repeating: $0, count: 100_000) })
    #expect(daemon.largeContents(waitingFor: left) == left)
  }

  @Test("MaxRows is checked before retention")
  func maxRows() throws {
    let scene = try Scene()
    let client = scene.client
    try client.insert(["a", "b"])
    try client.retain(rows: 2)
    try client.set(BoardInterface.maxRows, to: Variant(.uint32(2)))
    expect(.limitsExceeded) { try client.insert(["c"]) }
    #expect(try client.texts() == ["a", "b"])
  }
}

@Suite(
  "Boards that retain fewer rows, for sandboxed clients",
  .enabled(
    if: Relay.Wall.mountNamespace.isPossible,
    "needs a mount namespace: root, or user namespaces that the system lets a user make"))
struct SandboxedRetentionTests {
  @Test("A sandboxed client's insertion deletes only the client's own rows, also after a restart")
  func own() throws {
    let daemon = try Daemon()
    let free = try daemon.client()
    try free.retain(rows: 3)
    try free.insert(["a", "b"])
    try withExtendedLifetime(Relay(on: daemon.bus, as: "org.boxed.App")) { relay in
      let boxed = try relay.client()
      try boxed.insert(["x"])
      try boxed.insert(["y"])
      #expect(try free.texts() == ["a", "b", "y"])
      try boxed.insert(["z", "w"])
      #expect(try free.texts() == ["a", "b", "z", "w"])
    }
    daemon.kill()
    try daemon.start()
    let later = try daemon.client()
    try withExtendedLifetime(Relay(on: daemon.bus, as: "org.boxed.App")) { relay in
      try relay.client().insert(["v"])
      #expect(try later.texts() == ["a", "b", "v"])
    }
    try withExtendedLifetime(Relay(on: daemon.bus, as: "org.other.App")) { relay in
      try relay.client().insert(["o"])
      #expect(try later.texts() == ["a", "b", "v", "o"])
    }
    try later.insert(["c"])
    #expect(try later.texts() == ["v", "o", "c"])
  }
}

extension BusClient {
  /// Sets `RetainRows`.
  func retain(rows: UInt32) throws(DBusError) {
    try set(BoardInterface.retainRows, to: Variant(.uint32(rows)))
  }

  /// Sets `RetainSeconds`.
  func retain(seconds: UInt32) throws(DBusError) {
    try set(BoardInterface.retainSeconds, to: Variant(.uint32(seconds)))
  }
}
