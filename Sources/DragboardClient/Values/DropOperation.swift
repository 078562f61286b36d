/// The operation of a drop.
public enum DropOperation: String, Hashable, Sendable {
  /// The items were, or would be, copied.
  case copy
  /// The rows were, or would be, moved.
  case move
  /// Nothing was, or would be, done; a drop ends the session.
  case cancel
  /// A drop may not be made there; the session stays active.
  case forbidden

  /// Whether a drop changes anything.
  public var transfers: Bool { self == .copy || self == .move }
}

/// The applications that may load a representation.
public enum Visibility: String, Hashable, Sendable, CaseIterable {
  /// Everybody.
  case all
  /// Applications whose ids share the first two labels.
  case team
  /// Applications whose ids share all labels but the last.
  case group
  /// The source alone.
  case ownProcess = "own-process"
}

/// The effect of a drop at a position.
public struct DropProposal: Hashable, Sendable {
  /// The operation.
  public let operation: DropOperation
  /// "insert-at-destination" for a copy or a move, "unspecified" for the others.
  public let intent: String
  /// The position of the first item.
  public let destination: RowPosition
}

/// The effect of a drop on a board.
public struct DropResult: Hashable, Sendable {
  /// The operation; after `forbidden` the session is active as before.
  public let operation: DropOperation
  /// The rows that were inserted or moved, in order.
  public let items: [ItemID]
}
