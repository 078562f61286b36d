import BoardModel
import DBus
import DragModel
import DragboardInterface
import DragboardStore
import Files

/// The methods of `org.dragboard.Dragboard1.Board` that insert rows.
struct BoardInsertions {
  /// The position of new rows that a call requests; the board may not have it.
  private struct Place {
    let section: UInt32
    let row: Int32
  }

  let work: ClientWork
  let words: WordIndex
  let storage: SandboxStorage
  let purge: Purge
  let scheduler: Scheduler
  let retention: Retention
  let limits: Limits
  /// Returns the present time, in microseconds since 1970, UTC.
  let now: () -> UInt64

  // MARK: Methods

  func insertText(
    _ board: BoardEntity, _ command: Command, _ reply: Reply<String>, _ section: UInt32,
    _ row: Int32, _ text: String
  ) throws(DBusError) {
    try insert(
      [.plainText(text)], at: Place(section: section, row: row), argument: "text", on: board,
      command, reply)
  }

  func insertTexts(
    _ board: BoardEntity, _ command: Command, _ reply: Reply<[String]>, _ section: UInt32,
    _ row: Int32, _ texts: [String]
  ) throws(DBusError) {
    // Check this before creating the list of rows, because the list may be long.
    _ = try board.path(section, row, forInsertionOf: texts.count)
    try insert(
      texts.map { self.row(of: [.plainText($0)], command) },
      at: Place(section: section, row: row), argument: "texts", on: board, command,
      .several(reply))
  }

  func insertData(
    _ board: BoardEntity, _ command: Command, _ reply: Reply<String>, _ section: UInt32,
    _ row: Int32, _ type: String, _ data: [UInt8]
  ) throws(DBusError) {
    let type = try MIMEType(argument: "type", type)
    try type.check(data, argument: "data")
    try insert(
      [IncomingContent(type: type, source: .data(data))], at: Place(section: section, row: row),
      argument: "data", on: board, command, reply)
  }

  func insertFile(
    _ board: BoardEntity, _ command: Command, _ reply: Reply<String>, _ section: UInt32,
    _ row: Int32, _ type: String, _ file: FileDescriptor
  ) throws(DBusError) {
    let type = try MIMEType(argument: "type", type)
    let content = IncomingContent(type: type, source: try .file(file, argument: "fd"))
    try insert(
      [content], at: Place(section: section, row: row), argument: "fd", on: board, command, reply)
  }

  func insertItem(
    _ board: BoardEntity, _ command: Command, _ reply: Reply<String>, _ section: UInt32,
    _ row: Int32, _ attributes: [String: Variant],
    _ representations: [BoardInterface.Representation]
  ) throws(DBusError) {
    var attributes = attributes
    let source = try attributes.takeRowSource()
    if source != nil, !command.access.governs {
      throw DBusError(.accessDenied, "attributes: a sandboxed client may not choose the source")
    }
    var itemAttributes = ItemAttributes.none
    try itemAttributes.update(with: attributes)
    _ = try BoardEntity.destination(row)
    try insert(
      try [IncomingContent](representations), itemAttributes, from: source,
      at: Place(section: section, row: row), argument: "representations", on: board, command,
      reply)
  }

  /// Inserts one row.
  ///
  /// If `source` is nil, the row has the caller's source.
  private func insert(
    _ contents: [IncomingContent], _ attributes: ItemAttributes = .none,
    from source: String? = nil, at place: Place, argument: String, on board: BoardEntity,
    _ command: Command, _ reply: Reply<String>
  ) throws(DBusError) {
    try insert(
      [row(of: contents, command, attributes, from: source)], at: place, argument: argument,
      on: board, command, .one(reply))
  }

  private func row(
    of contents: [IncomingContent], _ command: Command, _ attributes: ItemAttributes = .none,
    from source: String? = nil
  ) -> IncomingRow {
    IncomingRow(
      origin: RowOrigin(
        created: now(), source: source ?? command.access.source,
        sandbox: command.access.inserter.sandboxOfRows),
      attributes: attributes, contents: contents)
  }

  // MARK: Now or later

