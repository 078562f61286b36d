import BoardModel
import DBus
import DragModel
import DragboardInterface

/// The methods of `org.dragboard.Dragboard1.DropTarget`: drops on a board.
struct BoardDrops {
  /// The position of a drop that a call requests; the board may not have it.
  private struct Place {
    let section: Int
    /// The index of the row; nil for the end of the section.
    let row: Int?

    init(_ section: UInt32, _ row: Int32) throws(DBusError) {
      (self.section, self.row) = (Int(section), try BoardEntity.destination(row))
    }
  }

  let sessions: Sessions
  let drags: Drags

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
    let session = try active(session, command)
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
    let session = try active(session, command)
    let proposal = try proposal(for: session, by: application, at: place, of: board, command)
    try drags.perform(proposal, of: session, on: board, answering: reply, in: command.step)
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

  private func proposal(
    for session: SessionEntity, by application: Application, at place: Place,
    of board: BoardEntity, _ command: Command
  ) throws(DBusError) -> DropProposal {
    do throws(DropPositionError) {
      guard command.access.governs else {
        let accessed = AccessedBoard(board, StoredRows(board.ids, for: command))
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
