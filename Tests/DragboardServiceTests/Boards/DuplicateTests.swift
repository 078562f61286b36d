import DBus
import DragboardInterface
import Foundation
import SQLite
import TestSupport
import Testing

@testable import DragboardStore

@Suite("Boards that move duplicates")
struct DuplicateTests {
  private let daemon: Daemon
  private let client: BusClient

  init() throws {
    daemon = try Daemon()
    client = try daemon.client()
    try client.set(BoardInterface.movesDuplicates, to: true)
  }

  @Test("A text that the board has is moved by one edit, and keeps its id, name and flags")
  func text() throws {
    let ids = try client.insert(["a", "b", "c"])
    _ = try client.call(BoardInterface.setItemName, ids[1], "name")
    _ = try client.call(BoardInterface.setPinned, ids[1], true)
    _ = client.takeSignals()
    #expect(try client.call(BoardInterface.insertText, 0, 0, "b") == ids[1])
    let revisions = try client.takeRevisions()
    #expect(revisions.count == 1)
    #expect(try client.texts() == ["b", "a", "c"])
    #expect(try client.rows()[0].attributes["name"] == .string("name"))
    #expect(try client.rows()[0].attributes["pinned"] == .boolean(true))
    #expect(try client.call(BoardInterface.insertText, 0, 3, "a") == ids[0])
    #expect(try client.texts() == ["b", "c", "a"])
    let revision = try client.get(BoardInterface.revision)
    #expect(try client.call(BoardInterface.insertText, 0, -1, "a") == ids[0])
    #expect(try client.get(BoardInterface.revision) == revision)
    try client.undo()
    #expect(try client.texts() == ["b", "a", "c"])
  }

  @Test("A row that was inserted again is retained as long as a new row, also after a crash")
  func renewal() throws {
    try client.set(BoardInterface.retainRows, to: Variant(.uint32(3)))
    for text in ["a", "b", "c", "a"] { _ = try client.call(BoardInterface.insertText, 0, 0, text) }
    let created = try #require(try client.rows().map { $0.attributes["created"] }.first)
    #expect(created != (try client.rows()[2].attributes["created"]))
    _ = try client.call(BoardInterface.insertText, 0, 0, "d")
    #expect(try client.texts() == ["d", "a", "c"])
    daemon.kill()
    try daemon.start()
    let later = try daemon.client()
    for text in ["c", "e"] { _ = try later.call(BoardInterface.insertText, 0, 0, text) }
    #expect(try later.texts() == ["e", "c", "d"])
  }

  @Test("The row moves before the row that is in the position; Undo does not change its age")
  func position() throws {
    let ids = try client.insert(["a", "b", "c", "d"])
    func created() throws -> Value? {
      try client.rows().first { $0.id == ids[0] }?.attributes["created"]
    }
    let first = try created()
    #expect(try client.call(BoardInterface.insertText, 0, 2, "a") == ids[0])
    #expect(try client.texts() == ["b", "a", "c", "d"])
    let second = try created()
    #expect(second != first)
    try client.undo()
    #expect(try client.texts() == ["a", "b", "c", "d"])
    #expect(try created() == second)
    try client.redo()
    #expect(try created() == second)
  }

  @Test("If the row stays, only its age changes, without a revision and without a signal")
  func staying() throws {
    let ids = try client.insert(["a", "b", "c"])
    _ = try client.call(BoardInterface.setMovable, ids[2], false)
    _ = client.takeSignals()
    let before = try client.rows().map { $0.attributes["created"] }
    let revision = try client.get(BoardInterface.revision)
    for (row, text) in [(0, "a"), (1, "a"), (0, "c")] as [(Int32, String)] {
      _ = try client.call(BoardInterface.insertText, 0, row, text)
    }
    #expect(try client.texts() == ["a", "b", "c"])
    #expect(try client.get(BoardInterface.revision) == revision)
    #expect(client.takeSignals().isEmpty)
    let after = try client.rows().map { $0.attributes["created"] }
    #expect(zip(before, after).map(==) == [false, true, false])
  }

  @Test("Of several rows with the content, the row that was inserted last moves")
  func severalRows() throws {
    let ids = try client.insert(["a", "b", "a", "c", "a"])
    _ = try client.call(BoardInterface.moveItems, [ids[4]], 0, 0)
    #expect(try client.call(BoardInterface.insertText, 0, -1, "a") == ids[4])
    _ = try client.call(BoardInterface.deleteItems, [ids[4]])
    #expect(try client.call(BoardInterface.insertText, 0, -1, "a") == ids[2])
    #expect(try client.texts() == ["a", "b", "c", "a"])
  }

