import DBus
import DragboardInterface

/// A board as the destination of drops.
public struct DropTarget: Sendable {
  let board: Board

  /// Whether the board accepts one of the session's types.
  ///
  /// - Throws: `noSuchSession`, `sessionEnded`.
  public func canHandle(_ session: SessionID) async throws(DragboardError) -> Bool {
    try await board.call(DropTargetInterface.canHandle, session.objectPath)
  }

  /// Returns the effect that a drop would have, and notifies the source that the drag is over the
  /// board.
  ///
  /// - Parameters:
  ///   - session: the drag.
  ///   - section: the index of the section.
  ///   - row: the index of the first dropped item; nil for the end of the section.
  ///   - application: the identity of the destination.
  /// - Returns: the proposal.
  /// - Throws: `noSuchSession`, `sessionEnded`, `invalidArguments`, `accessDenied`.
  public func propose(
    _ session: SessionID, inSection section: Int = 0, at row: Int? = nil,
    as application: Application = .thisConnection
  ) async throws(DragboardError) -> DropProposal {
    let (operation, intent, toSection, toRow) = try await board.call(
      DropTargetInterface.proposeDrop, session.objectPath, application.id, UInt32(index: section),
      Int32(destination: row))
    return DropProposal(
      operation: try DropOperation(wire: operation), intent: intent,
      destination: RowPosition(section: Int(toSection), row: Int(toRow)))
  }

  /// Notifies the source that the drag has left the board.
  ///
  /// - Throws: `noSuchSession`, `sessionEnded`, `accessDenied`.
  public func exit(
    _ session: SessionID, as application: Application = .thisConnection
  ) async throws(DragboardError) {
    try await board.call(DropTargetInterface.exitDrop, session.objectPath, application.id)
  }

  /// Drops the session on the board, and waits until all promised data is loaded.
  ///
  /// Cancelling the task ends the wait, but not the drop.
  /// - Parameters:
  ///   - session: the drag, which ends.
  ///   - section: the index of the section.
  ///   - row: the index of the first dropped item; nil for the end of the section.
  ///   - application: the identity of the destination. If it is also the source, and the items are
  ///     rows of this board, the rows move.
  /// - Returns: the operation, and the inserted or moved rows.
  /// - Throws: `loadFailed` if no item arrived; `noSuchSession`, `sessionEnded`,
  ///   `invalidArguments`, `accessDenied`, `limitsExceeded`.
  public func perform(
    _ session: SessionID, inSection section: Int = 0, at row: Int? = nil,
    as application: Application = .thisConnection
  ) async throws(DragboardError) -> DropResult {
    let (operation, items) = try await board.call(
      DropTargetInterface.performDrop, timeout: DragboardConnection.unlimited,
      session.objectPath, application.id, UInt32(index: section), Int32(destination: row))
    return DropResult(
      operation: try DropOperation(wire: operation), items: try ItemID.all(items))
  }

  /// Returns the events of drops on the board, from now on.
  public func events() async -> Events<DropEvent> {
    await DropEvent.events(of: board.objectPath, on: board.connection)
  }
}

extension Board {
  /// The board as the destination of drops.
  public var dropTarget: DropTarget { DropTarget(board: self) }
}
