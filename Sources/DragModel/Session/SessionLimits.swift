/// The limits of a drag session.
public struct SessionLimits: Hashable, Sendable {
  /// The maximum number of items.
  public var maxItems: Int
  /// The maximum size of a representation, in bytes.
  public var maxRepresentationBytes: Int
  /// The maximum size of all representations together, in bytes.
  public var maxSessionBytes: Int

  /// Creates limits with the given or the default values.
  public init(
    maxItems: Int = 10_000, maxRepresentationBytes: Int = 256 << 20, maxSessionBytes: Int = 1 << 30
  ) {
    self.maxItems = maxItems
    self.maxRepresentationBytes = maxRepresentationBytes
    self.maxSessionBytes = maxSessionBytes
  }
}

/// A limit of a session or an item.
public enum SessionLimit: String, CaseIterable, Sendable {
  /// The number of items in a session.
  case items = "max-items"
  /// The size of a representation in bytes.
  case representationBytes = "max-representation-bytes"
  /// The size of a session in bytes.
  case sessionBytes = "max-session-bytes"
  /// The number of representations of an item; not configurable.
  case representations = "representations of an item"
}
