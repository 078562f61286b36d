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
  /// A service with clocks that the test sets.
  private final class Scene {
    private final class Clock: Sendable {
      /// The wall clock in seconds since 1970, and the seconds since the start.
      let seconds = Mutex<(wall: UInt64, elapsed: Int)>((10_000_000, 0))
    }

    private let clock = Clock()
    let service: ServiceThread
    let client: BusClient

    init(limits: Limits = Limits()) throws {
      service = try ServiceThread(limits: limits) { [clock] in
        clock.seconds.withLock { $0.wall * 1_000_000 }
      } elapsed: { [clock] in
        .seconds(clock.seconds.withLock(\.elapsed))
      }
      client = try service.client()
    }

    deinit { service.stop() }

    func wait(seconds: Int) {
      clock.seconds.withLock {
        ($0.wall, $0.elapsed) = ($0.wall + UInt64(seconds), $0.elapsed + seconds)
      }
    }

    /// Sets the wall clock forward or back.
    func setClock(by seconds: Int) {
      clock.seconds.withLock { $0.wall = UInt64(Int($0.wall) + seconds) }
    }

    /// Waits until the board has these texts.
    func expect(texts: [String]) throws {
      let hasThem = client.run { (try? client.texts()) == texts }
      let present = try client.texts()
      #expect(hasThem, "\(present)")
    }

    /// Lets the service run its timers that are due.
    func settle() throws { for _ in 0..<50 { _ = try client.get(BoardInterface.revision) } }
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

  @Test("The first row of an insertion is the oldest; Undo and Redo delete no old rows")
  func oldest() throws {
    let scene = try Scene()
    let client = scene.client
    try client.retain(rows: 2)
    let ids = try client.insert(["a", "b", "c"], at: 0)
    #expect(try client.texts() == ["a", "b", "c"])
    try client.insert(["d"], at: 0)
    #expect(try client.texts() == ["d", "c"])
    try client.retain(rows: 0)
    try client.insert(["e"])
    _ = try client.call(BoardInterface.deleteItems, [ids[2]])
    scene.wait(seconds: 10)
    try client.retain(rows: 2)
    let created = try client.rows().map { $0.attributes["created"] }
    try client.undo()
    #expect(try client.texts() == ["d", "c", "e"])
    try client.undo()
    try client.redo()
    #expect(try client.texts() == ["d", "c", "e"])
    let after = try client.rows().map { $0.attributes["created"] }
    #expect([after[0], after[2]] == created && after[1] == created[0])
    try client.insert(["f"])
    #expect(try client.texts() == ["e", "f"])
  }

  @Test("Undo undoes edits of sections, also if all rows of the sections were deleted")
  func sections() throws {
    let scene = try Scene()
    let client = scene.client
    _ = try client.call(BoardInterface.insertSection, "s", 1)
    try client.insert(["a"], section: 1)
    _ = try client.call(BoardInterface.renameSection, 1, "t")
    _ = try client.call(BoardInterface.moveSection, 1, 0)
    try client.retain(rows: 1)
    try client.insert(["b"], section: 1)
    for names in [["t", "main"], ["main", "t"], ["main", "s"], ["main"]] {
      try client.undo()
      #expect(try client.get(BoardInterface.sections) == names)
    }
  }

  @Test("An insertion loses none of its rows, also if it has more than the board retains")
  func ownRows() throws {
    let scene = try Scene()
    let client = scene.client
    try client.retain(rows: 2)
    try client.retain(seconds: 86_400)
    try client.insert(["a", "b", "c", "d"])
    try scene.settle()
    #expect(try client.texts() == ["a", "b", "c", "d"])
    let ids = try client.insert(["e"])
    #expect(try client.texts() == ["d", "e"])
    try client.retain(rows: 1)
    _ = try client.call(BoardInterface.setPinned, ids[0], true)
    try client.insert(["f"])
    try scene.settle()
    #expect(try client.texts() == ["e", "f"])
  }

  @Test("A new value applies at once by one edit; undo restores the rows and the earlier value")
  func newValue() throws {
    let daemon = try Daemon()
    let client = try daemon.client()
    let ids = try client.insert(["a", "b", "c", "d"])
    try client.retain(rows: 4)
    _ = client.takeSignals()
    try client.retain(rows: 2)
    #expect(try client.takeRevisions().count == 1)
    #expect(try client.texts() == ["c", "d"])
    daemon.kill()
    try daemon.start()
    let later = try daemon.client()
    try later.undo()
    #expect(try later.rows().map(\.id) == ids)
    #expect(try later.texts() == ["a", "b", "c", "d"])
    #expect(try later.get(BoardInterface.retainRows) == 4)
    try later.redo()
    #expect(try later.texts() == ["c", "d"])
    #expect(try later.get(BoardInterface.retainRows) == 2)
    try later.undo(2)
    #expect(try later.texts() == [])
  }

  @Test("The undo of a changed value keeps a later value that retains more")
  func laterValue() throws {
    let scene = try Scene()
    let client = scene.client
    try client.insert(["a", "b", "c"])
    try client.retain(rows: 3)
    try client.retain(rows: 1)
    try client.retain(rows: 0)
    try client.undo()
    #expect(try client.texts() == ["a", "b", "c"])
    #expect(try client.get(BoardInterface.retainRows) == 0)
  }

  @Test("A new age deletes the older rows by one edit that undo reverses, and they stay")
  func newAge() throws {
    let scene = try Scene()
    let client = scene.client
    try client.insert(["a"])
    scene.wait(seconds: 100)
    try client.insert(["b"])
    try client.retain(seconds: 60)
    #expect(try client.texts() == ["b"])
    try client.undo()
    #expect(try client.texts() == ["a", "b"])
    #expect(try client.get(BoardInterface.retainSeconds) == 0)
    try scene.settle()
    try client.insert(["c"])
    #expect(try client.texts() == ["a", "b", "c"])
  }

  @Test("Erase erases the rows that a changed value has deleted")
  func erasedRows() throws {
    let daemon = try Daemon()
    let client = try daemon.client()
    let data = [UInt8](repeating: 7, count: 100_000)
    for _ in 0..<2 {
      _ = try client.call(BoardInterface.insertData, 0, -1, "application/x-data", data)
    }
    try client.retain(rows: 1)
    #expect(try contentFiles(in: daemon.bus).count == 2)
    _ = try client.call(BoardInterface.erase, true)
    try client.waitForContentFiles(0, on: daemon.bus)
    expect(.nothingToUndo) { try client.undo() }
  }

  @Test("An undo that would change nothing is skipped")
  func undoWithoutEffect() throws {
    let scene = try Scene()
    let client = scene.client
    try client.retain(rows: 3)
    try client.insert(["old", "keep", "keep2"])
    _ = try client.call(BoardInterface.moveRow, 0, 1, 0, 0)
    try client.insert(["new"])
    try client.undo()
    #expect(try client.texts() == ["keep", "keep2"])
    _ = client.takeSignals()
    try client.undo()
    #expect(try client.texts() == [])
    #expect(try client.takeRevisions().count == 1)
    expect(.nothingToUndo) { try client.undo() }
  }

  @Test(
    "A renewed row is retained as a new row, whatever the order of edits and settings",
    arguments: ["name", "text", "stack", "undo"], [true, false])
  func renewed(edit: String, isRetainedEarly: Bool) throws {
    let daemon = try Daemon()
    let client = try daemon.client()
    try client.set(BoardInterface.movesDuplicates, to: true)
    if isRetainedEarly { try client.retain(rows: 4) }
    var ids: [String] = []
    for text in ["a", "b", "c", "d", "a"] { ids += try client.insert([text]) }
    switch edit {
    case "name": _ = try client.call(BoardInterface.setItemName, ids[0], "n")
    case "text": _ = try client.call(BoardInterface.setText, ids[0], "A")
    case "stack": _ = try client.call(BoardInterface.stackItems, [ids[0]], 0, -1, "s")
    default:
      _ = try client.call(BoardInterface.setText, ids[0], "x")
      _ = try client.call(BoardInterface.insertText, 0, -1, "x")
      try client.undo()
    }
    daemon.kill()
    try daemon.start()
    let later = try daemon.client()
    try later.retain(rows: 3)
    #expect(try later.rows().map(\.id) == [ids[2], ids[3], ids[0]])
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
    try client.insert(["f"])
    #expect(try client.texts() == ["d", "e", "f"])
    daemon.kill()
    try daemon.start()
    let later = try daemon.client()
    try later.undo(2)
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
    scene.setClock(by: -999_000)
    try scene.client.insert(["b"])
    #expect(try scene.client.texts() == ["a", "b"])
  }

  @Test("A clock that is far ahead for a while deletes neither rows nor deleted boards")
  func jump() throws {
    let scene = try Scene()
    let client = scene.client
    scene.wait(seconds: 700)
    _ = try client.board("old")
    try client.deleteBoard("old")
    try client.insert(["a"])
    try client.retain(seconds: 86_400)
    scene.setClock(by: 31 * 86_400)
    try client.insert(["b"])
    _ = try client.board("new")
    try client.deleteBoard("new")
    scene.wait(seconds: 2)
    scene.setClock(by: -31 * 86_400)
    try client.insert(["c"])
    #expect(try client.texts() == ["a", "b", "c"])
    #expect(try Set(client.deletedBoards()) == ["old 0", "new 0"])
    // A clock that stays ahead for ten minutes is right.
    scene.setClock(by: 31 * 86_400)
    try client.insert(["d"])
    scene.wait(seconds: 599)
    try client.insert(["e"])
    #expect(try client.texts() == ["a", "b", "c", "d", "e"])
    scene.wait(seconds: 1)
    try client.insert(["f"])
    #expect(try client.texts() == ["b", "d", "e", "f"])
  }

  @Test("After a start, no row is deleted before the age has passed once more, or ten minutes")
  func freshStart() throws {
    let scene = try Scene()
    let client = scene.client
    try client.retain(seconds: 300)
    try client.insert(["a"])
    scene.setClock(by: 500)
    try client.insert(["b"])
    #expect(try client.texts() == ["a", "b"])
    scene.wait(seconds: 299)
    try client.insert(["c"])
    #expect(try client.texts() == ["a", "b", "c"])
    scene.wait(seconds: 1)
    try client.insert(["d"])
    #expect(try client.texts() == ["c", "d"])
  }

  @Test("Expired rows are deleted after the start of the daemon")
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
    arguments: [FaultyStore.Step.put, .save, .commit])
  func failure(step: FaultyStore.Step) throws {
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

  @Test("A sandbox has a quarter of the retained rows; its older rows are the first to go")
  func quarter() throws {
    let scene = try Boxed()
    try scene.free.retain(rows: 40)
    try scene.free.insert(numbered(40))
    try scene.boxed.insert(numbered(40, "x"))
    #expect(try scene.texts().count == 40)
    // 30 rows beyond the share of 10 are deleted first, then the oldest of all.
    try scene.free.insert(["new"])
    #expect(try scene.texts() == Array(numbered(40).dropFirst(11)) + ["new"])
    #expect(try scene.free.texts().filter { $0.hasPrefix("x") } == (30..<40).map { "x\($0)" })
    for number in 0..<5 { try scene.boxed.insert(["x new \(number)"]) }
    #expect(try scene.texts().count == 30)
    #expect(try scene.free.texts().count == 40)
  }

  @Test("Rows that a sandbox has pinned or locked beyond its share displace no row of the user")
  func pinned() throws {
    let scene = try Boxed()
    try scene.free.retain(rows: 8)
    try scene.free.insert(numbered(6))
    let ids = try scene.boxed.insert(numbered(20, "x"))
    for id in ids { _ = try scene.boxed.call(BoardInterface.setPinned, id, true) }
    try scene.free.insert(["new"])
    #expect(try scene.texts() == Array(numbered(6).dropFirst()) + ["new"])
    try scene.free.retain(rows: 4)
    #expect(try scene.texts().count == 3)
  }

  @Test("A sandbox that drops another client's drag deletes no row of the user")
  func foreignDrag() throws {
    let scene = try Boxed()
    try scene.free.retain(rows: 3)
    try scene.free.insert(["a", "b", "c"])
    let session = try scene.free.drag(["d", "e"])
    try scene.boxed.drop(session, as: "org.boxed.App", section: 0, row: 0)
    #expect(try scene.free.texts() == ["d", "e", "a", "b", "c"])
  }

  @Test("A sandbox's drag that the user drops deletes no row of the user, and uses no share")
  func ownDrag() throws {
    let scene = try Boxed()
    try scene.free.retain(rows: 4)
    try scene.free.insert(["a", "b", "c", "d"])
    for text in ["e", "f"] {
      try scene.free.drop(scene.boxed.drag([text], as: "org.boxed.App"), section: 0, row: 0)
    }
    #expect(try scene.free.texts() == ["f", "e", "a", "b", "c", "d"])
    try scene.free.insert(["g"])
    #expect(try scene.free.texts() == ["f", "e", "d", "g"])
  }

  @Test("A sandbox has a quarter of the maximum number of rows, also after a restart")
  func maxRows() throws {
    let scene = try Boxed()
    try scene.free.set(BoardInterface.maxRows, to: Variant(.uint32(12)))
    try scene.boxed.insert(["x0", "x1"])
    expect(.limitsExceeded) { try scene.boxed.insert(["x2", "x3"]) }
    let ids = try scene.boxed.insert(["x2"])
    let session = try scene.boxed.drag(["y"], as: "org.boxed.App")
    #expect(try scene.boxed.propose(session, as: "org.boxed.App").operation == "forbidden")
    _ = try scene.boxed.call(BoardInterface.deleteItems, ids)
    scene.daemon.kill()
    try scene.daemon.start()
    let free = try scene.daemon.client()
    try withExtendedLifetime(Relay(on: scene.daemon.bus, as: "org.boxed.App")) { relay in
      let boxed = try relay.client()
      expect(.limitsExceeded) { try boxed.insert(["x3", "x4"]) }
      try boxed.insert(["x3"])
      // The undo restores a row of the sandbox beyond its share.
      try free.undo(2)
      expect(.limitsExceeded) { try boxed.insert(["x4"]) }
    }
    try free.insert(numbered(9))
  }

  @Test("A sandbox has a quarter of the undo steps, and drops no step of the user")
  func steps() throws {
    let scene = try Boxed("--undo-steps", "20")
    for number in 0..<15 { try scene.free.insert(["\(number)"]) }
    let ids = try scene.boxed.insert(["x"])
    for number in 0..<100 {
      _ = try scene.boxed.call(BoardInterface.setText, ids[0], "x\(number)")
      let more = try scene.boxed.insert(["x"], at: 3)
      _ = try scene.boxed.call(BoardInterface.deleteItems, more)
    }
    scene.daemon.kill()
    try scene.daemon.start()
    let free = try scene.daemon.client()
    func texts() throws -> [String] { try free.texts().filter { !$0.hasPrefix("x") } }
    for count in (0..<15).reversed() {
      repeat { try free.undo() } while try texts() == numbered(count + 1)
      #expect(try texts() == numbered(count))
    }
    expect(.nothingToUndo) { try free.undo() }
    try free.redo(15)
    #expect(try texts() == numbered(15))
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
