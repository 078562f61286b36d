import BoardModel
import DBus
import DragModel
import DragboardInterface
import DragboardStore

/// A board on the bus, with its settings, its rows, its history, and the objects that follow its
/// edits.
final class BoardEntity: Entity {
  let id: BoardNumber
  let path: ObjectPath
  let ids: ItemIDs
  let limits: Limits
  private(set) var header: BoardHeader
  private(set) var board: Board
  private(set) var history: EditHistory
  /// The accepted types of `header`, decoded.
  private(set) var acceptedTypes: [TypeQuery]
  /// The open views of the board, in the order of their numbers.
  private(set) var views: [ViewEntity] = []
  private var insertionPoints: [PendingInsertion] = []
  /// The revision at which this process read the board, or created it.
  private let firstRevision: UInt64
  /// Cached data of the board's retention.
  var retention = BoardRetention()
  /// Fires when the oldest row expires; nil if no row can expire.
  var expiry: Timer?
  /// The names of the sections in the latest report by PropertiesChanged.
  private var reportedSections: [String]
  private(set) var isDeleted = false
  /// Called before the contents of discarded rows are purged.
  private let willDiscard: RowsWillChange

  /// Creates the entity of a stored board, and reads its history.
  init(
    _ record: BoardRecord, ids: ItemIDs, limits: Limits, in store: BoardStore,
    willDiscard: @escaping RowsWillChange
  ) throws(StoreError) {
    (id, self.ids, self.limits, self.willDiscard) = (record.id, ids, limits, willDiscard)
    path = Dragboard.boardPath(record.header.pathElement)
    header = record.header
    board = record.board
    firstRevision = record.board.revision
    history = try EditHistory(of: record.id, at: record.board.revision, in: store, limits)
    reportedSections = record.board.sectionNames
    acceptedTypes = Self.queries(record.header)
  }

  private static func queries(_ header: BoardHeader) -> [TypeQuery] {
    header.acceptedTypes.compactMap { try? TypeQuery(stored: $0) }
  }

  // MARK: Settings

  /// The maximum number of rows.
  var maxRows: Int {
    header.maxRows == 0 ? limits.maxRows : min(Int(header.maxRows), limits.maxRows)
  }

  /// Changes the name or the settings, and reports the changed properties.
  func changeHeader(
    in step: Step, _ change: (inout BoardHeader) -> Void
  ) throws(DBusError) {
    let old = header
    var new = old
    change(&new)
    guard new != old else { return }
    step.edit(self)
    step.onRollback { [self] in setHeader(old) }
    setHeader(new)
    try step.write { store throws(StoreError) in try store.update(new, of: id) }
    if old.name != new.name { note(BoardInterface.boardName, in: step) }
    if old.maxRows != new.maxRows { note(BoardInterface.maxRows, in: step) }
    if old.acceptedTypes != new.acceptedTypes { note(BoardInterface.acceptedTypes, in: step) }
    if old.movesMultipleRows != new.movesMultipleRows {
      note(BoardInterface.movesMultipleRows, in: step)
    }
    if old.retainRows != new.retainRows { note(BoardInterface.retainRows, in: step) }
    if old.retainSeconds != new.retainSeconds { note(BoardInterface.retainSeconds, in: step) }
    if old.movesDuplicates != new.movesDuplicates { note(BoardInterface.movesDuplicates, in: step) }
  }

  private func setHeader(_ new: BoardHeader) {
    header = new
    acceptedTypes = Self.queries(new)
  }

  private func note<Value>(_ property: PropertyDeclaration<Value>, in step: Step) {
    step.noteChange(of: property, at: path)
  }

  /// Returns the record for the store when the board is deleted.
  func deleted(at time: UInt64, in store: BoardStore) -> DeletedBoard {
    let rows = board.snapshot().sections.flatMap(\.rows)
    return DeletedBoard(
      id: id, header: header, time: time, rowCount: board.count,
      byteCount: store.estimatedByteCount(of: rows) + history.byteCount)
  }

  /// Marks the board as deleted, so that it is no longer saved.
  func delete(in step: Step) {
    step.edit(self)
    isDeleted = true
    step.onRollback { [self] in isDeleted = false }
  }

  /// Marks the board as deleted, because its creation was rolled back.
  func forget() { isDeleted = true }

  // MARK: History

  /// Returns the id of the process that made a revision; nil if it is unknown.
  func historyID(of revision: UInt64, in store: BoardStore) throws(StoreError) -> Int64? {
    // The revisions of this process may not be stored yet.
    revision > firstRevision ? store.process : try store.process(of: revision, of: id)
  }