  /// Inserts rows at once if their contents are small, otherwise after the contents have been
  /// written to the disk.
  ///
  /// - Throws: InvalidArgs if the position is invalid; LimitsExceeded if the contents are too
  ///   large; IOError. If it throws, nothing has changed.
  private func insert(
    _ rows: [IncomingRow], at place: Place, argument: String, on board: BoardEntity,
    _ command: Command, _ answer: InsertionAnswer
  ) throws(DBusError) {
    let path = try board.path(place.section, place.row, forInsertionOf: rows.count)
    let max = limits.maxRepresentationBytes
    guard rows.allSatisfy({ $0.contents.allSatisfy { $0.byteCount <= max } }) else {
      throw .limit("\(argument): max-representation-bytes", max)
    }
    try retention.checkShare(
      of: command.access.inserter, for: rows.count, on: board, in: command.step)
    guard let sandbox = command.access.sandboxOfQuotas else {
      return try insertChecked(rows, at: place, path, on: board, command, answer)
    }
    let (bytes, count) = (rows.reduce(0) { $0 + $1.byteCount }, rows.count)
    try storage.charge(bytes, rows: count, to: sandbox, argument: argument)
    var answer = answer
    answer.onEnd = { [storage] in storage.settle(bytes, rows: count, of: sandbox) }
    do throws(DBusError) {
      try insertChecked(rows, at: place, path, on: board, command, answer)
    } catch {
      answer.onEnd()
      throw error
    }
  }

  /// Inserts rows whose position and sizes have been checked.
  private func insertChecked(
    _ rows: [IncomingRow], at place: Place, _ path: IndexPath, on board: BoardEntity,
    _ command: Command, _ answer: InsertionAnswer
  ) throws(DBusError) {
    if Self.areMany(rows) {
      return try insertInSteps(rows, at: path, on: board, command, answer)
    }
    let digesting = board.header.movesDuplicates
    let ready = rows.compactMap { $0.ready(digesting: digesting) }
    guard ready.count == rows.count else {
      return try insertLater(rows, at: path, on: board, command, answer)
    }
    guard !work.isBusy(command.sender) else {
      return try insertInTurn(ready, at: place, on: board, command, answer)
    }
    answer.send(
      try insert(
        ready, at: path, on: board, by: command.access.inserter, in: command.step
      ).map(board.ids.id))
  }

  /// Inserts small contents after the client's earlier work.
  ///
  /// The position is a position on the board after this work.
  private func insertInTurn(
    _ rows: [RowContent], at place: Place, on board: BoardEntity, _ command: Command,
    _ answer: InsertionAnswer
  ) throws(DBusError) {
    try work.run(for: command) {
    } then: { step, _ in
      finish(answer, on: board, in: step) { () throws(DBusError) in
        try insert(
          rows, at: try board.path(place.section, place.row), on: board,
          by: command.access.inserter, in: step)
      }
    } orElse: {
      answer.refuse(.rolledBack)
    }
  }

  /// Inserts contents after they have been written to the disk.
  ///
  /// Other edits of the board that are made before adjust the position of the rows.
  private func insertLater(
    _ rows: [IncomingRow], at path: IndexPath, on board: BoardEntity, _ command: Command,
    _ answer: InsertionAnswer
  ) throws(DBusError) {
    let place = PendingInsertion(at: path)
    let (max, files) = (limits.maxRepresentationBytes, command.step.store.contents)
    let digesting = board.header.movesDuplicates
    try work.read(
      for: command, bytes: rows.reduce(0) { $0 + $1.byteCountInMemory },
      kind: rows.lazy.map(\.workKind).first { $0 != .storage } ?? .storage
    ) { (reading) throws(DBusError) -> [RowContent] in
      var prepared: [RowContent] = []
      for row in rows {
        prepared.append(
          try row.prepared(max: max, noting: reading, in: files, digesting: digesting))
      }
      return prepared
    } then: { step, prepared in
      shareFiles(of: prepared, on: board, for: command, in: step) { step, prepared in
        board.remove(place)
        finish(answer, on: board, in: step) { () throws(DBusError) in
          try insert(
            try prepared.get(), at: place.path, on: board, by: command.access.inserter,
            in: step)
        }
      }
    } orElse: {
      board.remove(place)
      answer.refuse(.rolledBack)
    }
    board.add(place)
  }

  /// Inserts many rows.
  ///
  /// Their contents are stored in several steps, and the rows are inserted by one edit.
  private func insertInSteps(
    _ rows: [IncomingRow], at path: IndexPath, on board: BoardEntity, _ command: Command,
    _ answer: InsertionAnswer
  ) throws(DBusError) {
    let place = PendingInsertion(at: path)
    let bytes = rows.reduce(0) { $0 + $1.byteCountInMemory }
    try work.perform(for: command, bytes: bytes) { end in
      prepare(rows, digesting: board.header.movesDuplicates, command) { prepared in
        stage(prepared) { step, stage in
          end()
          board.remove(place)
          finish(answer, on: board, in: step) { () throws(DBusError) in
            try insert(
              try stage.get(), at: place.path, on: board, by: command.access.inserter,
              in: step)
          }
        }
      }
    } orElse: {
      board.remove(place)
      answer.refuse(.rolledBack)
    }
    board.add(place)
  }

