package import BoardModel
internal import SQLite

/// The histories of boards, with the log of their changes and the steps that undo and redo edits.
package final class HistoryTable {
  private let transaction: StoreTransaction
  private let insertBatch, someBatches, batchByteCount, firstBatch, deleteBatches: Statement
  private let allSteps, oneStep, saveStep, deleteSteps: Statement
  private let maker, saveMaker, deleteMakers: Statement
  /// The random number of this process.
  let process = Int64.random(in: .min ... .max)
  /// The boards whose table `maker` has this process, and the number of rollbacks at that time.
  private var begun: (boards: Set<BoardNumber>, rollbacks: Int) = ([], 0)
  /// The number of processes that are stored for each board.
  private static let keptMakers = 1_000

  init(_ transaction: StoreTransaction) {
    let database = transaction.database
    func statement(_ sql: String) -> Statement { Statement(database, sql) }
    self.transaction = transaction
    insertBatch = statement(
      "INSERT INTO log(id, revisions, changes, row_count) VALUES (?, ?, ?, ?)")
    someBatches = statement("SELECT changes FROM log WHERE id > ? AND id <= ? ORDER BY id")
    batchByteCount = statement("SELECT total(length(changes)) FROM log WHERE id > ? AND id <= ?")
    firstBatch = statement(
      "SELECT id, revisions FROM log WHERE id BETWEEN ? AND ? ORDER BY id LIMIT 1")
    deleteBatches = statement("DELETE FROM log WHERE id BETWEEN ? AND ?")
    allSteps = statement(
      "SELECT id, is_undone, bytes, sandbox FROM step WHERE id BETWEEN ? AND ? ORDER BY id")
    oneStep = statement("SELECT operations, kept FROM step WHERE id = ?")
    saveStep = statement(
      """
      REPLACE INTO step(id, is_undone, bytes, operations, kept, sandbox) VALUES (?, ?, ?, ?, ?, ?)
      """)
    deleteSteps = statement("DELETE FROM step WHERE id BETWEEN ? AND ?")
    maker = statement(
      "SELECT process FROM maker WHERE id BETWEEN ? AND ? ORDER BY id DESC LIMIT 1")
    saveMaker = statement("REPLACE INTO maker(id, process) VALUES (?, ?)")
    deleteMakers = statement(
      """
      DELETE FROM maker WHERE id BETWEEN ?1 AND
        (SELECT id FROM maker WHERE id BETWEEN ?1 AND ?2 ORDER BY id DESC LIMIT 1 OFFSET ?3)
      """)
  }
}

// MARK: Saving

extension HistoryTable {
  /// Writes the changes of a history.
  ///
  /// - Returns: the rows whose contents must be discarded.
  func save(
    _ changes: UnsavedHistory, rowCount: Int, of board: BoardNumber
  ) throws(StoreError) -> [RowID] {
    var unneeded = changes.discardedRows
    for number in changes.forgottenSteps {
      unneeded += try neededRows(ofStep: number, of: board)
      try deleteSteps(number...number, of: board)
    }
    for numbers in changes.deletedSteps { try deleteSteps(numbers, of: board) }
    for step in changes.steps {
      try save(step.info, step.content.bytes, keeping: step.content.kept, of: board)
    }
    if let new = changes.log {
      try noteProcess(from: new.revisions.lowerBound, of: board)
      try log(new.changes, new.revisions, rowCount: rowCount, of: board)
    }
    if let revision = changes.forgottenRevision { try forgetLog(upTo: revision, of: board) }
    return unneeded
  }
}

// MARK: Changes

extension HistoryTable {
  /// Logs the changes of a batch of edits.
  ///
  /// If `rowCount` is nil, the next opening does not check the board's number of rows.
  package func log(
    _ changes: [UInt8], _ revisions: ClosedRange<UInt64>, rowCount: Int? = nil,
    of board: BoardNumber
  ) throws(StoreError) {
    try transaction.write { () throws(SQLiteError) in
      try changes.span.bytes.withUnsafeBytes { changes throws(SQLiteError) in
        try insertBatch.run(
          HistoryKey.of(revisions.upperBound, on: board), Int64(revisions.count), changes,
          rowCount.map(Int64.init))
      }
    }
  }

  /// Returns the changes of all batches that ended after a revision; nil if they exceed the limit.
  func loggedChanges(
    after revision: UInt64, of board: BoardNumber, limit: Int
  ) throws(StoreError) -> [[UInt8]]? {
    let (first, last) = (HistoryKey.of(revision, on: board), HistoryKey.range(of: board).1)
    var batches: [[UInt8]] = []
    return try transaction.read { () throws(SQLiteError) in
      let byteCount = try batchByteCount.first(first, last) { Int($0.integer(0)) } ?? 0
      guard byteCount <= limit else { return nil }
      try someBatches.forEach(first, last) { row in batches.append(Array(row.bytes(0))) }
      return batches
    }
  }

