public import BoardModel
import DBus
public import DragModel

/// Keeps boards and the contents of their rows for good; what the service needs of a store.
///
/// What is written is seen by the reads that follow, and is durable when `commit` has returned.
public protocol BoardRepository: AnyObject {
  /// 128 random bits that stay the same for the repository's life.
  var salt: (UInt64, UInt64) { get }

  /// Every board, in the order of their making.
  func boards() throws(RepositoryError) -> [BoardRecord]
  /// One board, as it was committed last.
  func board(_ id: Int64) throws(RepositoryError) -> Board
  /// Makes a board and gives its number, which is never used twice.
  func createBoard(_ header: BoardHeader) throws(RepositoryError) -> Int64
  /// Keeps a board's new name and settings.
  func update(_ header: BoardHeader, of board: Int64) throws(RepositoryError)
  /// Forgets a board and its rows.
  func deleteBoard(_ board: Int64) throws(RepositoryError)
  /// Keeps what has changed in a board.
  func save(_ changes: UnsavedChanges, revision: UInt64, of board: Int64) throws(RepositoryError)

  /// Numbers for that many new rows; none is given twice, whatever becomes of the process.
  func reserveRows(_ count: Int) throws(RepositoryError) -> [RowID]
  /// A number for a new session, likewise.
  func reserveSessionNumber() throws(RepositoryError) -> UInt64

  /// Keeps what a row holds; what a row that is not new held goes.
  func put(_ content: RowContent, of row: RowID, isNew: Bool) throws(RepositoryError)
  /// What the row is, without its bytes; nil where it holds nothing.
  func summary(of row: RowID) throws(RepositoryError) -> RowSummary?
  /// The bytes of one of the row's representations, by its place in the order of fidelity.
  func data(of row: RowID, at ordinal: Int) throws(RepositoryError) -> [UInt8]

  /// The row's plain text; of more than `limit` bytes as many as make whole Unicode scalars. Nil where it has none.
  func text(of row: RowID, limit: Int) throws(RepositoryError) -> String?

  /// Makes durable what was written since the last commit.
  func commit() throws(RepositoryError)
  /// Forgets what was written since the last commit.
  func rollback()
  /// Removes a little of what no board holds any more; gives whether there is more.
  func purge() throws(RepositoryError) -> Bool
}

/// What a repository could not do.
public struct RepositoryError: Error, Hashable, Sendable {
  /// One sentence for people, with the system's or SQLite's words.
  public let message: String
  /// A failure with those words.
  public init(_ message: String) { self.message = message }

  /// The error that a client gets.
  var answer: DBusError { DBusError(.ioError, message) }
}

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

/// What a row holds.
public struct RowContent: Sendable {
  /// One type and its bytes.
  public struct Representation: Sendable {
    /// What the bytes are.
    public let type: ContentType
    /// All of it.
    public let data: [UInt8]
    /// A representation of those parts.
    public init(type: ContentType, data: [UInt8]) {
      self.type = type
      self.data = data
    }
  }

  /// When the row was made, in microseconds since 1970, UTC.
  public let created: UInt64
  /// The application that dropped it; empty for an insert.
  public let source: String
  /// What a file of it would be called; empty where nothing was suggested.
  public let name: String
  /// The first line of its plain text; empty where it has none.
  public let preview: String
  /// In order of fidelity; at least one.
  public let representations: [Representation]

  /// A content of those parts.
  public init(
    created: UInt64, source: String, name: String, preview: String,
    representations: [Representation]
  ) {
    self.created = created
    self.source = source
    self.name = name
    self.preview = preview
    self.representations = representations
  }
}

/// What a row is, without its bytes.
public struct RowSummary: Sendable {
  /// When the row was made, in microseconds since 1970, UTC.
  public let created: UInt64
  /// The application that dropped it; empty for an insert.
  public let source: String
  /// What a file of it would be called; empty where nothing was suggested.
  public let name: String
  /// The first line of its plain text; empty where it has none.
  public let preview: String
  /// Types with their sizes in bytes, in order of fidelity.
  public let types: [(type: ContentType, byteCount: Int)]

  /// A summary of those parts.
  public init(
    created: UInt64, source: String, name: String, preview: String,
    types: [(type: ContentType, byteCount: Int)]
  ) {
    self.created = created
    self.source = source
    self.name = name
    self.preview = preview
    self.types = types
  }
}
