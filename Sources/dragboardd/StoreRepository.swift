import BoardModel
import DragModel
import DragboardService
import DragboardStore

/// The store as the service wants it.
final class StoreRepository: BoardRepository {
  private let store: BoardStore
  let salt: (UInt64, UInt64)

  init(_ store: BoardStore) {
    self.store = store
    func word(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
    salt = (word(store.salt.prefix(8)), word(store.salt.suffix(8)))
  }

  // MARK: Boards

  func boards() throws(RepositoryError) -> [BoardRecord] {
    try told { () throws(StoreError) in try store.boards() }.map { stored in
      BoardRecord(id: stored.id.rawValue, header: BoardHeader(stored), board: stored.board)
    }
  }

  func board(_ id: Int64) throws(RepositoryError) -> Board {
    guard let record = try boards().first(where: { $0.id == id }) else {
      throw RepositoryError("the board is not in the database")
    }
    return record.board
  }

  func createBoard(_ header: BoardHeader) throws(RepositoryError) -> Int64 {
    try told { () throws(StoreError) in
      try store.createBoard(
        path: header.pathElement, name: header.name, settings: BoardSettings(header))
    }.rawValue
  }

  func update(_ header: BoardHeader, of board: Int64) throws(RepositoryError) {
    try told { () throws(StoreError) in
      try store.renameBoard(BoardID(board), to: header.name)
      try store.setSettings(BoardSettings(header), of: BoardID(board))
    }
  }

  func deleteBoard(_ board: Int64) throws(RepositoryError) {
    try told { () throws(StoreError) in try store.deleteBoard(BoardID(board)) }
  }

  func save(
    _ changes: UnsavedChanges, revision: UInt64, of board: Int64
  ) throws(RepositoryError) {
    try told { () throws(StoreError) in
      try store.save(changes, revision: revision, of: BoardID(board))
    }
  }

  // MARK: Numbers

  func reserveRows(_ count: Int) throws(RepositoryError) -> [RowID] {
    try told { () throws(StoreError) in try store.reserveRows(count) }
  }

  func reserveSessionNumber() throws(RepositoryError) -> UInt64 {
    try told { () throws(StoreError) in try store.reserveSessionNumber() }
  }

  // MARK: Rows

  func put(_ content: RowContent, of row: RowID, isNew: Bool) throws(RepositoryError) {
    try told { () throws(StoreError) in
      if isNew {
        try store.insert(row, StoredItem(content))
      } else {
        try store.replaceItem(row, with: StoredItem(content))
      }
    }
  }

  func summary(of row: RowID) throws(RepositoryError) -> RowSummary? {
    guard let item = try told({ () throws(StoreError) in try store.item(row) }) else { return nil }
    var types: [(type: ContentType, byteCount: Int)] = []
    for representation in item.representations {
      types.append((try Self.type(representation.type), representation.byteCount))
    }
    return RowSummary(
      created: UInt64(clamping: item.created), source: item.source, name: item.name ?? "",
      preview: item.preview, types: types)
  }

  private static func type(_ text: String) throws(RepositoryError) -> ContentType {
    if text == StoredRepresentation.plainText { return .plainText }
    do throws(ContentTypeError) { return try ContentType(parsing: text) } catch {
      throw RepositoryError("the database has a type that is none: \(error)")
    }
  }

  func data(of row: RowID, at ordinal: Int) throws(RepositoryError) -> [UInt8] {
    let data = try told { () throws(StoreError) in try store.data(of: row, at: ordinal) }
    guard let data else { throw RepositoryError("the row's bytes are not in the database") }
    return data
  }

  func text(of row: RowID, limit: Int) throws(RepositoryError) -> String? {
    try told { () throws(StoreError) in
      try store.text(of: row, limit: limit) { type in
        (try? ContentType(parsing: type))?.isPlainText ?? false
      }
    }
  }

  // MARK: Durability

  func commit() throws(RepositoryError) {
    try told { () throws(StoreError) in try store.commit() }
  }

  func rollback() { store.rollback() }

  /// How many rows are removed in one step: a few milliseconds.
  private static let purgeStep = 256

  func purge() throws(RepositoryError) -> Bool {
    try told { () throws(StoreError) in try store.purgeDiscarded(limit: Self.purgeStep) }
  }

  private func told<Result>(
    _ body: () throws(StoreError) -> Result
  ) throws(RepositoryError) -> Result {
    do throws(StoreError) { return try body() } catch { throw RepositoryError("\(error)") }
  }
}

extension BoardHeader {
  fileprivate init(_ stored: StoredBoard) {
    self.init(
      pathElement: stored.path, name: stored.name,
      maxRows: UInt32(clamping: stored.settings.maxRows),
      movesMultipleRows: stored.settings.movesMultipleRows,
      acceptedTypes: stored.settings.acceptedTypes)
  }
}

extension BoardSettings {
  fileprivate init(_ header: BoardHeader) {
    self.init(
      maxRows: Int(header.maxRows), movesMultipleRows: header.movesMultipleRows,
      acceptedTypes: header.acceptedTypes)
  }
}

extension StoredItem {
  fileprivate init(_ content: RowContent) {
    self.init(
      created: Int64(clamping: content.created), source: content.source,
      name: content.name.isEmpty ? nil : content.name, preview: content.preview,
      representations: content.representations.map {
        StoredRepresentation(type: $0.type.mime, content: .bytes($0.data))
      })
  }
}
