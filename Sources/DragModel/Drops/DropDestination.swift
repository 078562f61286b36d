public import BoardModel

/// Tells a board from others, for as long as it exists; its name can change, this does not.
public struct BoardKey: Hashable, Sendable {
  /// The number behind the key.
  public let rawValue: Int64

  /// Creates the key that has this number.
  public init(_ rawValue: Int64) {
    self.rawValue = rawValue
  }
}

/// What a proposal needs to know of a board.
///
/// Each is asked for when it is needed, so nothing of a board is copied; `indexPath(of:)` and `isMovable(_:)` are asked
/// once or twice for each item, and should not depend on the number of rows.
public protocol DropDestination {
  /// The board's key.
  var key: BoardKey { get }
  /// Whether a local drag of several rows moves them.
  var movesMultipleRows: Bool { get }
  /// What a drop may bring.
  var acceptedTypes: [TypeQuery] { get }
  /// How many rows the board has, in all sections.
  var rowCount: Int { get }
  /// How many rows the board may have.
  var maxRows: Int { get }
  /// How many sections the board has.
  var sectionCount: Int { get }
  /// How many rows the section has; `section` is in 0 ..< ``sectionCount``.
  func rowCount(inSection section: Int) -> Int
  /// Where the row stands, or nil where the board does not have it.
  func indexPath(of row: RowID) -> IndexPath?
  /// Whether the row, which the board has, may be moved.
  func isMovable(_ row: RowID) -> Bool
}