  // MARK: Followers

  /// Reports that the first drag of this board's rows has begun, or that the last one has ended.
  func noteDrags(in step: Step) {
    // A drag does not change the rows. So `HasActiveDrag` is reported at once, even if other steps
    // wait for a commit. It is reported after the commit only if this step waits for the commit.
    if step.isUncommitted { step.markChanged(self) }
    note(BoardInterface.hasActiveDrag, in: step)
  }

  /// Adds a pending insertion, whose position follows the edits of this board.
  func add(_ insertion: PendingInsertion) { insertionPoints.append(insertion) }

  func remove(_ insertion: PendingInsertion) { insertionPoints.removeAll { $0 === insertion } }

  /// The pending insertions of this board.
  var pendingInsertions: [PendingInsertion] { insertionPoints }

  /// Adds a view, which follows the edits of this board.
  func add(_ view: ViewEntity) {
    // A rollback may reopen a view that is older than others.
    let index = views.firstIndex { $0.number > view.number } ?? views.endIndex
    views.insert(view, at: index)
  }

  func remove(_ view: ViewEntity) { views.removeAll { $0 === view } }

  // MARK: Edits

  /// Makes one edit of the rows or sections.
  ///
  /// - Parameters:
  ///   - step: the step of the edit.
  ///   - sandbox: the sandbox that makes the edit; nil for the user.
  ///   - kept: the rows that retain the contents that the edit replaced.
  ///   - body: edits the board.
  /// - Returns: the revision after the edit.
  /// - Throws: the model's error, translated for clients.
  @discardableResult
  func edit(
    in step: Step, by sandbox: String?, keeping kept: [RowID] = [],
    _ body: (inout Board) throws(BoardError) -> Revision?
  ) throws(DBusError) -> UInt64 {
    do throws(BoardError) { return try makeEdit(in: step, by: sandbox, keeping: kept, body) } catch
    {
      throw answer(to: error)
    }
  }

  /// Makes one edit of the rows or sections for a command.
  func edit(
    for command: Command, keeping kept: [RowID] = [],
    _ body: (inout Board) throws(BoardError) -> Revision?
  ) throws(DBusError) -> UInt64 {
    try edit(in: command.step, by: command.access.sandboxOfQuotas, keeping: kept, body)
  }

  /// Inserts rows and permanently deletes the evicted rows, in one edit.
  func insert(
    _ rows: [RowID], at path: IndexPath, evicting evicted: [RowID], by inserter: Inserter,
    in step: Step
  ) throws(DBusError) {
    try edit(in: step, by: inserter.sandboxOfRows) { model throws(BoardError) in
      try model.insert(rows, at: path, maxRows: maxRows, evicting: evicted)
    }
    if !evicted.isEmpty { history.discard(evicted) }
  }

  /// Releases contents that the latest edit has replaced.
  func discard(_ rows: [RowID]) { history.discard(rows) }

  /// Permanently deletes rows of the board, in one edit.
  func evict(_ rows: [RowID], in step: Step) {
    guard let revision = board.evict(rows) else { return }
    step.edit(self)
    history.recordEviction(revision, of: &board, rows) { storedStep($0, in: step) }
    publish(revision, in: step)
  }

  /// Deletes rows because the retention has changed, in one edit that can be undone.
  func delete(_ rows: [RowID], because change: RetentionChange, in step: Step) {
    _ = makeEdit(in: step) { $0.delete(rows, because: change) }
  }

  /// Repeats edits of another copy of the board, as one edit.
  ///
  /// - Parameters:
  ///   - edits: the edits.
  ///   - unchanged: rows whose content is the same after all edits as before.
  ///   - discarded: the rows that the edits delete, and the rows whose contents they replace.
  ///   - step: the step of the edit.
  /// - Returns: the revision after the edit; nil if nothing has changed.
  /// - Throws: the refusal of the model.
  func repeatEdits(
    _ edits: [OtherEdit], unchanged: Set<RowID>, discarding discarded: [RowID], in step: Step
  ) throws(OtherEditError) -> UInt64? {
    let revision = try board.apply(
      edits, maxRows: maxRows, maxSections: limits.maxSections, unchanged: unchanged)
    guard let revision else { return nil }
    step.edit(self)
    history.recordOthers(revision, of: &board, discarding: discarded) {
      storedStep($0, in: step)
    }
    publish(revision, in: step)
    return revision.to
  }

