import BoardModel
import DBus
import DragModel

/// The methods of `org.dragboard.Dragboard1.Board` that insert.
extension BoardObject {
  func insertText(
    _ section: UInt32, _ row: Int32, _ text: String, _ call: Call, _ reply: Reply<String>
  ) throws(DBusError) {
    try insert([.plainText(text)], section, row, argument: "text", call) { [self] result in
      answer(reply, result.map { $0[0] })
    }
  }

  func insertTexts(
    _ section: UInt32, _ row: Int32, _ texts: [String], _ call: Call, _ reply: Reply<[String]>
  ) throws(DBusError) {
    // A list that has no room is refused before anything is made of it.
    try checkInsertion(of: texts.count, at: path(section, try destination(row)))
    try insert(texts.map { .plainText($0) }, section, row, argument: "texts", call) {
      [self] result in
      answer(reply, result)
    }
  }

  func insertData(
    _ section: UInt32, _ row: Int32, _ type: String, _ data: [UInt8], _ call: Call,
    _ reply: Reply<String>
  ) throws(DBusError) {
    let type = try ContentType(argument: "type", type)
    try type.check(data, argument: "data")
    let content = IncomingContent(type: type, source: .data(data))
    try insert([content], section, row, argument: "data", call) { [self] result in
      answer(reply, result.map { $0[0] })
    }
  }

  func insertFile(
    _ section: UInt32, _ row: Int32, _ type: String, _ file: FileDescriptor, _ call: Call,
    _ reply: Reply<String>
  ) throws(DBusError) {
    let type = try ContentType(argument: "type", type)
    let content = IncomingContent(type: type, source: .file(try ClientFile(file)))
    try insert([content], section, row, argument: "fd", call) { [self] result in
      answer(reply, result.map { $0[0] })
    }
  }

  /// Inserts rows of those contents: at once where they are few bytes, else when they are on the disk; the place is kept meanwhile.
  ///
  /// - Throws: what is wrong with the place or the sizes, before anything is made of the contents; IOError.
  private func insert(
    _ contents: [IncomingContent], _ section: UInt32, _ row: Int32, argument: String, _ call: Call,
    then: @escaping (Result<[String], DBusError>) -> Void
  ) throws(DBusError) {
    let path = path(section, try destination(row))
    try checkInsertion(of: contents.count, at: path)
    let most = service.limits.maxRepresentationBytes
    guard contents.allSatisfy({ $0.byteCount <= most }) else {
      throw .limit("\(argument): max-representation-bytes", most)
    }
    guard let sandbox = call.access.sandboxOfQuotas else {
      return try insertChecked(contents, at: path, section, row, call, then: then)
    }
    let (bytes, rows) = (contents.reduce(0) { $0 + $1.byteCount }, contents.count)
    let storage = service.sandboxStorage
    try storage.charge(bytes, rows: rows, to: sandbox, argument: argument)
    do throws(DBusError) {
      try insertChecked(contents, at: path, section, row, call) { result in
        storage.settle(bytes, rows: rows, of: sandbox)
        then(result)
      }
    } catch {
      storage.settle(bytes, rows: rows, of: sandbox)
      throw error
    }
  }

  /// Inserts rows whose place and sizes have been checked.
  private func insertChecked(
    _ contents: [IncomingContent], at path: IndexPath, _ section: UInt32, _ row: Int32,
    _ call: Call, then: @escaping (Result<[String], DBusError>) -> Void
  ) throws(DBusError) {
    if areMany(contents) { return try insertMany(contents, at: path, call, then: then) }
    let ready = contents.compactMap(\.ready)
    guard ready.count == contents.count else {
      return try insertLater(contents, at: path, call, then: then)
    }
    guard service.clientWork.isBusy(call.sender) else {
      return then(.success(try insertNow(ready, at: path, call.access)))
    }
    try insertInTurn(ready, section, row, call, then: then)
  }

  /// Inserts few bytes when what the caller has asked for before is done; the place is one of the board as it stands then.
  private func insertInTurn(
    _ contents: [RowContent.Representation], _ section: UInt32, _ row: Int32, _ call: Call,
    then: @escaping (Result<[String], DBusError>) -> Void
  ) throws(DBusError) {
    let (fate, access) = (service.batch.fate(), call.access)
    try service.clientWork.run(for: call.sender) {
    } then: { [self] in
      then(
        Result { () throws(DBusError) in
          guard !fate.isTakenBack else { throw .takenBack }
          try checkExists()
          let path = path(section, try destination(row))
          try checkInsertion(of: contents.count, at: path)
          return try insertNow(contents, at: path, access)
        })
    }
  }

