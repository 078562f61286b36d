import BoardModel
import DBus
import DragModel
import DragboardInterface
import DragboardStore
import Files

/// The methods of `org.dragboard.Dragboard1.Board` that read rows.
struct BoardReads {
  /// The maximum number of rows in one reply.
  private static let maxPageRows = 10_000
  /// The maximum number of bytes in one page of rows or texts, and of one text in it.
  private static let maxPageBytes = 8 << 20
  private static let maxTextBytesInPage = 1 << 20

  let reader: ContentReader
  let longCalls: LongCalls

  // MARK: Rows

  func getRows(
    _ board: BoardEntity, _ command: Command, _ reply: Reply<UInt64, [BoardInterface.Row]>,
    _ section: UInt32, _ first: UInt32, _ count: UInt32
  ) throws(DBusError) {
    let page = Page<BoardInterface.Row>(try entries(of: board, section, first, count), board)
    try longCalls.run(command, on: board, answering: reply, from: page) {
      (page, command, budget) throws(DBusError) in
      let stored = StoredRows(board.ids, for: command)
      while let entry = page.next() {
        let summary = page.isOnBoard(entry) ? try stored.storedSummary(of: entry.row) : nil
        let (row, byteCount) = stored.wireRow(entry, summary ?? .missing)
        guard page.append(row, byteCount) else { break }
        if budget.isUsedUp { return true }
      }
      reply.send(page.revision, page.elements)
      return false
    }
  }

  func getTexts(
    _ board: BoardEntity, _ command: Command, _ reply: Reply<[String]>, _ section: UInt32,
    _ first: UInt32, _ count: UInt32
  ) throws(DBusError) {
    let page = Page<String>(try entries(of: board, section, first, count), board)
    try longCalls.run(command, on: board, answering: reply, from: page) {
      (page, command, budget) throws(DBusError) in
      let stored = StoredRows(board.ids, for: command)
      while let entry = page.next() {
        let mayRead = page.isOnBoard(entry) ? try stored.mayRead(entry.row) : false
        let text =
          mayRead ? try stored.plainText(of: entry.row, limit: Self.maxTextBytesInPage) ?? "" : ""
        guard page.append(text, text.utf8.count + 8) else { break }
        if budget.isUsedUp { return true }
      }
      reply.send(page.elements)
      return false
    }
  }

  /// The rows that a call reads, and the elements of its reply.
  private struct Page<Element> {
    let revision: UInt64
    private(set) var elements: [Element] = []
    private let board: BoardEntity
    private let entries: [RowEntry]
    private var index = 0
    private var room = maxPageBytes

    init(_ entries: [RowEntry], _ board: BoardEntity) {
      (self.entries, self.board) = (entries, board)
      revision = board.board.revision
    }

    mutating func next() -> RowEntry? {
      guard index < entries.count else { return nil }
      defer { index += 1 }
      return entries[index]
    }

    /// Returns whether the board still has a row.
    ///
    /// The store may have no content for a row that was deleted since the call.
    func isOnBoard(_ entry: RowEntry) -> Bool {
      board.board.revision == revision || board.board.contains(entry.row)
    }

    /// Appends the latest row; returns false if there is too little room for it.
    ///
    /// There is room for the first row, whatever its size.
    mutating func append(_ element: Element, _ byteCount: Int) -> Bool {
      room -= byteCount
      guard room >= 0 || index == 1 else { return false }
      elements.append(element)
      return true
    }
  }

  func getIndexPath(
    _ board: BoardEntity, _: Command, _ item: String
  ) throws(DBusError) -> (UInt32, UInt32) {
    guard let row = board.ids.row(of: item), let path = board.indexPath(of: row) else {
      throw board.noSuchItem(item, argument: "item")
    }
    return (UInt32(path.section), UInt32(path.row))
  }

  func getTypes(
    _ board: BoardEntity, _ command: Command, _ item: String
  ) throws(DBusError) -> [String] {
    try StoredRows(board.ids, for: command).types(of: try board.row(item)).map(\.type.mime)
  }

