package import BoardModel

/// The reads of a store, which see all earlier writes.
package protocol StoreReading: AnyObject {
  /// The files of large contents; used from any thread.
  var contents: ContentDirectory { get }

  /// Returns every board in use, in the order of creation.
  ///
  /// O(rows).
  func boards() throws(StoreError) -> [BoardRecord]
  /// Returns one board at its last saved revision, also a deleted one.
  ///
  /// O(rows of the board).
  func board(_ id: BoardID) throws(StoreError) -> Board
  /// Returns the deleted boards, the latest first.
  func deletedBoards() throws(StoreError) -> [DeletedBoard]

  /// Returns the content of a row without its bytes, which are not read; nil if the row has none.
  func summary(of row: RowID) throws(StoreError) -> RowSummary?
  /// Notes that a row of a board has no content; only damage can cause this.
  func noteMissing(_ row: RowID)
  /// Returns the bytes of one representation of a row, by its position in order of fidelity.
  ///
  /// It reads no file. A missing file is an error when the payload is read. The file stays as long
  /// as the payload does, even if the row is deleted.
  func content(of row: RowID, at ordinal: Int) throws(StoreError) -> Payload
  /// Returns the row's plain text, the first in order of fidelity; nil if it has none.
  ///
  /// - Parameters:
  ///   - row: the row.
  ///   - limit: the maximum number of bytes. A longer text is cut after the last whole Unicode
  ///     scalar within the limit.
  /// - Returns: the text.
  /// - Throws: `StoreError`.
  func text(of row: RowID, limit: Int) throws(StoreError) -> String?
  /// Returns the rows whose contents have a digest, on any board or retained for an undo.
  ///
  /// The newest are first, at most 1,000.
  func rows(withDigest digest: [UInt8]) throws(StoreError) -> [RowID]
  /// Returns the rows that duplicates have renewed, each with its latest number.
  ///
  /// The result includes rows that no board has and that are retained for an undo.
  func renewals() throws(StoreError) -> [RowID: UInt64]
  /// Counts the next rows of a source.
  ///
  /// - Returns: whether more rows remain.
  /// - Throws: `StoreError`.
  func measure(_ use: inout SourceUse) throws(StoreError) -> Bool
  /// Returns the rows that contain every word of a query, in any order.
  ///
  /// The last word of the query may be a prefix. Case and diacritics are ignored; canonically equal
  /// texts are the same. A query without a word finds nothing. The result includes rows that no
  /// board has and that are retained for an undo. O(rows found).
  ///
  /// - Parameters:
  ///   - query: words, separated by white space; the query has no syntax. A part without letters
  ///     and digits is not a word. If other characters divide a word into parts, the parts must
  ///     follow each other in the text.
  ///   - source: the application that the rows came from; nil for all.
  /// - Returns: the rows.
  /// - Throws: `StoreError`.
  func search(_ query: String, source: String?) throws(StoreError) -> [RowID]

  /// Whether `purge` has work that no change of a board has caused.
  var hasGarbage: Bool { get }
  /// Whether the files may still contain text of purged rows.
  var hasTraces: Bool { get }
}

