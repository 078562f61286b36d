import BoardModel
import DragboardStore

/// What happened on a board, and how it is taken back.
///
/// What a batch adds is here until it is saved with the board.
struct BoardHistory {
  /// A step, and the rows that keep what rows of it held on the other side of the edit.
  struct Step {
    let step: UndoStep
    let kept: [RowID]
    /// The step in its binary form.
    let bytes: [UInt8]

    /// A step that is new.
    init(_ step: UndoStep, keeping kept: [RowID]) {
      (self.step, self.kept, bytes) = (step, kept, step.bytes)
    }

    /// A step in the form that it was stored in.
    init(bytes: [UInt8], keeping kept: [RowID]) throws(HistoryDamage) {
      (step, self.kept, self.bytes) = (try UndoStep(bytes: bytes), kept, bytes)
    }

    /// What rows hold for the sake of this step alone.
    var neededRows: [RowID] { step.returningRows + kept }
  }

  /// So many revisions are kept at least, and as many more before some are forgotten.
  private static let keptRevisions: UInt64 = 1_000
  /// Of more rows than that the size is reckoned by as many of them, picked evenly.
  private static let mostMeasured = 10_000

  private let board: BoardID
  private let repository: any BoardRepository
  private var undo: UndoHistory
  /// From that revision on everything is logged.
  private var firstRevision: UInt64
  private var revisions: [Revision] = []
  private var steps: [UInt64: Step] = [:]
  private var forgotten: [UInt64] = []
  /// Steps of which it is known that no rows are kept for them.
  private var rowless: Set<UInt64> = []
  /// The steps that the repository has, and whether it has them as undone.
  private var stored: [UInt64: Bool]
  /// The oldest steps that the repository has: forgotten, and not deleted yet.
  private var outdated: [UInt64] = []
  /// So many are deleted together: they lie side by side.
  private static let mostOutdated = 32
  /// For so many steps that are new the memory is kept.
  private static let mostKept = 64

  /// The history of a board that stands at that revision, as the repository has it.
  init(
    of board: BoardID, at revision: UInt64, in repository: any BoardRepository, _ limits: Limits
  ) throws(StoreError) {
    self.board = board
    self.repository = repository
    let steps = try repository.steps(of: board)
    func kept(_ isUndone: Bool) -> [UndoHistory.Step] {
      steps.filter { $0.isUndone == isUndone }
        .map { UndoHistory.Step(number: $0.number, bytes: $0.byteCount) }
    }
    undo = UndoHistory(
      mostSteps: limits.undoSteps, mostBytes: limits.undoBytes, done: kept(false),
      undone: kept(true).reversed())
    // A damaged database may have one twice.
    stored = Dictionary(steps.map { ($0.number, $0.isUndone) }) { $1 }
    // What a damaged log has of later revisions tells nothing of this one.
    firstRevision = min(revision, try repository.firstLoggedRevision(of: board) ?? revision)
  }

  // MARK: Edits

  /// Notes an edit, and what takes it back.
  mutating func record(_ revision: Revision, _ step: UndoStep, keeping kept: [RowID]) {
    let step = Step(step, keeping: kept)
    let (number, forgotten) = undo.record(bytes: byteCount(of: step))
    note(revision, number, step, forgotten)
  }

  /// The step that takes the latest edit back; nil where there is none.
  func stepToUndo() throws(StoreError) -> Step? { try undo.done.last.map(step) }

  /// The step that makes the latest undone edit again; nil where there is none.
  func stepToRedo() throws(StoreError) -> Step? { try undo.undone.last.map(step) }

  /// Notes that the latest edit has been taken back; `step` makes it again.
  mutating func recordUndo(_ revision: Revision, _ step: UndoStep, keeping kept: [RowID]) {
    guard let number = undo.done.last?.number else { return }
    let step = Step(step, keeping: kept)
    note(revision, number, step, undo.undo(bytes: byteCount(of: step)))
  }

  /// Notes that the latest undone edit has been made again; `step` takes it back.
  mutating func recordRedo(_ revision: Revision, _ step: UndoStep, keeping kept: [RowID]) {
    guard let number = undo.undone.last?.number else { return }
    let step = Step(step, keeping: kept)
    note(revision, number, step, undo.redo(bytes: byteCount(of: step)))
  }

  private mutating func note(
    _ revision: Revision, _ number: UInt64, _ step: Step, _ forgotten: [UInt64]
  ) {
    revisions.append(revision)
    steps[number] = step
    if step.neededRows.isEmpty { rowless.insert(number) } else { rowless.remove(number) }
    self.forgotten += forgotten
  }

  private func step(_ kept: UndoHistory.Step) throws(StoreError) -> Step {
    try step(kept.number)
  }

  private func step(_ number: UInt64) throws(StoreError) -> Step {
    if let step = steps[number] { return step }
    guard let stored = try repository.operations(ofStep: number, of: board) else {
      throw StoreError.unreadable("a step of the board's history is not in the database")
    }
    do throws(HistoryDamage) {
      return try Step(bytes: stored.operations, keeping: stored.kept)
    } catch { throw StoreError.unreadable("a step of the board's history is damaged: \(error)") }
  }

