import DBus
import DragboardInterface

/// The settings of a board, for changing.
///
/// ``Board/info()`` returns their values.
public struct BoardSettings: Sendable {
  let board: Board

  /// Sets the types and patterns that the board accepts in a drop.
  ///
  /// - Throws: `invalidArguments`, `limitsExceeded`.
  public func setAcceptedTypes(_ types: [ContentType]) async throws(DragboardError) {
    try await board.call(BoardInterface.setAcceptedTypes, types.map(\.rawValue))
  }

  /// Sets the maximum number of rows; 0 for the limit of the daemon.
  public func setMaxRows(_ count: Int) async throws(DragboardError) {
    guard let count = UInt32(exactly: count) else {
      throw DragboardError(
        .invalidArguments, "max-rows: \(count) is out of range (0…\(UInt32.max))")
    }
    try await board.set(BoardInterface.maxRows, to: count)
  }

  /// Sets whether a drag of several rows within the board may move them.
  public func setMovesMultipleRows(_ movesMultipleRows: Bool) async throws(DragboardError) {
    try await board.set(BoardInterface.movesMultipleRows, to: movesMultipleRows)
  }

  /// Sets the number of rows that the board retains; 0 for all rows.
  ///
  /// If there are more rows, the oldest rows are deleted now and at each insertion. Undo restores the
  /// rows that are deleted now, and the earlier number. Rows that are pinned or not editable stay.
  public func setRetainedRows(_ count: Int) async throws(DragboardError) {
    guard let count = UInt32(exactly: count) else {
      throw DragboardError(
        .invalidArguments, "count: \(count) is out of range (0 to \(UInt32.max))")
    }
    try await board.set(BoardInterface.retainRows, to: count)
  }

  /// Sets the time for which the board retains a row, in whole seconds; zero for no limit.
  ///
  /// Older rows are deleted, now and later. Undo restores the rows that are deleted now, and the earlier
  /// time. Rows that are pinned or not editable stay.
  public func setRetainedTime(_ time: Duration) async throws(DragboardError) {
    let (seconds, rest) = time.components
    guard let seconds = UInt32(exactly: seconds), rest == 0 else {
      throw DragboardError(
        .invalidArguments, "time: \(time) is out of range (0 to \(UInt32.max) whole seconds)")
    }
    try await board.set(BoardInterface.retainSeconds, to: seconds)
  }

  /// Sets whether the insertion of a content that is already on the board moves the row with this
  /// content instead.
  public func setMovesDuplicates(_ movesDuplicates: Bool) async throws(DragboardError) {
    try await board.set(BoardInterface.movesDuplicates, to: movesDuplicates)
  }
}

extension Board {
  /// The settings, for changing.
  public var settings: BoardSettings { BoardSettings(board: self) }
}
