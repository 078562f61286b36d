import BoardModel
import DBus
import DragModel
import DragboardInterface
import DragboardStore

/// A board as the bus sees it.
final class BoardObject {
  let id: BoardID
  let path: ObjectPath
  let service: Service
  private(set) var header: BoardHeader
  private(set) var board: Board
  private(set) var history: BoardHistory
  /// The sections as PropertiesChanged has told of them.
  private var toldSections: [String]
  /// What a drop may bring, as `header` has it.
  private(set) var acceptedTypes: [TypeQuery]
  /// Places that are kept for rows that are on their way.
  private var pendingInsertions: [PendingInsertion] = []
  /// The views of this board that are open.
  private(set) var views: [ViewObject] = []
  /// How many sessions that have not ended drag rows of this board.
  private var activeDrags = 0

  init(_ record: BoardRecord, service: Service) throws(StoreError) {
    id = record.id
    path = Dragboard.boardPath(record.header.pathElement)
    header = record.header
    board = record.board
    history = try BoardHistory(
      of: id, at: board.revision, in: service.repository, service.limits)
    toldSections = board.sectionNames
    acceptedTypes = Self.queries(record.header)
    self.service = service
  }

  private static func queries(_ header: BoardHeader) -> [TypeQuery] {
    header.acceptedTypes.compactMap { try? TypeQuery(stored: $0) }
  }

  // MARK: Settings

  /// How many rows the board may hold.
  var maxRows: Int {
    header.maxRows == 0 ? service.limits.maxRows : min(Int(header.maxRows), service.limits.maxRows)
  }

  /// Changes name or settings, durably at the end of the batch.
  func changeHeader(_ change: (inout BoardHeader) -> Void) throws(DBusError) {
    let old = header
    change(&header)
    guard header != old else { return }
    let new = header
    acceptedTypes = Self.queries(new)
    service.batch.enlist(self)
    service.batch.onFailure { [self] in
      header = old
      acceptedTypes = Self.queries(old)
    }
    try service.batch.write { () throws(StoreError) in
      try service.repository.update(new, of: id)
    }
    noteChanges(from: old, to: new)
  }

  private func noteChanges(from old: BoardHeader, to new: BoardHeader) {
    if old.name != new.name { note(BoardInterface.boardName) }
    if old.maxRows != new.maxRows { note(BoardInterface.maxRows) }
    if old.acceptedTypes != new.acceptedTypes { note(BoardInterface.acceptedTypes) }
    if old.movesMultipleRows != new.movesMultipleRows { note(BoardInterface.movesMultipleRows) }
  }

  private func note<Value>(_ property: PropertyDeclaration<Value>) {
    service.server.noteChange(of: property, at: path)
  }

  // MARK: Drags of rows

  /// Whether rows of this board are being dragged.
  var hasActiveDrag: Bool { activeDrags > 0 }

  /// One more session drags rows of this board, or one less.
  func countDrags(_ difference: Int) {
    if service.batch.isProvisional { service.batch.touch(self) }
    let before = hasActiveDrag
    activeDrags += difference
    if hasActiveDrag != before { note(BoardInterface.hasActiveDrag) }
  }

  // MARK: Rows on their way

  /// Has a place follow the edits of this board.
  func keep(_ insertion: PendingInsertion) { pendingInsertions.append(insertion) }

  /// Lets a place be.
  func giveUp(_ insertion: PendingInsertion) { pendingInsertions.removeAll { $0 === insertion } }

  /// Tells those who keep a place here that the board has gone, once that is sure.
  func tellGone() {
    guard !pendingInsertions.isEmpty else { return }
    service.schedule(after: .zero) { [self] in
      guard service.boards.find(id) == nil else { return }
      for insertion in pendingInsertions { insertion.onBoardGone?() }
    }
  }

  // MARK: Views

  /// Has a view follow the edits of this board.
  ///
  /// Views follow in the order of their numbers, also one that a failed batch has not closed.
  func add(_ view: ViewObject) {
    let index = views.firstIndex { $0.number > view.number } ?? views.endIndex
    views.insert(view, at: index)
  }

  /// Lets a view be.
  func remove(_ view: ViewObject) { views.removeAll { $0 === view } }

  // MARK: Edits

  /// Makes one edit: what `body` does to the board is told by Changed and durable at the end of the batch.
  ///
  /// - Returns: the board's revision after the edit.
  /// - Throws: why the model refuses it, as clients are told.
  @discardableResult
  func edit(
    keeping kept: [RowID] = [], _ body: (inout Board) throws(BoardError) -> Revision?
  ) throws(DBusError) -> UInt64 {
    do throws(BoardError) { return try editing(keeping: kept, body) } catch { throw answer(error) }
  }

  /// Makes one edit, likewise.
  ///
  /// - Parameters:
  ///   - kept: the rows that keep what rows held which hold something else now.
  ///   - body: the edit.
  /// - Returns: the board's revision after the edit.
  /// - Throws: what `body` throws.
  func editing<Failure: Error>(
    keeping kept: [RowID] = [], _ body: (inout Board) throws(Failure) -> Revision?
  ) throws(Failure) -> UInt64 {
    guard let revision = try body(&board) else { return board.revision }
    service.batch.enlist(self)
    if let step = board.takeUndoStep() { history.record(revision, step, keeping: kept) }
    tell(revision)
    return revision.to
  }

  /// Takes an edit back, or makes one again; `record` notes the opposite step.
  func take(
    _ step: UndoStep, record: (inout BoardHistory, Revision, UndoStep) -> Void
  ) throws(HistoryDamage) -> UInt64 {
    let revision = try board.apply(step)
    if let opposite = board.takeUndoStep() { record(&history, revision, opposite) }
    tell(revision)
    return revision.to
  }

  private func tell(_ revision: Revision) {
    service.batch.emit(
      BoardInterface.changed, from: path, revision.from, revision.to,
      revision.changes.map(wireChange))
    for view in views { view.follow(revision) }
    for insertion in pendingInsertions {
      if let takeBack = insertion.follow(revision, on: board) { service.batch.onFailure(takeBack) }
    }
    let mayTouchSections = revision.changes.contains { change in
      switch change {
      case .insertSection, .deleteSection, .moveSection, .renameSection, .reset: true
      case .insert, .delete, .move, .reload: false
      }
    }
    guard mayTouchSections, board.sectionNames != toldSections else { return }
    toldSections = board.sectionNames
    note(BoardInterface.sections)
  }
}

extension BoardObject: Batch.Participant {
  func save() throws(StoreError) {
    try service.repository.save(board.takeUnsavedChanges(), revision: board.revision, of: id)
    let unneeded = try history.save(rowCount: board.count)
    guard !unneeded.isEmpty else { return }
    try service.sessions.preserveContents(of: unneeded)
    try service.repository.discard(unneeded)
    service.purgeLater()
  }

  /// A board that was made in the batch is gone by then.
  func restore() throws(StoreError) {
    guard service.boards.find(id) === self else { return }
    board = try service.repository.board(id)
    history = try BoardHistory(
      of: id, at: board.revision, in: service.repository, service.limits)
    toldSections = board.sectionNames
  }
}