  /// Makes one edit, and rethrows errors of `body`.
  func makeEdit<Failure: Error>(
    in step: Step, by sandbox: String? = nil, keeping kept: [RowID] = [],
    _ body: (inout Board) throws(Failure) -> Revision?
  ) throws(Failure) -> UInt64 {
    guard let revision = try body(&board) else { return board.revision }
    history.record(
      revision, of: &board, by: sandbox, keeping: kept, measuring: step.store.estimatedByteCount
    ) { storedStep($0, in: step) }
    step.edit(self)
    publish(revision, in: step)
    return revision.to
  }

  /// Forgets all steps to undo.
  func forgetUndo(in step: Step) {
    step.edit(self)
    history.forgetUndo()
  }

  /// Forgets the next step to undo, which has nothing to undo.
  ///
  /// - Parameters:
  ///   - unrecorded: the evictions and the edits of others since the step that becomes the next.
  ///   - step: the step of the call.
  func forgetNextUndo(_ unrecorded: EditHistory.Unrecorded?, in step: Step) {
    step.edit(self)
    history.forgetNextUndo(unrecorded, of: board) { storedStep($0, in: step) }
  }

  /// Forgets all steps to undo and to redo.
  func forgetHistory(in step: Step) {
    step.edit(self)
    history.forgetAll()
  }

  /// Undoes or redoes an edit.
  ///
  /// - Parameters:
  ///   - undo: the step.
  ///   - origin: whether the step undoes or redoes an edit.
  ///   - kept: the rows that retain the contents that the step replaced.
  ///   - unrecorded: the evictions and the edits of others since the step. They stay in effect, so
  ///     the next step to undo must take them into account.
  ///   - unneeded: rows that retain contents of evicted rows, and can be purged.
  ///   - step: the step of the call.
  /// - Returns: the revision after the edit.
  /// - Throws: `HistoryDamage` if the step does not fit the board.
  func perform(
    _ undo: UndoStep, as origin: EditHistory.Origin, keeping kept: [RowID],
    unrecorded: EditHistory.Unrecorded?, discarding unneeded: [RowID], in step: Step
  ) throws(HistoryDamage) -> UInt64 {
    let revision = try board.apply(undo)
    history.record(
      revision, of: &board, as: origin, keeping: kept, measuring: step.store.estimatedByteCount)
    if let unrecorded { history.precedeUndo(by: unrecorded, board) { storedStep($0, in: step) } }
    history.discard(unneeded)
    publish(revision, in: step)
    retention.didRestoreRows()
    return revision.to
  }

  private func storedStep(_ number: UInt64, in step: Step) -> EditHistory.EncodedStep? {
    try? EditHistory.EncodedStep(stored: number, of: id, in: step.store)
  }

  private func publish(_ revision: Revision, in step: Step) {
    step.emit(
      BoardInterface.changed, from: path, revision.from, revision.to,
      revision.changes.map { $0.wire(ids) })
    if retention.mustFollow { retention.follow(revision, on: board) }
    for view in views { view.follow(revision, in: step) }
    for insertion in insertionPoints { insertion.follow(revision, on: board, in: step) }
    guard revision.changes.contains(where: \.mayTouchSections),
      board.sectionNames != reportedSections
    else { return }
    reportedSections = board.sectionNames
    note(BoardInterface.sections, in: step)
  }
}

/// A function that is called before the contents of rows change or are deleted.
typealias RowsWillChange = ([RowID]) throws(StoreError) -> Void

extension BoardEntity: StoredEntity {
  func save(to store: BoardStore) throws(StoreError) {
    guard !isDeleted else { return }
    let unneeded = try store.save(
      UnsavedBoard(taking: &board, history.takeUnsavedChanges()), of: id)
    if !unneeded.isEmpty { try willDiscard(unneeded) }
  }

  /// Reads the board, its history and its retention from the store.
  ///
  /// A board that this transaction created no longer exists after the rollback, so it is not read.
  func readBack(from store: BoardStore) throws(StoreError) {
    guard !isDeleted else { return }
    board = try store.board(id)
    retention = BoardRetention()
    history = try EditHistory(of: id, at: board.revision, in: store, limits)
    reportedSections = board.sectionNames
  }
}

extension BoardEntity: DropDestination {
  var key: BoardKey { BoardKey(id.rawValue) }
  var rowCount: Int { board.count }
  var sectionCount: Int { board.sectionCount }
  var movesMultipleRows: Bool { header.movesMultipleRows }
  func rowCount(inSection section: Int) -> Int { board.rowCount(inSection: section) ?? 0 }
  func indexPath(of row: RowID) -> IndexPath? { board.indexPath(of: row) }
  func isMovable(_ row: RowID) -> Bool { board.flags(of: row)?.contains(.isMovable) ?? false }
}
