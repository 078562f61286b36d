/// The signals to emit when a session ends, in this order: WillEnd, DidTransferItems, DidEnd.
public struct DragConclusion: Hashable, Sendable {
  /// The operation in WillEnd; nil if the signal was emitted when the drop began.
  public let willEnd: DropOperation?
  /// The content of DidTransferItems; nil if no copy or move was attempted.
  public let transfer: Transfer?
  /// The final operation: copy, move or cancel.
  public let operation: DropOperation

  /// The items of a drop that arrived and that failed; ascending indexes.
  public struct Transfer: Hashable, Sendable {
    /// The items that arrived.
    public let loaded: [Int]
    /// The items that were requested and did not arrive.
    public let failed: [Int]
  }
}

/// The next step after a drop on a board.
public enum DropStart: Hashable, Sendable {
  /// Emit WillEnd with the proposal's operation, perform the proposal, then call
  /// ``DragSession/endDrop(loaded:)``.
  case perform(DropProposal)
  /// The session has ended; emit the signals.
  case conclude(DragConclusion)
  /// The drop is forbidden, and the session is unchanged; emit nothing.
  case forbid
}