  /// Returns the revision after which every change is logged; nil if the log is empty.
  func firstLoggedRevision(of board: BoardNumber) throws(StoreError) -> UInt64? {
    let (first, last) = HistoryKey.range(of: board)
    let oldest = try transaction.read { () throws(SQLiteError) in
      try firstBatch.first(first, last) { row in
        (end: HistoryKey.number(row.integer(0)), count: row.integer(1))
      }
    }
    guard let oldest else { return nil }
    guard let count = UInt64(exactly: oldest.count), count <= oldest.end else {
      throw transaction.noted(
        .damaged(
          "the log has a batch of \(oldest.count) revisions that ends with revision \(oldest.end)"))
    }
    return oldest.end - count
  }

  /// Deletes all batches up to a revision.
  package func forgetLog(upTo revision: UInt64, of board: BoardNumber) throws(StoreError) {
    try transaction.write { () throws(SQLiteError) in
      try deleteBatches.run(
        HistoryKey.range(of: board).0, HistoryKey.of(revision, on: board))
    }
  }
}

// MARK: Processes

extension HistoryTable {
  /// Notes that this process makes all revisions of a board from a revision on.
  ///
  /// Only the first call for a board writes.
  func noteProcess(from revision: UInt64, of board: BoardNumber) throws(StoreError) {
    if begun.rollbacks != transaction.rollbacks { begun = ([], transaction.rollbacks) }
    guard begun.boards.insert(board).inserted else { return }
    try transaction.write { () throws(SQLiteError) in
      try saveMaker.run(HistoryKey.of(revision, on: board), process)
      let (first, last) = HistoryKey.range(of: board)
      try deleteMakers.run(first, last, Int64(Self.keptMakers))
    }
  }

  /// Returns the number of the process that made a stored revision; nil if it is unknown.
  func process(of revision: UInt64, of board: BoardNumber) throws(StoreError) -> Int64? {
    try transaction.read { () throws(SQLiteError) in
      try maker.first(HistoryKey.range(of: board).0, HistoryKey.of(revision, on: board)) {
        $0.integer(0)
      }
    }
  }
}

// MARK: Steps

extension HistoryTable {
  /// Returns the steps of a board, in the order of their numbers.
  func steps(of board: BoardNumber) throws(StoreError) -> [StepInfo] {
    let (first, last) = HistoryKey.range(of: board)
    var steps: [StepInfo] = []
    try transaction.read { () throws(SQLiteError) in
      try allSteps.forEach(first, last) { row in
        steps.append(
          StepInfo(
            number: HistoryKey.number(row.integer(0)), isUndone: row.integer(1) != 0,
            byteCount: Bounds.bytes(row.integer(2)), by: row.text(3)))
      }
    }
    return steps
  }

  /// Returns the operations of a step, and the rows that retain contents for it; nil if there is no
  /// such step.
  func operations(
    ofStep number: UInt64, of board: BoardNumber
  ) throws(StoreError) -> (operations: [UInt8], kept: [RowID])? {
    try transaction.read { () throws(SQLiteError) in
      try oneStep.first(HistoryKey.of(number, on: board)) { row in
        (Array(row.bytes(0)), [RowEntry](packed: row.bytes(1)).map(\.row))
      }
    }
  }

  /// Stores a step, and replaces a step with the same number.
  package func save(
    _ step: StepInfo, _ operations: [UInt8], keeping kept: [RowID], of board: BoardNumber
  ) throws(StoreError) {
    try transaction.write { () throws(SQLiteError) in
      try kept.map { RowEntry($0) }.withPackedBytes { kept throws(SQLiteError) in
        try operations.span.bytes.withUnsafeBytes { operations throws(SQLiteError) in
          try saveStep.run(
            HistoryKey.of(step.number, on: board), step.isUndone, Int64(step.byteCount), operations,
            kept, step.sandbox)
        }
      }
    }
  }

  /// Deletes the steps with these numbers.
  package func deleteSteps(
    _ numbers: ClosedRange<UInt64>, of board: BoardNumber
  ) throws(StoreError) {
    try transaction.write { () throws(SQLiteError) in
      try deleteSteps.run(
        HistoryKey.of(numbers.lowerBound, on: board), HistoryKey.of(numbers.upperBound, on: board))
    }
  }

  /// Returns the rows whose contents only the history of a board needs.
  func neededRows(of board: BoardNumber) throws(StoreError) -> [RowID] {
    var rows: [RowID] = []
    for step in try steps(of: board) { rows += try neededRows(ofStep: step.number, of: board) }
    return rows
  }

  /// Returns the rows whose contents only a step needs.
  ///
  /// If the step is damaged, only its retained rows are known.
  private func neededRows(
    ofStep number: UInt64, of board: BoardNumber
  ) throws(StoreError) -> [RowID] {
    guard let (operations, kept) = try operations(ofStep: number, of: board) else { return [] }
    return ((try? UndoStep(bytes: operations))?.returningRows ?? []) + kept
  }

  /// Deletes the history of a board.
  func delete(_ board: BoardNumber) throws(StoreError) {
    try transaction.write { () throws(SQLiteError) in
      let (first, last) = HistoryKey.range(of: board)
      try deleteBatches.run(first, last)
      try deleteSteps.run(first, last)
      try deleteMakers.run(first, last, Int64(0))
    }
  }
}