  func getSnapshot(
    _ board: BoardEntity, _: Command
  ) throws(DBusError) -> (inout MessageWriter) -> Void {
    // An id has 36 bytes. With its length and its terminator it has 44 bytes.
    guard board.rowCount * 44 < ContentReader.maxReplyBytes else {
      throw DBusError(
        .limitsExceeded,
        "reply: \(board.rowCount) ids are too many (use GetRows, which returns pages)")
    }
    let (snapshot, ids) = (board.board.snapshot(), board.ids)
    return { writer in
      snapshot.revision.write(to: &writer)
      writer.array(alignedTo: 8) { sections in
        for section in snapshot.sections {
          sections.structure {
            $0.append(section.name)
            $0.texts(of: section.rows, asciiCount: ItemIDs.characterCount, ids.write)
          }
        }
      }
    }
  }

  // MARK: Contents

  func getText(
    _ board: BoardEntity, _ command: Command, _ reply: Reply<String>, _ item: String
  ) throws(DBusError) {
    let (stored, row) = (StoredRows(board.ids, for: command), try board.row(item))
    let types = try stored.types(of: row)
    guard let ordinal = types.firstIndex(where: \.type.isPlainText) else {
      throw DBusError(
        .noSuchRepresentation, "item: \(item.quoted) has no plain text (GetTypes returns its types)"
      )
    }
    let bytes = try stored.content(of: row, at: ordinal)
    reader.readText(bytes, for: command, answering: reply, insteadUse: "GetFile") { _, result in
      switch result {
      case .success(let text): reply.send(text)
      case .failure(let error):
        reply.refuse(error.reading(types[ordinal].type.mime, ofItem: item))
      }
    }
  }

  func getData(
    _ board: BoardEntity, _ command: Command, _ reply: Reply<[UInt8]>, _ item: String,
    _ type: String
  ) throws(DBusError) {
    let bytes = try bytes(of: item, type, board, command)
    reader.read(bytes, for: command, answering: reply, insteadUse: "GetFile") { _, result in
      switch result {
      case .success(let data): reply.send(data)
      case .failure(let error): reply.refuse(error.reading(type, ofItem: item))
      }
    }
  }

  func getFile(
    _ board: BoardEntity, _ command: Command, _ reply: Reply<FileDescriptor>, _ item: String,
    _ type: String
  ) throws(DBusError) {
    let bytes = try bytes(of: item, type, board, command)
    reader.open(bytes, for: command, answering: reply) { _, result in
      switch result {
      case .success(let file): reply.send(file)
      case .failure(let error): reply.refuse(error.reading(type, ofItem: item))
      }
    }
  }

  /// Returns the first representation, in order of fidelity, that conforms to the type.
  private func bytes(
    of item: String, _ type: String, _ board: BoardEntity, _ command: Command
  ) throws(DBusError) -> Payload {
    let query = try TypeQuery(asking: "type", type)
    let (stored, row) = (StoredRows(board.ids, for: command), try board.row(item))
    guard let ordinal = try stored.types(of: row).firstIndex(where: { query.matches($0.type) })
    else {
      throw DBusError(
        .noSuchRepresentation,
        "item: \(item.quoted) has no representation that conforms to \(query) (GetTypes returns its types)"
      )
    }
    return try stored.content(of: row, at: ordinal)
  }

  // MARK: Pages

  private func entries(
    of board: BoardEntity, _ section: UInt32, _ first: UInt32, _ count: UInt32
  ) throws(DBusError) -> [RowEntry] {
    guard let rowCount = board.board.rowCount(inSection: Int(section)) else {
      throw DBusError(
        .invalidArgs, "section: \(section) is out of range (0…\(board.sectionCount - 1))")
    }
    guard first <= rowCount else {
      throw DBusError(.invalidArgs, "first: \(first) is out of range (0…\(rowCount))")
    }
    return board.board.rows(
      inSection: Int(section), from: Int(first), count: min(Int(count), Self.maxPageRows))
  }
}
