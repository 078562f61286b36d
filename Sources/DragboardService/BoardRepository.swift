public import BoardModel

/// New rows that no board has yet.
///
/// What they hold is left to `purge` when this object goes, or the process, unless they are adopted.
public protocol RowStage: AnyObject {
  /// The rows.
  var rows: [RowID] { get }
  /// Whether nothing has been rolled back since; else nothing may be put there any more.
  var isWhole: Bool { get }
  /// Keeps what they hold: with the commit by which a board has them.
  func adopt() throws(RepositoryError)
}

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

  /// Notes what a batch of edits has changed, in a form of the board model's, and how many rows the
  /// board has then.
  func log(
    _ changes: [UInt8], _ revisions: ClosedRange<UInt64>, rowCount: Int, of board: Int64
  ) throws(RepositoryError)
  /// What the batches have changed that ended with a later revision than that, in order; nil where it has more bytes than `limit`.
  func loggedChanges(
    after revision: UInt64, of board: Int64, limit: Int
  ) throws(RepositoryError) -> [[UInt8]]?
  /// The revision from which on all is logged; nil where nothing is.
  func firstLoggedRevision(of board: Int64) throws(RepositoryError) -> UInt64?
  /// Forgets the batches that ended with that revision or an earlier one.
  func forgetLog(upTo revision: UInt64, of board: Int64) throws(RepositoryError)

  /// The steps that take edits back or make them again, by number.
  func steps(of board: Int64) throws(RepositoryError) -> [StepInfo]
  /// What a step does, in a form of the board model's, and the rows that keep what its rows held; nil where there is none.
  func operations(
    ofStep number: UInt64, of board: Int64
  ) throws(RepositoryError) -> (operations: [UInt8], kept: [RowID])?
  /// Keeps a step, in place of the one of that number.
  func save(
    _ step: StepInfo, _ operations: [UInt8], keeping kept: [RowID], of board: Int64
  ) throws(RepositoryError)
  /// Forgets the steps with those numbers.
  func deleteSteps(_ numbers: ClosedRange<UInt64>, of board: Int64) throws(RepositoryError)

  /// Numbers for that many new rows; none is given twice, whatever becomes of the process.
  func reserveRows(_ count: Int) throws(RepositoryError) -> [RowID]
  /// Numbers for new sessions, likewise.
  func reserveSessionNumbers() throws(RepositoryError) -> Range<UInt64>
  /// Numbers for new views, likewise.
  func reserveViewNumbers() throws(RepositoryError) -> Range<UInt64>

  /// Begins a file for many bytes, which ``put(_:of:)`` can then be given; from any thread.
  var makeSpool: SpoolMaker { get }
  /// Keeps what a row holds that holds nothing yet.
  func put(_ content: RowContent, of row: RowID) throws(RepositoryError)
  /// Numbers for that many new rows that can be given what they hold over several commits, before a board has them.
  func stageRows(_ count: Int) throws(RepositoryError) -> any RowStage
  /// What the row is, without its bytes; nil where it holds nothing.
  func summary(of row: RowID) throws(RepositoryError) -> RowSummary?
  /// The bytes of one of the row's representations, by its place in the order of fidelity.
  ///
  /// Those that lie in a file stay there as long as what is given does, whatever becomes of the row.
  func content(of row: RowID, at ordinal: Int) throws(RepositoryError) -> StoredBytes

  /// The row's plain text; of more than `limit` bytes as many as make whole Unicode scalars. Nil where it has none.
  func text(of row: RowID, limit: Int) throws(RepositoryError) -> String?

  /// The bytes of all that these rows hold.
  func byteCount(of rows: [RowID]) throws(RepositoryError) -> Int
  /// Counts some more of the rows of a source; gives whether there are more.
  func measure(_ use: inout SourceUse) throws(RepositoryError) -> Bool
  /// Has a row hold what another one holds, which then holds nothing; the first has to hold nothing before.
  func moveItem(from source: RowID, to destination: RowID) throws(RepositoryError)
  /// Lets go of what rows hold that no board has and no undo brings back; `purge` removes it.
  func discard(_ rows: [RowID]) throws(RepositoryError)

  /// Puts some more rows into the index of words; gives whether there are more.
  func indexSome() throws(RepositoryError) -> Bool
  /// How many words a search looks up: what it costs grows with that.
  func wordCount(of query: String) -> Int
  /// The rows with every word of a query, in no order; rows that no board has may be among them.
  ///
  /// - Parameters:
  ///   - query: the words.
  ///   - source: who brought the rows; nil for all.
  /// - Returns: the rows.
  /// - Throws: `RepositoryError`.
  func search(_ query: String, source: String?) throws(RepositoryError) -> [RowID]

  /// Makes durable what was written since the last commit.
  func commit() throws(RepositoryError)
  /// Forgets what was written since the last commit.
  func rollback()
  /// Whether `purge` has something to do that no board's change has told of.
  var hasGarbage: Bool { get }
  /// Removes a little of what no board holds any more; gives whether there is more.
  func purge() throws(RepositoryError) -> Bool
  /// Whether text of what was purged may still be in the files.
  var hasTraces: Bool { get }
  /// Erases a little of it; gives whether there is more.
  func eraseTraces() throws(RepositoryError) -> Bool
}
