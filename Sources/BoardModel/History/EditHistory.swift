/// The past changes of a board, and the steps that undo and redo its edits.
///
/// Changes and steps are in memory until ``takeUnsavedChanges()`` returns them for the store. Then
/// only the numbers and sizes of the steps stay in memory.
package struct EditHistory: Sendable {
  /// A step that undoes or redoes an edit, and the rows that retain the contents for it.
  package struct EncodedStep: Hashable, Sendable {
    package let step: UndoStep
    package let kept: [RowID]
    /// The binary encoding of the step.
    package let bytes: [UInt8]

    /// Creates a new step.
    package init(_ step: UndoStep, keeping kept: [RowID]) {
      (self.step, self.kept, bytes) = (step, kept, step.bytes)
    }

    /// Decodes a stored step.
    package init(bytes: [UInt8], keeping kept: [RowID]) throws(HistoryDamage) {
      (step, self.kept, self.bytes) = (try UndoStep(bytes: bytes), kept, bytes)
    }

    /// The rows whose contents only this step needs.
    package var neededRows: [RowID] { step.returningRows + kept }
  }

  /// The origin of a revision.
  package enum Origin {
    case edit
    /// The latest edit was undone.
    case undo
    /// The latest undone edit was redone.
    case redo
  }

  /// Edits that were made after a step and have no steps in the history: evictions, and edits of
  /// others, which were made on another copy of the board.
  package enum Unrecorded {
    /// Evictions.
    ///
    /// The step restores the rows.
    case evicted(UndoStep)
    /// Edits of others.
    ///
    /// The step undoes these edits.
    case others(UndoStep)
    /// Edits that are unknown or too many, so no earlier step can be adapted to them.
    case unknown
  }

  /// The minimum number of logged revisions.
  ///
  /// When there are twice as many, the old ones are deleted.
  private static let keptRevisions: UInt64 = 1_000
  /// The maximum number of changes in one reply.
  private static let maxChanges = 100_000
  /// The number of outdated steps that are deleted together.
  ///
  /// They are adjacent in the database.
  private static let maxOutdated = 32

  private var undo: UndoHistory
  /// The log has every change after this revision.
  package private(set) var firstRevision: UInt64
  private var revisions: [Revision] = []
  /// Forgotten steps that must be deleted at once, because they do not fit the board.
  private var unfit: [UndoHistory.NumberedStep] = []
  /// Rows that were permanently deleted.
  private var discarded: [RowID] = []
  /// Whether a step before the latest unsaved steps may be unsaved, because it was adapted.
  private var hasAdaptedStep = false
  /// The numbers of the oldest stored steps, which are forgotten but not yet deleted.
  private var outdated: [UInt64] = []

  /// Restores a stored history; the log has every change after `firstRevision`.
  package init(
    maxSteps: Int, maxBytes: Int, stored steps: [StepInfo], after firstRevision: UInt64
  ) {
    func kept(_ isUndone: Bool) -> [UndoHistory.NumberedStep] {
      steps.filter { $0.isUndone == isUndone }.map {
        var step = UndoHistory.NumberedStep(number: $0.number, bytes: $0.byteCount, by: $0.sandbox)
        step.isStoredUndone = isUndone
        return step
      }
    }
    undo = UndoHistory(
      maxSteps: maxSteps, maxBytes: maxBytes, done: kept(false), undone: kept(true).reversed())
    self.firstRevision = firstRevision
  }
}

// MARK: Reading

extension EditHistory {
  /// The number of the step that undoes the latest edit; nil if there is none.
  package var numberToUndo: UInt64? { undo.done.last?.number }

  /// Whether a sandbox made the latest edit.
  package var undoesSandbox: Bool { undo.done.last?.sandbox != nil }

  /// The number of the step that redoes the latest undone edit; nil if there is none.
  package var numberToRedo: UInt64? { undo.undone.last?.number }

  /// Returns a step that is not stored yet; nil if the store has it.
  package func unsavedStep(_ number: UInt64) -> EncodedStep? {
    let step =
      undo.done.last { $0.number == number } ?? undo.undone.last { $0.number == number }
    return step?.unsaved
  }

  /// The size of all steps in bytes, with the row contents that only they need.
  package var byteCount: Int { undo.bytes }

  /// Returns all changes since a revision, with the changes that the store has logged since.
  ///
  /// It returns nil if there are too many changes.
  package func changes(
    since revision: UInt64, logged batches: [[UInt8]]
  ) throws(HistoryDamage) -> [Change]? {
    var changes: [Change] = []
    for batch in batches {
      for made in try [Revision](encoding: batch) where made.to > revision {
        changes += made.changes
      }
      guard changes.count <= Self.maxChanges else { return nil }
    }
    for made in revisions where made.to > revision { changes += made.changes }
    return changes.count <= Self.maxChanges && !changes.contains(.reset) ? changes : nil
  }
}

// MARK: Edits

