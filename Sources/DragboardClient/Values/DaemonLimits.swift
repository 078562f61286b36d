import DragboardInterface

/// The limits of the daemon, for a program that checks an amount before it sends it.
///
/// A limit is nil if the daemon does not report it.
public struct DaemonLimits: Hashable, Sendable {
  /// All limits by their names in the daemon's configuration (`max-items`); names that end in
  /// `-bytes` are numbers of bytes, names that end in `-timeout` seconds.
  public let byName: [String: UInt64]

  /// Bytes of a representation.
  public var maxRepresentationBytes: Int? { self[.maxRepresentationBytes] }
  /// Bytes of all representations of a session.
  public var maxSessionBytes: Int? { self[.maxSessionBytes] }
  /// Items of a session.
  public var maxItems: Int? { self[.maxItems] }
  /// Rows of a board; a board may have a smaller limit of its own (``BoardInfo/maxRows``).
  public var maxRows: Int? { self[.maxRows] }

  private subscript(_ name: LimitName) -> Int? { byName[name.rawValue].map { Int(clamping: $0) } }
}