/// The service's interface to a store.
///
/// Tests replace the store by a repository that fails. Writes are durable when `commit` has
/// returned.
package protocol BoardRepository: StoreReading {
  /// 16 random bytes that never change.
  var salt: [UInt8] { get }

  /// Creates a board without rows or sections; the first `save` adds them.
  func createBoard(_ header: BoardHeader) throws(StoreError) -> BoardID
  /// Stores a board's new name and settings; its path does not change.
  func update(_ header: BoardHeader, of board: BoardID) throws(StoreError)
  /// Marks a board as deleted; its rows, contents and history stay until `purgeBoard`.
  func deleteBoard(_ board: DeletedBoard) throws(StoreError)
  /// Makes a deleted board a board in use; its name and this path must be free.
  func restoreBoard(_ board: BoardID, at pathElement: String) throws(StoreError)
  /// Deletes a board with its rows and its history for good; `purge` deletes the contents later.
  func purgeBoard(_ board: BoardID) throws(StoreError)
  /// Stores all changes of a board since the last save, at the end of a batch of edits.
  ///
  /// O(changes).
  func save(_ changes: UnsavedChanges, revision: UInt64, of board: BoardID) throws(StoreError)

  /// Logs the changes of a batch of edits, in the board model's encoding.
  ///
  /// - Parameters:
  ///   - changes: all changes.
  ///   - revisions: the revisions that the edits of the batch made.
  ///   - rowCount: the number of rows of the board after the batch. At the next opening, a board
  ///     with another number of rows counts as damaged. If it is nil, the number is not checked.
  ///   - board: the edited board.
  /// - Throws: `StoreError`.
  func log(
    _ changes: [UInt8], _ revisions: ClosedRange<UInt64>, rowCount: Int?, of board: BoardID
  ) throws(StoreError)
  /// Returns the changes of all batches that ended after a revision, in order; nil if they exceed
  /// `limit` bytes.
  func loggedChanges(
    after revision: UInt64, of board: BoardID, limit: Int
  ) throws(StoreError) -> [[UInt8]]?
  /// Returns the revision after which every change is logged; nil if the log is empty.
  func firstLoggedRevision(of board: BoardID) throws(StoreError) -> UInt64?
  /// Deletes all batches up to a revision from the log.
  func forgetLog(upTo revision: UInt64, of board: BoardID) throws(StoreError)

  /// Returns the steps that undo or redo edits, in the order of their numbers.
  func steps(of board: BoardID) throws(StoreError) -> [StepInfo]
  /// Returns the operations of a step, in the board model's encoding, and the rows that retain
  /// contents for it; nil if there is no such step.
  func operations(
    ofStep number: UInt64, of board: BoardID
  ) throws(StoreError) -> (operations: [UInt8], kept: [RowID])?
  /// Stores a step; it replaces the step with the same number.
  func save(
    _ step: StepInfo, _ operations: [UInt8], keeping kept: [RowID], of board: BoardID
  ) throws(StoreError)
  /// Deletes the steps with those numbers; the contents that rows retain for them stay.
  func deleteSteps(_ numbers: ClosedRange<UInt64>, of board: BoardID) throws(StoreError)

  /// Reserves consecutive numbers for new rows; no other row ever has one of them.
  ///
  /// One call in a thousand writes. So commit before you publish the numbers.
  func reserveRows(_ count: Int) throws(StoreError) -> [RowID]
  /// Reserves numbers for the next thousand sessions; commit before you use them.
  func reserveSessionNumbers() throws(StoreError) -> Range<UInt64>
  /// Reserves numbers for the next thousand views; commit before you use them.
  func reserveViewNumbers() throws(StoreError) -> Range<UInt64>

  /// Stores the content of a row that has none.
  ///
  /// The row itself is saved with its board. Contents of more than ``Payload/inlineLimit`` bytes
  /// are stored in files. A payload that is already a synced file costs no more than its name. If a
  /// file cannot be written, the content is refused, and the transaction can go on.
  func put(_ content: RowContent, of row: RowID) throws(StoreError)
  /// Gives a row the age of a new row.
  ///
  /// - Parameters:
  ///   - row: the row, which has a content.
  ///   - number: a reserved row, which stays unused.
  ///   - created: the time of its creation from now on, in microseconds since 1970, UTC.
  /// - Throws: `StoreError`.
  func renew(_ row: RowID, as number: RowID, created: UInt64) throws(StoreError)
  /// Makes new rows whose contents can be stored over several commits, before a board has the rows.
  ///
  /// The contents are purged unless the rows are adopted.
  func stageRows(_ count: Int) throws(StoreError) -> StagedRows
  /// Returns the total size of the contents of these rows, in bytes.
  ///
  /// O(rows).
  func byteCount(of rows: [RowID]) throws(StoreError) -> Int
  /// Moves a content from one row to another row, which has none.
  func moveItem(from source: RowID, to destination: RowID) throws(StoreError)
  /// Releases the contents of rows that no board has and no undo restores; `purge` deletes them.
  func discard(_ rows: [RowID]) throws(StoreError)

  /// Adds the next rows to the full-text index.
  ///
  /// - Returns: whether more rows remain.
  /// - Throws: `StoreError`.
  func indexSome() throws(StoreError) -> Bool
  /// Makes all writes durable: afterwards neither a crash nor a power cut rolls them back.
  ///
  /// If it fails, all writes are rolled back for this process. If only the sync failed, a crash may
  /// restore the whole transaction, as long as no later transaction is committed.
  func commit() throws(StoreError)
  /// Rolls back all writes since the last commit.
  func rollback()
  /// Deletes some contents that are no longer on any board.
  ///
  /// - Returns: whether more remain.
  /// - Throws: `StoreError`.
  func purge() throws(StoreError) -> Bool
  /// Erases some traces of deleted text: first from the full-text index, finally from the log.
  ///
  /// The log is emptied in a step that finds no uncommitted write.
  ///
  /// - Returns: whether more traces remain, perhaps after a commit.
  /// - Throws: `StoreError`.
  func eraseTraces() throws(StoreError) -> Bool
}

// The protocol documents the members that the store has in common with it.
extension BoardStore: BoardRepository {}
