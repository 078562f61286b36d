import TestSupport
import Testing

@testable import BoardModel
import FuzzTargets

@Suite("Random edits, compared with a board of plain arrays")
struct RandomEditTests {
  @Test(
    "Every edit is correct, is reported in changes that can be replayed, and can be stored",
    arguments: [(1, 4), (2, 4), (3, 2), (4, 3), (5, 8), (6, 16), (7, 480)])
  func edits(seed: UInt64, blockCapacity: Int) throws {
    var run = RandomRun(seed: seed, blockCapacity: blockCapacity)
    for step in 0..<1_200 {
      try run.step()
      if step % 4 == 0 { try run.compareRows() }
      if step % 50 == 0 { try run.restore() }
    }
    try run.restore()
    #expect(run.revisions > 600)
    #expect(run.refusals > 50)
  }
}

/// A board, its oracle and a store that receive the same edits.
private struct RandomRun {
  let blockCapacity: Int
  var edits: EditSource
  var board: Board
  var naive = NaiveBoard()
  var store = StoreDouble()
  var revisions = 0
  var refusals = 0

  init(seed: UInt64, blockCapacity: Int) {
    self.blockCapacity = blockCapacity
    edits = EditSource(seed: seed)
    board = Board(blockCapacity: blockCapacity)
    store.save(board.takeUnsavedChanges())
  }

  mutating func step() throws {
    let edit = edits.next(for: naive)
    let before = naive
    let expected = Result { [naive] in
      var changed = naive
      return (try changed.perform(edit), changed)
    }
    do {
      let revision = try board.perform(edit)
      let (didChange, changed) = try expected.get()
      naive = changed
      try #require((revision != nil) == didChange, "\(edit)")
      if let revision { try replay(revision, on: before, edit) }
    } catch let error as BoardError {
      #expect(throws: error, "\(edit)") { try expected.get() }
      refusals += 1
    }
    try #require(board.snapshot() == naive.snapshot, "\(edit)")
    save(after: edit, rowsBefore: before.all)
  }

  private mutating func replay(_ revision: Revision, on before: NaiveBoard, _ edit: Edit) throws {
    revisions += 1
    var replica = before.snapshot
    try replica.apply(revision)
    try #require(replica == naive.snapshot, "\(edit): \(revision.changes)")
    if case .moveItems(let rows, _, _) = edit {
      for case .move(let row, _, _) in revision.changes { #expect(rows.contains(row)) }
    }
  }

  func compareRows() throws {
    try #require(board.count == naive.all.count)
    for (section, rows) in naive.rows.enumerated() {
      let entries = rows.map { RowEntry($0, flags: naive.flags(of: $0)) }
      try #require(board.rows(inSection: section, from: 0, count: .max) == entries)
      for (index, row) in rows.enumerated() {
        let path = IndexPath(section: section, row: index)
        guard board.indexPath(of: row) == path, board.row(at: path) == row else {
          Issue.record("\(row) is not at \(path)")
          return
        }
      }
    }
  }

  private mutating func save(after edit: Edit, rowsBefore: [RowID]) {
    let changes = board.takeUnsavedChanges()
    let gone = rowsBefore.filter { !board.contains($0) }
    #expect(Set(changes.removedRows) == Set(gone) && changes.removedRows.count == gone.count)
    if edit.isSmall { #expect(changes.blocks.count + changes.removedBlocks.count <= 5, "\(edit)") }
    store.save(changes)
  }

  /// Restores and checks the stored board.
  ///
  /// Every second call also continues the test with it.
  mutating func restore() throws {
    var restored = try Board(
      revision: board.revision, sections: store.sections, blocks: Array(store.blocks.values),
      blockCapacity: blockCapacity)
    #expect(restored.snapshot() == board.snapshot())
    #expect(restored.takeUnsavedChanges().isEmpty)
    if Bool.random(using: &edits.random) { board = restored }
    try compareRows()
  }
}
