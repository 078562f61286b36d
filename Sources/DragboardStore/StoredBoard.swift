public import BoardModel

/// What names a board in its store, whatever its name: a number that is never used again.
public struct BoardID: Hashable, Comparable, Sendable {
  /// The number, 1 or more.
  public let rawValue: Int64

  /// Names the board of that number.
  public init(_ rawValue: Int64) { self.rawValue = rawValue }

  /// The order of the numbers: the order in which the boards were made.
  public static func < (one: BoardID, other: BoardID) -> Bool { one.rawValue < other.rawValue }
}

/// What can be set on a board.
public struct BoardSettings: Hashable, Sendable {
  /// The most rows that it may hold; 0 stands for the daemon's own limit.
  public var maxRows: Int

  /// Whether a drag of several of its rows may move them.
  public var movesMultipleRows: Bool

  /// The types that a drop may bring, in their MIME form, without line feeds.
  public var acceptedTypes: [String]

  /// Names all settings.
  public init(maxRows: Int, movesMultipleRows: Bool, acceptedTypes: [String]) {
    self.maxRows = maxRows
    self.movesMultipleRows = movesMultipleRows
    self.acceptedTypes = acceptedTypes
  }
}

/// A board as it rests in the store.
public struct StoredBoard: Sendable {
  /// What names it in the store.
  public let id: BoardID

  /// The last component of its object path, which stays.
  public let path: String

  /// What people call it.
  public let name: String

  /// What can be set on it.
  public let settings: BoardSettings

  /// Its rows, in order, at the revision that was saved last.
  public let board: Board
}