extension EditHistory {
  /// Records the latest edit of a board with the step that reverses it.
  ///
  /// - Parameters:
  ///   - revision: the revision of the edit.
  ///   - board: the board after the edit.
  ///   - origin: the origin of the revision.
  ///   - sandbox: the sandbox that made the edit; nil for the user.
  ///   - kept: hidden rows, which store the replaced contents for an undo.
  ///   - contentBytes: returns the size of the contents of rows.
  ///   - read: returns a stored step, or nil if it cannot be read.
  package mutating func record(
    _ revision: Revision, of board: inout Board, as origin: Origin = .edit,
    by sandbox: String? = nil, keeping kept: [RowID], measuring contentBytes: ([RowID]) -> Int,
    reading read: (UInt64) -> EncodedStep? = { _ in nil }
  ) {
    guard let step = board.takeUndoStep().map({ EncodedStep($0, keeping: kept) }) else { return }
    let neededRows = step.neededRows
    let bytes = step.bytes.count + (neededRows.isEmpty ? 0 : contentBytes(neededRows))
    switch origin {
    case .edit: undo.add(bytes: bytes, by: sandbox)
    case .undo: undo.undo(bytes: bytes)
    case .redo: undo.redo(bytes: bytes)
    }
    undo.noteUnsaved(step, isRowless: neededRows.isEmpty, isUndone: origin == .undo)
    revisions.append(revision)
    guard origin == .edit else { return }
    if let sandbox { dropSteps(beyondShareOf: sandbox, board, reading: read) }
    undo.trim()
  }

  /// Drops the oldest steps of a sandbox if its steps exceed its share.
  ///
  /// The dropped edits stay in effect. So the step before each of them is adapted, as it is to an edit
  /// of others.
  private mutating func dropSteps(
    beyondShareOf sandbox: String, _ board: Board, reading read: (UInt64) -> EncodedStep?
  ) {
    for run in undo.runsBeyondShare(of: sandbox).reversed() {
      let dropped = run.reversed().map { step(at: $0, reading: read)?.step }
      for index in run.reversed() { unfit.append(undo.removeDone(at: index)) }
      guard run.lowerBound > 0 else { continue }
      let known = dropped.compactMap { $0 }
      let edits: Unrecorded =
        known.count == dropped.count
        ? .others(UndoStep(operations: known.flatMap(\.operations))) : .unknown
      guard adaptStep(at: run.lowerBound - 1, to: edits, board, reading: read) else { return }
    }
  }

  private func step(at index: Int, reading read: (UInt64) -> EncodedStep?) -> EncodedStep? {
    undo.done[index].unsaved ?? read(undo.done[index].number)
  }

  /// Records the eviction of rows, which undo does not undo.
  ///
  /// `read` returns a stored step, or nil if it cannot be read.
  package mutating func recordEviction(
    _ revision: Revision, of board: inout Board, _ rows: [RowID],
    reading read: (UInt64) -> EncodedStep?
  ) {
    if let step = board.takeUndoStep() {
      revisions.append(revision)
      undo.forgetUndone()
      precedeUndo(by: .evicted(step), board, reading: read)
    }
    discard(rows)
  }

  /// Records an edit of others, which undo does not undo.
  ///
  /// `read` returns a stored step, or nil if it cannot be read.
  package mutating func recordOthers(
    _ revision: Revision, of board: inout Board, discarding rows: [RowID],
    reading read: (UInt64) -> EncodedStep?
  ) {
    revisions.append(revision)
    undo.forgetUndone()
    // An edit that has only changed contents has no step.
    if let step = board.takeUndoStep() { precedeUndo(by: .others(step), board, reading: read) }
    discard(rows)
  }

  /// Releases the contents of rows that were permanently deleted.
  package mutating func discard(_ rows: [RowID]) { discarded += rows }

  /// Forgets all steps to undo.
  package mutating func forgetUndo() { unfit += undo.removeDone(onlyLast: false) }

  /// Forgets the next step to undo, because it has nothing to undo.
  ///
  /// The reversal of `unrecorded` is added to the start of the new next step.
  package mutating func forgetNextUndo(
    _ unrecorded: Unrecorded?, of board: Board, reading read: (UInt64) -> EncodedStep?
  ) {
    unfit += undo.removeDone(onlyLast: true)
    if let unrecorded { precedeUndo(by: unrecorded, board, reading: read) }
  }

  /// Forgets all steps to undo and to redo.
  package mutating func forgetAll() {
    unfit += undo.removeDone(onlyLast: false)
    undo.forgetUndone()
  }

  /// Adds the reversal of unrecorded edits to the start of the next step to undo, because the
  /// positions in this step refer to the board before these edits.
  package mutating func precedeUndo(
    by unrecorded: Unrecorded, _ board: Board, reading read: (UInt64) -> EncodedStep?
  ) {
    guard let last = undo.done.indices.last else { return }
    adaptStep(at: last, to: unrecorded, board, reading: read)
  }

