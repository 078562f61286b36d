import BoardModel
import DBus
import DragModel
import DragboardInterface
import DragboardStore

/// The methods of `org.dragboard.Dragboard1.DragSource`, drags of a board's rows, and of
/// `org.dragboard.Dragboard1.DropTarget`, drops on a board.
struct BoardDrags {
  /// The position of a drop that a call requests; the board may not have it.
  private struct Place {
    let section: Int
    /// The index of the row; nil for the end of the section.
    let row: Int?

    init(_ section: UInt32, _ row: Int32) throws(DBusError) {
      (self.section, self.row) = (Int(section), try BoardEntity.destination(row))
    }
  }

  let drags: Drags
  let named: NamedRows
  let limits: Limits

  var sessions: Sessions { drags.sessions }

  // MARK: Drags of rows

  func beginDrag(
    _ board: BoardEntity, _ command: Command, _ application: String, _ items: [String]
  ) throws(DBusError) -> ObjectPath {
    guard !items.isEmpty else {
      throw DBusError(.invalidArgs, "items: the list is empty (expected at least one row)")
    }
    try items.checkDistinct()
    let source = try command.application(application)
    return try begin(try board.rows(items), of: board, by: source, command)
  }

  func beginRowDrag(
    _ board: BoardEntity, _ command: Command, _ application: String, _ section: UInt32,
    _ row: UInt32
  ) throws(DBusError) -> ObjectPath {
    let source = try command.application(application)
    return try begin([try board.row(at: section, row)], of: board, by: source, command)
  }

  /// Begins a session whose items are these rows, with every representation.
  private func begin(
    _ rows: [RowID], of board: BoardEntity, by source: Application, _ command: Command
  ) throws(DBusError) -> ObjectPath {
    let stored = StoredRows(board.ids, for: command)
    try stored.checkMayRead(rows)
    try named.check(adding: rows.count, by: command.access.sandboxOfQuotas)
    var session = DragSession(
      source: source, origin: DragOrigin(board: board.key, rows: rows), limits: limits.ofSessions)
    let summaries = try rows.map { row throws(DBusError) in try stored.summary(of: row) }
    let items = zip(rows, summaries).map { item($0, $1, command.step.store) }
    do throws(DragError) { try session.add(items) } catch { throw error.answer(argument: "items") }
    let begun = try drags.begin(session, of: board.path, by: command)
    // Otherwise a drop on another board would give the content of the clipboard the rights of the
    // application that drags.
    let source = ClipboardInterface.rowSource
    if command.access.governs, summaries.contains(where: { $0.source == source }) {
      begun.rowSource = source
    }
    return begun.path
  }

  private func item(
    _ row: RowID, _ summary: RowSummary, _ store: BoardStore
  ) -> ItemProvider {
    var item = ItemProvider(attributes: summary.attributes, row: row)
    for (ordinal, stored) in summary.types.enumerated() {
      let content = ReadyContent(
        row, ordinal: ordinal, byteCount: stored.byteCount, in: store)
      // This cannot fail. The row was created from an item, and no type occurs twice in an item.
      try? item.register(Representation(type: stored.type, visibility: .all, content: content))
    }
    return item
  }

  // MARK: Drops

  func canHandle(
    _ board: BoardEntity, _ command: Command, _ session: ObjectPath
  ) throws(DBusError) -> Bool {
    try active(session, command).session.canBeHandled(by: board)
  }

  func proposeDrop(
    _ board: BoardEntity, _ command: Command, _ session: ObjectPath, _ application: String,
    _ section: UInt32, _ row: Int32
  ) throws(DBusError) -> (String, String, UInt32, UInt32) {
    let place = try Place(section, row)
    let application = try command.application(application)
    let session = try active(session, command, at: place, of: board)
    let proposal = try proposal(for: session, by: application, at: place, of: board, command)
    do throws(DragError) {
      try session.change(in: command.step) { session throws(DragError) in
        try session.didPropose(proposal)
      }
    } catch { throw error.answer(argument: "session") }
    let operation = proposal.operation.rawValue
    let destination = (
      section: UInt32(proposal.destination.section), row: UInt32(proposal.destination.row)
    )
    command.step.emit(
      DragSessionInterface.didUpdate, from: session.path, application.description, board.path,
      operation, destination.section, destination.row)
    return (operation, proposal.intent.rawValue, destination.section, destination.row)
  }

  func exitDrop(
    _ board: BoardEntity, _ command: Command, _ session: ObjectPath, _ application: String
  ) throws(DBusError) {
    let application = try command.application(application)
    let session = try active(session, command)
    command.step.emit(
      DragSessionInterface.didExit, from: session.path, application.description, board.path)
  }

  func performDrop(
    _ board: BoardEntity, _ command: Command, _ reply: Reply<String, [String]>,
    _ session: ObjectPath, _ application: String, _ section: UInt32, _ row: Int32
  ) throws(DBusError) {
    let place = try Place(section, row)
    let application = try command.application(application)
    let session = try active(session, command, at: place, of: board)
    let proposal = try proposal(for: session, by: application, at: place, of: board, command)
    try drags.perform(
      proposal, of: session, on: board, by: session.inserter(droppedBy: command.access),
      for: command.sender, answering: reply, in: command.step)
  }

  /// Returns the active session at a path.
  ///
  /// - Throws: NoSuchSession if there is no session at the path; SessionEnded if it is not active.
  private func active(
    _ path: ObjectPath, _ command: Command
  ) throws(DBusError) -> SessionEntity {
    let session = try sessions.find(path, in: command.step)
    try session.checkActive()
    return session
  }

  /// Returns the active session at a path, for a drop at a place.
  ///
  /// If the session is not active, a place that the board does not have is refused first.
  private func active(
    _ path: ObjectPath, _ command: Command, at place: Place, of board: BoardEntity
  ) throws(DBusError) -> SessionEntity {
    let session = try sessions.find(path, in: command.step)
    do throws(DBusError) { try session.checkActive() } catch {
      try board.checkInsertion(
        of: 0, at: IndexPath(section: place.section, row: place.row ?? 0))
      throw error
    }
    return session
  }

  private func proposal(
    for session: SessionEntity, by application: Application, at place: Place,
    of board: BoardEntity, _ command: Command
  ) throws(DBusError) -> DropProposal {
    let room = try drags.insertions.retention.room(
      of: command.access.inserter, on: board, in: command.step)
    do throws(DropPositionError) {
      if let room {
        let accessed = AccessedBoard(board, StoredRows(board.ids, for: command), room: room)
        return try DropProposal.decide(
          session.session, application: application, board: accessed, section: place.section,
          row: place.row)
      }
      return try DropProposal.decide(
        session.session, application: application, board: board, section: place.section,
        row: place.row)
    } catch { throw DBusError(.invalidArgs, "\(error)") }
  }
}
