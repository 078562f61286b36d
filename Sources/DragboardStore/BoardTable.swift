internal import BoardModel
internal import SQLite

/// The boards in the database, with their settings, sections and blocks of rows.
final class BoardTable {
  private let transaction: StoreTransaction
  private let all, one, deleted, sections, blocks, nextBlock, lastLogged: Statement
  private let insert, change, saveRevision, markDeleted, restore, purge: Statement
  private let insertSection, deleteSections: Statement
  private let saveBlock, deleteBlock, deleteBlocks, discardBlocks: Statement
  /// The boards that were read when the database was opened; valid until the first write.
  private var atOpening: [BoardRecord]?

  init(_ transaction: StoreTransaction) {
    let database = transaction.database
    func statement(_ sql: String) -> Statement { Statement(database, sql) }
    self.transaction = transaction
    let columns = """
      id, path, name, revision, max_rows, moves_multiple_rows, accepted_types, deleted, retain_rows,
      retain_seconds, moves_duplicates
      """
    all = statement("SELECT \(columns) FROM board ORDER BY id")
    one = statement("SELECT \(columns) FROM board WHERE id = ?")
    deleted = statement(
      """
      SELECT \(columns), deleted_rows, deleted_bytes FROM board
      WHERE deleted NOT NULL ORDER BY deleted DESC, id DESC
      """)
    sections = statement("SELECT id, name FROM section WHERE board = ? ORDER BY position")
    blocks = statement(
      "SELECT id, section, next, revision, rows FROM block WHERE id BETWEEN ? AND ?")
    nextBlock = statement("SELECT id FROM block WHERE id > ? ORDER BY id LIMIT 1")
    lastLogged = statement(
      "SELECT id, row_count FROM log WHERE id BETWEEN ? AND ? ORDER BY id DESC LIMIT 1")
    insert = statement(
      """
      INSERT INTO board(
        path, name, revision, max_rows, moves_multiple_rows, accepted_types, retain_rows,
        retain_seconds, moves_duplicates)
      VALUES (?, ?, 1, ?, ?, ?, ?, ?, ?)
      """)
    change = statement(
      """
      UPDATE board SET name = ?2, max_rows = ?3, moves_multiple_rows = ?4, accepted_types = ?5,
        retain_rows = ?6, retain_seconds = ?7, moves_duplicates = ?8
      WHERE id = ?1
      """)
    saveRevision = statement("UPDATE board SET revision = ?2 WHERE id = ?1")
    markDeleted = statement(
      "UPDATE board SET deleted = ?2, deleted_rows = ?3, deleted_bytes = ?4 WHERE id = ?1")
    restore = statement(
      """
      UPDATE board SET path = ?2, deleted = NULL, deleted_rows = NULL, deleted_bytes = NULL
      WHERE id = ?1
      """)
    purge = statement("DELETE FROM board WHERE id = ?")
    insertSection = statement(
      "INSERT INTO section(board, position, id, name) VALUES (?, ?, ?, ?)")
    deleteSections = statement("DELETE FROM section WHERE board = ?")
    saveBlock = statement(
      "REPLACE INTO block(id, section, next, revision, rows) VALUES (?, ?, ?, ?, ?)")
    deleteBlock = statement("DELETE FROM block WHERE id = ?")
    deleteBlocks = statement("DELETE FROM block WHERE id BETWEEN ? AND ?")
    discardBlocks = statement(
      "INSERT INTO discarded(rows) SELECT rows FROM block WHERE id BETWEEN ? AND ?")
  }

  /// Reads all boards when the database is opened, so that damage is found at once.
  func readAtOpening() throws(StoreError) { atOpening = try readAll() }

  /// Returns all boards in use, in the order of creation.
  func records() throws(StoreError) -> [BoardRecord] {
    if let boards = atOpening, !transaction.hasWritten {
      atOpening = nil
      return boards
    }
    do throws(StoreError) { return try readAll() } catch { throw transaction.noted(error) }
  }

  /// Returns one board.
  func board(_ id: BoardNumber) throws(StoreError) -> Board {
    do throws(StoreError) {
      if let board = try record(of: id)?.board { return board }
    } catch { throw transaction.noted(error) }
    throw .unreadable("the board is missing in the database")
  }

  /// Returns the deleted boards, the latest first.
  func deletedBoards() throws(StoreError) -> [DeletedBoard] {
    try transaction.read { () throws(SQLiteError) in
      var boards: [DeletedBoard] = []
      try deleted.forEach { boards.append(DeletedBoard($0)) }
      return boards
    }
  }
}

// MARK: Writing

