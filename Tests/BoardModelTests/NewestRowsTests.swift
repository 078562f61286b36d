import TestSupport
import Testing

@testable import BoardModel

@Suite("Pages of rows")
struct NewestRowsTests {
  @Test("The newest rows are those with the highest numbers", arguments: [1, 64, 5_000])
  func newest(gap: UInt64) throws {
    var random = SplitMix64(seed: gap)
    var board = Board()
    let rows = (0..<3_000).map {
      RowID(UInt64($0) * gap + UInt64.random(in: 0..<gap, using: &random))
    }
    _ = try board.insert(
      rows.shuffled(using: &random), at: IndexPath(section: 0, row: 0), maxRows: .max)
    let gone = Set(rows.filter { _ in Bool.random(using: &random) })
    _ = try board.delete(Array(gone))
    let kept = rows.filter { !gone.contains($0) }.reversed()
    for count in [0, 1, 7, 100, kept.count, 10_000] {
      #expect(board.newestRows(count) == Array(kept.prefix(count)))
    }
    #expect(Board().newestRows(5) == [])
  }

  @Test("Rows from an index on are those of the whole board in order")
  func wholeBoard() throws {
    let all = rows(1..<10)
    let board = try Board(Array(all[..<4]), [], Array(all[4...]))
    for first in 0...10 {
      for count in 0...10 {
        #expect(board.rows(from: first, count: count) == Array(all.dropFirst(first).prefix(count)))
      }
    }
    #expect(board.rows(from: .max - 1, count: 5) == [])
  }
}
