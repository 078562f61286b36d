import TestSupport
import Testing

@testable import BoardModel
import FuzzTargets

@Suite("Undo and redo")
struct UndoTests {
  /// Returns a board of three sections with a locked row, a row with a fixed position and a pinned
  /// row.
  private static func board() throws -> Board {
    var board = try Board(rows(1, 2, 3, 4, 5), rows(6, 7), [])
    _ = try board.setFlags(.initial, to: false, of: RowID(3))
    _ = try board.setFlags(.isPinned, to: true, of: RowID(3))
    return board
  }

  @Test(
    "An undo has as few changes as the edit, and restores the earlier board",
    arguments: [
      (
        .insert(rows(8, 9), at: at(0, 1), maxRows: 9),
        [.delete(RowID(9), at: at(0, 2)), .delete(RowID(8), at: at(0, 1))]
      ),
      (
        .delete(rows(6, 2, 1, 5)),
        [
          .insert(RowID(1), at: at(0, 0)), .insert(RowID(2), at: at(0, 1)),
          .insert(RowID(5), at: at(0, 4)), .insert(RowID(6), at: at(1, 0)),
        ]
      ),
      (.deleteAt(at(1, 1)), [.insert(RowID(7), at: at(1, 1))]),
      (.move(from: at(0, 0), to: at(1, 2)), [.move(RowID(1), from: at(1, 2), to: at(0, 0))]),
      (
        .moveItems(rows(4, 1), section: 1, row: 1),
        [
          .move(RowID(1), from: at(1, 2), to: at(0, 0)),
          .move(RowID(4), from: at(1, 1), to: at(0, 3)),
        ]
      ),
      (.reload(RowID(2)), [.reload(RowID(2), at: at(0, 1))]),
      (.setFlags(.isMovable, to: true, of: RowID(3)), [.reload(RowID(3), at: at(0, 2))]),
      (.setFlags(.isPinned, to: false, of: RowID(3)), [.reload(RowID(3), at: at(0, 2))]),
      (.insertSection("new", at: 1, maxSections: 9), [.deleteSection("new", at: 1)]),
      (.renameSection(1, to: "new"), [.renameSection(to: "s1", at: 1)]),
      (.moveSection(from: 0, to: 2), [.moveSection("main", from: 2, to: 0)]),
      (
        .deleteSection(1),
        [
          .insertSection("s1", at: 1), .insert(RowID(6), at: at(1, 0)),
          .insert(RowID(7), at: at(1, 1)),
        ]
      ),
    ] as [(Edit, [Change])])
  func told(edit: Edit, changes: [Change]) throws {
    var board = try Self.board()
    let before = board
    #expect(try board.perform(edit) != nil)
    let after = board.snapshot()
    let step = try board.latestStep()
    let told = try board.apply(step)
    #expect(told.changes == changes)
    #expect(board.snapshot().sections == before.snapshot().sections)
    #expect(board.flags(of: RowID(3)) == .isPinned)
    let opposite = try board.latestStep()
    _ = try board.apply(opposite)
    #expect(board.snapshot().sections == after.sections)
    #expect(try board.latestStep() == step)
  }

  @Test("Undo restores rows with their flags even if the board is full")
  func flags() throws {
    var board = try Board(rows(1, 2, 3))
    _ = try board.setFlags(.isMovable, to: false, of: RowID(2))
    _ = try board.setFlags(.isPinned, to: true, of: RowID(2))
    _ = try board.delete(rows(1, 2, 3))
    let step = try board.latestStep()
    #expect(step.returningRows == rows(1, 2, 3))
    _ = try board.apply(step)
    #expect(board.order == [rows(1, 2, 3)])
    #expect(board.flags(of: RowID(2)) == [.isEditable, .isPinned])
    #expect(try board.latestStep().returningRows.isEmpty)
  }

  @Test("An edit that changes nothing or is refused makes no step")
  func nothing() throws {
    var board = try Board(rows(1, 2, 3))
    _ = board.takeUndoStep()
    _ = try board.delete([])
    _ = try? board.delete(rows(1, 9))
    let step = board.takeUndoStep()
    #expect(step == nil)
  }

  @Test("A step names the rows with another content, but not rows that are on the board")
  func rowsOfSteps() throws {
    var board = try Board(rows(1, 2, 3))
    _ = try board.reload(RowID(2))
    let step = try board.latestStep()
    #expect(step.rowsWithOtherContent == rows(2) && step.returningRows.isEmpty)
  }