  /// Inserts contents that are ready, at a place that has been checked.
  private func insertNow(
    _ contents: [RowContent.Representation], at path: IndexPath, _ access: BoardAccess
  ) throws(DBusError) -> [String] {
    let source = access.source
    return try store(
      contents.map { RowContent(inserted: $0, by: source, at: service.now()) }, at: path
    ).map(service.ids.id)
  }

  private func insertLater(
    _ contents: [IncomingContent], at path: IndexPath, _ call: Call,
    then: @escaping (Result<[String], DBusError>) -> Void
  ) throws(DBusError) {
    let place = PendingInsertion(at: path)
    let (fate, access) = (service.batch.fate(), call.access)
    let (most, makeFile) = (
      service.limits.maxRepresentationBytes, service.repository.makeSpool
    )
    try service.clientWork.read(
      for: call.sender, bytes: contents.reduce(0) { $0 + $1.byteCountInMemory },
      kind: contents.lazy.map(\.workKind).first { $0 != .storage } ?? .storage
    ) { (reading) throws(DBusError) -> [RowContent.Representation] in
      var prepared: [RowContent.Representation] = []
      for content in contents {
        prepared.append(try content.prepared(most: most, noting: reading, makeFile: makeFile))
      }
      return prepared
    } then: { [self] prepared in
      giveUp(place)
      then(
        Result { () throws(DBusError) in
          guard !fate.isTakenBack else { throw .takenBack }
          try checkExists()
          let contents = try prepared.get()
          try checkInsertion(of: contents.count, at: place.path)
          return try insertNow(contents, at: place.path, access)
        })
    }
    keep(place)
  }

  private func answer<Output>(_ reply: Reply<Output>, _ result: Result<Output, DBusError>) {
    switch result {
    case .success(let output): reply.send(output)
    case .failure(let error): reply.refuse(error)
    }
  }

  /// Refuses what comes to an end when the board has gone, or cannot be read back after a failure.
  func checkExists() throws(DBusError) {
    try service.batch.restore()
    guard service.boards.find(id) === self else {
      throw DBusError(.unknownObject, "the board at \(path) has been deleted")
    }
  }

  /// Refuses a place that is none, and more rows than the board has room for.
  private func checkInsertion(of count: Int, at path: IndexPath) throws(DBusError) {
    do throws(BoardError) {
      try board.checkInsertion(of: count, at: path, maxRows: maxRows)
    } catch { throw answer(error) }
  }

  /// Inserts rows with those contents, one after the other from `path` on.
  ///
  /// - Throws: InvalidArgs for a place that is none, LimitsExceeded where the board would be too full, IOError.
  func insert(_ contents: [RowContent], at path: IndexPath) throws(DBusError) -> [RowID] {
    try checkInsertion(of: contents.count, at: path)
    return try store(contents, at: path)
  }

  /// Stores contents, and inserts their rows at a place that has been checked.
  private func store(_ contents: [RowContent], at path: IndexPath) throws(DBusError) -> [RowID] {
    guard !contents.isEmpty else { return [] }
    let rows = try service.batch.write { () throws(RepositoryError) in
      let rows = try service.repository.reserveRows(contents.count)
      for (row, content) in zip(rows, contents) {
        try service.repository.put(content, of: row)
      }
      return rows
    }
    try insert(rows, at: path)
    return rows
  }

  /// Inserts rows that have been stored, likewise.
  func insert(_ stage: any RowStage, at path: IndexPath) throws(DBusError) -> [RowID] {
    try checkInsertion(of: stage.rows.count, at: path)
    try service.batch.write { () throws(RepositoryError) in try stage.adopt() }
    try insert(stage.rows, at: path)
    return stage.rows
  }

  private func insert(_ rows: [RowID], at path: IndexPath) throws(DBusError) {
    try edit { board throws(BoardError) in
      try board.insert(rows, at: path, maxRows: maxRows)
    }
    service.words.noteRows()
  }
}
