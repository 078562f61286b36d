import BoardModel
import SQLite
import TestSupport
import Testing

@testable import DragboardStore

@Suite("Deleted boards in the store")
struct DeletedBoardTests {
  let folder: TemporaryFolder
  let store: BoardStore
  let id: BoardNumber
  var board: Board
  let rows: [RowID]

  init() throws {
    folder = try TemporaryFolder()
    store = try folder.open()
    (id, board) = try store.makeBoard(named: "one")
    rows = try store.append(["alpha", "beta"], to: &board, id)
    try store.put(.bytes(largeBytes()), of: RowID(900))
    _ = try board.insert([RowID(900)], at: IndexPath(section: 0, row: 0), maxRows: .max)
    _ = try board.setFlags(.isMovable, to: false, of: rows[0])
    try store.save(&board, as: id)
    try store.history.log([1], 2...board.revision, rowCount: board.count, of: id)
    try store.history.save(
      StepInfo(number: 1, isUndone: false, byteCount: 1), [1], keeping: [], of: id)
    try store.commit()
  }

  private func deleted(_ id: BoardNumber, at time: UInt64 = 5) -> DeletedBoard {
    DeletedBoard(id: id, header: .usual("one"), time: time, rowCount: 3, byteCount: 70_000)
  }

  @Test("A deleted board is listed with its size, and no longer among the boards")
  func listed() throws {
    try store.deleteBoard(deleted(id))
    #expect(try store.boards().isEmpty)
    #expect(try store.deletedBoards() == [deleted(id)])
    let second = try store.makeBoard(named: "one").id
    #expect(second > id)
    try store.deleteBoard(deleted(second, at: 6))
    #expect(try store.deletedBoards().map(\.id) == [second, id])
  }

  @Test("A deleted board survives the purge and a power cut, and is restored as it was")
  func restored() throws {
    try store.indexAll()
    try store.deleteBoard(deleted(id))
    try store.commitAndPurge()
    #expect(folder.contentNames().count == 1)

    let copy = try folder.afterPowerCut()
    let later = try copy.open()
    try later.commitAndPurge()
    #expect(try later.boards().isEmpty)
    #expect(try later.deletedBoards() == [deleted(id)])
    #expect(try later.data(of: RowID(900), at: 0) == largeBytes())
    try later.restoreBoard(id, at: "other")
    try later.commit()
    let found = try #require(try later.boards().first)
    #expect(found.header.pathElement == "other")
    #expect(found.header.name == "one")
    #expect(found.board.snapshot() == board.snapshot())
    #expect(found.board.flags(of: rows[0]) == .isEditable)
    #expect(try later.search("alpha") == [rows[0]])
    #expect(try later.steps(of: id).count == 1)
    #expect(try later.loggedChanges(after: 0, of: id) == [[1]])
    #expect(try later.deletedBoards().isEmpty)
  }

  @Test("A rollback undoes a deletion and a restoration")
  func rolledBack() throws {
    try store.deleteBoard(deleted(id))
    store.rollback()
    #expect(try store.boards().map(\.id) == [id])
    #expect(try store.deletedBoards().isEmpty)
    try store.deleteBoard(deleted(id))
    try store.commit()
    try store.restoreBoard(id, at: "one")
    store.rollback()
    #expect(try store.boards().isEmpty)
    #expect(try store.deletedBoards() == [deleted(id)])
  }

  @Test("Of two boards with one name or path, one is not restored")
  func taken() throws {
    try store.deleteBoard(deleted(id))
    let other = try store.makeBoard(named: "one").id
    try store.commit()
    #expect(throws: StoreError.self) { try store.restoreBoard(id, at: "free") }
    store.rollback()
    try store.rename(other, to: "two")
    try store.commit()
    #expect(throws: StoreError.self) { try store.restoreBoard(id, at: "one") }
    store.rollback()
    #expect(try store.boards().map(\.id) == [other])
  }

  @Test("A purged board is gone with its contents and its history")
  func purged() throws {
    try store.deleteBoard(deleted(id))
    try store.commit()
    try store.purgeBoard(id)
    try store.commitAndPurge()
    #expect(try store.deletedBoards().isEmpty)
    #expect(folder.contentNames().isEmpty)
    for table in [
      "board", "block", "section", "representation", "log", "step", "discarded", "maker",
    ] {
      let count = try store.tables.transaction.database.integer("SELECT count(*) FROM \(table)")
      #expect(count == 0, "\(table)")
    }
  }

  @Test("A damaged name of a deleted board is damage of the database")
  func damagedName() throws {
    try store.deleteBoard(deleted(id))
    try store.commit()
    try store.tables.transaction.database.execute("UPDATE board SET name = 'two' || char(10)")
    #expect(throws: StoreError.self) { try store.boards() }
  }
}
