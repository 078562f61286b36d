package import BoardModel
package import DragModel
internal import DragboardRecovery
package import DragboardStore
package import Foundation

/// A folder of one test's own, removed with everything in it when the test is over.
package final class TemporaryFolder {
  package let path: String

  package init() throws {
    let url = FileManager.default.temporaryDirectory
      .appendingPathComponent("dragboard-store-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    path = url.path
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// The folder of the store, which the store makes.
  package var data: String { path + "/data" }

  /// The database in it.
  package var database: String { data + "/boards.db" }

  /// The folder of the large contents.
  package var contents: String { data + "/contents" }

  /// The names of the files with large contents, in order; none where there is no folder of them.
  package func contentNames() -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: contents)) ?? []).sorted()
  }

  /// What is in the file of a large content.
  package func content(_ name: String) -> Data? {
    FileManager.default.contents(atPath: contents + "/" + name)
  }

  package func open() throws -> BoardStore { try BoardStore.open(in: data) }

  /// What a machine would find that lost its power now: the files as they are.
  package func afterPowerCut() throws -> TemporaryFolder {
    let copy = try TemporaryFolder()
    try FileManager.default.copyItem(atPath: data, toPath: copy.data)
    return copy
  }

  /// The bytes of every file in the store's folder but the lock.
  package func files() throws -> [String: Data] {
    var files: [String: Data] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: data) where name != "lock" {
      files[name] = FileManager.default.contents(atPath: data + "/" + name)
    }
    return files
  }
}

extension BoardHeader {
  /// The header of a board whose path is its name, with the usual settings.
  package static func usual(_ name: String) -> BoardHeader {
    BoardHeader(
      pathElement: name, name: name, maxRows: 0, movesMultipleRows: false,
      acceptedTypes: [ContentType.plainText.mime])
  }
}

/// A type that the test names; plain text if it is none.
package func mime(_ text: String) -> ContentType { (try? ContentType(parsing: text)) ?? .plainText }

extension RowContent {
  /// A plain text whose preview is the text, unless another one is given.
  package static func text(_ text: String, source: String = "", preview: String? = nil)
    -> RowContent
  {
    RowContent(
      created: 1_700_000_000_000_000, source: source, preview: preview ?? text,
      representations: [.text(text)])
  }

  /// Something that is no text, of one representation.
  package static func content(_ content: Payload) -> RowContent {
    RowContent(
      created: 1_700_000_000_000_000, source: "", preview: "",
      representations: [.init(type: mime("application/octet-stream"), bytes: content, preview: "")])
  }

  package static func bytes(_ bytes: [UInt8]) -> RowContent { .content(.memory(bytes)) }

  package static func file(_ file: ContentFile) -> RowContent { .content(.file(file)) }
}

extension Payload {
  /// The file if the bytes are in one of the store's.
  package var file: ContentFile? { if case .file(let file) = self { file } else { nil } }
}

/// Bytes too many for the database, unlike those of every other number.
package func largeBytes(_ number: UInt8 = 0, count: Int = Payload.inlineLimit + 1) -> [UInt8] {
  [number] + [UInt8](repeating: number ^ 0x5A, count: count - 1)
}

extension ContentDirectory {
  /// Writes bytes to a file that is not published yet.
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
  /// Commits, and removes whatever nobody needs, to the last.
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
  /// Gives a board another name.
  package func rename(_ board: BoardID, to name: String) throws {
    var header = BoardHeader.usual(name)
    if let old = try boards().first(where: { $0.id == board })?.header { header = old }
    header.name = name
    try update(header, of: board)
  }

  /// The bytes of a representation; nil if there is none at that place.
  package func data(of row: RowID, at ordinal: Int) throws -> [UInt8]? {
    do throws(StoreError) { return try content(of: row, at: ordinal).read() } catch {
      if case .unreadable = error { return nil }
      throw error
    }
  }
}

extension BoardStore {
  /// Makes a board and saves it, without a commit.
  package func makeBoard(named name: String) throws -> (id: BoardID, board: Board) {
    let id = try createBoard(.usual(name))
    var board = Board()
    try save(&board, as: id)
    return (id, board)
  }

  package func save(_ board: inout Board, as id: BoardID) throws {
    let changes = board.takeUnsavedChanges()
    try save(changes, revision: board.revision, of: id)
    try discard(changes.removedRows)
  }

  /// Inserts texts at the end of the first section and saves the board, without a commit.
  package func append(_ texts: [String], to board: inout Board, _ id: BoardID) throws -> [RowID] {
    let rows = try reserveRows(texts.count)
    for (row, text) in zip(rows, texts) { try put(.text(text), of: row) }
    let end = IndexPath(section: 0, row: board.rowCount(inSection: 0) ?? 0)
    _ = try board.insert(rows, at: end, maxRows: .max)
    try save(&board, as: id)
    return rows
  }
}

extension BoardStore {
  /// Inserts rows of those texts; gives them, in order.
  package func insert(_ texts: [String]) throws -> [RowID] {
    let rows = try reserveRows(texts.count)
    for (row, text) in zip(rows, texts) { try put(.text(text), of: row) }
    return rows
  }

  /// Indexes every row that is not indexed yet.
  package func indexAll() throws { while try indexSome(limit: 100) {} }
}
