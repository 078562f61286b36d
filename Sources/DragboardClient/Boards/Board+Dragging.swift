import DBus
import DragboardInterface

extension Board {
  /// Begins a drag of rows, in the order given.
  ///
  /// What they hold now stays loadable, whatever becomes of them.
  /// - Parameters:
  ///   - items: the rows, none twice.
  ///   - application: the identity of the source; a drop by the same on this board moves.
  /// - Returns: the drag.
  /// - Throws: `noSuchItem`, `invalidArguments`, `accessDenied`, `limitsExceeded`.
  public func beginDrag(
    of items: [ItemID], as application: Application = .thisConnection
  ) async throws(DragboardError) -> ActiveDrag {
    try await connection.beginDrag(of: items, from: id.objectPath, as: application)
  }

  /// Whether a drop of the session here could be anything but forbidden for its types.
  ///
  /// - Throws: `noSuchSession`, `sessionEnded`.
  public func canHandle(_ session: SessionID) async throws(DragboardError) -> Bool {
    try await call(DropTargetInterface.canHandle, session.objectPath)
  }

  /// Asks what a drop there would do, and tells the source that the drag is over the board.
  ///
  /// - Parameters:
  ///   - session: the drag.
  ///   - section: the index of the section.
  ///   - row: where the first item would stand; nil is the end.
  ///   - application: the identity of the destination.
  /// - Returns: what would be done, and where the first item would stand.
  /// - Throws: `noSuchSession`, `sessionEnded`, `invalidArguments`, `accessDenied`.
  public func proposeDrop(
    of session: SessionID, inSection section: Int = 0, at row: Int? = nil,
    as application: Application = .thisConnection
  ) async throws(DragboardError) -> DropProposal {
    let (operation, intent, toSection, toRow) = try await call(
      DropTargetInterface.proposeDrop, session.objectPath, application.id, UInt32(index: section),
      Int32(destination: row))
    guard let operation = DropOperation(rawValue: operation) else {
      throw .malformed("answer to ProposeDrop")
    }
    return DropProposal(
      operation: operation, intent: intent,
      destination: RowPosition(section: Int(toSection), row: Int(toRow)))
  }

  /// Tells the source that the drag has left the board.
  ///
  /// - Throws: `noSuchSession`, `sessionEnded`, `accessDenied`.
  public func exitDrop(
    of session: SessionID, as application: Application = .thisConnection
  ) async throws(DragboardError) {
    try await call(DropTargetInterface.exitDrop, session.objectPath, application.id)
  }

  /// Drops the session on the board; waits until everything that was promised is loaded.
  ///
  /// Cancelling the task ends the wait; the drop goes on.
  /// - Parameters:
  ///   - session: the drag, which ends.
  ///   - section: the index of the section.
  ///   - row: where the first item shall stand; nil is the end.
  ///   - application: the identity of the destination; the source's own moves rows of this board.
  /// - Returns: what was done, and to which rows.
  /// - Throws: `loadFailed` where nothing arrived; `noSuchSession`, `sessionEnded`, `invalidArguments`, `accessDenied`, `limitsExceeded`.
  public func performDrop(
    of session: SessionID, inSection section: Int = 0, at row: Int? = nil,
    as application: Application = .thisConnection
  ) async throws(DragboardError) -> DropResult {
    let (operation, items) = try await call(
      DropTargetInterface.performDrop, timeout: DragboardConnection.unlimited,
      session.objectPath, application.id, UInt32(index: section), Int32(destination: row))
    guard let operation = DropOperation(rawValue: operation) else {
      throw .malformed("answer to PerformDrop")
    }
    return DropResult(operation: operation, items: try ItemID.all(items))
  }

  /// Drops on the board from now on.
  public func dropEvents() async -> Events<DropEvent> {
    await connection.dropEvents(of: id.objectPath)
  }
}
