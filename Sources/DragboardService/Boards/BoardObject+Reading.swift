import BoardModel
import DBus
import DragModel
import DragboardInterface

/// The methods of `org.dragboard.Dragboard1.Board` that read.
extension BoardObject {
  /// The most rows in one reply.
  private static let largestPage = 10_000
  /// The most bytes in one page of rows or texts, and the most of one text in it.
  private static let largestPageBytes = 8 << 20
  private static let largestTextInPage = 1 << 20
  func getRows(
    _ section: UInt32, _ first: UInt32, _ count: UInt32, _ access: BoardAccess
  ) throws(DBusError) -> (UInt64, [BoardInterface.Row]) {
    var rows: [BoardInterface.Row] = []
    var room = Self.largestPageBytes
    for entry in try page(section, first, count) {
      let (row, size) = wireRow(entry, try storedSummary(of: entry.row) ?? .missing, access)
      room -= size
      guard room >= 0 || rows.isEmpty else { break }
      rows.append(row)
    }
    return (board.revision, rows)
  }

  func getTexts(
    _ section: UInt32, _ first: UInt32, _ count: UInt32, _ access: BoardAccess
  ) throws(DBusError) -> [String] {
    var texts: [String] = []
    var room = Self.largestPageBytes
    for entry in try page(section, first, count) {
      let isOpen = try mayRead(entry.row, access)
      let text =
        isOpen ? try plainText(of: entry.row, limit: Self.largestTextInPage) ?? "" : ""
      room -= text.utf8.count + 8
      guard room >= 0 || texts.isEmpty else { break }
      texts.append(text)
    }
    return texts
  }

  func getIndexPath(_ item: String) throws(DBusError) -> (UInt32, UInt32) {
    guard let path = service.ids.row(of: item).flatMap(board.indexPath) else {
      throw noSuchItem(item, argument: "item")
    }
    return (UInt32(path.section), UInt32(path.row))
  }

  func getTypes(_ item: String, _ access: BoardAccess) throws(DBusError) -> [String] {
    try types(of: try row(item), access).map(\.type.mime)
  }

  func getText(_ item: String, _ call: Call, _ reply: Reply<String>) throws(DBusError) {
    let row = try row(item)
    let types = try types(of: row, call.access)
    guard let ordinal = types.firstIndex(where: \.type.isPlainText) else {
      throw DBusError(
        .noSuchRepresentation, "item \(item) has no plain text; GetTypes says what it has")
    }
    let fate = service.batch.fate()
    let bytes = try content(of: row, at: ordinal)
    service.readText(bytes, for: call.sender, insteadUse: "GetFile") { result in
      guard !fate.isTakenBack else { return reply.refuse(.takenBack) }
      switch result {
      case .success(let text): reply.send(text)
      case .failure(let error):
        reply.refuse(error.reading(types[ordinal].type.mime, ofItem: item))
      }
    }
  }

  func getData(
    _ item: String, _ type: String, _ call: Call, _ reply: Reply<[UInt8]>
  ) throws(DBusError) {
    let bytes = try bytes(of: item, type, call.access)
    guard bytes.byteCount <= Service.largestReply else {
      throw .tooLargeForReply(bytes.byteCount, insteadUse: "GetFile")
    }
    let fate = service.batch.fate()
    service.read(bytes, for: call.sender) { result in
      guard !fate.isTakenBack else { return reply.refuse(.takenBack) }
      switch result {
      case .success(let data): reply.send(data)
      case .failure(let error): reply.refuse(error.answer.reading(type, ofItem: item))
      }
    }
  }

  func getFile(
    _ item: String, _ type: String, _ call: Call, _ reply: Reply<FileDescriptor>
  ) throws(DBusError) {
    let bytes = try bytes(of: item, type, call.access)
    let fate = service.batch.fate()
    service.clientCopies.open(bytes, for: call.access) { result in
      guard !fate.isTakenBack else { return reply.refuse(.takenBack) }
      switch result {
      case .success(let file): reply.send(file)
      case .failure(let error): reply.refuse(error.reading(type, ofItem: item))
      }
    }
  }

  /// The first representation, in order of fidelity, that conforms to what is asked for.
  private func bytes(
    of item: String, _ type: String, _ access: BoardAccess
  ) throws(DBusError) -> Bytes {
    let query = try TypeQuery(asking: "type", type)
    let row = try row(item)
    let types = try types(of: row, access)
    guard let ordinal = types.firstIndex(where: { query.matches($0.type) }) else {
      throw DBusError(
        .noSuchRepresentation,
        "item \(item) has no representation that conforms to \(query); GetTypes says what it has")
    }
    return try content(of: row, at: ordinal)
  }

  func getSnapshot() throws(DBusError) -> (UInt64, [BoardInterface.Section]) {
    guard board.count * 44 < Service.largestReply else {
      throw DBusError(
        .limitsExceeded,
        "\(board.count) ids are too many for one reply; GetRows gives them in pages")
    }
    let snapshot = board.snapshot()
    let sections = snapshot.sections.map { section in
      BoardInterface.Section(section.name, section.rows.map(service.ids.id))
    }
    return (snapshot.revision, sections)
  }

  // MARK: Search

  /// So many are found where the caller sets no limit.
  private static let mostFound = 10_000

