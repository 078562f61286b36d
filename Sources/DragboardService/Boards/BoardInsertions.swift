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
  let longCalls: LongCalls
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
  ///
  /// Small contents take the requested position on the board after the client's earlier work. Other
  /// contents take the present position, which edits of the board adjust until they are obtained.
  private func insertChecked(
    _ rows: [IncomingRow], at place: Place, _ path: IndexPath, on board: BoardEntity,
    _ command: Command, _ answer: InsertionAnswer
  ) throws(DBusError) {
    let inserter = command.access.inserter
    let route = route(of: rows, by: inserter, digesting: board.header.movesDuplicates)
    var pending: PendingInsertion?
    if case .ready(let contents) = route {
      guard work.isBusy(command.sender) else {
        let rows = try insert(
          .prepared(contents), at: path, on: board, by: inserter, in: command.step)
        return answer.send(rows.map(board.ids.id))
      }
    } else {
      pending = PendingInsertion(at: path)
    }
    try obtain(route, for: board, command) { [pending] step, contents in
      if let pending { board.remove(pending) }
      finish(answer, on: board, in: step) { () throws(DBusError) in
        let contents = try contents.get()
        let path =
          if let pending { pending.path } else {
            try board.path(place.section, place.row)
          }
        return try insert(contents, at: path, on: board, by: inserter, in: step)
      }
    } orElse: { [pending] in
      if let pending { board.remove(pending) }
      answer.refuse(.rolledBack)
    }
    if let pending { board.add(pending) }
  }

  /// The way in which the contents of new rows are obtained.
  private enum Route {
    /// The contents are small, and need no work.
    case ready([RowContent])
    /// A worker reads the contents, and writes large ones to files.
    case read([IncomingRow])
    /// The same for many rows, whose contents are then stored in several steps.
    case stage([IncomingRow])
  }

  private func route(of rows: [IncomingRow], by inserter: Inserter, digesting: Bool) -> Route {
    if Self.areMany(rows, by: inserter) { return .stage(rows) }
    let ready = rows.compactMap { $0.ready(digesting: digesting) }
    return ready.count == rows.count ? .ready(ready) : .read(rows)
  }

  /// Obtains contents after the commit of the call and after the client's earlier work.
  ///
  /// - Parameters:
  ///   - route: the way.
  ///   - board: the board of the new rows.
  ///   - command: the call.
  ///   - then: receives the contents in a separate step.
  ///   - orElse: is called instead if the step of the call is rolled back.
  /// - Throws: LimitsExceeded if too much work is waiting.
  private func obtain(
    _ route: Route, for board: BoardEntity, _ command: Command,
    then: @escaping (Step, Result<NewContents, DBusError>) -> Void, orElse: @escaping () -> Void
  ) throws(DBusError) {
    let (max, files) = (limits.maxRepresentationBytes, command.step.store.contents)
    let digesting = board.header.movesDuplicates
    switch route {
    case .ready(let contents):
      try work.run(for: command) {
      } then: { step, _ in
        then(step, .success(.prepared(contents)))
      } orElse: {
        orElse()
      }
    case .read(let rows):
      try work.read(
        for: command, bytes: rows.reduce(0) { $0 + $1.byteCountInMemory },
        kind: rows.lazy.map(\.workKind).first { $0 != .storage } ?? .storage
      ) { (reading) throws(DBusError) in
        try rows.prepared(max: max, noting: reading, in: files, digesting: digesting)
      } then: { step, prepared in
        shareFiles(of: prepared, on: board, for: command, in: step) { step, prepared in
          then(step, prepared.map { .prepared($0) })
        }
      } orElse: {
        orElse()
      }
    case .stage(let rows):
      try work.perform(for: command, bytes: rows.reduce(0) { $0 + $1.byteCountInMemory }) { end in
        scheduler.work {
          Result { () throws(DBusError) in
            try rows.prepared(max: max, in: files, digesting: digesting)
          }
        } then: { _, prepared in
          stage(prepared, for: command.sender) { step, stage in
            end()
            then(step, stage.map { .staged($0) })
          }
        }
      } orElse: {
        orElse()
      }
    }
  }

  /// The maximum number and total size of the contents that one step stores.
  ///
  /// Storing this amount takes about 30 ms. A larger amount is stored in several steps. A sandboxed
  /// client may use fewer bytes, because it must not slow other clients.
  private static let maxCountAtOnce = 10_000
  private static let maxBytesAtOnce = 4 << 20
  /// The time after which each of several steps ends.
  private static let stepTime = Duration.milliseconds(1)

  private static func areMany(_ rows: [IncomingRow], by inserter: Inserter) -> Bool {
    let maxBytes = inserter.sandboxOfRows == nil ? maxBytesAtOnce : Staging.maxBytesAtOnce
    return rows.count > maxCountAtOnce
      || (rows.count > 1 && rows.reduce(0) { $0 + $1.byteCount } > maxBytes)
  }

  private func stage(
    _ prepared: Result<[RowContent], DBusError>, for client: String,
    then: @escaping (Step, Result<StagedRows, DBusError>) -> Void
  ) {
    do throws(DBusError) {
      let rows = try prepared.get()
      _ = Staging(of: rows.count, purge, stepTime: Self.stepTime) {
        longCalls.repeatInTurns(of: client, $0)
      } content: {
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
    _ contents: NewContents, at path: IndexPath, on board: BoardEntity, by inserter: Inserter,
    in step: Step
  ) throws(DBusError) -> [RowID] {
    let count = contents.count
    try board.checkInsertion(of: count, at: path)
    guard count > 0 else { return [] }
    if case .prepared(let contents) = contents, count == 1,
      let row = try moveDuplicate(of: contents[0], to: path, on: board, by: inserter, in: step)
    {
      return [row]
    }
    try retention.checkShare(of: inserter, for: count, on: board, in: step)
    let evicted = try retention.rowsToEvict(
      forInsertionOf: count, by: inserter, on: board, in: step)
    let rows = try step.write(for: board) { store throws(StoreError) in
      try contents.store(in: store)
    }
    words.noteRows()
    try board.insert(rows, at: path, evicting: evicted, by: inserter, in: step)
    retention.noteInsertion(of: rows, by: inserter, on: board)
    return rows
  }
}
