import BoardModel
import DragboardStore

/// The past changes of a board, and the steps that undo and redo its edits.
///
/// Changes and steps of an open transaction are in memory until they are saved with the board.
struct BoardHistory {
  /// A step that undoes or redoes an edit, and the rows that retain the contents for it.
  struct Step {
    let step: UndoStep
    let kept: [RowID]
    /// The binary encoding of the step.
    let bytes: [UInt8]

    /// Creates a new step.
    init(_ step: UndoStep, keeping kept: [RowID]) {
      (self.step, self.kept, bytes) = (step, kept, step.bytes)
    }

    /// Decodes a stored step.
    init(bytes: [UInt8], keeping kept: [RowID]) throws(HistoryDamage) {
      (step, self.kept, self.bytes) = (try UndoStep(bytes: bytes), kept, bytes)
    }

    /// The rows whose contents only this step needs.
    var neededRows: [RowID] { step.returningRows + kept }
  }

  /// The minimum number of logged revisions.
  ///
  /// When there are twice as many, the old ones are deleted.
  private static let keptRevisions: UInt64 = 1_000

  private let board: BoardID
  private let repository: any BoardRepository
  private var undo: UndoHistory
  /// The log has every change after this revision.
  private var firstRevision: UInt64
  private var revisions: [Revision] = []
  private var steps: [UInt64: Step] = [:]
  private var forgotten: [UInt64] = []
  /// Forgotten steps that must be deleted at once, because they do not fit the board.
  private var unfit: [UInt64] = []
  /// Rows that were permanently deleted.
  private var discarded: [RowID] = []
  /// The steps that are known to need no row contents.
  private var rowless: Set<UInt64> = []
  /// The numbers of the stored steps, each with whether it is stored as undone.
  private var stored: [UInt64: Bool]
  /// The oldest stored steps, which are forgotten but not yet deleted.
  private var outdated: [UInt64] = []
  /// The number of outdated steps that are deleted together.
  ///
  /// They are adjacent in the database.
  private static let maxOutdated = 32
  /// The number of new steps for which memory is retained.
  private static let maxKept = 64