  /// So many words can be asked for at once, in so many bytes: each costs a look through the index.
  private static let mostWords = 64
  private static let mostQueryBytes = 4 << 10

  func search(
    _ query: String, _ limit: UInt32, _ access: BoardAccess, _ reply: Reply<[String]>
  ) throws(DBusError) {
    guard query.utf8.count <= Self.mostQueryBytes else {
      throw .limit("query: the number of bytes", Self.mostQueryBytes)
    }
    guard service.repository.wordCount(of: query) <= Self.mostWords else {
      throw .limit("query: the number of words", Self.mostWords)
    }
    let most = limit == 0 ? Self.mostFound : Int(limit)
    service.words.catchUp { [self] result in
      do throws(DBusError) {
        // Since the call the board may have gone, or a failed batch may have left it unreadable.
        try checkExists()
        reply.send(try items(foundBy: query, in: result, most: most, access))
      } catch { reply.refuse(error) }
    }
  }

  /// The ids of the rows with every word of a query, in the order of the board.
  private func items(
    foundBy query: String, in index: Result<Void, RepositoryError>, most: Int,
    _ access: BoardAccess
  ) throws(DBusError) -> [String] {
    let found: [RowID]
    do throws(RepositoryError) {
      try index.get()
      found = try service.repository.search(
        query, source: access.readsEverything ? nil : access.source)
    } catch { throw error.answer }
    let rows = found.compactMap { row in board.indexPath(of: row).map { (path: $0, row: row) } }
      .sorted { $0.path < $1.path }
    return rows.prefix(most).map { service.ids.id(of: $0.row) }
  }

  // MARK: Contents

  /// What the row holds, in order of fidelity: nothing for a caller that may not know.
  private func types(
    of row: RowID, _ access: BoardAccess
  ) throws(DBusError) -> [(type: ContentType, byteCount: Int)] {
    let summary = try summary(of: row)
    return access.reads(rowOf: summary.source) ? summary.types : []
  }

  /// What the row is; nil if the database has lost it.
  func storedSummary(of row: RowID) throws(DBusError) -> RowSummary? {
    do throws(RepositoryError) { return try service.repository.summary(of: row) } catch {
      throw error.answer
    }
  }

  func summary(of row: RowID) throws(DBusError) -> RowSummary {
    if let summary = try storedSummary(of: row) { return summary }
    throw DBusError(.ioError, "the contents of item \(service.ids.id(of: row)) are missing")
  }

  func content(of row: RowID, at ordinal: Int) throws(DBusError) -> Bytes {
    do throws(RepositoryError) {
      return Bytes(try service.repository.content(of: row, at: ordinal))
    } catch { throw error.answer }
  }

  /// The row's plain text as a D-Bus string, cut to at most that many bytes; nil where it has none,
  /// or has lost it.
  private func plainText(of row: RowID, limit: Int) throws(DBusError) -> String? {
    do throws(RepositoryError) {
      return try service.repository.text(of: row, limit: limit).map {
        WireText.sanitized($0).prefix(ofBytes: limit)
      }
    } catch {
      // Of one lost text GetText speaks; the others are there.
      guard error.isOfOneContent else { throw error.answer }
      return nil
    }
  }

  // MARK: Pages

  private func page(
    _ section: UInt32, _ first: UInt32, _ count: UInt32
  ) throws(DBusError) -> [RowEntry] {
    guard let rowCount = board.rowCount(inSection: Int(section)) else {
      throw DBusError(
        .invalidArgs, "section is \(section); valid is 0 to \(board.sectionNames.count - 1)")
    }
    guard first <= rowCount else {
      throw DBusError(.invalidArgs, "first is \(first); valid is 0 to \(rowCount)")
    }
    return board.rows(
      inSection: Int(section), from: Int(first), count: min(Int(count), Self.largestPage))
  }

  /// A row as GetRows gives it, and about how many bytes it takes in the reply.
  private func wireRow(
    _ entry: RowEntry, _ summary: RowSummary, _ access: BoardAccess
  ) -> (BoardInterface.Row, Int) {
    let mayChange = access.changes(rowOf: summary.source)
    var attributes = RowAttributes(
      isEditable: entry.isEditable && mayChange, isMovable: entry.isMovable && mayChange)
    guard access.reads(rowOf: summary.source) else {
      return (Structure(service.ids.id(of: entry.row), "", [], attributes.wire), 256)
    }
    let types = summary.types.map(\.type.mime)
    attributes.created = summary.created
    attributes.source = summary.source
    attributes.byteCount = summary.types.reduce(0) { $0 + UInt64($1.byteCount) }
    attributes.suggestedName = summary.name
    let texts = [summary.preview, summary.source, summary.name] + types
    return (
      Structure(service.ids.id(of: entry.row), summary.preview, types, attributes.wire),
      texts.reduce(256) { $0 + $1.utf8.count + 8 }
    )
  }
}

extension String {
  /// The text, or as many of its first Unicode scalars as fit into that many bytes of UTF-8.
  fileprivate func prefix(ofBytes limit: Int) -> String {
    guard utf8.count > limit else { return self }
    var end = utf8.index(startIndex, offsetBy: limit)
    while end.samePosition(in: unicodeScalars) == nil { end = utf8.index(before: end) }
    return String(unicodeScalars[..<end])
  }
}