  @Test("Contents differ by types, order and bytes, but not by name")
  func contents() throws {
    _ = try client.call(BoardInterface.setAcceptedTypes, ["*/*"])
    func insert(_ name: String, _ parts: (String, [UInt8])...) throws -> String {
      try client.call(
        BoardInterface.insertItem, 0, 0, ["name": Variant(.string(name))],
        parts.map { BoardInterface.Representation($0.0, .data($0.1)) })
    }
    let first = try insert("n", ("text/html", [1, 2]), ("image/png", [3]))
    #expect(try insert("m", ("text/html", [1, 2]), ("image/png", [3])) == first)
    let others = try [
      insert("n", ("image/png", [3]), ("text/html", [1, 2])),
      insert("n", ("text/html", [1, 2])),
      insert("n", ("text/html", [1]), ("image/png", [2, 3])),
      insert("n", ("text/html", [1, 2]), ("image/gif", [3])),
    ]
    #expect(Set(others + [first]).count == 5)
  }

  @Test("Large contents are compared, also after a crash", arguments: [65_536, 65_537, 3_000_000])
  func large(byteCount: Int) throws {
    var bytes = [UInt8](repeating: 7, count: byteCount)
    let row = try client.call(BoardInterface.insertData, 0, 0, "image/png", bytes)
    daemon.kill()
    try daemon.start()
    let later = try daemon.client()
    try later.insert(["a"], at: 0)
    #expect(try later.call(BoardInterface.insertData, 0, 0, "image/png", bytes) == row)
    #expect(try later.call(BoardInterface.getIndexPath, row) == (0, 0))
    bytes[byteCount - 1] = 8
    #expect(try later.call(BoardInterface.insertData, 0, 0, "image/png", bytes) != row)
  }

  @Test("A large duplicate is compared before the client's later calls are performed")
  func order() throws {
    let bytes = [UInt8](repeating: 7, count: 3_000_000)
    let row = try client.call(BoardInterface.insertData, 0, 0, "image/png", bytes)
    _ = try client.call(BoardInterface.insertText, 0, 0, "first")
    _ = client.takeSignals()
    let outstanding = client.send([
      call(BoardInterface.insertData, 0, 0, "image/png", bytes),
      call(BoardInterface.insertText, 0, 0, "a"),
      call(BoardInterface.insertData, 0, 0, "image/png", bytes.dropLast()),
      call(BoardInterface.insertText, 0, 0, "b"),
    ])
    #expect(outstanding.errors() == ["", "", "", ""])
    let changes = try client.takeRevisions().flatMap(\.changes)
    #expect(changes.map(\.kind) == [.move, .insert, .insert, .insert])
    #expect(changes.first?.subject == row)
    #expect(try client.call(BoardInterface.getText, changes[1].subject) == "a")
    #expect(try client.call(BoardInterface.getText, changes[3].subject) == "b")
  }

  /// Runs SQL while the daemon does not run; returns a new client.
  private func restart(_ sql: String) throws -> BusClient {
    _ = daemon.terminate()
    let home = daemon.bus.home.path
    try Database(path: home + "/data/dragboard/boards.db", holding: StoreLock(directory: home))
      .execute(sql)
    try daemon.start()
    return try daemon.client()
  }

  @Test(
    "Contents with the same digest and other bytes stay different rows",
    arguments: [1, 65_536, 70_000, 3_000_000])
  func collision(byteCount: Int) throws {
    var contents = (1...3).map { [UInt8](repeating: $0, count: byteCount) }
    func insert(_ number: Int, by client: BusClient) throws -> String {
      try client.call(BoardInterface.insertData, 0, 0, "image/png", contents[number])
    }
    let ids = try (0..<3).map { try insert($0, by: client) }
    #expect(Set(ids).count == 3)
    let later = try restart(
      """
      UPDATE representation SET digest = (SELECT digest FROM representation
        WHERE digest NOT NULL ORDER BY id LIMIT 1) WHERE digest NOT NULL
      """)
    #expect(try insert(0, by: later) == ids[0])
    #expect(try later.rows().map(\.id) == [ids[0], ids[2], ids[1]])
    _ = try later.call(BoardInterface.deleteItems, [ids[0]])
    let created = try later.rows().map { $0.attributes["created"] }
    let new = try insert(0, by: later)
    #expect(try later.rows().map(\.id) == [new, ids[2], ids[1]])
    #expect(try later.rows().dropFirst().map { $0.attributes["created"] } == created)
    contents[0][0] = 9
    #expect(try !([new] + ids).contains(insert(0, by: later)))
  }

