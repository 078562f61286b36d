/// How much a drag session may hold.
public struct SessionLimits: Hashable, Sendable {
  /// The most items.
  public var maxItems: Int
  /// The most bytes of a representation.
  public var maxRepresentationBytes: Int
  /// The most bytes of all representations together.
  public var maxSessionBytes: Int

  /// Creates limits; where one is not given, it is what it is at the beginning.
  public init(
    maxItems: Int = 10_000, maxRepresentationBytes: Int = 256 << 20, maxSessionBytes: Int = 1 << 30
  ) {
    self.maxItems = maxItems
    self.maxRepresentationBytes = maxRepresentationBytes
    self.maxSessionBytes = maxSessionBytes
  }
}

/// A limit that a session or an item can meet.
public enum SessionLimit: String, CaseIterable, Sendable {
  /// Items in a session.
  case items = "max-items"
  /// Bytes of a representation.
  case representationBytes = "max-representation-bytes"
  /// Bytes of a session.
  case sessionBytes = "max-session-bytes"
  /// Representations of an item; not configurable.
  case representations = "representations of an item"
}
