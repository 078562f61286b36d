import BoardModel
import SQLite
import TestSupport
import Testing

@testable import DragboardStore

@Suite("Random batches of edits give the same boards in the store and in memory")
struct RandomBatchTests {
  @Test("After every power cut the store has exactly the committed edits", arguments: [1, 2, 3])
  func batches(seed: UInt64) throws {
    var run = try RandomBatches(seed: seed)
    for step in 1...300 {
      try run.batch()
      if step % 20 == 0 { try run.compareAfterPowerCut() }
    }
    #expect(run.commits > 150)
    #expect(run.rollbacks > 20)
    #expect(run.committed.texts.count > 50)
  }
}

/// A board, the texts of its rows, and a store that receives the same edits.
private struct RandomBatches {
  /// The board and the texts of its rows.
  struct State {
    var board: Board
    var texts: [RowID: String] = [:]
  }

  let folder: TemporaryFolder
  let store: BoardStore
  let id: BoardNumber
  var random: SplitMix64
  var live: State
  var committed: State
  var commits = 0
  var rollbacks = 0

  init(seed: UInt64) throws {
    folder = try TemporaryFolder()
    store = try folder.open()
    random = SplitMix64(seed: seed)
    let (id, board) = try store.makeBoard(named: "board")
    try store.commit()
    self.id = id
    live = State(board: board)
    committed = live
  }

  /// Makes some edits, and saves and commits them together; sometimes it undoes all of them.
  mutating func batch() throws {
    for _ in 0..<Int.random(in: 1...8, using: &random) { try edit() }
    try store.save(&live.board, as: id)
    if Int.random(in: 0..<5, using: &random) == 0 { _ = try store.purgeDiscarded(limit: 20) }
    if Int.random(in: 0..<8, using: &random) == 0 {
      store.rollback()
      live = committed
      rollbacks += 1
    } else {
      try store.commit()
      committed = live
      commits += 1
    }
  }

  private mutating func edit() throws {
    let section = Int.random(in: 0..<live.board.sectionCount, using: &random)
    let count = live.board.rowCount(inSection: section) ?? 0
    let row = count == 0 ? nil : live.board.row(at: place(section, 0..<count))
    switch (Int.random(in: 0..<20, using: &random), row) {
    case (0..<10, _), (_, nil): try insert(at: place(section, 0..<count + 1))
    case (10..<13, let row?):
      guard let path = live.board.indexPath(of: row) else { return }
      _ = try live.board.move(from: path, to: place(section, 0..<count))
    case (13..<16, let row?):
      _ = try live.board.delete([row])
      live.texts[row] = nil
    case (16..<18, let row?): try setText(of: row)
    case (18, let row?):
      _ = try live.board.setFlags(.isPinned, to: .random(using: &random), of: row)
    default: try editSections(section)
    }
  }

  private mutating func place(_ section: Int, _ rows: Range<Int>) -> IndexPath {
    IndexPath(section: section, row: Int.random(in: rows, using: &random))
  }

  private mutating func text() -> String {
    let count = Int.random(in: 0..<12, using: &random)
    return String((0..<count).map { _ in "aä→😀\n\0".randomElement(using: &random) ?? " " })
  }

  private mutating func insert(at path: IndexPath) throws {
    let rows = try store.reserveRows(Int.random(in: 1...40, using: &random))
    for row in rows {
      let text = text()
      try store.put(.text(text), of: row)
      live.texts[row] = text
    }
    _ = try live.board.insert(rows, at: path, maxRows: .max)
  }

  private mutating func setText(of row: RowID) throws {
    let text = text()
    _ = try live.board.reload(row)
    try store.replaceContent(of: row, with: .text(text))
    live.texts[row] = text
  }

  private mutating func editSections(_ section: Int) throws {
    let sections = live.board.sectionCount
    if sections < 3 {
      _ = try live.board.insertSection(
        named: "s\(live.board.revision)", at: section, maxSections: 8)
    } else if Bool.random(using: &random) {
      _ = try live.board.moveSection(from: section, to: sections - 1)
    } else {
      for entry in live.board.rows(inSection: section, from: 0, count: .max) {
        live.texts[entry.row] = nil
      }
      _ = try live.board.deleteSection(section)
    }
  }

  /// Opens a copy of the files as after a power cut, and compares its boards and texts.
  func compareAfterPowerCut() throws {
    let found = try folder.afterPowerCut().open()
    let boards = try found.boards()
    try #require(boards.map(\.board).map { $0.snapshot() } == [committed.board.snapshot()])
    for section in 0..<committed.board.sectionCount {
      let rows = committed.board.rows(inSection: section, from: 0, count: .max)
      try #require(boards[0].board.rows(inSection: section, from: 0, count: .max) == rows)
    }
    for (row, text) in committed.texts {
      try #require(try found.text(of: row).map { Array($0.utf8) } == Array(text.utf8))
    }
    while try found.purgeDiscarded(limit: 1_000) {}
    let stored = try found.tables.transaction.database.integer(
      "SELECT count(*) FROM representation")
    try #require(stored == Int64(committed.texts.count))
  }
}
