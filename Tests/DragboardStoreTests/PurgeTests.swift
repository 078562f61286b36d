import BoardModel
import SQLite
import TestSupport
import Testing

@testable import DragboardStore

@Suite("Deleting the contents of discarded rows")
struct PurgeTests {
  let folder: TemporaryFolder
  let store: BoardStore
  let id: BoardNumber
  var board: Board
  let rows: [RowID]

  init() throws {
    folder = try TemporaryFolder()
    store = try folder.open()
    (id, board) = try store.makeBoard(named: "one")
    rows = try store.append((0..<2_000).map { "text \($0)" }, to: &board, id)
    try store.commit()
  }

  private func stored() throws -> Int64 {
    try store.tables.transaction.database.integer("SELECT count(*) FROM representation")
  }

  @Test("The purge takes steps of the requested size")
  mutating func steps() throws {
    _ = try board.delete(Array(rows[100..<1_300]))
    try store.save(&board, as: id)
    try store.commit()
    #expect(try stored() == 2_000)
    var sizes: [Int64] = []
    var isMore = true
    while isMore {
      isMore = try store.purgeDiscarded(limit: 500)
      try store.commit()
      sizes.append(try stored())
    }
    #expect(sizes == [1_500, 1_000, 800])
    #expect(try store.text(of: rows[99]) == "text 99")
    #expect(try store.text(of: rows[1_300]) == "text 1300")
    #expect(try store.summary(of: rows[100]) == nil)
    #expect(try store.summary(of: rows[1_299]) == nil)
    #expect(try !store.purgeDiscarded(limit: 500))
    #expect(!store.hasUncommittedWrites)
  }

  @Test("A step that deletes the last row reports the end; a step of size 0 reports more")
  mutating func exactly() throws {
    _ = try board.delete(Array(rows[..<10]))
    try store.save(&board, as: id)
    #expect(try store.purgeDiscarded(limit: 0))
    #expect(try !store.purgeDiscarded(limit: 10))
    #expect(try stored() == 1_990)
  }

  @Test("The purge continues after a power cut")
  mutating func powerCut() throws {
    _ = board.clear()
    try store.save(&board, as: id)
    #expect(try store.purgeDiscarded(limit: 700))
    try store.commit()
    #expect(try store.purgeDiscarded(limit: 700))
    let found = try folder.afterPowerCut().open()
    #expect(
      try found.tables.transaction.database.integer("SELECT count(*) FROM representation") == 1_300)
    while try found.purgeDiscarded(limit: 700) {}
    #expect(
      try found.tables.transaction.database.integer("SELECT count(*) FROM representation") == 0)
    #expect(try found.boards().first?.board.count == 0)
  }

  @Test("Rows with cleared flags are deleted with their board")
  mutating func clearedFlags() throws {
    for row in rows[..<50] { _ = try board.setFlags(.all, to: false, of: row) }
    try store.save(&board, as: id)
    try store.purgeBoard(id)
    while try store.purgeDiscarded(limit: 1_000) {}
    #expect(try stored() == 0)
  }
}