  @Test("Rows whose digests an earlier daemon stored are compared", arguments: [1, 3_000_000])
  func oldDigests(byteCount: Int) throws {
    let bytes = [UInt8](repeating: 7, count: byteCount)
    let ids = try [
      client.call(BoardInterface.insertData, 0, 0, "image/png", bytes),
      client.call(BoardInterface.insertText, 0, 0, "a"),
    ]
    let later = try restart(
      "UPDATE representation SET digest = randomblob(32) WHERE digest NOT NULL")
    #expect(try later.call(BoardInterface.insertData, 0, 0, "image/png", bytes) == ids[0])
    #expect(try later.call(BoardInterface.insertText, 0, 0, "a") == ids[1])
    #expect(try later.get(BoardInterface.count) == 2)
  }

  @Test("A dropped text moves its row, and a row with a fixed position stays")
  func drops() throws {
    let ids = try client.insert(["a", "b", "c"])
    try client.drop(client.drag(["c"]), section: 0, row: 0)
    #expect(try client.rows().map(\.id) == [ids[2], ids[0], ids[1]])
    _ = try client.call(BoardInterface.setMovable, ids[2], false)
    let revision = try client.get(BoardInterface.revision)
    #expect(try client.call(BoardInterface.insertText, 0, -1, "c") == ids[2])
    #expect(try client.get(BoardInterface.revision) == revision)
    try client.insert(["a", "b"])
    #expect(try client.texts() == ["c", "a", "b", "a", "b"])
  }

  @Test("The current text of a row on the same board is compared, also after an edit or undo")
  func changes() throws {
    let row = try client.call(BoardInterface.insertText, 0, 0, "a")
    _ = try client.call(BoardInterface.setText, row, "b")
    #expect(try client.call(BoardInterface.insertText, 0, 0, "b") == row)
    let other = try client.call(BoardInterface.insertText, 0, 0, "a")
    #expect(other != row)
    try client.undo(2)
    #expect(try client.call(BoardInterface.insertText, 0, 0, "a") == row)
    _ = try client.call(BoardInterface.deleteItems, [row])
    #expect(try client.call(BoardInterface.insertText, 0, 0, "a") != row)
    let board = try client.board("other")
    try client.set(BoardInterface.movesDuplicates, to: true, at: board)
    _ = try client.call(BoardInterface.insertText, at: board, 0, 0, "a")
    #expect(try client.texts(of: board) == ["a"])
  }

  @Test("Without the property contents can repeat")
  func off() throws {
    try client.set(BoardInterface.movesDuplicates, to: false)
    for _ in 0..<2 { _ = try client.call(BoardInterface.insertText, 0, 0, "a") }
    try client.set(BoardInterface.movesDuplicates, to: true)
    _ = try client.call(BoardInterface.insertText, 0, 0, "a")
    #expect(try client.texts() == ["a", "a", "a"])
  }

  @Test(
    "A sandboxed client moves its own rows only, and other clients do not move them",
    .enabled(
      if: Relay.Wall.mountNamespace.isPossible,
      "needs a mount namespace: root, or user namespaces that the system lets a user make"))
  func sandbox() throws {
    let foreign = try client.call(BoardInterface.insertText, 0, 0, "a")
    try withExtendedLifetime(Relay(on: daemon.bus, as: "org.boxed.App")) { relay in
      let boxed = try relay.client()
      let own = try boxed.call(BoardInterface.insertText, 0, 1, "a")
      #expect(own != foreign)
      #expect(try boxed.call(BoardInterface.insertText, 0, 0, "a") == own)
      #expect(try client.rows().map(\.id) == [own, foreign])
      let boxedOnly = try boxed.call(BoardInterface.insertText, 0, 0, "b")
      #expect(try client.call(BoardInterface.insertText, 0, 0, "b") != boxedOnly)
      #expect(try client.call(BoardInterface.insertText, 0, 0, "a") == foreign)
    }
  }
}
