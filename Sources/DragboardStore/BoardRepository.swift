public import BoardModel

/// The service's interface to a store, so that tests can make it fail.
///
/// Reads see what was written before, and it is durable when `commit` has returned.
public protocol BoardRepository: AnyObject {
  /// 16 random bytes that stay the same for the repository's life.
  var salt: [UInt8] { get }

  /// The files of large contents; used from any thread.
  var contents: ContentFolder { get }

  /// Every board, in the order in which they were made.
  func boards() throws(StoreError) -> [BoardRecord]
  /// One board, as it was saved last.
  func board(_ id: BoardID) throws(StoreError) -> Board
  /// Makes a board.
  func createBoard(_ header: BoardHeader) throws(StoreError) -> BoardID
  /// Stores a board's new name and settings.
  func update(_ header: BoardHeader, of board: BoardID) throws(StoreError)
  /// Deletes a board with its rows.
  func deleteBoard(_ board: BoardID) throws(StoreError)
  /// Stores the changes of a board.
  func save(_ changes: UnsavedChanges, revision: UInt64, of board: BoardID) throws(StoreError)

  /// Logs the changes of a batch of edits, in the board model's encoding, and the number of rows
  /// that the board has after it.
  func log(
    _ changes: [UInt8], _ revisions: ClosedRange<UInt64>, rowCount: Int?, of board: BoardID
  ) throws(StoreError)
  /// The changes of the batches that ended with a later revision, in order; nil if they have more
  /// bytes than `limit`.
  func loggedChanges(
    after revision: UInt64, of board: BoardID, limit: Int
  ) throws(StoreError) -> [[UInt8]]?
  /// The revision from which on everything is logged; nil if nothing is.
  func firstLoggedRevision(of board: BoardID) throws(StoreError) -> UInt64?
  /// Deletes the batches that ended with that revision or an earlier one from the log.
  func forgetLog(upTo revision: UInt64, of board: BoardID) throws(StoreError)

  /// The steps that undo or redo edits, by number.
  func steps(of board: BoardID) throws(StoreError) -> [StepInfo]
  /// The operations of a step, in the board model's encoding, and the rows that keep the contents of
  /// its rows; nil if there is no such step.
  func operations(
    ofStep number: UInt64, of board: BoardID
  ) throws(StoreError) -> (operations: [UInt8], kept: [RowID])?
  /// Stores a step, in place of the one with its number.
  func save(
    _ step: StepInfo, _ operations: [UInt8], keeping kept: [RowID], of board: BoardID
  ) throws(StoreError)
  /// Deletes the steps with those numbers.
  func deleteSteps(_ numbers: ClosedRange<UInt64>, of board: BoardID) throws(StoreError)

  /// Numbers for new rows; none is given twice, whatever becomes of the process.
  func reserveRows(_ count: Int) throws(StoreError) -> [RowID]
  /// Numbers for new sessions, likewise.
  func reserveSessionNumbers() throws(StoreError) -> Range<UInt64>
  /// Numbers for new views, likewise.
  func reserveViewNumbers() throws(StoreError) -> Range<UInt64>

  /// Stores the content of a row that has none.
  func put(_ content: RowContent, of row: RowID) throws(StoreError)
  /// New rows whose contents can be stored over several commits, before a board has them.
  func stageRows(_ count: Int) throws(StoreError) -> StagedRows
  /// The content of a row without its bytes; nil if it has none.
  func summary(of row: RowID) throws(StoreError) -> RowSummary?
  /// Notes that a row of a board has no content, which only damage can cause.
  func noteMissing(_ row: RowID)
  /// The bytes of one of the row's representations, by its place in the order of fidelity.
  ///
  /// A file stays as long as the payload does, whatever becomes of the row.
  func content(of row: RowID, at ordinal: Int) throws(StoreError) -> Payload
  /// The row's plain text, at most `limit` bytes that make whole Unicode scalars; nil if it has none.
  func text(of row: RowID, limit: Int) throws(StoreError) -> String?
  /// The number of bytes of the contents of these rows.
  func byteCount(of rows: [RowID]) throws(StoreError) -> Int
  /// Moves a content from one row to another, which had none.
  func moveItem(from source: RowID, to destination: RowID) throws(StoreError)
  /// Releases the contents of rows that no board has and no undo restores; `purge` removes them.
  func discard(_ rows: [RowID]) throws(StoreError)

  /// Adds some more rows to the index of words.
  ///
  /// - Returns: whether there are more.
  /// - Throws: `StoreError`.
  func indexSome() throws(StoreError) -> Bool
  /// The rows that have every word of a query, in no order; rows that no board has may be among them.
  ///
  /// - Parameters:
  ///   - query: the words.
  ///   - source: the application that brought the rows; nil for all.
  /// - Returns: the rows.
  /// - Throws: `StoreError`.
  func search(_ query: String, source: String?) throws(StoreError) -> [RowID]

  /// Makes everything durable that was written since the last commit.
  func commit() throws(StoreError)
  /// Rolls back everything that was written since the last commit.
  func rollback()
  /// Whether `purge` has something to do that no change of a board has caused.
  var hasGarbage: Bool { get }
  /// Removes some of what no board has any more.
  ///
  /// - Returns: whether there is more.
  /// - Throws: `StoreError`.
  func purge() throws(StoreError) -> Bool
  /// Whether text of what was purged may still be in the files.
  var hasTraces: Bool { get }
  /// Erases some of it.
  ///
  /// - Returns: whether there is more.
  /// - Throws: `StoreError`.
  func eraseTraces() throws(StoreError) -> Bool
}

extension BoardStore: BoardRepository {
  /// How many rows are indexed in one step: some milliseconds.
  private static let indexStep = 256

  /// Indexes the next 256 rows.
  public func indexSome() throws(StoreError) -> Bool { try indexSome(limit: Self.indexStep) }

  /// How many rows are removed in one step: a tenth of a millisecond.
  private static let purgeStep = 16

  /// Deletes the contents of the next 16 rows, or some files.
  public func purge() throws(StoreError) -> Bool { try purgeDiscarded(limit: Self.purgeStep) }
}
