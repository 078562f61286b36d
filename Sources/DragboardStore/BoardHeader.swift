public import BoardModel

/// A board's name and settings, without its rows.
public struct BoardHeader: Hashable, Sendable {
  /// The last element of its object path, which never changes.
  public let pathElement: String
  /// The name, which people see and can change.
  public var name: String
  /// The maximum number of rows; 0 stands for the daemon's own limit.
  public var maxRows: UInt32
  /// Whether a local drag may move several rows.
  public var movesMultipleRows: Bool
  /// The types that a drop may bring, in MIME form, without line feeds.
  public var acceptedTypes: [String]

  /// A header of those parts.
  public init(
    pathElement: String, name: String, maxRows: UInt32, movesMultipleRows: Bool,
    acceptedTypes: [String]
  ) {
    self.pathElement = pathElement
    self.name = name
    self.maxRows = maxRows
    self.movesMultipleRows = movesMultipleRows
    self.acceptedTypes = acceptedTypes
  }
}

/// A board as a repository holds it.
public struct BoardRecord: Sendable {
  /// Its number.
  public let id: BoardID
  /// Name and settings.
  public let header: BoardHeader
  /// Sections and rows, in order, at the revision that was saved last.
  public let board: Board

  /// A record of those parts.
  public init(id: BoardID, header: BoardHeader, board: Board) {
    self.id = id
    self.header = header
    self.board = board
  }
}
