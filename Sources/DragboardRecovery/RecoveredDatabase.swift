internal import BoardModel
internal import DragboardStore
internal import SQLite

/// A new database that receives all readable data of a damaged database.
struct RecoveredDatabase {
  private let database: Database
  private var salvage: Salvage
  /// The rows with at least one known representation.
  private var rows: Set<RowID> = []
  private var boards: [(board: SalvagedBoard, repair: BoardRepair)] = []

  /// Creates the database at an unused path.
  ///
  /// It is not durable yet.
  static func make(
    _ path: String, of image: PageImage, holding lock: StoreLock
  ) throws -> RecoveryReport.Counts {
    var new = try RecoveredDatabase(path, image, lock)
    try new.fill()
    return new.counts
  }

  private init(_ path: String, _ image: PageImage, _ lock: StoreLock) throws {
    // Create the file first, because SQLite would create a file that other users can read.
    try Directory.touch(path)
    database = try Database(path: path, holding: lock)
    salvage = Salvage(image)
    // After a crash, the unfinished database is deleted. So it needs neither a journal nor a sync.
    try database.execute("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF")
    try database.migrate()
  }

  private mutating func fill() throws(SQLiteError) {
    try database.execute("BEGIN")
    try readPages()
    try renumberPlaces()
    putBoardsTogether()
    let delete = Statement(database, "DELETE FROM representation WHERE id BETWEEN ? AND ?")
    for row in rows where !boards.contains(where: { $0.repair.rows.contains(row) }) {
      let (first, last) = RepresentationKey.range(of: row)
      try delete.run(first, last)
    }
    for (board, repair) in boards { try save(board, repair) }
    try saveIdentity()
    try database.execute("COMMIT")
  }

  private var counts: RecoveryReport.Counts {
    RecoveryReport.Counts(
      boards: boards.count, rows: boards.reduce(0) { $0 + $1.repair.rows.count },
      lostRows: boards.reduce(0) { $0 + $1.repair.lost },
      misplacedRows: boards.reduce(0) { $0 + $1.repair.adopted })
  }
}

// MARK: Rows

extension RecoveredDatabase {
  private mutating func readPages() throws(SQLiteError) {
    // A row may have lost representations, so the store computes its digest again at the opening.
    let insert = Statement(
      database,
      """
      INSERT OR IGNORE INTO representation(
        id, type, created, source, name, preview, data, file, sum, modified, application, stack,
        renewed, sandbox, mode, digest)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, CASE WHEN ? THEN x'' END)
      """)
    var rows: Set<RowID> = []
    try salvage.read { (found) throws(SQLiteError) in
      rows.insert(found.row)
      try found.data.span.bytes.withUnsafeBytes { data throws(SQLiteError) in
        try insert.run(
          found.key, found.type, found.created, found.source, found.name, found.preview, data,
          found.file, found.sum, found.modified, found.application, found.stack, found.renewal,
          found.sandbox, found.mode, found.hasDigest)
      }
    }
    self.rows = rows
  }

  /// Renumbers the representations of rows that have lost some of their representations.
  ///
  /// If the first representation is lost, the columns that apply to the whole row, such as its
  /// name, are also lost.
  private func renumberPlaces() throws(SQLiteError) {
    var keys: [Int64] = []
    let gaps = Statement(
      database,
      """
      SELECT id FROM representation WHERE id >> 8 IN (SELECT id >> 8 FROM representation
        GROUP BY id >> 8 HAVING max(id & 255) >= count(*)) ORDER BY id
      """)
    try gaps.forEach { keys.append($0.integer(0)) }
    let move = Statement(database, "UPDATE representation SET id = ?2 WHERE id = ?1")
    let complete = Statement(
      database,
      """
      UPDATE representation SET created = coalesce(created, 0), source = coalesce(source, ''),
        preview = coalesce(preview, '') WHERE id = ?
      """)
    var place: Int64 = 0
    for (index, key) in keys.enumerated() {
      place = index > 0 && keys[index - 1] >> 8 == (key >> 8) ? place + 1 : 0
      try move.run(key, key & ~255 | place)
      if key & 255 > 0, place == 0 { try complete.run(key & ~255) }
    }
  }
}

// MARK: Boards

