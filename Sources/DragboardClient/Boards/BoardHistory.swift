import DBus
import DragboardInterface

/// The edits of a board by all clients, as far as the daemon stores them.
public struct BoardHistory: Sendable {
  let board: Board

  /// Returns the changes since a revision.
  ///
  /// - Throws: `staleRevision` if the changes since the revision are no longer stored or are too
  ///   many: read the snapshot instead; `invalidArguments` for a future revision.
  public func changes(since revision: UInt64) async throws(DragboardError) -> BoardChanges {
    let (to, wire) = try await board.call(BoardInterface.getChanges, revision)
    return try changes(wire, from: revision, to: to)
  }

  /// Returns the changes since a revision, and checks that the board is still the board that had this
  /// revision.
  ///
  /// - Parameters:
  ///   - revision: the revision.
  ///   - history: the history of this revision, from an earlier call; empty if it is not known.
  /// - Returns: the changes, with the history of the latest revision.
  /// - Throws: as ``changes(since:)``; also `invalidArguments` if the revision now has another history,
  ///   because the daemon's data was replaced by an earlier copy.
  public func changes(
    since revision: UInt64, of history: String
  ) async throws(DragboardError) -> BoardChanges {
    let (to, latest, wire) = try await board.call(BoardInterface.getHistory, revision, history)
    return try changes(wire, from: revision, to: to, history: latest)
  }

  private func changes(
    _ wire: [WireChange], from revision: UInt64, to end: UInt64, history: String = ""
  ) throws(DragboardError) -> BoardChanges {
    guard let changes = try BoardChange.all(wire) else {
      throw DragboardError(
        .staleRevision, "revision: the daemon does not list the changes since \(revision)")
    }
    return BoardChanges(revision: end, changes: changes, history: history)
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

  // MARK: Repeating edits of another copy

  /// Reserves ids for rows that `apply(_:base:)` inserts.
  ///
  /// No other row ever gets these ids.
  public func reserveItems(_ count: Int) async throws(DragboardError) -> [ItemID] {
    try ItemID.all(try await board.call(BoardInterface.reserveItems, UInt32(index: count)))
  }

  /// Repeats edits of another copy of the board, all of them or none, in one edit.
  ///
  /// The edits also apply to rows that are not editable or not movable. `undo` does not undo them.
  /// - Parameters:
  ///   - edits: the edits. At most 16 representations are files.
  ///   - base: the revision to which the edits refer.
  /// - Returns: the revision.
  /// - Throws: `staleRevision`, `invalidArguments`, `limitsExceeded`, `inputOutput`.
  @discardableResult
  public func apply(
    _ edits: [BoardEdit], base: UInt64
  ) async throws(DragboardError) -> UInt64 {
    try await board.call(
      BoardInterface.applyEdits, timeout: DragboardConnection.unlimited, base, edits.map(\.wire))
  }
}

extension Board {
  /// The edits that the daemon stores.
  public var history: BoardHistory { BoardHistory(board: self) }
}
