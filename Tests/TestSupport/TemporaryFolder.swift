package import BoardModel
package import DragModel
internal import DragboardRecovery
package import DragboardStore
package import Foundation

/// The directory of a test, which is removed with its files when the test ends.
package final class TemporaryFolder {
  package let path: String

  package init() throws {
    let url = FileManager.default.temporaryDirectory
      .appendingPathComponent("dragboard-store-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    path = url.path
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// The data directory of a store.
  package var data: String { path + "/data" }

  /// The path of the store's database.
  package var database: String { data + "/boards.db" }

  /// The directory of content files.
  package var contents: String { data + "/contents" }

  /// Returns the sorted names of the content files; empty if there is no such directory.
  package func contentNames() -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: contents)) ?? []).sorted()
  }

  /// Returns the bytes of a content file.
  package func content(_ name: String) -> Data? {
    FileManager.default.contents(atPath: contents + "/" + name)
  }

  package func open() throws -> BoardStore { try BoardStore.open(in: data) }

  /// Returns a copy of the directory as it would be after a power cut now.
  package func afterPowerCut() throws -> TemporaryFolder {
    let copy = try TemporaryFolder()
    try FileManager.default.copyItem(atPath: data, toPath: copy.data)
    return copy
  }

  /// Returns the bytes of every file of the store except the lock.
  package func files() throws -> [String: Data] {
    var files: [String: Data] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: data) where name != "lock" {
      files[name] = FileManager.default.contents(atPath: data + "/" + name)
    }
    return files
  }
}

extension BoardHeader {
  /// Returns the header of a board with the default settings, whose path is its name.
  package static func usual(_ name: String) -> BoardHeader {
    BoardHeader(
      pathElement: name, name: name, maxRows: 0, movesMultipleRows: false,
      acceptedTypes: [MIMEType.plainText.mime])
  }
}

/// Returns a type; plain text if the text is not a type.
package func mime(_ text: String) -> MIMEType { (try? MIMEType(parsing: text)) ?? .plainText }

extension RowContent {
  /// Returns the content of a plain text; the default preview is the text.
  package static func text(_ text: String, source: String = "", preview: String? = nil)
    -> RowContent
  {
    RowContent(
      created: 1_700_000_000_000_000, source: source, preview: preview ?? text,
      representations: [.text(text)])
  }

  /// Returns a content with one representation that is not text.
  package static func content(_ content: Payload) -> RowContent {
    RowContent(
      created: 1_700_000_000_000_000, source: "", preview: "",
      representations: [.init(type: mime("application/octet-stream"), bytes: content, preview: "")])
  }

  package static func bytes(_ bytes: [UInt8]) -> RowContent { .content(.memory(bytes)) }

  package static func file(_ file: ContentFile) -> RowContent { .content(.file(file)) }
}

extension Payload {
  /// The file, if the bytes are in a content file.
  package var file: ContentFile? { if case .file(let file) = self { file } else { nil } }
}

/// Returns too many bytes for the database; they differ for each number.
package func largeBytes(_ number: UInt8 = 0, count: Int = Payload.inlineLimit + 1) -> [UInt8] {
  [number] + [UInt8](repeating: number ^ 0x5A, count: count - 1)
}

extension ContentDirectory {
  /// Writes bytes to a content file that no row refers to yet.
  package func write(_ bytes: [UInt8]) throws -> ContentFile {
    let writer = try makeWriter()
    try writer.append(bytes)
    return try writer.finish()
  }
}

extension ContentWriter {
  package func append(_ bytes: [UInt8]) throws { try bytes.withUnsafeBytes { try append($0) } }
}

extension BoardStore {
  /// Commits, and purges until nothing is left to purge.
  package func commitAndPurge() throws {
    try commit()
    var isMore = true
    while isMore {
      isMore = try purgeDiscarded(limit: 100)
      try commit()
    }
  }
}

extension RowContent.Representation {
  package static func text(_ text: String) -> Self {
    Self(type: .plainText, bytes: .memory(Array(text.utf8)), preview: "")
  }

  package static func bytes(_ type: String, _ bytes: [UInt8]) -> Self {
    Self(type: mime(type), bytes: .memory(bytes), preview: "")
  }
}

extension BoardStore {
  /// Renames a board.
  package func rename(_ board: BoardNumber, to name: String) throws {
    var header = BoardHeader.usual(name)
    if let old = try boards().first(where: { $0.id == board })?.header { header = old }
    header.name = name
    try update(header, of: board)
  }

  /// Returns the bytes of a representation; nil if the row has no representation with this ordinal.
  package func data(of row: RowID, at ordinal: Int) throws -> [UInt8]? {
    do throws(StoreError) { return try content(of: row, at: ordinal).read() } catch {
      if case .unreadable = error { return nil }
      throw error
    }
  }
}

extension BoardStore {
  /// Makes a board and saves it, without a commit.
  package func makeBoard(named name: String) throws -> (id: BoardNumber, board: Board) {
    let id = try createBoard(.usual(name))
    var board = Board()
    try save(&board, as: id)
    return (id, board)
  }

  package func save(_ board: inout Board, as id: BoardNumber) throws {
    let changes = UnsavedBoard(taking: &board)
    _ = try save(changes, of: id)
    try discard(changes.rows.removedRows)
  }

  /// Inserts texts at the end of the first section and saves the board, without a commit.
  package func append(_ texts: [String], to board: inout Board, _ id: BoardNumber) throws -> [RowID]
  {
    let rows = try reserveRows(texts.count)
    for (row, text) in zip(rows, texts) { try put(.text(text), of: row) }
    let end = IndexPath(section: 0, row: board.rowCount(inSection: 0) ?? 0)
    _ = try board.insert(rows, at: end, maxRows: .max)
    try save(&board, as: id)
    return rows
  }
}

extension BoardStore {
  /// Inserts rows with these texts; returns the rows in order.
  package func insert(_ texts: [String]) throws -> [RowID] {
    let rows = try reserveRows(texts.count)
    for (row, text) in zip(rows, texts) { try put(.text(text), of: row) }
    return rows
  }

  /// Indexes all rows.
  package func indexAll() throws { while try indexSome(limit: 100) {} }
}
