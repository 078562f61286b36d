import BoardModel
import DBus
import DragModel
import DragboardInterface
import DragboardStore

/// `org.dragboard.Dragboard1.DropTarget`: a drag can be dropped on the board.
enum DropTargetTable {
  static func table() -> InterfaceTable<BoardObject> {
    var table = InterfaceTable<BoardObject>(DropTargetInterface.name)
    table.method(DropTargetInterface.canHandle) { (board, _, session) throws(DBusError) in
      try board.canHandle(session)
    }
    table.method(DropTargetInterface.proposeDrop) {
      (board, call, session, application, section, row) throws(DBusError) in
      let place = DropPlace(section: section, row: try board.destination(row))
      return try board.proposeDrop(
        session, board.service.application(application, of: call), place, call.access)
    }
    table.method(DropTargetInterface.exitDrop) {
      (board, call, session, application) throws(DBusError) in
      try board.exitDrop(session, board.service.application(application, of: call))
    }
    table.deferredMethod(DropTargetInterface.performDrop) {
      (board, call, reply, session, application, section, row) throws(DBusError) in
      let place = DropPlace(section: section, row: try board.destination(row))
      try board.performDrop(
        session, board.service.application(application, of: call), place, call.access, reply)
    }
    table.signal(DropTargetInterface.dropPending)
    table.signal(DropTargetInterface.dropPerformed)
    return table
  }
}

/// Where a drop is to go, as the call names it; without a row at the end of the section.
struct DropPlace {
  let section: UInt32
  let row: Int?
}

extension BoardObject: DropDestination {
  var key: BoardKey { BoardKey(id.rawValue) }
  var rowCount: Int { board.count }
  var sectionCount: Int { board.sectionCount }
  var movesMultipleRows: Bool { header.movesMultipleRows }
  func rowCount(inSection section: Int) -> Int { board.rowCount(inSection: section) ?? 0 }
  func indexPath(of row: RowID) -> IndexPath? { board.indexPath(of: row) }
  func isMovable(_ row: RowID) -> Bool { board.gates(of: row)?.contains(.movable) ?? false }
}

extension BoardObject {
  fileprivate func canHandle(_ path: ObjectPath) throws(DBusError) -> Bool {
    let session = try service.sessions.find(path)
    try session.checkActive()
    return session.session.canBeHandled(by: self)
  }

  fileprivate func proposeDrop(
    _ path: ObjectPath, _ application: Application, _ place: DropPlace, _ access: BoardAccess
  ) throws(DBusError) -> (String, String, UInt32, UInt32) {
    let session = try service.sessions.find(path)
    try session.checkActive()
    let proposal = try proposal(for: session.session, by: application, place, access)
    do throws(DragError) {
      try session.change { session throws(DragError) in try session.didPropose(proposal) }
    } catch { throw error.answer(argument: "session") }
    let (section, row) = (
      UInt32(proposal.destination.section), UInt32(proposal.destination.row)
    )
    service.batch.emit(
      DragSessionInterface.didUpdate, from: session.path, application.description, self.path,
      proposal.operation.rawValue, section, row)
    return (proposal.operation.rawValue, proposal.intent.rawValue, section, row)
  }

  fileprivate func exitDrop(
    _ path: ObjectPath, _ application: Application
  ) throws(DBusError) {
    let session = try service.sessions.find(path)
    try session.checkActive()
    service.batch.emit(
      DragSessionInterface.didExit, from: session.path, application.description, self.path)
  }

  fileprivate func performDrop(
    _ path: ObjectPath, _ application: Application, _ place: DropPlace, _ access: BoardAccess,
    _ reply: Reply<String, [String]>
  ) throws(DBusError) {
    let session = try service.sessions.find(path)
    try session.checkActive()
    let proposal = try proposal(for: session.session, by: application, place, access)
    try Drop(of: session, on: self, proposal, answering: reply).perform()
  }

  private func proposal(
    for session: DragSession, by application: Application, _ place: DropPlace,
    _ access: BoardAccess
  ) throws(DBusError) -> DropProposal {
    do throws(DropPlaceError) {
      guard access.governs else {
        return try DropProposal.decide(
          session, application: application, board: AccessedBoard(board: self, access: access),
          section: Int(place.section), row: place.row)
      }
      return try DropProposal.decide(
        session, application: application, board: self, section: Int(place.section),
        row: place.row)
    } catch { throw DBusError(.invalidArgs, "\(error)") }
  }
}
