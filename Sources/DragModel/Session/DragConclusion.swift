/// What is to be told when a session ends, in this order: WillEnd, DidTransferItems, DidEnd.
public struct DragConclusion: Hashable, Sendable {
  /// What WillEnd says, or nil where the drop's beginning has told it.
  public let willEnd: DropOperation?
  /// What DidTransferItems says; nil where it is not due: without a drop that copied or moved, or tried to.
  public let transfer: Transfer?
  /// What the session ended with: copy, move or cancel.
  public let operation: DropOperation

  /// Which items of a session arrived where it was dropped; indexes, ascending.
  public struct Transfer: Hashable, Sendable {
    /// Those that are there.
    public let loaded: [Int]
    /// Those that were asked for and are not.
    public let failed: [Int]
  }
}

/// What is to be done when a session is dropped on a board.
public enum DropStart: Hashable, Sendable {
  /// Tell WillEnd with the proposal's operation, carry the proposal out, then ``DragSession/endDrop(loaded:)``.
  case perform(DropProposal)
  /// The session has ended, nothing is to be done but to tell.
  case conclude(DragConclusion)
}

/// What is to be done when a client takes the drop itself.
public enum DropAcceptance: Hashable, Sendable {
  /// Tell WillEnd with what is granted, copy or move; the client loads, then ``DragSession/finish(by:)``.
  case grant(DropOperation)
  /// The drop is forbidden: the session has ended, nothing is to be done but to tell.
  case conclude(DragConclusion)
}
