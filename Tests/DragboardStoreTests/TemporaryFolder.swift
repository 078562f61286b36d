import BoardModel
import Foundation

@testable import DragboardStore

/// A folder of one test's own, removed with everything in it when the test is over.
final class TemporaryFolder {
  let path: String

  init() throws {
    let url = FileManager.default.temporaryDirectory
      .appendingPathComponent("dragboard-store-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    path = url.path
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// The folder of the store, which the store makes.
  var data: String { path + "/data" }

  /// The database in it.
  var database: String { data + "/boards.db" }

  /// The folder of the large contents.
  var contents: String { data + "/contents" }

  /// The names of the files with large contents, in order; none where there is no folder of them.
  func contentNames() -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: contents)) ?? []).sorted()
  }

  /// What is in the file of a large content.
  func content(_ name: String) -> Data? {
    FileManager.default.contents(atPath: contents + "/" + name)
  }

  func open() throws -> BoardStore { try BoardStore(directory: data) }

  /// What a machine would find that lost its power now: the files as they are.
  func afterPowerCut() throws -> TemporaryFolder {
    let copy = try TemporaryFolder()
    try FileManager.default.copyItem(atPath: data, toPath: copy.data)
    return copy
  }

  /// The bytes of every file in the store's folder but the lock.
  func files() throws -> [String: Data] {
    var files: [String: Data] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: data) where name != "lock" {
      files[name] = FileManager.default.contents(atPath: data + "/" + name)
    }
    return files
  }
}

extension BoardSettings {
  static let usual = BoardSettings(
    maxRows: 0, movesMultipleRows: false, acceptedTypes: [StoredRepresentation.plainText])
}

extension StoredItem {
  /// A plain text whose preview is the text.
  static func text(_ text: String, source: String = "") -> StoredItem {
    StoredItem(
      created: 1_700_000_000_000_000, source: source, preview: text,
      representations: [.text(text)])
  }

  /// Something that is no text, of one representation.
  static func content(_ content: StoredContent) -> StoredItem {
    StoredItem(
      created: 1_700_000_000_000_000, source: "", preview: "",
      representations: [StoredRepresentation(type: "application/octet-stream", content: content)])
  }

  static func bytes(_ bytes: [UInt8]) -> StoredItem { .content(.bytes(bytes)) }

  static func file(_ file: StoredFile) -> StoredItem { .content(.file(file)) }
}

/// Bytes too many for the database, unlike those of every other number.
func largeBytes(_ number: UInt8 = 0, count: Int = BoardStore.inlineLimit + 1) -> [UInt8] {
  [number] + [UInt8](repeating: number ^ 0x5A, count: count - 1)
}

extension ContentFolder {
  /// Writes bytes to a file that is not published yet.
  func write(_ bytes: [UInt8]) throws -> StoredFile {
    let writer = try makeWriter()
    try writer.append(bytes)
    return try writer.finish()
  }
}

extension ContentWriter {
  func append(_ bytes: [UInt8]) throws { try bytes.withUnsafeBytes { try append($0) } }
}

extension BoardStore {
  /// Commits, and removes whatever nobody needs, to the last.
  func commitAndPurge() throws {
    try commit()
    var isMore = true
    while isMore {
      isMore = try purgeDiscarded(limit: 100)
      try commit()
    }
  }
}

extension StoredRepresentation {
  static func text(_ text: String) -> StoredRepresentation {
    StoredRepresentation(type: plainText, content: .text(text))
  }

  static func bytes(_ type: String, _ bytes: [UInt8]) -> StoredRepresentation {
    StoredRepresentation(type: type, content: .bytes(bytes))
  }
}

extension BoardStore {
  /// Makes a board and saves it, without a commit.
  func makeBoard(named name: String) throws -> (id: BoardID, board: Board) {
    let id = try createBoard(path: name, name: name, settings: .usual)
    var board = Board()
    try save(&board, as: id)
    return (id, board)
  }

  func save(_ board: inout Board, as id: BoardID) throws {
    let changes = board.takeUnsavedChanges()
    try save(changes, revision: board.revision, of: id)
    try discard(changes.removedRows)
  }

  /// Inserts texts at the end of the first section and saves the board, without a commit.
  func append(_ texts: [String], to board: inout Board, _ id: BoardID) throws -> [RowID] {
    let rows = try reserveRows(texts.count)
    for (row, text) in zip(rows, texts) { try insert(row, .text(text)) }
    let end = IndexPath(section: 0, row: board.rowCount(inSection: 0) ?? 0)
    _ = try board.insert(rows, at: end, maxRows: .max)
    try save(&board, as: id)
    return rows
  }
}

extension BoardStore {
  /// Inserts rows of those texts; gives them, in order.
  func insert(_ texts: [String]) throws -> [RowID] {
    let rows = try reserveRows(texts.count)
    for (row, text) in zip(rows, texts) { try insert(row, .text(text)) }
    return rows
  }

  /// Indexes every row that is not indexed yet.
  func indexAll() throws { while try indexSome(limit: 100) {} }
}