  @Test("Edits of more than 10,000 rows are undone and redone, and reported as resets")
  func large() throws {
    let many = rows(0..<10_002)
    let full = try Board(many + [RowID(20_000)], rows(30_000))
    let edits: [Edit] = [
      .clear, .delete(many.reversed()), .deleteSection(0),
      .moveItems(many.reversed(), section: 1, row: 1),
      .insert(rows(40_000..<50_001), at: at(0, 5), maxRows: .max),
      .arrange([SnapshotSection(name: "s1", rows: many.reversed() + [RowID(30_000)])]),
      .arrangeSection(0, many.reversed() + [RowID(20_000)]),
    ]
    for edit in edits {
      var board = full
      #expect(try board.perform(edit)?.changes == [.reset])
      let after = board.snapshot()
      let step = try UndoStep(bytes: board.latestStep().bytes)
      #expect(step.bytes.count < 2 * 8 * full.count + 200)
      let gone = Set(full.order.joined()).subtracting(after.sections.flatMap(\.rows))
      #expect(Set(step.returningRows) == gone)
      #expect(try board.apply(step).changes == [.reset])
      #expect(board.snapshot().sections == full.snapshot().sections)
      _ = try board.apply(board.latestStep())
      #expect(board.snapshot().sections == after.sections)
    }
  }

  @Test(
    "Undoing all edits restores the first board, and redoing them the last one",
    arguments: [(1, 4), (2, 4), (3, 8), (4, 480)])
  func random(seed: UInt64, blockCapacity: Int) throws {
    var run = UndoRun(seed: seed, blockCapacity: blockCapacity)
    for _ in 0..<40 {
      for _ in 0..<Int.random(in: 1...25, using: &run.edits.random) { try run.edit() }
      for _ in 0..<Int.random(in: 0...20, using: &run.edits.random) { try run.undo() }
      for _ in 0..<Int.random(in: 0...10, using: &run.edits.random) { try run.redo() }
    }
    while !run.done.isEmpty { try run.undo() }
    #expect(run.board.snapshot().sections == Board().snapshot().sections)
    while !run.undone.isEmpty { try run.redo() }
    #expect(run.revisions > 500)
  }
}

/// A board with all its steps, and the state of the board before each step.
private struct UndoRun {
  typealias Step = (step: UndoStep, goal: NaiveBoard)

  var edits: EditSource
  var board: Board
  var naive = NaiveBoard()
  var done: [Step] = []
  var undone: [Step] = []
  var revisions = 0
  private var store = StoreDouble()
  private let blockCapacity: Int

  init(seed: UInt64, blockCapacity: Int) {
    edits = EditSource(seed: seed)
    board = Board(blockCapacity: blockCapacity)
    self.blockCapacity = blockCapacity
    store.save(board.takeUnsavedChanges())
  }

  mutating func edit() throws {
    let edit = edits.nextWithArrangements(for: naive)
    let before = naive
    guard let revision = try? board.perform(edit) else { return }
    _ = try naive.perform(edit)
    done.append((try check(revision, from: before), before))
    undone = []
  }

  mutating func undo() throws {
    guard let last = done.popLast() else { return }
    undone.append(try take(last))
  }

  mutating func redo() throws {
    guard let last = undone.popLast() else { return }
    done.append(try take(last))
  }

  /// Applies a step, and returns the opposite step.
  private mutating func take(_ step: Step) throws -> Step {
    let before = naive
    naive = step.goal
    naive.revision = before.revision + 1
    let revision = try board.apply(step.step)
    return (try check(revision, from: before), before)
  }

  /// Compares everything that a revision shows; returns its step, encoded and decoded again.
  private mutating func check(_ revision: Revision, from before: NaiveBoard) throws -> UndoStep {
    revisions += 1
    var replica = before.snapshot
    try replica.apply(revision)
    try #require(replica == naive.snapshot)
    try #require(board.snapshot() == naive.snapshot)
    for (section, rows) in naive.rows.enumerated() {
      let entries = rows.map { RowEntry($0, flags: naive.flags(of: $0)) }
      try #require(board.rows(inSection: section, from: 0, count: .max) == entries)
    }
    let step = try board.latestStep()
    let gone = Set(before.all).subtracting(naive.all)
    try #require(step.returningRows.count == gone.count && gone == Set(step.returningRows))
    try restore(gone)
    let read = try UndoStep(bytes: step.bytes)
    try #require(read == step)
    return read
  }

  /// Saves the board, and continues with the stored board.
  private mutating func restore(_ gone: Set<RowID>) throws {
    let changes = board.takeUnsavedChanges()
    #expect(Set(changes.removedRows) == gone && changes.removedRows.count == gone.count)
    store.save(changes)
    guard Int.random(in: 0..<10, using: &edits.random) == 0 else { return }
    board = try Board(
      revision: board.revision, sections: store.sections, blocks: Array(store.blocks.values),
      blockCapacity: blockCapacity)
  }
}
