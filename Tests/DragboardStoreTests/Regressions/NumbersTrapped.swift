import BoardModel
import SQLite
import TestSupport
import Testing

@testable import DragboardStore

/// Invalid numbers, names and tables in a damaged database.
///
/// They trapped when they were read or used in arithmetic, or the store could never be opened
/// again.
@Suite("Regression: invalid values in the database trapped")
struct NumbersTrapped {
  private func damaged(_ sql: String) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    do {
      let store = try folder.open()
      var (id, board) = try store.makeBoard(named: "default")
      _ = try store.append(["one", "two"], to: &board, id)
      try store.history.save(
        StepInfo(number: 1, isUndone: false, byteCount: 9), [], keeping: [RowID(7)], of: id)
      try store.history.log([1, 2, 3], 2...9, of: id)
      try store.commit()
      store.conclude()
    }
    let lock = try StoreLock(directory: folder.path)
    try Database(path: folder.database, holding: lock).execute(sql)
    return folder
  }

  @Test(
    "A store with an invalid value is recovered, and can be edited",
    arguments: [
      "UPDATE counter SET next = 9223372036854775807", "UPDATE counter SET next = 1 << 54",
      "UPDATE counter SET next = -5 WHERE id = 3; REPLACE INTO counter VALUES (3, -5)",
      "UPDATE board SET revision = 9223372036854775807",
      "UPDATE block SET revision = 9223372036854775807",
      "UPDATE block SET rows = x'ffffffffffffff3f'",
      "UPDATE section SET id = 4294967295", "UPDATE block SET id = (1 << 32) + 4294967294",
      "UPDATE board SET path = 'a/b'", "UPDATE board SET name = ''",
      "UPDATE section SET name = x'00'", "UPDATE section SET name = 'a' || char(10)",
      "UPDATE sqlite_sequence SET seq = 1 << 40; UPDATE board SET id = 1 << 40",
      "PRAGMA user_version = -1", "DROP TABLE log", "DROP TABLE search",
    ])
  func recovered(sql: String) throws {
    let folder = try damaged(sql)
    do {
      let store = try folder.open()
      #expect(store.recovery != nil)
      try edit(store)
      store.conclude()
    }
    let store = try folder.open()
    #expect(store.recovery == nil)
    #expect(try StoreInventory(store).items.values.contains { $0.contents == [Array("new".utf8)] })
  }

  @Test(
    "An invalid log is reported as damage",
    arguments: [
      "UPDATE log SET revisions = -1", "UPDATE log SET revisions = 9223372036854775807",
    ])
  func log(sql: String) throws {
    let folder = try damaged(sql)
    let store = try folder.open()
    #expect(store.recovery == nil)
    let board = try #require(try store.boards().first)
    #expect(throws: StoreError.self) { try store.firstLoggedRevision(of: board.id) }
    #expect(try DamageNote.read(in: folder.data) != nil)
  }

  @Test(
    "Impossible sizes of contents and steps are limited to the possible range",
    arguments: [Int64.min, -1, .max])
  func sizes(bytes: Int64) throws {
    let folder = try damaged(
      "UPDATE step SET bytes = \(bytes); UPDATE representation SET file = \(bytes)")
    let store = try folder.open()
    let board = try #require(try store.boards().first)
    let rows = board.board.snapshot().sections.flatMap(\.rows)
    #expect(try store.byteCount(of: rows) >= 0)
    #expect(try store.steps(of: board.id).allSatisfy { 0...1 << 40 ~= $0.byteCount })
    for row in rows {
      let item = try #require(try store.summary(of: row))
      #expect(item.types.allSatisfy { 0...1 << 40 ~= $0.byteCount })
    }
  }

  @Test("A row whose number is too high is not indexed repeatedly")
  func index() throws {
    let folder = try damaged(
      "UPDATE representation SET id = 9223372036854775807 WHERE id = (SELECT max(id) FROM representation)"
    )
    let store = try folder.open()
    _ = try store.indexSome(limit: 10)
    #expect(try !store.isIndexBehind())
    try store.commit()
    #expect(try store.search("one").count == 1)
  }

  private func edit(_ store: BoardStore) throws {
    let stored = try store.boards().first
    let (id, board): (BoardNumber, Board) =
      if let stored { (stored.id, stored.board) } else { try store.makeBoard(named: "made") }
    var edited = board
    _ = try store.append(["new"], to: &edited, id)
    _ = (try store.reserveSessionNumbers(), try store.reserveViewNumbers())
    try store.commit()
  }
}
