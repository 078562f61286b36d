/// The origin and the age of a row, which stay when the content of the row changes.
public struct RowOrigin: Hashable, Sendable {
  /// The time at which the row was created or renewed, in microseconds since 1970, UTC.
  public let created: UInt64
  /// The application that dropped the row; empty if the row was inserted without a drop.
  public let source: String
  /// The sandbox whose share of the board the row uses; nil for a row of the user.
  public let sandbox: String?
  /// The number that a new row would have had when a duplicate renewed the row; nil if none has.
  public let renewal: UInt64?

  /// Creates an origin from its parts.
  public init(
    created: UInt64, source: String, sandbox: String? = nil, renewal: UInt64? = nil
  ) {
    self.created = created
    self.source = source
    self.sandbox = sandbox
    self.renewal = renewal
  }
}
