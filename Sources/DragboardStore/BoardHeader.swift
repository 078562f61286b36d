public import BoardModel

/// A board's name and settings, without its rows.
public struct BoardHeader: Hashable, Sendable {
  /// The last element of the board's object path.
  ///
  /// It changes only when a deleted board is restored while another board has its path.
  public package(set) var pathElement: String
  /// The name, which users see and can change.
  public var name: String
  /// The maximum number of rows; 0 means the daemon's limit.
  public var maxRows: UInt32
  /// Whether a local drag may move several rows.
  public var movesMultipleRows: Bool
  /// The types that a drop may contain, in MIME form, without line feeds.
  public var acceptedTypes: [String]
  /// The maximum number of rows that the board retains; 0 means all rows.
  public var retainRows: UInt32
  /// The number of seconds for which the board retains a row; 0 means forever.
  public var retainSeconds: UInt32
  /// Whether the insertion of a content that is already on the board moves the row with this
  /// content instead.
  public var movesDuplicates: Bool

  /// Creates a header from its parts.
  public init(
    pathElement: String, name: String, maxRows: UInt32, movesMultipleRows: Bool,
    acceptedTypes: [String], retainRows: UInt32 = 0, retainSeconds: UInt32 = 0,
    movesDuplicates: Bool = false
  ) {
    self.pathElement = pathElement
    self.name = name
    self.maxRows = maxRows
    self.movesMultipleRows = movesMultipleRows
    self.acceptedTypes = acceptedTypes
    self.retainRows = retainRows
    self.retainSeconds = retainSeconds
    self.movesDuplicates = movesDuplicates
  }
}

extension BoardHeader {
  /// The rows that the board retains.
  public var retention: RetentionLimits {
    get { RetentionLimits(rows: retainRows, seconds: retainSeconds) }
    set { (retainRows, retainSeconds) = (newValue.rows, newValue.seconds) }
  }
}

/// A stored board: its number, settings, sections and rows.
public struct BoardRecord: Sendable {
  /// The number of the board.
  public let id: BoardNumber
  /// The name and the settings.
  public let header: BoardHeader
  /// The sections and rows, in order, at the last saved revision.
  public let board: Board

  /// Creates a record from its parts.
  public init(id: BoardNumber, header: BoardHeader, board: Board) {
    self.id = id
    self.header = header
    self.board = board
  }
}
