public import BoardModel

/// A board's name and settings, without its rows.
public struct BoardHeader: Hashable, Sendable {
  /// The last element of its object path; stays for good.
  public let pathElement: String
  /// The name, which people see and can change.
  public var name: String
  /// How many rows it may hold; 0 is the daemon's own limit.
  public var maxRows: UInt32
  /// Whether a local drag may move several rows.
  public var movesMultipleRows: Bool
  /// What a drop may bring, in MIME form.
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
  /// Its number, never used twice.
  public let id: Int64
  /// Name and settings.
  public let header: BoardHeader
  /// Sections and rows.
  public let board: Board

  /// A record of those parts.
  public init(id: Int64, header: BoardHeader, board: Board) {
    self.id = id
    self.header = header
    self.board = board
  }
}
