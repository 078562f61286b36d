/// What a drop does, or did.
public enum DropOperation: String, Hashable, Sendable {
  /// The items were, or would be, copied.
  case copy
  /// The rows were, or would be, moved.
  case move
  /// Nothing was, or would be, done.
  case cancel
  /// A drop may not be made there; it would end the session with `cancel`.
  case forbidden

  /// Whether a drop changes anything.
  public var transfers: Bool { self == .copy || self == .move }
}

/// Who may see a representation.
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

/// What a drop at a place would do.
public struct DropProposal: Hashable, Sendable {
  /// What would be done.
  public let operation: DropOperation
  /// "insert-at-destination" for a copy or a move, "unspecified" for the others.
  public let intent: String
  /// Where the first item would stand.
  public let destination: RowPosition
}

/// What a drop on a board has done.
public struct DropResult: Hashable, Sendable {
  /// What was done: copy, move or cancel, or forbidden, which is a cancel that says why.
  public let operation: DropOperation
  /// The rows that were inserted or moved, in order.
  public let items: [ItemID]
}
