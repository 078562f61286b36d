package import BoardModel

/// The functions that read a store.
///
/// The results include all earlier writes, even uncommitted ones.
package protocol StoreReading: AnyObject {
  /// The directory of large contents. It is thread-safe.
  var contents: ContentDirectory { get }

  /// Returns every board in use, in the order of creation.
  ///
  /// O(rows).
  func boards() throws(StoreError) -> [BoardRecord]
  /// Returns a board at its last saved revision. The board may be deleted.
  ///
  /// O(rows of the board).
  func board(_ id: BoardID) throws(StoreError) -> Board
  /// Returns the deleted boards, the latest first.
  func deletedBoards() throws(StoreError) -> [DeletedBoard]

  /// Returns the summary of a row's content, without reading the bytes; nil if the row has no
  /// content.
  func summary(of row: RowID) throws(StoreError) -> RowSummary?
  /// Records that a row on a board has no content, which is damage.
  func noteMissing(_ row: RowID)
  /// Returns the content of a row, without a digest; nil if it has none.
  ///
  /// It reads no file.
  func rowContent(of row: RowID) throws(StoreError) -> RowContent?
  /// Returns the bytes of the representation at a position in order of fidelity.
  ///
  /// This function reads no file. So if the file of a large content is missing, the error occurs
  /// when the payload is read. The file stays as long as the payload exists, even if the row is
  /// deleted.
  func content(of row: RowID, at ordinal: Int) throws(StoreError) -> Payload
  /// Returns the row's first plain text in order of fidelity; nil if the row has no text.
  ///
  /// - Parameters:
  ///   - row: the row.
  ///   - limit: the maximum number of bytes. A longer text is cut after the last whole Unicode
  ///     scalar within the limit.
  /// - Returns: the text.
  /// - Throws: `StoreError`.
  func text(of row: RowID, limit: Int) throws(StoreError) -> String?
  /// Returns the rows whose content has this digest, including rows that are only retained for an
  /// undo.
  ///
  /// The contents can be different, so compare them. The newest rows come first. The result has at
  /// most 1,000 rows.
  func rows(withDigest digest: UInt64) throws(StoreError) -> [RowID]
  /// Returns the total size of the contents of these rows, in bytes.
  ///
  /// O(rows).
  func byteCount(of rows: [RowID]) throws(StoreError) -> Int
  /// Returns the rows whose age was renewed by duplicates, each with the number that determines its
  /// age.
  ///
  /// The result includes rows that are on no board and are only retained for an undo.
  func renewals() throws(StoreError) -> [RowID: UInt64]
  /// Returns the rows that use shares of sandboxes, by sandbox, in the order of their numbers.
  ///
  /// The result includes rows that are on no board and are only retained for an undo. O(these rows).
  func rowsBySandbox() throws(StoreError) -> [String: [RowID]]
  /// Adds the next rows of a source to a count.
  ///
  /// - Returns: whether more rows remain.
  /// - Throws: `StoreError`.
  func measure(_ use: inout SourceUse) throws(StoreError) -> Bool
  /// Begins a search for the rows that contain every word of a query.
  ///
  /// The last word of the query may be a prefix. Case and diacritics are ignored; canonically equal
  /// texts match. A query without a word finds nothing. The result includes rows that are on no
  /// board and are only retained for an undo. O(rows found).
  ///
  /// - Parameters:
  ///   - query: words, separated by white space; the query has no syntax. A part without letters
  ///     and digits is not a word. A word with other characters in it, such as "well-known",
  ///     matches if its parts follow each other in the text.
  ///   - source: the application that rows are compared with; nil for all applications.
  /// - Returns: the search, which returns the rows.
  /// - Throws: `StoreError`.
  func beginSearch(_ query: String, source: String?) throws(StoreError) -> WordSearch

  /// Returns the changes of all batches that ended after a revision, in order; nil if they exceed
  /// `limit` bytes.
  func loggedChanges(
    after revision: UInt64, of board: BoardID, limit: Int
  ) throws(StoreError) -> [[UInt8]]?
  /// Returns the revision after which every change is logged; nil if the log is empty.
  func firstLoggedRevision(of board: BoardID) throws(StoreError) -> UInt64?
  /// Returns the steps that undo or redo edits, in the order of their numbers.
  func steps(of board: BoardID) throws(StoreError) -> [StepInfo]
  /// Returns the operations of a step, in the board model's encoding, and the rows that retain
  /// contents for it; nil if there is no such step.
  func operations(
    ofStep number: UInt64, of board: BoardID
  ) throws(StoreError) -> (operations: [UInt8], kept: [RowID])?

  /// Whether `purge` has work although no board has changed, such as files to remove.
  var hasGarbage: Bool { get }
  /// Whether the files may still contain text of purged rows.
  var hasTraces: Bool { get }
}