extension BoardTable {
  /// Inserts a board without rows or sections.
  func insert(_ header: BoardHeader) throws(StoreError) -> BoardNumber {
    try transaction.write { () throws(SQLiteError) in
      try insert.run(
        header.pathElement, header.name, Int64(header.maxRows), header.movesMultipleRows,
        header.acceptedTypes.joined(separator: "\n"), Int64(header.retainRows),
        Int64(header.retainSeconds), header.movesDuplicates)
      return BoardNumber(transaction.database.lastInsertedID)
    }
  }

  /// Changes a board's name and settings.
  func change(_ board: BoardNumber, to header: BoardHeader) throws(StoreError) {
    try transaction.write { () throws(SQLiteError) in
      try change.run(
        board.rawValue, header.name, Int64(header.maxRows), header.movesMultipleRows,
        header.acceptedTypes.joined(separator: "\n"), Int64(header.retainRows),
        Int64(header.retainSeconds), header.movesDuplicates)
    }
  }

  /// Marks a board as deleted, and keeps its rows.
  func delete(_ board: DeletedBoard) throws(StoreError) {
    try transaction.write { () throws(SQLiteError) in
      try markDeleted.run(
        board.id.rawValue, Int64(clamping: board.time), Int64(board.rowCount),
        Int64(board.byteCount))
    }
  }

  /// Restores a deleted board at a path that is free.
  func restore(_ board: BoardNumber, at pathElement: String) throws(StoreError) {
    try transaction.write { () throws(SQLiteError) in
      try restore.run(board.rawValue, pathElement)
    }
  }

  /// Permanently deletes a board and discards its rows.
  func purge(_ board: BoardNumber) throws(StoreError) {
    try transaction.write { () throws(SQLiteError) in
      let (first, last) = BlockKey.range(of: board)
      try discardBlocks.run(first, last)
      try deleteBlocks.run(first, last)
      try deleteSections.run(board.rawValue)
      try purge.run(board.rawValue)
    }
  }

  /// Writes the changes of a board.
  ///
  /// O(changes), with one statement for each block. If no block has changed, only the revision is
  /// written.
  func save(
    _ changes: UnsavedChanges, revision: UInt64, of board: BoardNumber
  ) throws(StoreError) {
    let revision = Int64(revision)
    try transaction.write { () throws(SQLiteError) in
      for block in changes.blocks { try save(block, revision: revision, of: board) }
      for block in changes.removedBlocks {
        try deleteBlock.run(BlockKey.of(block, on: board))
      }
      if let sections = changes.sections { try save(sections, of: board) }
      // The board's revision is the highest revision of its blocks, and each written block contains
      // the new revision. So the board itself is written only if no block is.
      if changes.blocks.isEmpty { try saveRevision.run(board.rawValue, revision) }
    }
  }

  private func save(
    _ block: StoredBlock, revision: Int64, of board: BoardNumber
  ) throws(SQLiteError) {
    let next = block.next.map { Int64($0.rawValue) }
    try block.rows.withPackedBytes { rows throws(SQLiteError) in
      try saveBlock.run(
        BlockKey.of(block.id, on: board), Int64(block.section.rawValue), next, revision, rows)
    }
  }

  private func save(_ sections: [StoredSection], of board: BoardNumber) throws(SQLiteError) {
    try deleteSections.run(board.rawValue)
    for (position, section) in sections.enumerated() {
      try insertSection.run(
        board.rawValue, Int64(position), Int64(section.id.rawValue), section.name)
    }
  }
}

// MARK: Reading

extension BoardTable {
  /// Reads all boards in use, in the order of creation.
  ///
  /// Only the names and paths of deleted boards are checked.
  private func readAll() throws(StoreError) -> [BoardRecord] {
    var rows: [BoardRow] = []
    do throws(SQLiteError) {
      try all.forEach { rows.append(BoardRow($0)) }
    } catch {
      throw StoreError(error)
    }
    var records: [BoardRecord] = []
    for row in rows where row.isDeleted { try check(row, at: row.revision, [], []) }
    for row in rows where !row.isDeleted { records.append(try record(of: row)) }
    try checkOwners(of: rows.map(\.id))
    for record in records { try checkRowCount(of: record) }
    return records
  }

  /// Reads one board; nil if no board has this number.
  private func record(of id: BoardNumber) throws(StoreError) -> BoardRecord? {
    let row: BoardRow?
    do throws(SQLiteError) { row = try one.first(id.rawValue) { BoardRow($0) } } catch {
      throw StoreError(error)
    }
    guard let row else { return nil }
    let record = try record(of: row)
    try checkRowCount(of: record)
    return record
  }

