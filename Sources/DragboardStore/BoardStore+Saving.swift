public import BoardModel

extension BoardStore {
  /// Writes what has changed on a board since it was saved last, at the end of a batch of edits.
  ///
  /// O(what has changed): one statement for each block; the revision goes with the blocks, where there are any.
  public func save(
    _ changes: UnsavedChanges, revision: UInt64, of board: BoardID
  ) throws(StoreError) {
    let revision = Int64(revision)
    try write { () throws(SQLiteError) in
      for block in changes.blocks { try save(block, revision: revision, of: board) }
      for block in changes.removedBlocks {
        try statements.deleteBlock.run(BlockKey.of(block, on: board))
      }
      if let sections = changes.sections { try save(sections, of: board) }
      // With a block written, the highest revision of the board's blocks is this one.
      if changes.blocks.isEmpty { try statements.saveRevision.run(board.rawValue, revision) }
    }
  }

  private func save(
    _ block: StoredBlock, revision: Int64, of board: BoardID
  ) throws(SQLiteError) {
    let next = block.next.map { Int64($0.rawValue) }
    try block.rows.withPackedBytes { rows throws(SQLiteError) in
      try statements.saveBlock.run(
        BlockKey.of(block.id, on: board), Int64(block.section.rawValue), next, revision, rows)
    }
  }

  private func save(_ sections: [StoredSection], of board: BoardID) throws(SQLiteError) {
    try statements.deleteSections.run(board.rawValue)
    for (position, section) in sections.enumerated() {
      try statements.insertSection.run(
        board.rawValue, Int64(position), Int64(section.id.rawValue), section.name)
    }
  }
}

// MARK: Rows that have left

extension BoardStore {
  /// Lets go of what rows hold that no board has and no undo brings back: it is deleted later, by `purgeDiscarded`.
  public func discard(_ rows: [RowID]) throws(StoreError) {
    try write { () throws(SQLiteError) in _ = try noteDiscarded(rows) }
  }

  /// Notes rows whose representations are to go, some of them on each page; gives the pages.
  func noteDiscarded(_ rows: [RowID]) throws(SQLiteError) -> [Int64] {
    var rest = rows[...]
    var pages: [Int64] = []
    while !rest.isEmpty {
      let page = rest.prefix(StoredBlock.mostRows).map { RowEntry($0) }
      rest = rest.dropFirst(page.count)
      try page.withPackedBytes { page throws(SQLiteError) in try statements.discard.run(page) }
      pages.append(database.lastInsertedID)
    }
    return pages
  }

  /// Deletes what rows held that have left their board, and files that nobody needs; whether there is more to do.
  ///
  /// For moments when nothing else is to be done: no edit waits for it. It writes, where there is something to
  /// delete. Files go when what needed them has been deleted for good: in the steps after the commit. What a board's rows held is discarded first: `discard(_:)`.
  ///
  /// - Parameters:
  ///   - limit: ends the step after so many rows and files.
  ///   - byteLimit: ends the step with the row or file by which so many bytes are deleted.
  /// - Returns: whether there is more to do, be it after a commit.
  /// - Throws: `StoreError`; of the rows none is deleted then.
  public func purgeDiscarded(
    limit: Int, byteLimit: Int = 8 << 20
  ) throws(StoreError) -> Bool {
    var budget = PurgeBudget(entries: limit, bytes: byteLimit)
    let deleted = ledger.deleted.count
    if try purgeRows(&budget) { return true }
    if try removeContents(&budget) { return true }
    return ledger.deleted.count > deleted
  }

  private func purgeRows(_ budget: inout PurgeBudget) throws(StoreError) -> Bool {
    while let (page, rows) = try oldestDiscarded() {
      guard budget.isLeft else { return true }
      var kept = rows[...]
      while budget.isLeft, let last = kept.popLast() {
        budget.spend(bytes: try delete(last.row))
      }
      try write { () throws(SQLiteError) in try keepDiscarded(kept, on: page) }
    }
    return false
  }

  /// Deletes what a row holds; gives how many bytes the database had of it.
  private func delete(_ row: RowID) throws(StoreError) -> Int {
    let text = try text(toIndexOf: row)
    return try write { () throws(SQLiteError) in
      let count = try byteCount(of: row)
      try unindex(row, text)
      try deleteRepresentations(of: row)
      return count
    }
  }

  private func byteCount(of row: RowID) throws(SQLiteError) -> Int {
    let (first, last) = RepresentationKey.range(of: row)
    return try statements.byteCount.first(first, last) { Int($0.integer(0)) } ?? 0
  }

  /// The first page of rows whose representations are to go, and that nobody stages.
  private func oldestDiscarded() throws(StoreError) -> (page: Int64, rows: [RowEntry])? {
    var last: Int64 = 0
    while let (page, rows) = try discarded(after: last) {
      guard stagedPages.contains(page) else { return (page, rows) }
      last = page
    }
    return nil
  }

  private func discarded(
    after page: Int64
  ) throws(StoreError) -> (page: Int64, rows: [RowEntry])? {
    try read { () throws(SQLiteError) in
      try statements.discarded.first(page) {
        (page: $0.integer(0), rows: [RowEntry](packed: $0.bytes(1)))
      }
    }
  }

  private func keepDiscarded(_ rows: ArraySlice<RowEntry>, on page: Int64) throws(SQLiteError) {
    guard !rows.isEmpty else { return try statements.deleteDiscarded.run(page) }
    try Array(rows).withPackedBytes { rows throws(SQLiteError) in
      try statements.saveDiscarded.run(page, rows)
    }
  }
}
