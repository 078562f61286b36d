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
    store.isPlainText = { (try? ContentType(stored: $0))?.isPlainText ?? false }
    makeSpool = { [contents = store.contents] () throws(RepositoryError) in
      do throws(StoreError) { return StoredContentSpool(try contents.makeWriter()) } catch {
        throw RepositoryError(error)
      }
    }
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

  // MARK: History

  func log(
    _ changes: [UInt8], _ revisions: ClosedRange<UInt64>, rowCount: Int, of board: Int64
  ) throws(RepositoryError) {
    try told { () throws(StoreError) in
      try store.log(changes, revisions, rowCount: rowCount, of: BoardID(board))
    }
  }

  func loggedChanges(
    after revision: UInt64, of board: Int64, limit: Int
  ) throws(RepositoryError) -> [[UInt8]]? {
    try told { () throws(StoreError) in
      try store.loggedChanges(after: revision, of: BoardID(board), limit: limit)
    }
  }

  func firstLoggedRevision(of board: Int64) throws(RepositoryError) -> UInt64? {
    try told { () throws(StoreError) in try store.firstLoggedRevision(of: BoardID(board)) }
  }

  func forgetLog(upTo revision: UInt64, of board: Int64) throws(RepositoryError) {
    try told { () throws(StoreError) in try store.forgetLog(upTo: revision, of: BoardID(board)) }
  }

  func steps(of board: Int64) throws(RepositoryError) -> [StepInfo] {
    try told { () throws(StoreError) in try store.steps(of: BoardID(board)) }.map { step in
      StepInfo(number: step.number, isUndone: step.isUndone, byteCount: step.byteCount)
    }
  }

  func operations(
    ofStep number: UInt64, of board: Int64
  ) throws(RepositoryError) -> (operations: [UInt8], kept: [RowID])? {
    try told { () throws(StoreError) in
      try store.operations(ofStep: number, of: BoardID(board))
    }
  }

  func save(
    _ step: StepInfo, _ operations: [UInt8], keeping kept: [RowID], of board: Int64
  ) throws(RepositoryError) {
    let stored = StoredStep(
      number: step.number, isUndone: step.isUndone, byteCount: step.byteCount)
    try told { () throws(StoreError) in
      try store.save(stored, operations, keeping: kept, of: BoardID(board))
    }
  }

  func deleteSteps(
    _ numbers: ClosedRange<UInt64>, of board: Int64
  ) throws(RepositoryError) {
    try told { () throws(StoreError) in try store.deleteSteps(numbers, of: BoardID(board)) }
  }

  // MARK: Numbers

  func reserveRows(_ count: Int) throws(RepositoryError) -> [RowID] {
    try told { () throws(StoreError) in try store.reserveRows(count) }
  }

  func reserveSessionNumbers() throws(RepositoryError) -> Range<UInt64> {
    try told { () throws(StoreError) in try store.reserveSessionNumbers() }
  }

  func reserveViewNumbers() throws(RepositoryError) -> Range<UInt64> {
    try told { () throws(StoreError) in try store.reserveViewNumbers() }
  }

  // MARK: Rows

  let makeSpool: SpoolMaker

  func put(_ content: RowContent, of row: RowID) throws(RepositoryError) {
    try told { () throws(StoreError) in try store.insert(row, StoredItem(content)) }
  }

  func stageRows(_ count: Int) throws(RepositoryError) -> any RowStage {
    StoredRowStage(try told { () throws(StoreError) in try store.stageRows(count) })
  }

  func byteCount(of rows: [RowID]) throws(RepositoryError) -> Int {
    try told { () throws(StoreError) in try store.byteCount(of: rows) }
  }

  func moveItem(from source: RowID, to destination: RowID) throws(RepositoryError) {
    try told { () throws(StoreError) in try store.moveItem(from: source, to: destination) }
  }

  func discard(_ rows: [RowID]) throws(RepositoryError) {
    try told { () throws(StoreError) in try store.discard(rows) }
  }

  func summary(of row: RowID) throws(RepositoryError) -> RowSummary? {
    guard let item = try told({ () throws(StoreError) in try store.item(row) }) else {
      store.noteMissing(row)
      return nil
    }
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
    do throws(ContentTypeError) { return try ContentType(stored: text) } catch {
      throw RepositoryError("the database has a type that is none: \(error)")
    }
  }

  func content(of row: RowID, at ordinal: Int) throws(RepositoryError) -> StoredBytes {
    switch try told({ () throws(StoreError) in try store.content(of: row, at: ordinal) }) {
    case .bytes(let bytes)?: .inline(bytes)
    case .text(let text)?: .inline(Array(text.utf8))
    case .file(let file)?: .file(StoredContentFile(file))
    case nil: throw RepositoryError("the row's bytes are not in the database")
    }
  }

  func text(of row: RowID, limit: Int) throws(RepositoryError) -> String? {
    try told { () throws(StoreError) in try store.text(of: row, limit: limit) }
  }

  // MARK: Search

  /// How many rows are indexed in one step: a few milliseconds.
  private static let indexStep = 256

  func indexSome() throws(RepositoryError) -> Bool {
    try told { () throws(StoreError) in try store.indexSome(limit: Self.indexStep) }
  }

  func wordCount(of query: String) -> Int { BoardStore.wordCount(of: query) }

  func measure(_ use: inout SourceUse) throws(RepositoryError) -> Bool {
    try told { () throws(StoreError) in
      let last = try store.forEachSize(after: use.lastKey) { use.add($0, byteCount: $1) }
      use.lastKey = last ?? use.lastKey
      return last != nil
    }
  }

  func search(_ query: String, source: String?) throws(RepositoryError) -> [RowID] {
    try told { () throws(StoreError) in try store.search(query, source: source) }
  }

  // MARK: Durability

  func commit() throws(RepositoryError) {
    try told { () throws(StoreError) in try store.commit() }
  }

  func rollback() { store.rollback() }

  var hasGarbage: Bool { store.hasGarbage }

  /// How many rows are removed in one step: a tenth of a millisecond.
  private static let purgeStep = 16

  func purge() throws(RepositoryError) -> Bool {
    try told { () throws(StoreError) in try store.purgeDiscarded(limit: Self.purgeStep) }
  }

  var hasTraces: Bool { store.hasTraces }

  func eraseTraces() throws(RepositoryError) -> Bool {
    try told { () throws(StoreError) in try store.eraseTraces() }
  }

}

extension RepositoryError {
  /// Says as the service wants it what went wrong.
  init(_ error: StoreError) { self.init("\(error)", isOfOneContent: error.isOfOneContent) }
}

/// Says as the service wants it what went wrong.
private func told<Result>(
  _ body: () throws(StoreError) -> Result
) throws(RepositoryError) -> Result {
  do throws(StoreError) { return try body() } catch { throw RepositoryError(error) }
}

/// Rows that the store stages, as the service wants them.
private final class StoredRowStage: RowStage {
  private let staged: StagedRows

  init(_ staged: StagedRows) { self.staged = staged }

  var rows: [RowID] { staged.rows }

  var isWhole: Bool { staged.isWhole }

  func adopt() throws(RepositoryError) {
    try told { () throws(StoreError) in try staged.adopt() }
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
        StoredRepresentation(type: $0.type.mime, content: StoredContent($0.bytes))
      })
  }
}

extension StoredContent {
  /// A file came from this repository: there is no other.
  fileprivate init(_ bytes: StoredBytes) {
    self =
      switch bytes {
      case .inline(let bytes): .bytes(bytes)
      case .file(let file as StoredContentFile): .file(file.file)
      case .file: .bytes([])
      }
  }
}
