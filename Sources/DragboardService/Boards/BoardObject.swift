import BoardModel
import DBus
import DragModel
import DragboardInterface

/// A board as the bus sees it.
final class BoardObject {
  let id: Int64
  let path: ObjectPath
  let service: Service
  private(set) var header: BoardHeader
  private(set) var board: Board
  /// The sections as PropertiesChanged has told of them.
  private var toldSections: [String]
  /// What a drop may bring, as `header` has it.
  private(set) var acceptedTypes: [TypeQuery]
  /// How many sessions that have not ended drag rows of this board.
  private var activeDrags = 0

  init(_ record: BoardRecord, service: Service) {
    id = record.id
    path = Dragboard.boardPath(record.header.pathElement)
    header = record.header
    board = record.board
    toldSections = board.sectionNames
    acceptedTypes = Self.queries(record.header)
    self.service = service
  }

  private static func queries(_ header: BoardHeader) -> [TypeQuery] {
    header.acceptedTypes.compactMap { try? TypeQuery(parsing: $0) }
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
    try service.batch.write { () throws(RepositoryError) in
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

  // MARK: Edits

  /// Makes one edit: what `body` does to the board is told by Changed and durable at the end of the batch.
  ///
  /// - Returns: the board's revision after the edit.
  /// - Throws: why the model refuses it, as clients are told.
  @discardableResult
  func edit(
    _ body: (inout Board) throws(BoardError) -> Revision?
  ) throws(DBusError) -> UInt64 {
    let revision: Revision?
    do throws(BoardError) { revision = try body(&board) } catch { throw answer(error) }
    guard let revision else { return board.revision }
    service.batch.enlist(self)
    tell(revision)
    return revision.to
  }

  private func tell(_ revision: Revision) {
    service.connection.emit(
      BoardInterface.changed, from: path, revision.from, revision.to,
      revision.changes.map(wireChange))
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
  func save() throws(RepositoryError) {
    let changes = board.takeUnsavedChanges()
    try service.sessions.preserveContents(of: changes.removedRows)
    try service.repository.save(changes, revision: board.revision, of: id)
    if !changes.removedRows.isEmpty { service.purgeLater() }
  }

  /// A board that was made in the batch is gone by then.
  func restore() throws(RepositoryError) {
    guard service.boards.find(id) === self else { return }
    board = try service.repository.board(id)
    toldSections = board.sectionNames
  }
}