  /// The maximum number and total size of the contents that one step stores.
  ///
  /// Storing this amount takes about 30 ms. A larger amount is stored in several steps.
  private static let maxCountAtOnce = 10_000
  private static let maxBytesAtOnce = 4 << 20
  /// The time after which each of several steps ends.
  private static let stepTime = Duration.milliseconds(1)

  private static func areMany(_ rows: [IncomingRow]) -> Bool {
    rows.count > maxCountAtOnce
      || (rows.count > 1 && rows.reduce(0) { $0 + $1.byteCount } > maxBytesAtOnce)
  }

  /// Prepares the contents of rows on another thread.
  private func prepare(
    _ rows: [IncomingRow], digesting: Bool, _ command: Command,
    then: @escaping (Result<[RowContent], DBusError>) -> Void
  ) {
    let (max, files) = (limits.maxRepresentationBytes, command.step.store.contents)
    scheduler.work {
      Result { () throws(DBusError) -> [RowContent] in
        var prepared: [RowContent] = []
        prepared.reserveCapacity(rows.count)
        for row in rows {
          prepared.append(try row.prepared(max: max, in: files, digesting: digesting))
        }
        return prepared
      }
    } then: { _, prepared in
      then(prepared)
    }
  }

  private func stage(
    _ prepared: Result<[RowContent], DBusError>,
    then: @escaping (Step, Result<StagedRows, DBusError>) -> Void
  ) {
    do throws(DBusError) {
      let rows = try prepared.get()
      _ = Staging(of: rows.count, scheduler, purge, stepTime: Self.stepTime) {
        rows[$0]
      } onEnd: {
        then($0, $1)
      }
    } catch { scheduler.step { then($0, .failure(error)) } }
  }

  private func finish(
    _ answer: InsertionAnswer, on board: BoardEntity, in step: Step,
    _ insert: () throws(DBusError) -> [RowID]
  ) {
    do throws(DBusError) {
      try board.checkExists(in: step)
      answer.send(try insert().map(board.ids.id))
    } catch { answer.refuse(error) }
  }

  // MARK: Rows

  /// Stores contents, and inserts their rows consecutively, beginning at `path`.
  ///
  /// If the board moves duplicates, and a row of the board already has the only content, this row
  /// is moved instead.
  ///
  /// - Parameters:
  ///   - contents: the contents.
  ///   - path: the position of the first row.
  ///   - board: the board.
  ///   - inserter: the client for which the rows are inserted.
  ///   - step: the step of the insertion.
  /// - Returns: the rows.
  /// - Throws: InvalidArgs if the position is invalid; LimitsExceeded if the board is full;
  ///   IOError.
  func insert(
    _ contents: [RowContent], at path: IndexPath, on board: BoardEntity, by inserter: Inserter,
    in step: Step
  ) throws(DBusError) -> [RowID] {
    try board.checkInsertion(of: contents.count, at: path)
    guard !contents.isEmpty else { return [] }
    if contents.count == 1,
      let row = try moveDuplicate(of: contents[0], to: path, on: board, by: inserter, in: step)
    {
      return [row]
    }
    try retention.checkShare(of: inserter, for: contents.count, on: board, in: step)
    let evicted = try retention.rowsToEvict(
      forInsertionOf: contents.count, by: inserter, on: board, in: step)
    let rows = try step.write(for: board) { store throws(StoreError) in
      try store.insert(contents)
    }
    try insert(rows, at: path, evicting: evicted, on: board, by: inserter, in: step)
    return rows
  }

  /// Inserts rows whose contents have been staged.
  ///
  /// - Throws: InvalidArgs if the position is invalid; LimitsExceeded if the board is full;
  ///   IOError.
  func insert(
    _ stage: StagedRows, at path: IndexPath, on board: BoardEntity, by inserter: Inserter,
    in step: Step
  ) throws(DBusError) -> [RowID] {
    try board.checkInsertion(of: stage.rows.count, at: path)
    try retention.checkShare(of: inserter, for: stage.rows.count, on: board, in: step)
    let evicted = try retention.rowsToEvict(
      forInsertionOf: stage.rows.count, by: inserter, on: board, in: step)
    try step.write(for: board) { _ throws(StoreError) in try stage.adopt() }
    try insert(stage.rows, at: path, evicting: evicted, on: board, by: inserter, in: step)
    return stage.rows
  }

  private func insert(
    _ rows: [RowID], at path: IndexPath, evicting evicted: [RowID], on board: BoardEntity,
    by inserter: Inserter, in step: Step
  ) throws(DBusError) {
    words.noteRows()
    try board.insert(rows, at: path, evicting: evicted, by: inserter, in: step)
    retention.noteInsertion(of: rows, by: inserter, on: board)
  }
}
