internal import BoardModel
internal import Files
internal import SQLite

/// The files of large contents, and their relation to the open transaction.
///
/// This class tracks the contents that rows have gained and lost, and removes unneeded files.
final class LargeContents {
  let folder: ContentDirectory
  private let transaction: StoreTransaction
  private let report: (StoreEvent) -> Void
  private let holder, unknownToIndex: Statement
  private var ledger = ContentLedger()
  private var sweep = ContentSweep()
  private(set) var indexCheck = ContentIndexCheck()

  init(
    _ transaction: StoreTransaction, in folder: ContentDirectory,
    report: @escaping (StoreEvent) -> Void
  ) {
    self.folder = folder
    self.transaction = transaction
    self.report = report
    // With INDEXED BY, a missing index is an error. Without it, SQLite would read the whole table.
    holder = Statement(
      transaction.database,
      """
      SELECT 1 FROM representation INDEXED BY representation_file
      WHERE data = ? AND file NOT NULL LIMIT 1
      """)
    // The columns of the result are the last key, the number of rows read, and the number of rows
    // whose file is missing in the index. With NOT INDEXED, SQLite reads the table itself and not
    // the index.
    unknownToIndex = Statement(
      transaction.database,
      """
      SELECT max(id), count(*), count(*) FILTER (WHERE content NOT NULL AND NOT EXISTS (
          SELECT 1 FROM representation INDEXED BY representation_file
          WHERE data = content AND file NOT NULL))
      FROM (SELECT id, CASE WHEN file NOT NULL THEN data END AS content
        FROM representation NOT INDEXED WHERE id > ? ORDER BY id LIMIT ?)
      """)
  }

  /// Records that the open transaction deletes a content of a row.
  func noteDeletion(of id: ContentID) { ledger.noteDeletion(of: id) }

  func didCommit() {
    ledger.didCommit()
    indexCheck.didCommit()
  }

  func didRollBack() {
    ledger.didRollBack()
    indexCheck.didRollBack()
  }
}

// MARK: Storing

extension LargeContents {
  /// Moves the bytes of a content to their final location.
  ///
  /// Payloads that are in files of the store stay there. Others move into files if they are large,
  /// otherwise into memory.
  ///
  /// If it throws, nothing has changed, and the transaction can continue.
  func settle(_ content: RowContent) throws(StoreError) -> RowContent {
    guard content.representations.contains(where: { !$0.bytes.isInline }) else { return content }
    var content = content
    for place in content.representations.indices {
      let bytes = content.representations[place].bytes
      if !bytes.isInline { content.representations[place].bytes = try settle(bytes) }
    }
    return content
  }

  private func settle(_ bytes: Payload) throws(StoreError) -> Payload {
    guard case .file(let file) = bytes else {
      let moved = try bytes.moved(in: folder)
      guard case .file(let file) = moved else { return moved }
      return .file(try publish(file))
    }
    guard file.contents === folder else {
      if file.byteCount <= Payload.inlineLimit { return .memory(try file.readAll()) }
      throw .badItem("a content is in a file of another store (expected a file of this store)")
    }
    return .file(try publish(file))
  }

  private func publish(_ file: ContentFile) throws(StoreError) -> ContentFile {
    ledger.noteInsertion(of: file.id)
    if try file.publish() { ledger.areNamesDurable = false }
    return file
  }

  /// Makes durable the names of the files that the open transaction inserted.
  func syncNames() throws(StoreError) {
    guard !ledger.inserted.isEmpty, !ledger.areNamesDurable else { return }
    do throws(FileError) { try folder.syncNames() } catch { throw .file(error) }
    ledger.areNamesDurable = true
  }
}

// MARK: Cleaning up

extension LargeContents {
  /// Whether there may be unneeded files.
  var hasGarbage: Bool {
    !ledger.suspects.isEmpty || folder.hasReleased || !sweep.isOver
  }

  /// The number of contents that the open transaction has deleted.
  var deletedCount: Int { ledger.deleted.count }

  /// Removes unneeded files.
  ///
  /// - Returns: whether more work remains.
  func removeSome(_ budget: inout PurgeBudget) throws(StoreError) -> Bool {
    ledger.suspect(folder.takeReleased())
    sweep.begin(folder.path)
    while budget.isLeft {
      guard let suspect = ledger.suspects.last else {
        guard suspectLeftover(&budget) else { return false }
        continue
      }
      let isUnneeded = try isUnneeded(suspect)
      if isUnneeded, indexCheck.state == .unchecked {
        guard try checkIndex() else { return true }
        continue
      }
      let isRemovable = isUnneeded && indexCheck.state == .agrees
      budget.spend(bytes: isRemovable ? folder.remove(suspect) : 0)
      ledger.didLookIntoLast()
    }
    return !ledger.suspects.isEmpty || !sweep.isOver
  }

  /// Adds the next file in the directory of contents to the suspects.
  ///
  /// - Returns: whether more names remain.
  private func suspectLeftover(_ budget: inout PurgeBudget) -> Bool {
    guard let name = sweep.next() else { return false }
    if let id = ContentID(hex: name) {
      ledger.suspect([id])
    } else {
      budget.spend(bytes: 0)
    }
    return true
  }

  /// Returns whether a content is unneeded.
  ///
  /// A content is unneeded if no row has it, no row had it before the open transaction, and it has
  /// no handle.
  private func isUnneeded(_ id: ContentID) throws(StoreError) -> Bool {
    guard !ledger.deleted.contains(id), !folder.isHeld(id) else { return false }
    return try transaction.read { () throws(SQLiteError) in
      try holder.first(id) { _ in false } ?? true
    }
  }

  /// The number of rows that each step compares, in about a millisecond.
  private static let indexCheckStep: Int64 = 4_096

  /// Compares the next rows with the index, and rebuilds the index if it is wrong.
  ///
  /// - Returns: whether the check is complete.
  private func checkIndex() throws(StoreError) -> Bool {
    let (end, count, unknown) = try transaction.read { () throws(SQLiteError) in
      try unknownToIndex.first(indexCheck.end, Self.indexCheckStep) { row in
        (row.integer(0), row.integer(1), row.integer(2))
      } ?? (0, 0, 0)
    }
    if unknown == 0 {
      indexCheck.didCompare(upTo: end, isEnd: count < Self.indexCheckStep)
    } else if indexCheck.didFindDifference() {
      report(.rebuiltIndex)
      try transaction.write { () throws(SQLiteError) in
        try transaction.database.execute("REINDEX representation_file")
      }
    } else {
      _ = transaction.noted(.damaged("the index of contents is wrong"))
    }
    return indexCheck.state != .unchecked
  }
}
