internal import BoardModel
internal import DragModel
internal import DragboardStore
internal import Glibc

/// A small database with every kind of content: two boards, sections, blocks, contents, undo steps,
/// a log, deleted rows, an index.
enum SampleDatabase {
  static let pageSize = 4096

  /// The file as a closed store leaves it.
  static let bytes: [UInt8] = {
    let folder = DamagedDirectory()
    do { try fill(folder.path) } catch { fatalError("no sample can be made: \(error)") }
    return contents(of: folder.path + "/boards.db")
  }()

  static var pageCount: Int { bytes.count / pageSize }

  /// Returns a page by its number; zeros if there is no such page.
  static func page(_ number: Int) -> [UInt8] {
    guard 1...pageCount ~= number else { return [UInt8](repeating: 0, count: pageSize) }
    return Array(bytes[(number - 1) * pageSize..<number * pageSize])
  }

  private static func contents(of path: String) -> [UInt8] {
    let file = open(path, O_RDONLY)
    defer { close(file) }
    var status = stat()
    guard file >= 0, fstat(file, &status) == 0 else { fatalError("\(path) cannot be read") }
    return [UInt8](unsafeUninitializedCapacity: Int(status.st_size)) { buffer, count in
      count = max(0, read(file, buffer.baseAddress, buffer.count))
    }
  }

  private static func fill(_ directory: String) throws {
    let store = try BoardStore(directory: directory)
    for name in ["default", "second"] {
      let id = try store.createBoard(
        BoardHeader(
          pathElement: name, name: name, maxRows: 9, movesMultipleRows: false,
          acceptedTypes: [MIMEType.plainText.mime]))
      var board = Board()
      let rows = try store.reserveRows(6)
      for row in rows { try store.put(try item(Int(row.rawValue)), of: row) }
      _ = try board.insert(rows, at: IndexPath(section: 0, row: 0), maxRows: .max)
      _ = try board.insertSection(named: "later", at: 1, maxSections: 9)
      _ = try board.move([rows[0], rows[1]], toSection: 1, row: 0)
      try save(&board, as: id, in: store)
      let revision = try board.delete([rows[2]])
      let from = board.revision
      try store.history.log(
        revision.map { [$0].encoding } ?? [], from...from, rowCount: board.count, of: id)
      try save(&board, as: id, in: store)
    }
    while try store.indexSome(limit: 5) {}
    try store.commit()
    store.conclude()
  }

  private static func item(_ number: Int) throws -> RowContent {
    let picture = [UInt8](repeating: 7, count: number == 1 ? 6_000 : 40)
    return RowContent(
      created: 1, source: "org.example.Notes",
      attributes: ItemAttributes(name: try Label(number == 2 ? "named" : "")),
      preview: "text \(number)",
      representations: [
        RowContent.Representation(type: .plainText, data: Array("text \(number) of many".utf8)),
        RowContent.Representation(type: try MIMEType(parsing: "image/png"), data: picture),
      ])
  }

  private static func save(_ board: inout Board, as id: BoardNumber, in store: BoardStore) throws {
    _ = try store.save(UnsavedBoard(taking: &board), of: id)
    guard let step = board.takeUndoStep() else { return }
    try store.history.save(
      StepInfo(number: board.revision, isUndone: false, byteCount: 9), step.bytes,
      keeping: [RowID(90)], of: id)
  }
}

/// A writer of a write-ahead log of SQLite:
/// <https://sqlite.org/fileformat2.html#the_write_ahead_log>.
struct LogWriter {
  private(set) var bytes: [UInt8] = []
  private(set) var frameCount = 0
  private var sum: (UInt32, UInt32) = (0, 0)

  init() {
    for number: UInt32 in [0x377f_0682, 3_007_000, 4096, 0, 1, 2] { append(number) }
    add(bytes[...])
    append(sum.0)
    append(sum.1)
  }

  /// Appends a page; if the size is not 0, the page commits a transaction.
  mutating func append(_ page: UInt32, _ content: [UInt8], sizeAtCommit size: UInt32) {
    let start = bytes.count
    append(page)
    append(size)
    add(bytes[start...])
    append(1)
    append(2)
    add(content[...])
    append(sum.0)
    append(sum.1)
    bytes += content
    frameCount += 1
  }

  private mutating func append(_ number: UInt32) {
    for shift: UInt32 in [24, 16, 8, 0] { bytes.append(UInt8(number >> shift & 255)) }
  }

  /// Adds little-endian words to the checksum, as the first number of the log requires.
  private mutating func add(_ part: ArraySlice<UInt8>) {
    func word(_ offset: Int) -> UInt32 {
      (0..<4).reduce(0) { $0 | UInt32(part[offset + $1]) << (8 * UInt32($1)) }
    }
    for offset in stride(from: part.startIndex, to: part.endIndex, by: 8) {
      sum.0 &+= word(offset) &+ sum.1
      sum.1 &+= word(offset + 4) &+ sum.0
    }
  }
}
