import DBus
import DragboardInterface

/// The edits of a board that the daemon keeps, of all clients.
public struct BoardHistory: Sendable {
  let board: Board

  /// Returns the changes since a revision.
  ///
  /// - Throws: `staleRevision` if the revision is too long ago, or too much has changed: read the
  ///   snapshot; `invalidArguments` for a future revision.
  public func changes(since revision: UInt64) async throws(DragboardError) -> BoardChanges {
    let (to, wire) = try await board.call(BoardInterface.getChanges, revision)
    guard let changes = try BoardChange.all(wire) else {
      throw DragboardError(.staleRevision, "the changes since revision \(revision) are not told")
    }
    return BoardChanges(revision: to, changes: changes)
  }

  /// Undoes the latest edit.
  ///
  /// - Returns: the revision.
  /// - Throws: `nothingToUndo`.
  @discardableResult
  public func undo() async throws(DragboardError) -> UInt64 {
    try await board.call(BoardInterface.undo)
  }

  /// Redoes the edit that was undone last.
  ///
  /// - Returns: the revision.
  /// - Throws: `nothingToRedo`.
  @discardableResult
  public func redo() async throws(DragboardError) -> UInt64 {
    try await board.call(BoardInterface.redo)
  }
}

extension Board {
  /// The edits that the daemon keeps.
  public var history: BoardHistory { BoardHistory(board: self) }
}
