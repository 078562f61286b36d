/// The operation of a drop; the raw values are the names on the wire.
public enum DropOperation: String, CaseIterable, Sendable {
  /// The items are loaded and inserted.
  case copy
  /// The rows change their position.
  case move
  /// Nothing is done, and the session ends.
  case cancel
  /// The drop is not allowed; the session stays active.
  case forbidden
}

/// The way in which a drop inserts the items; the raw values are the names on the wire.
public enum DropIntent: String, CaseIterable, Sendable {
  /// Rows appear at the destination.
  case insertAtDestination = "insert-at-destination"
  /// Nothing is done.
  case unspecified
}
