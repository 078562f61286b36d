/// What is to be told when a session ends, in this order: WillEnd, DidTransferItems, DidEnd.
public struct DragConclusion: Hashable, Sendable {
  /// What WillEnd says, or nil where the drop's beginning has told it.
  public let willEnd: DropOperation?
  /// Whether DidTransferItems is due: after a drop that copied or moved, or tried to.
  public let reportsTransfer: Bool
  /// What the session ended with: copy, move or cancel.
  public let operation: DropOperation
}

/// What is to be done when a session is dropped.
public enum DropStart: Hashable, Sendable {
  /// Tell WillEnd with the proposal's operation, carry the proposal out, then ``DragSession/endDrop(succeeded:)``.
  case perform(DropProposal)
  /// The session has ended, nothing is to be done but to tell.
  case conclude(DragConclusion)
}