/// The service's interface to a store.
///
/// Writes are durable after `commit` has returned. Tests replace the store by a repository that
/// fails.
package protocol BoardRepository: StoreReading {
  /// 16 random bytes that never change.
  var salt: [UInt8] { get }

  /// Creates an empty board; the first `save` adds its sections and rows.
  func createBoard(_ header: BoardHeader) throws(StoreError) -> BoardID
  /// Stores a board's new name and settings; its path does not change.
  func update(_ header: BoardHeader, of board: BoardID) throws(StoreError)
  /// Marks a board as deleted. Its rows, contents and history stay until `purgeBoard`.
  func deleteBoard(_ board: DeletedBoard) throws(StoreError)
  /// Restores a deleted board. Its name and this path must be free.
  func restoreBoard(_ board: BoardID, at pathElement: String) throws(StoreError)
  /// Permanently deletes a board with its rows and its history. `purge` deletes the contents later.
  func purgeBoard(_ board: BoardID) throws(StoreError)
  /// Stores the changes of a board and its history. It is called at the end of a batch of edits.
  ///
  /// The board's number of rows is logged. If the number differs at the next opening, the database
  /// is treated as damaged. O(changes).
  ///
  /// - Returns: the rows whose contents are discarded, because no board has the rows and no undo
  ///   restores them. `purge` deletes the contents.
  /// - Throws: `StoreError`.
  func save(_ changes: BoardChanges, of board: BoardID) throws(StoreError) -> [RowID]

  /// Reserves consecutive numbers for new rows, which no other row ever gets.
  ///
  /// About one call in a thousand writes to the database. So commit before you publish the numbers.
  func reserveRows(_ count: Int) throws(StoreError) -> [RowID]
  /// Reserves numbers for the next thousand sessions. Commit before you use the numbers.
  func reserveSessionNumbers() throws(StoreError) -> Range<UInt64>
  /// Reserves numbers for the next thousand views. Commit before you use the numbers.
  func reserveViewNumbers() throws(StoreError) -> Range<UInt64>

  /// Stores the contents of new rows, as `put` does, and returns the rows.
  func insert(_ contents: [RowContent]) throws(StoreError) -> [RowID]
  /// Stores the content of a row that has none.
  ///
  /// The row itself is saved with its board. Payloads of more than ``Payload/inlineLimit`` bytes
  /// are stored in files. A payload that is already in a synced file is not copied: only the id of
  /// the file is written. If a file cannot be written, the content is refused, and the transaction
  /// can continue.
  func put(_ content: RowContent, of row: RowID) throws(StoreError)
  /// Sets the age of a row.
  ///
  /// - Parameters:
  ///   - row: the row, which has a content.
  ///   - created: the time of its creation or renewal, in microseconds since 1970, UTC.
  ///   - renewal: a reserved number that no other row uses; nil if no duplicate has renewed the row.
  /// - Throws: `StoreError`.
  func setAge(of row: RowID, created: UInt64, renewal: UInt64?) throws(StoreError)
  /// Reserves new rows whose contents can be stored in several transactions, before a board has the
  /// rows.
  ///
  /// The contents are purged unless the rows are adopted.
  func stageRows(_ count: Int) throws(StoreError) -> StagedRows
  /// Moves a content from one row to another row that has no content.
  func moveItem(from source: RowID, to destination: RowID) throws(StoreError)

  /// Adds the next rows to the full-text index.
  ///
  /// - Returns: whether more rows remain.
  /// - Throws: `StoreError`.
  func indexSome() throws(StoreError) -> Bool
  /// Makes all writes durable, so that neither a crash nor a power cut can roll them back.
  ///
  /// If the commit fails, all writes are rolled back in this process. If only the sync has failed,
  /// the writes may nevertheless be on the disk. In this case, a crash before the next commit
  /// brings the whole transaction back.
  func commit() throws(StoreError)
  /// Rolls back all writes since the last commit.
  func rollback()
  /// Deletes some discarded contents and unneeded files.
  ///
  /// - Returns: whether more work remains.
  /// - Throws: `StoreError`.
  func purge() throws(StoreError) -> Bool
  /// Erases some traces of deleted text, first from the full-text index, then from the log.
  ///
  /// The log is emptied only if there is no uncommitted write.
  ///
  /// - Returns: whether more traces remain, perhaps after a commit.
  /// - Throws: `StoreError`.
  func eraseTraces() throws(StoreError) -> Bool
}

// The protocol documents these members of the store.
extension BoardStore: BoardRepository {}
