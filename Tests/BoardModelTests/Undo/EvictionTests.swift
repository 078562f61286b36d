import TestSupport
import Testing

@testable import BoardModel

@Suite("Rows that retention deleted")
struct EvictionTests {
  @Test("An insertion that evicts is one revision: the insertion, then the deletions")
  func oneRevision() throws {
    var board = try Board(rows(1, 2), rows(3))
    let revision = try board.insert(rows(9), at: at(1, 0), maxRows: 9, evicting: rows(3, 1))
    #expect(
      revision?.changes == [
        .insert(RowID(9), at: at(1, 0)), .delete(RowID(3), at: at(1, 1)),
        .delete(RowID(1), at: at(0, 0)),
      ])
    #expect(board.order == [rows(2), rows(9)])
  }

  @Test("Undo of that insertion deletes only the inserted row, and needs no evicted content")
  func undo() throws {
    var board = try Board(rows(1, 2, 3))
    _ = try board.insert(rows(9), at: at(0, 0), maxRows: 9, evicting: rows(1, 2))
    let step = try board.latestStep()
    #expect(step.returningRows == [])
    #expect(step.evictedCount == 2)
    #expect(try UndoStep(bytes: step.bytes) == step)
    let (fitting, evicted) = try step.withoutEvictedRows(on: board)
    let revision = try board.apply(try #require(fitting))
    #expect(revision.changes == [.delete(RowID(9), at: at(0, 0))])
    #expect(board.order == [rows(3)])
    #expect(evicted?.evictedCount == 2)
  }

  @Test("A step that concerned only evicted rows becomes empty")
  func nothingLeft() throws {
    var board = try Board(rows(1, 2))
    _ = try board.move(from: at(0, 0), to: at(0, 1))
    let move = try board.latestStep()
    _ = board.evict(rows(1))
    let (fitting, evicted) = try move.preceded(by: board.latestStep())
      .withoutEvictedRows(on: board)
    #expect(fitting == nil)
    #expect(evicted?.evictedCount == 1)
  }

  @Test("A step that would move a row to its own position becomes empty")
  func noEffect() throws {
    var board = try Board(rows(1, 2, 3))
    _ = try board.move(from: at(0, 1), to: at(0, 0))
    let move = try board.latestStep()
    _ = board.evict(rows(1))
    let (fitting, _) = try move.preceded(by: board.latestStep()).withoutEvictedRows(on: board)
    #expect(fitting == nil)
  }

  @Test("Rows that a changed retention deletes return with the undo, which reverses the change")
  func changedRetention() throws {
    var board = try Board(rows(1, 2, 3))
    let change = RetentionChange(
      from: RetentionLimits(), to: RetentionLimits(rows: 1, seconds: 60))
    let revision = board.delete(rows(2, 1, 9), because: change)
    #expect(
      revision?.changes == [.delete(RowID(2), at: at(0, 1)), .delete(RowID(1), at: at(0, 0))])
    let step = try board.latestStep()
    #expect(step.retentionChange == change.reversed)
    #expect(step.returningRows == rows(1, 2))
    _ = try board.apply(step)
    #expect(board.order == [rows(1, 2, 3)])
    let redo = try board.latestStep()
    #expect(redo.retentionChange == change)
    #expect(board.delete(rows(7), because: change) == nil)
  }

  @Test("A step that does not fit the board, and a step of too many evicted rows, are refused")
  func refusals() throws {
    var board = try Board(rows(0..<1_000))
    _ = try board.insert(rows(2_000), at: at(0, 0), maxRows: .max)
    let step = try board.latestStep()
    _ = board.evict(rows(0..<600))
    let evicted = try board.latestStep()
    #expect(throws: HistoryDamage.doesNotFit(operation: 0)) {
      try step.preceded(by: evicted).preceded(by: evicted).withoutEvictedRows(
        on: Board(rows(1)))
    }
    let long = UndoStep(
      operations: evicted.operations
        + Array(repeating: .renameSection(to: "a", at: 0), count: 1)
        + Array(repeating: .setFlags(.initial, of: RowID(700)), count: 400))
    #expect(throws: HistoryDamage.tooManyEvicted) { try long.withoutEvictedRows(on: board) }
  }

  /// A board that evicts rows, and a whole board that gets the same edits but evicts nothing.
  private struct Pair {
    var board = Board()
    var whole = Board()
    var steps: [UndoStep] = []
    var wholeSteps: [UndoStep] = []

    mutating func precede(by evicted: UndoStep?) {
      guard let evicted, let last = steps.popLast() else { return }
      steps.append(last.preceded(by: evicted))
    }

    mutating func note() throws {
      steps.append(try board.latestStep())
      wholeSteps.append(try whole.latestStep())
    }

    /// Undoes the latest edit on both boards.
    mutating func undo() throws {
      guard let step = steps.popLast(), let wholeStep = wholeSteps.popLast() else { return }
      _ = try whole.apply(wholeStep)
      let before = board.snapshot()
      let (fitting, evicted) = try step.withoutEvictedRows(on: board)
      if let fitting {
        let revision = try board.apply(fitting)
        #expect(try before.applying(revision) == board.order)
        // The redo restores the board before the undo, and the next undo leads to the same board
        // again.
        var copy = board
        let redo = try copy.latestStep()
        _ = try copy.apply(redo)
        #expect(copy.order == before.sections.map(\.rows))
        _ = try copy.apply(try copy.latestStep())
        #expect(copy.order == board.order)
        _ = board.takeUndoStep()
      }
      precede(by: evicted)
    }

    /// Returns the path on the whole board of the row at a path of the evicting board.
    func path(_ path: IndexPath) -> IndexPath {
      if let row = board.row(at: path), let path = whole.indexPath(of: row) { return path }
      return at(path.section, whole.rowCount(inSection: path.section) ?? 0)
    }
  }

  @Test(
    "With evictions between random edits, each undo has the same result as without them",
    arguments: 0..<200 as Range<UInt64>)
  func random(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var pair = Pair()
    var evicted: Set<RowID> = []
    var next: UInt64 = 1
    func check() {
      let left = pair.whole.order.map { $0.filter { !evicted.contains($0) } }
      #expect(pair.board.order == left)
    }
    for _ in 0..<60 {
      let all = pair.board.order.flatMap { $0 }
      let section = Int.random(in: 0..<pair.board.sectionCount, using: &random)
      let place = at(
        section,
        Int.random(in: 0...(pair.board.rowCount(inSection: section) ?? 0), using: &random))
      let some = Array(all.shuffled(using: &random).prefix(Int.random(in: 1...4, using: &random)))
      switch Int.random(in: 0..<12, using: &random) {
      case 0..<4:
        let new = rows(next..<next + UInt64.random(in: 1...3, using: &random))
        next += UInt64(new.count)
        let wholePlace = pair.path(place)
        let old = Array(all.sorted().prefix(Int.random(in: 0...2, using: &random)))
        _ = try pair.board.insert(new, at: place, maxRows: .max, evicting: old)
        _ = try pair.whole.insert(new, at: wholePlace, maxRows: .max)
        evicted.formUnion(old)
        try pair.note()
      case 4 where !some.isEmpty:
        _ = try pair.board.delete(some)
        _ = try pair.whole.delete(some)
        try pair.note()
      case 5 where some.count > 1:
        // After the move, the retained rows have the same order on both boards.
        guard try pair.board.move(some, toSection: section, row: nil) != nil else { continue }
        _ = try pair.whole.move(some, toSection: section, row: nil)
        try pair.note()
      case 6 where !some.isEmpty:
        let isPinned = Bool.random(using: &random)
        guard try pair.board.setFlags(.isPinned, to: isPinned, of: some[0]) != nil else { continue }
        _ = try pair.whole.setFlags(.isPinned, to: isPinned, of: some[0])
        try pair.note()
      case 7 where pair.board.sectionCount < 4:
        let name = "s\(next)"
        next += 1
        _ = try pair.board.insertSection(named: name, at: section, maxSections: 9)
        _ = try pair.whole.insertSection(named: name, at: section, maxSections: 9)
        try pair.note()
      case 8 where pair.board.sectionCount > 1:
        guard try pair.board.moveSection(from: section, to: 0) != nil else { continue }
        _ = try pair.whole.moveSection(from: section, to: 0)
        try pair.note()
      case 9:
        let old = Array(all.sorted().prefix(3))
        guard pair.board.evict(old) != nil else { continue }
        evicted.formUnion(old)
        let step = try pair.board.latestStep()
        pair.precede(by: step)
      default: try pair.undo()
      }
      check()
    }
    while !pair.steps.isEmpty {
      try pair.undo()
      check()
    }
    #expect(pair.board.count == 0)
  }
}

extension Snapshot {
  /// Returns the order after a revision, computed in the simplest way.
  fileprivate func applying(_ revision: Revision) throws -> [[RowID]] {
    var order = sections.map(\.rows)
    for change in revision.changes {
      switch change {
      case .insert(let row, let path): order[path.section].insert(row, at: path.row)
      case .delete(let row, let path): #expect(order[path.section].remove(at: path.row) == row)
      case .move(let row, let source, let destination):
        #expect(order[source.section].remove(at: source.row) == row)
        order[destination.section].insert(row, at: destination.row)
      case .reload: break
      case .insertSection(_, let index): order.insert([], at: index)
      case .deleteSection(_, let index): #expect(order.remove(at: index) == [])
      case .moveSection(_, let from, let to): order.insert(order.remove(at: from), at: to)
      case .renameSection: break
      case .reset: Issue.record("too many changes")
      }
    }
    return order
  }
}
