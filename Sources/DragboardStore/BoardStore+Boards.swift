internal import BoardModel

extension BoardStore {
  /// All boards, in the order in which they were made.
  ///
  /// O(rows).
  public func boards() throws(StoreError) -> [StoredBoard] {
    if let boards = boardsAtOpening {
      boardsAtOpening = nil
      return boards
    }
    do throws(StoreError) { return try statements.storedBoards() } catch { throw noted(error) }
  }

  /// Makes a board without rows or sections: those come with what is saved first.
  public func createBoard(
    path: String, name: String, settings: BoardSettings
  ) throws(StoreError) -> BoardID {
    try write { () throws(SQLiteError) in
      try statements.insertBoard.run(
        path, name, Int64(settings.maxRows), settings.movesMultipleRows,
        settings.acceptedTypes.joined(separator: "\n"))
      return BoardID(database.lastInsertedID)
    }
  }

  /// Gives the board another name; its path stays.
  public func renameBoard(_ board: BoardID, to name: String) throws(StoreError) {
    try write { () throws(SQLiteError) in
      try statements.renameBoard.run(board.rawValue, name)
    }
  }

  /// Sets all that can be set on the board.
  public func setSettings(_ settings: BoardSettings, of board: BoardID) throws(StoreError) {
    try write { () throws(SQLiteError) in
      try statements.saveSettings.run(
        board.rawValue, Int64(settings.maxRows), settings.movesMultipleRows,
        settings.acceptedTypes.joined(separator: "\n"))
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
private struct BoardHeader {
  let id: BoardID
  let path: String
  let name: String
  let revision: Int64
  let settings: BoardSettings

  init(_ row: Row) {
    id = BoardID(row.integer(0))
    path = row.text(1) ?? ""
    name = row.text(2) ?? ""
    revision = row.integer(3)
    settings = BoardSettings(
      maxRows: Int(row.integer(4)), movesMultipleRows: row.integer(5) != 0,
      acceptedTypes: (row.text(6) ?? "").split(separator: "\n").map(String.init))
  }
}

extension Statements {
  /// All boards, in the order in which they were made.
  func storedBoards() throws(StoreError) -> [StoredBoard] {
    var headers: [BoardHeader] = []
    do throws(SQLiteError) {
      try boards.forEach { headers.append(BoardHeader($0)) }
    } catch {
      throw StoreError(error)
    }
    var boards: [StoredBoard] = []
    for header in headers { boards.append(try restore(header)) }
    try checkOwners(of: headers.map(\.id))
    for board in boards { try checkRowCount(of: board) }
    return boards
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
  private func checkRowCount(of stored: StoredBoard) throws(StoreError) {
    let (first, last) = HistoryKey.range(of: stored.id)
    let logged: (revision: UInt64, count: Int64?)?
    do throws(SQLiteError) {
      logged = try lastLogged.first(first, last) { row in
        (HistoryKey.number(row.integer(0)), row.optionalInteger(1))
      }
    } catch {
      throw StoreError(error)
    }
    guard let logged, let count = logged.count, logged.revision >= stored.board.revision else {
      return
    }
    guard logged.revision == stored.board.revision, count == stored.board.count else {
      throw .damaged(
        "board \"\(stored.name)\": \(stored.board.count) rows at revision \(stored.board.revision); "
          + "its log has \(count) at \(logged.revision)")
    }
  }

  private func restore(_ header: BoardHeader) throws(StoreError) -> StoredBoard {
    var stored: [StoredSection] = []
    var storedBlocks: [StoredBlock] = []
    var revision = header.revision
    do throws(SQLiteError) {
      try sections.forEach(header.id.rawValue) { row in
        let id = SectionID(UInt32(truncatingIfNeeded: row.integer(0)))
        stored.append(StoredSection(id: id, name: row.text(1) ?? ""))
      }
      let (first, last) = BlockKey.range(of: header.id)
      try blocks.forEach(first, last) { row in
        storedBlocks.append(StoredBlock(row))
        revision = max(revision, row.integer(3))
      }
    } catch {
      throw StoreError(error)
    }
    try check(header, at: revision, stored, storedBlocks)
    do throws(BoardDamage) {
      let board = try Board(
        revision: UInt64(max(1, revision)), sections: stored, blocks: storedBlocks)
      return StoredBoard(
        id: header.id, path: header.path, name: header.name, settings: header.settings, board: board
      )
    } catch {
      throw .damaged("board \"\(header.name)\": \(error)")
    }
  }

  /// Refuses names, paths and numbers that nobody can have given.
  private func check(
    _ header: BoardHeader, at revision: Int64, _ sections: [StoredSection], _ blocks: [StoredBlock]
  ) throws(StoreError) {
    do throws(NameFault) {
      for name in [header.name] + sections.map(\.name) { _ = try Name(name) }
    } catch {
      throw .damaged("board \(header.id.rawValue): a name is none: \(error)")
    }
    guard BoardPath.isValid(header.path) else {
      throw .damaged("board \"\(header.name)\": \"\(header.path)\" is no element of a path")
    }
    guard Bounds.boards ~= header.id.rawValue, Bounds.revisions ~= revision || revision < 0,
      blocks.allSatisfy({ $0.rows.allSatisfy { $0.row.rawValue < Bounds.numbers.upperBound } })
    else { throw .damaged("board \"\(header.name)\": a number is beyond what can be counted") }
  }
}
