/// What a drop would do or did; the raw values are the names on the wire.
public enum DropOperation: String, CaseIterable, Sendable {
  /// The items are loaded and inserted.
  case copy
  /// The items change place.
  case move
  /// Nothing is done.
  case cancel
  /// Nothing may be done; a session that is dropped so ends with `cancel`.
  case forbidden
}

/// How a drop would go about it; the raw values are the names on the wire.
public enum DropIntent: String, CaseIterable, Sendable {
  /// Rows appear at the destination.
  case insertAtDestination = "insert-at-destination"
  /// Nothing is done.
  case unspecified
}
