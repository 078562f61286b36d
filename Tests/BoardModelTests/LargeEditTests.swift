import BoardModel
import FuzzTargets
import Testing

@Suite("Edits of more than 10,000 rows are reported as a reset")
struct LargeEditTests {
  private static let many = rows(0..<10_001)

  @Test("10,000 changes are reported one by one, and 10,001 as a reset")
  func border() throws {
    var board = Board()
    let most = try board.insert(Array(Self.many.dropLast()), at: at(0, 0), maxRows: .max)
    #expect(most?.changes.count == 10_000)
    let before = board.snapshot()
    let cleared = board.clear()
    let deletes = try #require(cleared)
    #expect(deletes.changes.count == 10_000)
    var replica = before
    try replica.apply(deletes)
    #expect(replica == board.snapshot())
    #expect(try board.insert(Self.many, at: at(0, 0), maxRows: .max)?.changes == [.reset])
    #expect(board.order == [Self.many])
  }

  @Test("Deleting, clearing and moving of more rows than can be reported have the same effect")
  func resets() throws {
    let full = try Board(Self.many + [RowID(20_000)], rows(30_000))
    var board = full
    #expect(try board.delete(Self.many.reversed())?.changes == [.reset])
    #expect(board.order == [rows(20_000), rows(30_000)])
    board = full
    #expect(board.clear()?.changes == [.reset])
    #expect(board.order == [[], []])
    board = full
    let reversed = Array(Self.many.reversed())
    #expect(try board.move(reversed, toSection: 1, row: 1)?.changes == [.reset])
    #expect(board.order == [rows(20_000), rows(30_000) + reversed])
    #expect(board.indexPath(of: RowID(10_000)) == at(1, 1))
    #expect(board.takeUnsavedChanges().removedRows.isEmpty)
  }

  @Test("The deletion of a section is one change, plus one for each of its rows")
  func sections() throws {
    var board = try Board(rows(30_000), Array(Self.many.dropLast(2)))
    let deleted = try board.deleteSection(1)
    let revision = try #require(deleted)
    #expect(revision.changes.count == 10_000)
    #expect(revision.changes.last == .deleteSection("s1", at: 1))
    board = try Board(rows(30_000), Array(Self.many.dropLast()))
    #expect(try board.deleteSection(1)?.changes == [.reset])
    #expect(board.count == 1)
  }
}
