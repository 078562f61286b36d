/// The operation of a drop.
public enum DropOperation: String, Hashable, Sendable {
  /// The drop copies the items.
  case copy
  /// The drop moves the rows.
  case move
  /// The drop changes nothing, and ends the session.
  case cancel
  /// The drop is not permitted there. The session stays active.
  case forbidden

  /// Whether the operation is copy or move.
  public var transfers: Bool { self == .copy || self == .move }
}

/// The applications that may load a representation.
public enum Visibility: String, Hashable, Sendable, CaseIterable {
  /// All applications.
  case all
  /// Applications whose ids have the same first two labels as the id of the source.
  case team
  /// Applications whose ids differ from the id of the source at most in the last label.
  case group
  /// Only the source.
  case ownProcess = "own-process"
}

/// The effect that a drop at a position would have.
public struct DropProposal: Hashable, Sendable {
  /// The operation.
  public let operation: DropOperation
  /// "insert-at-destination" for a copy or a move; "unspecified" for another operation.
  public let intent: String
  /// The position of the first dropped item.
  public let destination: RowPosition
}

/// The effect of a drop on a board.
public struct DropResult: Hashable, Sendable {
  /// The operation.
  ///
  /// After `forbidden`, the session is still active.
  public let operation: DropOperation
  /// The rows that were inserted or moved, in order.
  public let items: [ItemID]
}