  /// Reads the history of a board at this revision from the repository.
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
      maxSteps: limits.undoSteps, maxBytes: limits.undoBytes, done: kept(false),
      undone: kept(true).reversed())
    // A damaged database may contain a step twice.
    stored = Dictionary(steps.map { ($0.number, $0.isUndone) }) { $1 }
    // A damaged log may have later revisions, which are ignored.
    firstRevision = min(revision, try repository.firstLoggedRevision(of: board) ?? revision)
  }

  // MARK: Edits

  /// Records an edit and the step that undoes it.
  mutating func record(_ revision: Revision, _ step: UndoStep, keeping kept: [RowID]) {
    let step = Step(step, keeping: kept)
    let (number, forgotten) = undo.record(bytes: byteCount(of: step))
    note(revision, number, step, forgotten)
  }

  /// Returns the step that undoes the latest edit; nil if there is none.
  func stepToUndo() throws(StoreError) -> Step? { try undo.done.last.map(step) }

  /// Returns the step that redoes the latest undone edit; nil if there is none.
  func stepToRedo() throws(StoreError) -> Step? { try undo.undone.last.map(step) }

  /// Records that the latest edit was undone; `step` redoes it.
  mutating func recordUndo(_ revision: Revision, _ step: UndoStep, keeping kept: [RowID]) {
    guard let number = undo.done.last?.number else { return }
    let step = Step(step, keeping: kept)
    note(revision, number, step, undo.undo(bytes: byteCount(of: step)))
  }

  /// Records that the latest undone edit was redone; `step` undoes it.
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

  // MARK: Evictions

  /// Records an eviction, which is not undone on its own.
  ///
  /// `step` restores the evicted rows.
  mutating func recordEviction(_ revision: Revision, _ step: UndoStep) {
    revisions.append(revision)
    forgotten += undo.forgetUndone()
    precedeUndo(by: step)
  }

  /// Releases the contents of rows that were permanently deleted.
  mutating func discard(_ rows: [RowID]) { discarded += rows }

  /// Forgets all steps to undo, or only the next one.
  ///
  /// `evicted` is added to the start of the step that is next then.
  mutating func forgetUndo(all: Bool, evicted: UndoStep?) {
    unfit += undo.forgetDone(onlyLast: !all)
    if let evicted { precedeUndo(by: evicted) }
  }

  /// Forgets all steps to undo and to redo.
  mutating func forgetAll() { unfit += undo.forgetDone(onlyLast: false) + undo.forgetUndone() }

  /// Adds the restoration of evicted rows to the start of the next step to undo, which needs their
  /// positions.
  mutating func precedeUndo(by evicted: UndoStep) {
    guard let last = undo.done.last else { return }
    // A step that cannot be read cannot be adapted.
    guard let old = try? step(last.number),
      old.step.evictedCount + evicted.evictedCount <= UndoStep.maxEvicted
    else { return forgetUndo(all: true, evicted: nil) }
    let step = Step(old.step.preceded(by: evicted), keeping: old.kept)
    steps[last.number] = step
    undo.resizeLast(to: last.bytes + step.bytes.count - old.bytes.count)
  }

  // MARK: Steps

  private func step(_ kept: UndoHistory.Step) throws(StoreError) -> Step {
    try step(kept.number)
  }

  private func step(_ number: UInt64) throws(StoreError) -> Step {
    if let step = steps[number] { return step }
    guard let stored = try repository.operations(ofStep: number, of: board) else {
      throw StoreError.unreadable("a step of the board's history is missing in the database")
    }
    do throws(HistoryDamage) {
      return try Step(bytes: stored.operations, keeping: stored.kept)
    } catch { throw StoreError.unreadable("a step of the board's history is damaged: \(error)") }
  }

  /// The size of all steps in bytes, with the row contents that only they need.
  var byteCount: Int { undo.bytes }

  /// Returns the size of a step with the row contents that only this step needs.
  private func byteCount(of step: Step) -> Int {
    step.bytes.count + repository.estimatedByteCount(of: step.neededRows)
  }

  // MARK: Saving

  /// Writes the new changes and steps to the repository.
  ///
  /// - Parameter rowCount: the number of rows that the board has now.
  /// - Returns: the rows whose contents are no longer needed and must be discarded.
  /// - Throws: `StoreError` if the repository cannot be written.
  mutating func save(rowCount: Int) throws(StoreError) -> [RowID] {
    var unneeded: [RowID] = []
    for number in forgotten { unneeded += try forget(number) }
    for number in unfit { unneeded += try forget(number, atOnce: true) }
    unneeded += discarded
    (forgotten, unfit, discarded) = ([], [], [])
    if outdated.count >= Self.maxOutdated { try deleteOutdated() }
    try save(undo.done, isUndone: false)
    try save(undo.undone, isUndone: true)
    steps.removeAll(keepingCapacity: steps.capacity <= Self.maxKept)
    try saveRevisions(rowCount)
    return unneeded
  }

  /// Forgets a step.
  ///
  /// If no row contents are stored for one of the oldest steps, the step may stay in the database
  /// for a while. An undone step may not stay, because undone steps are forgotten in any order, and
  /// the next daemon would offer it again.
  private mutating func forget(
    _ number: UInt64, atOnce: Bool = false
  ) throws(StoreError) -> [RowID] {
    let isAsStored = steps[number] == nil
    defer { steps[number] = nil }
    let isRowless = rowless.remove(number) != nil
    if isRowless, isAsStored, !atOnce, stored[number] == false {
      outdated.append(number)
      return []
    }
    let unneeded = isRowless ? [] : try neededRows(ofStep: number)
    // Outdated steps are older, so they are deleted before this one.
    try deleteOutdated()
    if stored.removeValue(forKey: number) != nil {
      try repository.deleteSteps(number...number, of: board)
    }
    return unneeded
  }

  private mutating func deleteOutdated() throws(StoreError) {
    // The outdated steps are consecutive, so the range contains no other step, unless the database
    // is damaged.
    guard let first = outdated.min(), let last = outdated.max() else { return }
    try repository.deleteSteps(first...last, of: board)
    for number in outdated { stored[number] = nil }
    outdated = []
  }

  /// Stores the new steps, which are at the end of the list.
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

  /// Returns the rows whose contents only this step needs.
  ///
  /// For a damaged step, only the rows that were stored with the step are known.
  private func neededRows(ofStep number: UInt64) throws(StoreError) -> [RowID] {
    if let step = steps[number] { return step.neededRows }
    guard let stored = try repository.operations(ofStep: number, of: board) else { return [] }
    return ((try? UndoStep(bytes: stored.operations))?.returningRows ?? []) + stored.kept
  }

  private mutating func saveRevisions(_ rowCount: Int) throws(StoreError) {
    guard let first = revisions.first, let last = revisions.last else { return }
    try repository.log(revisions.encoding, first.to...last.to, rowCount: rowCount, of: board)
    revisions = []
    guard last.to - firstRevision > 2 * Self.keptRevisions else { return }
    try repository.forgetLog(upTo: last.to - Self.keptRevisions, of: board)
    firstRevision = min(last.to, try repository.firstLoggedRevision(of: board) ?? last.to)
  }

  // MARK: Reading

  /// The maximum number of changes in one reply.
  private static let maxChanges = 100_000
  /// The maximum size of a log that is read.
  ///
  /// It is an upper bound for `maxChanges` changes, each with a section name of maximum length.
  private static let maxLoggedBytes = 32 << 20

  /// Returns all changes since a revision.
  ///
  /// It returns nil if the log begins after the revision, or if there are too many changes.
  func changes(since revision: UInt64) throws(StoreError) -> [Change]? {
    guard revision >= firstRevision,
      let batches = try repository.loggedChanges(
        after: revision, of: board, limit: Self.maxLoggedBytes)
    else { return nil }
    var changes: [Change] = []
    for batch in batches {
      let logged: [Revision]
      do throws(HistoryDamage) { logged = try [Revision](encoding: batch) } catch {
        throw StoreError.unreadable("the board's log is damaged: \(error)")
      }
      for made in logged where made.to > revision { changes += made.changes }
      guard changes.count <= Self.maxChanges else { return nil }
    }
    for made in revisions where made.to > revision { changes += made.changes }
    return changes.count <= Self.maxChanges && !changes.contains(.reset) ? changes : nil
  }
}

extension BoardRepository {
  /// Returns the size of the contents of rows.
  ///
  /// The size of more than 10,000 rows is estimated from at most 10,000 evenly spaced rows. An
  /// unreadable size counts as 0, because the result is only used for limits.
  func estimatedByteCount(of rows: [RowID]) -> Int {
    let maxMeasured = 10_000
    guard !rows.isEmpty else { return 0 }
    let distance = (rows.count + maxMeasured - 1) / maxMeasured
    let measured = stride(from: 0, to: rows.count, by: distance).map { rows[$0] }
    let size = (try? byteCount(of: measured)) ?? 0
    return rows.count == measured.count ? size : size / measured.count * rows.count
  }
}
