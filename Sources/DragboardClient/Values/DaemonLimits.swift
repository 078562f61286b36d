import DragboardInterface

/// The limits of the daemon, for a program that checks an amount before a call.
///
/// A limit is nil if the daemon does not report it.
public struct DaemonLimits: Hashable, Sendable {
  /// All limits by their names in the daemon's configuration (`max-items`).
  ///
  /// The unit is bytes if the name ends in `-bytes`, and seconds if it ends in `-timeout`.
  public let byName: [String: UInt64]

  /// The maximum number of bytes of a representation.
  public var maxRepresentationBytes: Int? { self[.maxRepresentationBytes] }
  /// The maximum number of bytes of all representations of a session.
  public var maxSessionBytes: Int? { self[.maxSessionBytes] }
  /// The maximum number of items of a session.
  public var maxItems: Int? { self[.maxItems] }
  /// The maximum number of rows of a board.
  ///
  /// A board can have a smaller limit (``BoardInfo/maxRows``).
  public var maxRows: Int? { self[.maxRows] }

  private subscript(_ name: LimitName) -> Int? { byName[name.rawValue].map { Int(clamping: $0) } }
}