  /// Refuses blocks whose board is missing, because the board's row in the table `board` is lost.
  private func checkOwners(of boards: [BoardNumber]) throws(StoreError) {
    var last = Int64.min
    while let next = try nextBlock(after: last) {
      let board = BlockKey.board(next)
      guard boards.contains(board) else {
        throw .damaged("board \(board.rawValue) has rows but no name")
      }
      last = BlockKey.range(of: board).1
    }
  }

  private func nextBlock(after key: Int64) throws(StoreError) -> Int64? {
    do throws(SQLiteError) { return try nextBlock.first(key) { $0.integer(0) } } catch {
      throw StoreError(error)
    }
  }

  /// Refuses a board whose number of rows differs from its log, or whose revision is earlier than
  /// its log.
  ///
  /// In both cases a block of the board is lost, or an old version of a block has replaced a later
  /// one.
  private func checkRowCount(of record: BoardRecord) throws(StoreError) {
    let (first, last) = HistoryKey.range(of: record.id)
    let logged: (revision: UInt64, count: Int64?)?
    do throws(SQLiteError) {
      logged = try lastLogged.first(first, last) { row in
        (HistoryKey.number(row.integer(0)), row.optionalInteger(1))
      }
    } catch {
      throw StoreError(error)
    }
    guard let logged, let count = logged.count, logged.revision >= record.board.revision else {
      return
    }
    guard logged.revision == record.board.revision, count == record.board.count else {
      throw .damaged(
        "board \"\(record.header.name)\" has \(record.board.count) rows at revision \(record.board.revision), "
          + "but its log has \(count) rows at revision \(logged.revision)")
    }
  }

  private func record(of row: BoardRow) throws(StoreError) -> BoardRecord {
    var sections: [StoredSection] = []
    var blocks: [StoredBlock] = []
    var revision = row.revision
    do throws(SQLiteError) {
      try self.sections.forEach(row.id.rawValue) { row in
        let id = SectionID(UInt32(truncatingIfNeeded: row.integer(0)))
        sections.append(StoredSection(id: id, name: row.text(1) ?? ""))
      }
      let (first, last) = BlockKey.range(of: row.id)
      try self.blocks.forEach(first, last) { row in
        blocks.append(StoredBlock(row))
        revision = max(revision, row.integer(3))
      }
    } catch {
      throw StoreError(error)
    }
    try check(row, at: revision, sections, blocks)
    do throws(BoardDamage) {
      let board = try Board(
        revision: UInt64(max(1, revision)), sections: sections, blocks: blocks)
      return BoardRecord(id: row.id, header: row.header, board: board)
    } catch {
      throw .damaged("board \"\(row.header.name)\": \(error)")
    }
  }

  /// Refuses names, paths and numbers that only damage can cause.
  private func check(
    _ row: BoardRow, at revision: Int64, _ sections: [StoredSection], _ blocks: [StoredBlock]
  ) throws(StoreError) {
    do throws(NameFault) {
      for name in [row.header.name] + sections.map(\.name) { _ = try Name(name) }
    } catch {
      throw .damaged("board \(row.id.rawValue) has an invalid name: \(error)")
    }
    guard BoardPath.isValid(row.header.pathElement) else {
      throw .damaged(
        "board \"\(row.header.name)\": \"\(row.header.pathElement)\" is not a valid path element")
    }
    guard Bounds.boards ~= row.id.rawValue, Bounds.revisions ~= revision || revision < 0,
      blocks.allSatisfy({ $0.rows.allSatisfy { $0.row.rawValue < Bounds.numbers.upperBound } })
    else { throw .damaged("board \"\(row.header.name)\": an id or a revision is out of range") }
  }
}

/// The row of a board in the table `board`.
private struct BoardRow {
  let id: BoardNumber
  let revision: Int64
  let header: BoardHeader
  let isDeleted: Bool

  init(_ row: ResultRow) {
    id = BoardNumber(row.integer(0))
    revision = row.integer(3)
    header = BoardHeader(
      pathElement: row.text(1) ?? "", name: row.text(2) ?? "",
      maxRows: UInt32(clamping: row.integer(4)), movesMultipleRows: row.integer(5) != 0,
      acceptedTypes: (row.text(6) ?? "").split(separator: "\n").map(String.init),
      retainRows: UInt32(clamping: row.integer(8)), retainSeconds: UInt32(clamping: row.integer(9)),
      movesDuplicates: row.integer(10) != 0)
    isDeleted = row.optionalInteger(7) != nil
  }
}

extension DeletedBoard {
  /// Reads a row of the statement `deleted`.
  fileprivate init(_ row: ResultRow) {
    let board = BoardRow(row)
    self.init(
      id: board.id, header: board.header, time: UInt64(clamping: row.integer(7)),
      rowCount: Int(UInt32(clamping: row.integer(11))), byteCount: Bounds.bytes(row.integer(12)))
  }
}
