public import BoardModel

// What happened on a board, and how it is taken back.

/// What the rows of `log` and `step` are called: the board, and a number of its own.
enum HistoryKey {
  private static let bits: Int64 = 40

  static func of(_ number: UInt64, on board: BoardID) -> Int64 {
    board.rawValue << bits | Int64(truncatingIfNeeded: number)
  }

  /// The lowest and the highest key of the board.
  static func range(of board: BoardID) -> (Int64, Int64) {
    (of(0, on: board), of(1 << UInt64(bits) - 1, on: board))
  }

  static func board(_ key: Int64) -> BoardID { BoardID(key >> bits) }

  static func number(_ key: Int64) -> UInt64 { UInt64(key & (1 << bits - 1)) }
}

// MARK: Changes

extension BoardStore {
  /// Notes what a batch of edits has changed.
  ///
  /// - Parameters:
  ///   - changes: all of it, in the board model's form.
  ///   - revisions: the edits of the batch, by the revisions that they made.
  ///   - rowCount: how many rows the board has after the batch. The next opening takes a board with
  ///     another number for damaged; nil leaves that unchecked.
  ///   - board: whose edits.
  /// - Throws: `StoreError`.
  public func log(
    _ changes: [UInt8], _ revisions: ClosedRange<UInt64>, rowCount: Int? = nil, of board: BoardID
  ) throws(StoreError) {
    try write { () throws(SQLiteError) in
      try changes.span.bytes.withUnsafeBytes { changes throws(SQLiteError) in
        try statements.insertLog.run(
          HistoryKey.of(revisions.upperBound, on: board), Int64(revisions.count), changes,
          rowCount.map(Int64.init))
      }
    }
  }

  /// What the batches have changed that ended with a later revision than that, in order; nil where it has more bytes than `limit`.
  public func loggedChanges(
    after revision: UInt64, of board: BoardID, limit: Int = .max
  ) throws(StoreError) -> [[UInt8]]? {
    let (first, last) = (HistoryKey.of(revision, on: board), HistoryKey.range(of: board).1)
    var batches: [[UInt8]] = []
    return try read { () throws(SQLiteError) in
      let byteCount = try statements.logByteCount.first(first, last) { Int($0.integer(0)) } ?? 0
      guard byteCount <= limit else { return nil }
      try statements.log.forEach(first, last) { row in batches.append(Array(row.bytes(0))) }
      return batches
    }
  }

  /// The revision from which on all is logged; nil where nothing is.
  public func firstLoggedRevision(of board: BoardID) throws(StoreError) -> UInt64? {
    let (first, last) = HistoryKey.range(of: board)
    let oldest = try read { () throws(SQLiteError) in
      try statements.firstLogged.first(first, last) { row in
        (end: HistoryKey.number(row.integer(0)), count: row.integer(1))
      }
    }
    guard let oldest else { return nil }
    guard let count = UInt64(exactly: oldest.count), count <= oldest.end else {
      throw noted(
        .damaged("the log: \(oldest.count) revisions are said to end with \(oldest.end)"))
    }
    return oldest.end - count
  }

  /// Forgets the batches that ended with that revision or an earlier one.
  public func forgetLog(upTo revision: UInt64, of board: BoardID) throws(StoreError) {
    try write { () throws(SQLiteError) in
      try statements.trimLog.run(
        HistoryKey.range(of: board).0, HistoryKey.of(revision, on: board))
    }
  }
}

// MARK: Steps

/// A step that takes an edit back or makes it again, as it is stored.
public struct StoredStep: Hashable, Sendable {
  /// What names it on its board.
  public let number: UInt64
  /// Whether its edit has been taken back: then it makes the edit again.
  public let isUndone: Bool
  /// How large it is, with all that is kept for its sake.
  public let byteCount: Int

  /// Names all parts.
  public init(number: UInt64, isUndone: Bool, byteCount: Int) {
    self.number = number
    self.isUndone = isUndone
    self.byteCount = byteCount
  }
}

extension BoardStore {
  /// The steps of a board, by number.
  public func steps(of board: BoardID) throws(StoreError) -> [StoredStep] {
    let (first, last) = HistoryKey.range(of: board)
    var steps: [StoredStep] = []
    try read { () throws(SQLiteError) in
      try statements.steps.forEach(first, last) { row in
        steps.append(
          StoredStep(
            number: HistoryKey.number(row.integer(0)), isUndone: row.integer(1) != 0,
            byteCount: Bounds.bytes(row.integer(2))))
      }
    }
    return steps
  }