  /// How large a step is, with what rows hold for its sake.
  ///
  /// A size that cannot be read counts as none: it is for the limit alone.
  private func byteCount(of step: Step) -> Int {
    let rows = step.neededRows
    guard !rows.isEmpty else { return step.bytes.count }
    let distance = (rows.count + Self.mostMeasured - 1) / Self.mostMeasured
    let measured = stride(from: 0, to: rows.count, by: distance).map { rows[$0] }
    let size = (try? repository.byteCount(of: measured)) ?? 0
    return step.bytes.count
      + (rows.count == measured.count ? size : size / measured.count * rows.count)
  }

  // MARK: Saving

  /// Hands what has been added to the repository.
  ///
  /// - Parameter rowCount: the number of rows that the board has now.
  /// - Returns: the rows that nobody needs any more: what they hold is to be discarded.
  /// - Throws: what the repository says.
  mutating func save(rowCount: Int) throws(StoreError) -> [RowID] {
    var unneeded: [RowID] = []
    for number in forgotten { unneeded += try forget(number) }
    forgotten = []
    if outdated.count >= Self.mostOutdated { try deleteOutdated() }
    try save(undo.done, isUndone: false)
    try save(undo.undone, isUndone: true)
    steps.removeAll(keepingCapacity: steps.capacity <= Self.mostKept)
    try saveRevisions(rowCount)
    return unneeded
  }

  /// Forgets a step; one of the oldest that keeps no rows may stay where it is stored for a while.
  ///
  /// Not one that has been taken back, which may come in any order: the next daemon would offer it again.
  private mutating func forget(_ number: UInt64) throws(StoreError) -> [RowID] {
    let isAsStored = steps[number] == nil
    defer { steps[number] = nil }
    let isRowless = rowless.remove(number) != nil
    if isRowless, isAsStored, stored[number] == false {
      outdated.append(number)
      return []
    }
    let unneeded = isRowless ? [] : try neededRows(ofStep: number)
    // None stays behind a step that goes.
    try deleteOutdated()
    if stored.removeValue(forKey: number) != nil {
      try repository.deleteSteps(number...number, of: board)
    }
    return unneeded
  }

  private mutating func deleteOutdated() throws(StoreError) {
    // They are in order, and no step that is kept is among them, unless the database says otherwise of what has been undone.
    guard let first = outdated.min(), let last = outdated.max() else { return }
    try repository.deleteSteps(first...last, of: board)
    for number in outdated { stored[number] = nil }
    outdated = []
  }

  /// What is new is at the end.
  private mutating func save(
    _ list: [UndoHistory.Step], isUndone: Bool
  ) throws(StoreError) {
    for kept in list.reversed() {
      guard let step = steps.removeValue(forKey: kept.number) else {
        if steps.isEmpty { return }
        continue
      }
      let info = StepInfo(number: kept.number, isUndone: isUndone, byteCount: kept.bytes)
      try repository.save(info, step.bytes, keeping: step.kept, of: board)
      stored[kept.number] = isUndone
    }
  }

  /// What rows hold for the sake of a step alone; of a damaged one nothing can be told but what it kept.
  private func neededRows(ofStep number: UInt64) throws(StoreError) -> [RowID] {
    if let step = steps[number] { return step.neededRows }
    guard let stored = try repository.operations(ofStep: number, of: board) else { return [] }
    return ((try? UndoStep(bytes: stored.operations))?.returningRows ?? []) + stored.kept
  }

  private mutating func saveRevisions(_ rowCount: Int) throws(StoreError) {
    guard let first = revisions.first, let last = revisions.last else { return }
    try repository.log(revisions.form, first.to...last.to, rowCount: rowCount, of: board)
    revisions = []
    guard last.to - firstRevision > 2 * Self.keptRevisions else { return }
    try repository.forgetLog(upTo: last.to - Self.keptRevisions, of: board)
    firstRevision = min(last.to, try repository.firstLoggedRevision(of: board) ?? last.to)
  }

  // MARK: Reading

  /// The most changes that are told at once.
  private static let mostChanges = 100_000
  /// What is logged of so many changes, each with the longest name of a section, has fewer bytes: more of them are not looked at.
  private static let mostLoggedBytes = 32 << 20

  /// Everything that has changed since a revision, which is not later than the board's; nil where that is too long ago, or too much.
  func changes(since revision: UInt64) throws(StoreError) -> [Change]? {
    guard revision >= firstRevision,
      let batches = try repository.loggedChanges(
        after: revision, of: board, limit: Self.mostLoggedBytes)
    else { return nil }
    var changes: [Change] = []
    for batch in batches {
      let logged: [Revision]
      do throws(HistoryDamage) { logged = try [Revision](form: batch) } catch {
        throw StoreError.unreadable("the board's log is damaged: \(error)")
      }
      for made in logged where made.to > revision { changes += made.changes }
      guard changes.count <= Self.mostChanges else { return nil }
    }
    for made in revisions where made.to > revision { changes += made.changes }
    return changes.count <= Self.mostChanges && !changes.contains(.reset) ? changes : nil
  }
}
