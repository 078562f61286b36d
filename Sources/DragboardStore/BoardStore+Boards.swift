public import BoardModel

extension BoardStore {
  /// All boards, in the order in which they were made.
  ///
  /// O(rows).
  public func boards() throws(StoreError) -> [BoardRecord] {
    if let boards = boardsAtOpening {
      boardsAtOpening = nil
      return boards
    }
    do throws(StoreError) { return try statements.boardRecords() } catch { throw noted(error) }
  }

  /// The board as it was saved last.
  ///
  /// O(rows of the board).
  public func board(_ id: BoardID) throws(StoreError) -> Board {
    do throws(StoreError) {
      if let board = try statements.record(of: id)?.board { return board }
    } catch { throw noted(error) }
    throw .unreadable("the board is not in the database")
  }

  /// Makes a board without rows or sections: those come with what is saved first.
  public func createBoard(_ header: BoardHeader) throws(StoreError) -> BoardID {
    try write { () throws(SQLiteError) in
      try statements.insertBoard.run(
        header.pathElement, header.name, Int64(header.maxRows), header.movesMultipleRows,
        header.acceptedTypes.joined(separator: "\n"))
      return BoardID(database.lastInsertedID)
    }
  }

  /// Stores a board's new name and settings; its path stays.
  public func update(_ header: BoardHeader, of board: BoardID) throws(StoreError) {
    try write { () throws(SQLiteError) in
      try statements.updateBoard.run(
        board.rawValue, header.name, Int64(header.maxRows), header.movesMultipleRows,
        header.acceptedTypes.joined(separator: "\n"))
    }
  }

  /// Deletes the board with its rows.
  ///
  /// What they hold goes later, by `purgeDiscarded`.
  public func deleteBoard(_ board: BoardID) throws(StoreError) {
    try discardHistory(of: board)
    try write { () throws(SQLiteError) in
      let (first, last) = BlockKey.range(of: board)
      try statements.discardBlocks.run(first, last)
      try statements.deleteBlocks.run(first, last)
      try statements.deleteSections.run(board.rawValue)
      try statements.deleteBoard.run(board.rawValue)
    }
  }
}

/// A board's own row in the database.
private struct BoardRow {
  let id: BoardID
  let revision: Int64
  let header: BoardHeader

  init(_ row: Row) {
    id = BoardID(row.integer(0))
    revision = row.integer(3)
    header = BoardHeader(
      pathElement: row.text(1) ?? "", name: row.text(2) ?? "",
      maxRows: UInt32(clamping: row.integer(4)), movesMultipleRows: row.integer(5) != 0,
      acceptedTypes: (row.text(6) ?? "").split(separator: "\n").map(String.init))
  }
}

extension Statements {
  /// All boards, in the order in which they were made.
  func boardRecords() throws(StoreError) -> [BoardRecord] {
    var rows: [BoardRow] = []
    do throws(SQLiteError) {
      try boards.forEach { rows.append(BoardRow($0)) }
    } catch {
      throw StoreError(error)
    }
    var records: [BoardRecord] = []
    for row in rows { records.append(try record(of: row)) }
    try checkOwners(of: rows.map(\.id))
    for record in records { try checkRowCount(of: record) }
    return records
  }

  /// One board; nil if there is none with that number.
  func record(of id: BoardID) throws(StoreError) -> BoardRecord? {
    let row: BoardRow?
    do throws(SQLiteError) { row = try board.first(id.rawValue) { BoardRow($0) } } catch {
      throw StoreError(error)
    }
    guard let row else { return nil }
    let record = try record(of: row)
    try checkRowCount(of: record)
    return record
  }

  /// Refuses blocks of a board that there is not: its own row is lost.
  private func checkOwners(of boards: [BoardID]) throws(StoreError) {
    var last = Int64.min
    while let next = try nextBlock(after: last) {
      let board = BlockKey.board(next)
      guard boards.contains(board) else {
        throw .damaged("board \(board.rawValue): it has rows, and no name")
      }
      last = BlockKey.range(of: board).1
    }
  }

  private func nextBlock(after key: Int64) throws(StoreError) -> Int64? {
    do throws(SQLiteError) { return try nextBlock.first(key) { $0.integer(0) } } catch {
      throw StoreError(error)
    }
  }

  /// Refuses a board that has another number of rows than its log says, or an earlier revision: a
  /// block of it is lost, or an old one.
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
        "board \"\(record.header.name)\": \(record.board.count) rows at revision \(record.board.revision); "
          + "its log has \(count) at \(logged.revision)")
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

  /// Refuses names, paths and numbers that nobody can have given.
  private func check(
    _ row: BoardRow, at revision: Int64, _ sections: [StoredSection], _ blocks: [StoredBlock]
  ) throws(StoreError) {
    do throws(NameFault) {
      for name in [row.header.name] + sections.map(\.name) { _ = try Name(name) }
    } catch {
      throw .damaged("board \(row.id.rawValue): a name is none: \(error)")
    }
    guard BoardPath.isValid(row.header.pathElement) else {
      throw .damaged(
        "board \"\(row.header.name)\": \"\(row.header.pathElement)\" is no element of a path")
    }
    guard Bounds.boards ~= row.id.rawValue, Bounds.revisions ~= revision || revision < 0,
      blocks.allSatisfy({ $0.rows.allSatisfy { $0.row.rawValue < Bounds.numbers.upperBound } })
    else { throw .damaged("board \"\(row.header.name)\": a number is beyond what can be counted") }
  }
}