  /// Adds the reversal of unrecorded edits to the start of a step.
  ///
  /// - Returns: false if the step cannot be adapted. In this case all steps up to it are forgotten.
  @discardableResult
  private mutating func adaptStep(
    at index: Int, to unrecorded: Unrecorded, _ board: Board, reading read: (UInt64) -> EncodedStep?
  ) -> Bool {
    if case .others(let step) = unrecorded, !step.concernsPositions { return true }
    let old = step(at: index, reading: read)
    // A summary costs O(rows), so it is made only after as many operations.
    let max = max(UndoStep.maxOthers, board.count)
    var adapted = old?.step.preceded(by: unrecorded, max: max)
    if adapted == nil, let old, let reversal = unrecorded.reversal {
      var later: [UndoStep?] = []
      for newer in undo.done[(index + 1)...].reversed() {
        later.append((newer.unsaved ?? read(newer.number))?.step)
      }
      adapted = old.step.preceded(bySummaryOf: reversal, after: later, on: board)
    }
    guard let old, let adapted else {
      for _ in 0...index { unfit.append(undo.removeDone(at: 0)) }
      return false
    }
    hasAdaptedStep = true
    let new = EncodedStep(adapted, keeping: old.kept)
    undo.replace(at: index, by: new, growth: new.bytes.count - old.bytes.count)
    return true
  }
}

// MARK: Saving

extension EditHistory {
  /// Returns the changes since the last call, for the store.
  package mutating func takeUnsavedChanges() -> UnsavedHistory {
    var changes = UnsavedHistory()
    changes.discardedRows = discarded
    for step in undo.takeForgotten() { forget(step, in: &changes) }
    for step in unfit { forget(step, atOnce: true, in: &changes) }
    (unfit, discarded) = ([], [])
    if outdated.count >= Self.maxOutdated { deleteOutdated(in: &changes) }
    Self.takeSteps(of: &undo.done, isUndone: false, hasAdapted: hasAdaptedStep, to: &changes)
    Self.takeSteps(of: &undo.undone, isUndone: true, hasAdapted: false, to: &changes)
    hasAdaptedStep = false
    takeRevisions(to: &changes)
    return changes
  }

  /// Forgets a step.
  ///
  /// If no row contents are stored for one of the oldest steps, the step may stay in the database
  /// for a while. An undone step may not stay: undone steps are forgotten in any order, so the next
  /// daemon could not see that the step is forgotten, and would offer it again.
  private mutating func forget(
    _ step: UndoHistory.NumberedStep, atOnce: Bool = false, in changes: inout UnsavedHistory
  ) {
    if step.isRowless, step.unsaved == nil, !atOnce, step.isStoredUndone == false {
      return outdated.append(step.number)
    }
    // Outdated steps are older, so they are deleted before this step.
    deleteOutdated(in: &changes)
    if let unsaved = step.unsaved { changes.discardedRows += unsaved.neededRows }
    guard step.isStoredUndone != nil else { return }
    if step.isRowless || step.unsaved != nil {
      changes.deletedSteps.append(step.number...step.number)
    } else {
      changes.forgottenSteps.append(step.number)
    }
  }

  private mutating func deleteOutdated(in changes: inout UnsavedHistory) {
    // The outdated steps are consecutive, so the range contains no other step, unless the database
    // is damaged.
    guard let first = outdated.min(), let last = outdated.max() else { return }
    changes.deletedSteps.append(first...last)
    outdated = []
  }

  /// Takes the unsaved steps, which are at the end of the list unless earlier steps were adapted.
  private static func takeSteps(
    of list: inout [UndoHistory.NumberedStep], isUndone: Bool, hasAdapted: Bool,
    to changes: inout UnsavedHistory
  ) {
    for index in list.indices.reversed() {
      guard let content = list[index].unsaved else {
        if hasAdapted { continue }
        return
      }
      let info = StepInfo(
        number: list[index].number, isUndone: isUndone, byteCount: list[index].bytes,
        by: list[index].sandbox)
      changes.steps.append(UnsavedHistory.StepRecord(info: info, content: content))
      list[index].unsaved = nil
      list[index].isStoredUndone = isUndone
    }
  }

  private mutating func takeRevisions(to changes: inout UnsavedHistory) {
    guard let first = revisions.first, let last = revisions.last else { return }
    changes.log = UnsavedHistory.Log(
      changes: revisions.encoding, revisions: first.to...last.to)
    revisions = []
    guard last.to - firstRevision > 2 * Self.keptRevisions else { return }
    firstRevision = last.to - Self.keptRevisions
    changes.forgottenRevision = firstRevision
  }
}

extension EditHistory.Unrecorded {
  /// The step that undoes the edits; nil if they are unknown.
  fileprivate var reversal: UndoStep? {
    switch self {
    case .evicted(let step), .others(let step): step
    case .unknown: nil
    }
  }
}

extension UndoStep {
  /// Returns a step that first undoes unrecorded edits; nil if it has too many operations for this.
  fileprivate func preceded(by unrecorded: EditHistory.Unrecorded, max: Int) -> UndoStep? {
    switch unrecorded {
    case .evicted(let evicted):
      evictedCount + evicted.evictedCount <= Self.maxEvicted ? preceded(by: evicted) : nil
    case .others(let others): preceded(byOthers: others, max: max)
    case .unknown: nil
    }
  }
}