  /// What a step does, in the board model's form, and the rows that keep what its rows held; nil where there is none.
  public func operations(
    ofStep number: UInt64, of board: BoardID
  ) throws(StoreError) -> (operations: [UInt8], kept: [RowID])? {
    try read { () throws(SQLiteError) in
      try statements.step.first(HistoryKey.of(number, on: board)) { row in
        (Array(row.bytes(0)), [RowEntry](packed: row.bytes(1)).map(\.row))
      }
    }
  }

  /// Stores a step, in place of the one of that number.
  public func save(
    _ step: StoredStep, _ operations: [UInt8], keeping kept: [RowID], of board: BoardID
  ) throws(StoreError) {
    try write { () throws(SQLiteError) in
      try kept.map { RowEntry($0) }.withPackedBytes { kept throws(SQLiteError) in
        try operations.span.bytes.withUnsafeBytes { operations throws(SQLiteError) in
          try statements.saveStep.run(
            HistoryKey.of(step.number, on: board), step.isUndone, Int64(step.byteCount), operations,
            kept)
        }
      }
    }
  }

  /// Forgets the steps with those numbers; what rows hold for their sake is another matter: ``discard(_:)``.
  public func deleteSteps(
    _ numbers: ClosedRange<UInt64>, of board: BoardID
  ) throws(StoreError) {
    try write { () throws(SQLiteError) in
      try statements.deleteSteps.run(
        HistoryKey.of(numbers.lowerBound, on: board), HistoryKey.of(numbers.upperBound, on: board))
    }
  }

  /// Forgets all that happened on a board, and discards what rows hold for its sake.
  func discardHistory(of board: BoardID) throws(StoreError) {
    for stored in try steps(of: board) {
      guard let (operations, kept) = try operations(ofStep: stored.number, of: board) else {
        continue
      }
      // Of a damaged step nothing can be told; what it kept stays.
      let returning = (try? UndoStep(bytes: operations))?.returningRows ?? []
      try discard(returning + kept)
    }
    try write { () throws(SQLiteError) in
      let (first, last) = HistoryKey.range(of: board)
      try statements.trimLog.run(first, last)
      try statements.deleteSteps.run(first, last)
    }
  }
}

// MARK: What rows hold

extension BoardStore {
  /// The bytes of all representations of these rows.
  ///
  /// O(rows).
  public func byteCount(of rows: [RowID]) throws(StoreError) -> Int {
    var total = 0
    try read { () throws(SQLiteError) in
      for row in rows {
        let (first, last) = RepresentationKey.range(of: row)
        total += try statements.sizes.first(first, last) { Bounds.bytes($0.integer(0)) } ?? 0
      }
    }
    return total
  }

  /// The number of representations that one call of ``forEachSize(after:_:)`` reads.
  private static let sizesAtOnce: Int64 = 4_096

  /// Calls `body` with the source and the size of some representations, in the order of their keys.
  ///
  /// - Parameters:
  ///   - key: the key behind which to begin.
  ///   - body: gets the source, nil if the representation is not the first one of its row, and the bytes.
  /// - Returns: the last key; nil if there was none.
  /// - Throws: `StoreError`.
  public func forEachSize(
    after key: Int64, _ body: (String?, Int) -> Void
  ) throws(StoreError) -> Int64? {
    var last: Int64?
    try read { () throws(SQLiteError) in
      try statements.sourceSizes.forEach(key, Self.sizesAtOnce) { row in
        last = row.integer(0)
        body(row.text(1), Bounds.bytes(row.integer(2)))
      }
    }
    return last
  }

  /// Has a row hold what another one holds, which then holds nothing; the first has to hold nothing before.
  public func moveItem(from source: RowID, to destination: RowID) throws(StoreError) {
    let text = try text(toIndexOf: source, force: destination.rawValue < indexEnd)
    try write { () throws(SQLiteError) in
      try unindex(source, text)
      let (first, last) = RepresentationKey.range(of: source)
      let distance = RepresentationKey.of(destination, at: 0) - first
      try statements.moveRepresentations.run(first, last, distance)
      try index(destination, text)
    }
  }
}
