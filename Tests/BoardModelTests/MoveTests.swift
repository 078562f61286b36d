import BoardModel
import TestSupport
import Testing

@Suite("The move-row path")
struct MoveTests {
  @Test("With a, b, c, d, moving row 0 to 2 gives b, c, a, d")
  func takesOutThenPutsIn() throws {
    var board = try Board(rows(1, 2, 3, 4))
    let revision = try board.move(from: at(0, 0), to: at(0, 2))
    #expect(revision?.changes == [.move(RowID(1), from: at(0, 0), to: at(0, 2))])
    #expect(board.order == [rows(2, 3, 1, 4)])
  }

  @Test("A move of a row to its own position makes no revision")
  func nowhere() throws {
    var board = try Board(rows(1, 2, 3))
    #expect(try board.move(from: at(0, 1), to: at(0, 1)) == nil)
    #expect(try board.move(rows(2, 3), toSection: 0, row: 1) == nil)
    #expect(try board.move(rows(2, 3), toSection: 0, row: nil) == nil)
    #expect(board.revision == 2)
  }

  @Test("Within a section a row moves to 0…n-1, to another section to 0…n")
  func ranges() throws {
    var board = try Board(rows(1, 2, 3), rows(4))
    #expect(throws: BoardError.indexOutOfRange(.toRow, given: 3, valid: 0...2)) {
      try board.move(from: at(0, 0), to: at(0, 3))
    }
    #expect(throws: BoardError.indexOutOfRange(.toRow, given: 2, valid: 0...1)) {
      try board.move(from: at(0, 0), to: at(1, 2))
    }
    #expect(throws: BoardError.indexOutOfRange(.fromRow, given: 1, valid: 0...0)) {
      try board.move(from: at(1, 1), to: at(0, 0))
    }
    #expect(throws: BoardError.indexOutOfRange(.fromSection, given: 2, valid: 0...1)) {
      try board.move(from: at(2, 0), to: at(9, 0))
    }
    #expect(throws: BoardError.indexOutOfRange(.toSection, given: 2, valid: 0...1)) {
      try board.move(from: at(0, 0), to: at(2, 0))
    }
    _ = try board.move(from: at(0, 2), to: at(1, 1))
    #expect(board.order == [rows(1, 2), rows(4, 3)])
  }

  @Test("No method moves a row that is not movable; others move past it")
  func movable() throws {
    var board = try Board(rows(1, 2, 3), rows(4))
    _ = try board.setFlags(.isMovable, to: false, of: RowID(2))
    #expect(throws: BoardError.notMovable(RowID(2))) {
      try board.move(from: at(0, 1), to: at(0, 0))
    }
    #expect(throws: BoardError.notMovable(RowID(2))) {
      try board.move(rows(1, 2), toSection: 1, row: 0)
    }
    _ = try board.move(from: at(0, 0), to: at(0, 2))
    #expect(board.order == [rows(2, 3, 1), rows(4)])
  }

  @Test("Several rows from any section are moved together, in the given order")
  func several() throws {
    var board = try Board(rows(1, 2, 3, 4), rows(5, 6))
    _ = try board.move(rows(5, 1, 3), toSection: 0, row: 1)
    #expect(board.order == [rows(2, 5, 1, 3, 4), rows(6)])
    _ = try board.move(rows(6, 2), toSection: 0, row: nil)
    #expect(board.order == [rows(5, 1, 3, 4, 6, 2), []])
  }

  @Test("The position of several rows does not count rows that leave the section")
  func severalRange() throws {
    var board = try Board(rows(1, 2, 3, 4), rows(5, 6))
    #expect(throws: BoardError.indexOutOfRange(.row, given: 3, valid: 0...2)) {
      try board.move(rows(1, 5, 2), toSection: 0, row: 3)
    }
    #expect(throws: BoardError.indexOutOfRange(.section, given: 2, valid: 0...1)) {
      try board.move(rows(1), toSection: 2, row: nil)
    }
    #expect(throws: BoardError.noSuchRow(RowID(7))) {
      try board.move(rows(1, 7), toSection: 0, row: 0)
    }
    #expect(throws: BoardError.duplicateRow(RowID(1))) {
      try board.move(rows(1, 7, 1), toSection: 5, row: 0)
    }
  }

  @Test("Rows that are in the right position already are not reported as moved")
  func few() throws {
    var board = try Board(rows(1, 2, 3, 4, 5))
    let revision = try board.move(rows(2, 3, 1, 4), toSection: 0, row: 0)
    #expect(revision?.changes == [.move(RowID(1), from: at(0, 0), to: at(0, 2))])
    #expect(board.order == [rows(2, 3, 1, 4, 5)])
  }

  @Test("No shorter series of moves of the listed rows leads to the same order")
  func fewest() throws {
    var random = SplitMix64(seed: 11)
    for _ in 0..<250 {
      let split = Int.random(in: 0...5, using: &random)
      let all = rows(0..<5)
      var board = try Board(Array(all[..<split]), Array(all[split...]))
      let count = Int.random(in: 1...4, using: &random)
      let list = Array(all.shuffled(using: &random).prefix(count))
      let section = Int.random(in: 0...1, using: &random)
      let room = board.order[section].count { !list.contains($0) }
      let before = board.order
      let row = Int.random(in: 0...room, using: &random)
      let revision = try board.move(list, toSection: section, row: row)
      let told = revision?.changes.count ?? 0
      #expect(
        told == fewestMoves(of: list, from: before, to: board.order),
        "\(list) to \(section).\(row) of \(before)")
    }
  }
}