extension RecoveredDatabase {
  private mutating func putBoardsTogether() {
    let ids = Set(salvage.boards.keys).union(salvage.blocks.keys).union(salvage.sections.keys)
      .filter { Bounds.boards ~= $0.rawValue }
    let sorted = ids.sorted()
    // Boards in use come first, because they keep their names. The first board also receives the
    // rows of unknown position.
    for id in sorted.filter({ !isDeleted($0) }) + sorted.filter(isDeleted) {
      let repair = BoardRepair(
        sections: salvage.sections[id, default: []].sorted { $0.position < $1.position }
          .map(\.section),
        blocks: salvage.blocks[id, default: [:]].values.map(\.block), hasContent: rows.contains)
      boards.append((board(id), repair))
    }
    guard salvage.unreadable > 0 || boards.contains(where: { $0.repair.isIncomplete }) else {
      return
    }
    var homeless = rows.subtracting(salvage.absent)
    for (_, repair) in boards { homeless.subtract(repair.rows) }
    guard !homeless.isEmpty else { return }
    if boards.first?.board.deleted != nil || boards.isEmpty {
      let id = BoardNumber((ids.max()?.rawValue ?? 0) + 1)
      boards.insert(
        (board(id), BoardRepair(sections: [], blocks: [], hasContent: { _ in true })), at: 0)
    }
    boards[0].repair.adopt(homeless.sorted())
  }

  private func isDeleted(_ id: BoardNumber) -> Bool { salvage.boards[id]?.deleted != nil }

  /// Returns the known settings of a board.
  ///
  /// If the board is in use, its name and path are made unique.
  private func board(_ id: BoardNumber) -> SalvagedBoard {
    var board = salvage.boards[id] ?? SalvagedBoard(id, called: "")
    let others = board.deleted == nil ? boards.map(\.board) : []
    let names = others.map(\.name)
    if (try? Name(board.name)) == nil || names.contains(board.name) {
      board.name = boards.isEmpty ? "default" : BoardRepair.free("recovered", among: names)
    }
    let paths = others.map(\.path)
    if !BoardPath.isValid(board.path) || paths.contains(board.path) {
      let plain = board.name == "default" ? board.name : "recovered"
      board.path = BoardRepair.free(plain, among: paths, separator: "_")
    }
    return board
  }

  private func save(_ board: SalvagedBoard, _ repair: BoardRepair) throws(SQLiteError) {
    // No client has seen such a high revision, so every client reads the board again.
    let revision = (salvage.revisions[board.id] ?? 1) + 1_000
    try Statement(
      database,
      """
      INSERT INTO board(id, path, name, revision, max_rows, moves_multiple_rows, accepted_types,
        deleted, deleted_rows, deleted_bytes, retain_rows, retain_seconds, moves_duplicates)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """
    ).run(
      board.id.rawValue, board.path, board.name, revision, board.maxRows,
      board.movesMultipleRows, board.acceptedTypes, board.deleted,
      board.deleted.map { _ in Int64(repair.rows.count) }, board.byteCount, board.retention[0],
      board.retention[1], board.retention[2])
    let insertSection = Statement(
      database, "INSERT INTO section(board, position, id, name) VALUES (?, ?, ?, ?)")
    for (position, section) in repair.storedSections.enumerated() {
      try insertSection.run(
        board.id.rawValue, Int64(position), Int64(section.id.rawValue), section.name)
    }
    let insertBlock = Statement(
      database, "INSERT INTO block(id, section, next, revision, rows) VALUES (?, ?, ?, ?, ?)")
    for block in repair.blocks {
      let next = block.next.map { Int64($0.rawValue) }
      try block.rows.withPackedBytes { rows throws(SQLiteError) in
        try insertBlock.run(
          BlockKey.of(block.id, on: board.id), Int64(block.section.rawValue), next, revision, rows)
      }
    }
  }
}

// MARK: Numbers

extension RecoveredDatabase {
  /// The distance between the last known number and the next number if a counter is lost.
  ///
  /// It prevents that a number is issued again.
  static let leap: Int64 = 1 << 32

  private func saveIdentity() throws(SQLiteError) {
    if let salt = salvage.salt {
      try salt.span.bytes.withUnsafeBytes { salt throws(SQLiteError) in
        try Statement(database, "UPDATE identity SET salt = ?").run(salt)
      }
    }
    let lastRow = Int64(salvage.lastRow.rawValue)
    let save = Statement(database, "REPLACE INTO counter(id, next) VALUES (?, ?)")
    let rows = salvage.counters[CounterTable.Counter.rows.rawValue] ?? lastRow + Self.leap
    try save.run(CounterTable.Counter.rows.rawValue, max(rows, lastRow + 1))
    for counter in [CounterTable.Counter.sessions, .views] {
      try save.run(counter.rawValue, salvage.counters[counter.rawValue] ?? Self.leap)
    }
  }
}
