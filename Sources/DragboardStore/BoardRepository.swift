package import BoardModel

/// The service's interface to a store, so that tests can make it fail.
///
/// Reads see all writes before them. The writes are durable when `commit` has returned.
package protocol BoardRepository: AnyObject {
  /// 16 random bytes that stay the same for the repository's life.
  var salt: [UInt8] { get }

  /// The files of large contents; used from any thread.
  var contents: ContentDirectory { get }

  /// Every board, in the order in which they were made.
  ///
  /// O(rows).
  func boards() throws(StoreError) -> [BoardRecord]
  /// One board, as it was saved last.
  ///
  /// O(rows of the board).
  func board(_ id: BoardID) throws(StoreError) -> Board
  /// Makes a board without rows or sections: those come with the first `save`.
  func createBoard(_ header: BoardHeader) throws(StoreError) -> BoardID
  /// Stores a board's new name and settings; its path stays.
  func update(_ header: BoardHeader, of board: BoardID) throws(StoreError)
  /// Deletes a board with its rows and its history; the contents go later, by `purge`.
  func deleteBoard(_ board: BoardID) throws(StoreError)
  /// Stores the changes of a board since it was saved last, at the end of a batch of edits.
  ///
  /// O(changes).
  func save(_ changes: UnsavedChanges, revision: UInt64, of board: BoardID) throws(StoreError)

  /// Logs the changes of a batch of edits, in the board model's encoding.
  ///
  /// - Parameters:
  ///   - changes: all changes.
  ///   - revisions: the edits of the batch, by the revisions that they made.
  ///   - rowCount: how many rows the board has after the batch. The next opening takes a board with
  ///     another number for damaged; nil leaves that unchecked.
  ///   - board: the edited board.
  /// - Throws: `StoreError`.
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
  /// Deletes the steps with those numbers; the contents that rows keep for them stay.
  func deleteSteps(_ numbers: ClosedRange<UInt64>, of board: BoardID) throws(StoreError)

  /// Reserves consecutive numbers for new rows, none of which was a row's before or will be another's.
  ///
  /// Once in a thousand it writes, so that they have to be committed before anybody learns of them.
  func reserveRows(_ count: Int) throws(StoreError) -> [RowID]
  /// Reserves numbers for the next thousand sessions, which can be used once they are committed.
  func reserveSessionNumbers() throws(StoreError) -> Range<UInt64>
  /// Reserves numbers for the next thousand views, likewise.
  func reserveViewNumbers() throws(StoreError) -> Range<UInt64>

  /// Stores the content of a row that has none.
  ///
  /// The row itself is saved with its board. Contents of more than ``Payload/inlineLimit`` bytes are
  /// kept in files: those that are given as files, and synced, cost no more than a name. A file that
  /// cannot be written refuses the content, and the transaction can go on.
  func put(_ content: RowContent, of row: RowID) throws(StoreError)
  /// New rows whose contents can be stored over several commits, before a board has them; they go
  /// unless the rows are adopted.
  func stageRows(_ count: Int) throws(StoreError) -> StagedRows
  /// The content of a row without its bytes, of which none is read; nil if it has none.
  func summary(of row: RowID) throws(StoreError) -> RowSummary?
  /// Notes that a row of a board has no content, which only damage can cause.
  func noteMissing(_ row: RowID)
  /// The bytes of one of the row's representations, by its place in the order of fidelity.
  ///
  /// No file is read: whoever reads one that is missing gets the error. A file stays as long as the
  /// payload does, whatever becomes of the row.
  func content(of row: RowID, at ordinal: Int) throws(StoreError) -> Payload
  /// The row's plain text, the first in the order of fidelity; nil if it has none.
  ///
  /// - Parameters:
  ///   - row: the row.
  ///   - limit: the maximum number of bytes; of a longer text, as many as make whole Unicode scalars are
  ///     read.
  /// - Returns: the text.
  /// - Throws: `StoreError`.
  func text(of row: RowID, limit: Int) throws(StoreError) -> String?
  /// The number of bytes of the contents of these rows.
  ///
  /// O(rows).
  func byteCount(of rows: [RowID]) throws(StoreError) -> Int
  /// Counts some more of the rows of a source.
  ///
  /// - Returns: whether there are more.
  /// - Throws: `StoreError`.
  func measure(_ use: inout SourceUse) throws(StoreError) -> Bool
  /// Moves a content from one row to another, which had none.
  func moveItem(from source: RowID, to destination: RowID) throws(StoreError)
  /// Releases the contents of rows that no board has and no undo restores; `purge` removes them.
  func discard(_ rows: [RowID]) throws(StoreError)

  /// Adds some more rows to the index of words.
  ///
  /// - Returns: whether there are more.
  /// - Throws: `StoreError`.
  func indexSome() throws(StoreError) -> Bool
  /// The rows that have every word of a query, in no order; the last word may be the beginning of one.
  ///
  /// Case and diacritics are folded; canonically equal texts are the same. A query without a word finds
  /// nothing. Rows that no board has, and that are kept for an undo, are among them. O(rows found).
  ///
  /// - Parameters:
  ///   - query: words, separated by white space; nothing in it is syntax. A part without letters and
  ///     digits is no word; parts that other characters separate have to follow each other in the text.
  ///   - source: the application that brought the rows; nil for all.
  /// - Returns: the rows.
  /// - Throws: `StoreError`.
  func search(_ query: String, source: String?) throws(StoreError) -> [RowID]

  /// Makes everything durable that was written: then neither a crash nor a power cut rolls it back.
  ///
  /// If it fails, all of it is rolled back for this process. If only the sync failed, a crash may bring
  /// the transaction back, as a whole, as long as no later one is committed.
  func commit() throws(StoreError)
  /// Rolls back everything that was written since the last commit.
  func rollback()
  /// Whether `purge` has something to do that no change of a board has caused.
  var hasGarbage: Bool { get }
  /// Removes some contents that no board has any more.
  ///
  /// - Returns: whether there is more.
  /// - Throws: `StoreError`.
  func purge() throws(StoreError) -> Bool
  /// Whether text of purged rows may still be in the files.
  var hasTraces: Bool { get }
  /// Erases some of it, from the index of words and in the end from the log.
  ///
  /// The log is emptied in a step that finds nothing uncommitted.
  ///
  /// - Returns: whether there is more, perhaps after a commit.
  /// - Throws: `StoreError`.
  func eraseTraces() throws(StoreError) -> Bool
}

// The protocol documents the members of the store that it has.
extension BoardStore: BoardRepository {}
