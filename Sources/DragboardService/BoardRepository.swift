public import BoardModel

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
