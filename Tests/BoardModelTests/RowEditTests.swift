import BoardModel
import Testing

@Suite("Inserting, deleting and changing rows")
struct RowEditTests {
  @Test("A new board is at revision 1 and has one empty section, main")
  func newBoard() {
    let board = Board()
    #expect(
      board.snapshot() == Snapshot(revision: 1, sections: [SnapshotSection(name: "main")]))
    #expect(board.count == 0)
    #expect(board.rows(inSection: 0, from: 0, count: 10).isEmpty)
    #expect(board.row(at: at(0, 0)) == nil)
    #expect(board.rowCount(inSection: 1) == nil)
  }

  @Test("Rows are inserted and reported one after the other, at 0…n")
  func insert() throws {
    var board = try Board(rows(1, 2))
    let revision = try board.insert(rows(8, 9), at: at(0, 1), maxRows: 4)
    #expect(
      revision
        == Revision(
          from: 2, changes: [.insert(RowID(8), at: at(0, 1)), .insert(RowID(9), at: at(0, 2))]))
    #expect(board.revision == 3)
    #expect(board.order == [rows(1, 8, 9, 2)])
    _ = try board.insert(rows(7), at: at(0, 4), maxRows: 5)
    #expect(board.order == [rows(1, 8, 9, 2, 7)])
  }

  @Test("Inserting an existing row, after the end, or above the limit changes nothing")
  func refusedInserts() throws {
    var board = try Board(rows(1, 2))
    let before = board.snapshot()
    #expect(throws: BoardError.duplicateRow(RowID(2))) {
      try board.insert(rows(3, 2), at: at(0, 0), maxRows: 9)
    }
    #expect(throws: BoardError.duplicateRow(RowID(3))) {
      try board.insert(rows(3, 3), at: at(0, 0), maxRows: 9)
    }
    #expect(throws: BoardError.indexOutOfRange(.row, given: 3, valid: 0...2)) {
      try board.insert(rows(3), at: at(0, 3), maxRows: 1)
    }
    #expect(throws: BoardError.indexOutOfRange(.section, given: -1, valid: 0...0)) {
      try board.insert(rows(3), at: at(-1, 0), maxRows: 9)
    }
    #expect(throws: BoardError.limitExceeded(.rows, limit: 3)) {
      try board.insert(rows(3, 4), at: at(0, 0), maxRows: 3)
    }
    #expect(board.snapshot() == before)
    #expect(!board.contains(RowID(3)))
  }

  @Test("An empty list changes nothing, even on a board above its limit")
  func emptyLists() throws {
    var board = try Board(rows(1, 2))
    #expect(try board.insert([], at: at(0, 0), maxRows: 1) == nil)
    #expect(try board.delete([]) == nil)
    #expect(try board.move([], toSection: 0, row: nil) == nil)
    #expect(board.revision == 2)
  }

  @Test("Deletes of a list are reported from the highest index down")
  func delete() throws {
    var board = try Board(rows(1, 2, 3), rows(4, 5))
    let revision = try board.delete(rows(1, 4, 3))
    #expect(
      revision?.changes == [
        .delete(RowID(4), at: at(1, 0)), .delete(RowID(3), at: at(0, 2)),
        .delete(RowID(1), at: at(0, 0)),
      ])
    #expect(board.order == [rows(2), rows(5)])
    #expect(try board.delete(at: at(1, 0))?.changes == [.delete(RowID(5), at: at(1, 0))])
    #expect(throws: BoardError.indexOutOfRange(.row, given: 0, valid: nil)) {
      try board.delete(at: at(1, 0))
    }
  }

  @Test("A list is deleted as a whole or not at all")
  func allOrNone() throws {
    var board = try Board(rows(1, 2, 3))
    _ = try board.setFlags(.isEditable, to: false, of: RowID(2))
    let before = board.snapshot()
    #expect(throws: BoardError.noSuchRow(RowID(9))) { try board.delete(rows(1, 2, 9)) }
    #expect(throws: BoardError.notEditable(RowID(2))) { try board.delete(rows(1, 2, 3)) }
    #expect(throws: BoardError.notEditable(RowID(2))) { try board.delete(at: at(0, 1)) }
    #expect(throws: BoardError.duplicateRow(RowID(1))) { try board.delete(rows(1, 9, 1)) }
    #expect(board.snapshot() == before)
  }

  @Test("Clear deletes every row that is editable and keeps the sections")
  func clear() throws {
    var board = try Board(rows(1, 2, 3), rows(4))
    _ = try board.setFlags(.isEditable, to: false, of: RowID(2))
    #expect(
      board.clear()?.changes == [
        .delete(RowID(4), at: at(1, 0)), .delete(RowID(3), at: at(0, 2)),
        .delete(RowID(1), at: at(0, 0)),
      ])
    #expect(board.order == [rows(2), []])
    #expect(board.clear() == nil)
  }

  @Test("Clear spares a pinned row, which can be changed, moved and deleted by name")
  func clearingPinned() throws {
    var board = try Board(rows(1, 2), rows(3))
    #expect(
      try board.setFlags(.isPinned, to: true, of: RowID(2))?.changes == [
        .reload(RowID(2), at: at(0, 1))
      ])
    #expect(
      board.clear()?.changes == [.delete(RowID(3), at: at(1, 0)), .delete(RowID(1), at: at(0, 0))])
    #expect(board.clear() == nil)
    #expect(try board.reload(RowID(2)) != nil)
    #expect(try board.move(from: at(0, 0), to: at(1, 0)) != nil)
    #expect(try board.delete(rows(2)) != nil)
    #expect(board.order == [[], []])
  }

  @Test("A reload has the position of the row, and is refused if the row is not editable")
  func reload() throws {
    var board = try Board(rows(1, 2))
    #expect(try board.reload(RowID(2))?.changes == [.reload(RowID(2), at: at(0, 1))])
    _ = try board.setFlags(.isEditable, to: false, of: RowID(2))
    #expect(throws: BoardError.notEditable(RowID(2))) { try board.reload(RowID(2)) }
    #expect(throws: BoardError.noSuchRow(RowID(3))) { try board.reload(RowID(3)) }
  }

  @Test("A new row has the initial flags; they are set one by one, and reported if they change")
  func flags() throws {
    var board = try Board(rows(1))
    #expect(board.flags(of: RowID(1)) == .initial)
    #expect(board.flags(of: RowID(2)) == nil)
    #expect(try board.setFlags(.isMovable, to: true, of: RowID(1)) == nil)
    #expect(
      try board.setFlags(.isMovable, to: false, of: RowID(1))?.changes == [
        .reload(RowID(1), at: at(0, 0))
      ])
    #expect(board.flags(of: RowID(1)) == .isEditable)
    #expect(board.rows(inSection: 0, from: 0, count: 1) == [RowEntry(RowID(1), flags: .isEditable)])
    #expect(throws: BoardError.noSuchRow(RowID(2))) {
      try board.setFlags(.isMovable, to: true, of: RowID(2))
    }
  }

  @Test("A page ends with its section, whatever its requested size")
  func pages() throws {
    let board = try Board(rows(0..<2_000))
    #expect(board.rows(inSection: 0, from: 470, count: 500).map(\.row) == rows(470..<970))
    #expect(board.rows(inSection: 0, from: 1_990, count: .max).map(\.row) == rows(1_990..<2_000))
    #expect(board.rows(inSection: 0, from: 2_000, count: 5).isEmpty)
    #expect(board.rows(inSection: 0, from: -1, count: 5).isEmpty)
    #expect(board.rows(inSection: 0, from: 0, count: -5).isEmpty)
    #expect(board.rows(inSection: 7, from: 0, count: 5).isEmpty)
  }
}
