public import BoardModel

/// The identity of a board.
///
/// It stays the same when the board is renamed.
public struct BoardKey: Hashable, Sendable {
  /// The number of the board.
  public let rawValue: Int64

  /// Creates the key with this number.
  public init(_ rawValue: Int64) {
    self.rawValue = rawValue
  }
}

/// The properties of a board that a drop proposal depends on.
///
/// A proposal calls `indexPath(of:)` and `isMovable(_:)` once or twice for each item. So their cost
/// should not depend on the number of rows.
public protocol DropDestination {
  /// The board's key.
  var key: BoardKey { get }
  /// Whether a local drag of several rows moves them.
  var movesMultipleRows: Bool { get }
  /// The types that a drop may bring.
  var acceptedTypes: [TypeQuery] { get }
  /// The number of rows in all sections.
  var rowCount: Int { get }
  /// The maximum number of rows.
  var maxRows: Int { get }
  /// The number of sections.
  var sectionCount: Int { get }
  /// Returns the number of rows in a section; `section` is in 0 ..< ``sectionCount``.
  func rowCount(inSection section: Int) -> Int
  /// Returns the position of a row; nil if the board does not have the row.
  func indexPath(of row: RowID) -> IndexPath?
  /// Returns whether a row of the board may be moved.
  func isMovable(_ row: RowID) -> Bool
}
