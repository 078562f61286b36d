internal import CSQLite
internal import Glibc

/// The directory of a store with a damaged database; the events choose the damage.
///
/// It is removed with its files at the end.
struct DamagedDirectory: ~Copyable {
  let path: String

  init() {
    // The directory is in memory, because nothing in it has to be durable.
    var template = Array("/dev/shm/dragboard-fuzz-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { fatalError("no folder can be made in /dev/shm") }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit { Self.remove(path) }

  private static func remove(_ path: String) {
    guard let folder = opendir(path) else { return }
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      guard name != ".", name != ".." else { continue }
      if unlink(path + "/" + name) != 0 { remove(path + "/" + name) }
    }
    closedir(folder)
    rmdir(path)
  }

  private var database: String { path + "/boards.db" }

  /// Whether the store has found damage and left it to the next opening.
  var hasNote: Bool { access(path + "/damaged", F_OK) == 0 }

  private func write(_ bytes: [UInt8], to path: String) {
    let file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    guard file >= 0, Glibc.write(file, bytes, bytes.count) == bytes.count else {
      fatalError("\(path) cannot be written")
    }
    close(file)
  }
}

// MARK: - Damage

extension DamagedDirectory {
  /// Writes a damaged database.
  func damage(_ events: inout Events) {
    let (kind, isNoted) = (events.next(4), events.next(2) == 0)
    switch kind {
    case 0: changeValues(&events)
    case 1: write(patched(SampleDatabase.bytes, &events), to: database)
    case 2: writePages(&events)
    default:
      write(SampleDatabase.bytes, to: database)
      write(log(&events), to: database + "-wal")
    }
    if isNoted { write([], to: path + "/damaged") }
  }

  /// Returns the bytes with some of them replaced, and perhaps without the end.
  private func patched(_ bytes: [UInt8], _ events: inout Events) -> [UInt8] {
    var bytes = bytes
    while !events.isAtEnd {
      let page = events.next(bytes.count / SampleDatabase.pageSize + 1)
      guard page < bytes.count / SampleDatabase.pageSize else {
        bytes.removeLast(min(bytes.count, 1 + events.next(256) * 64))
        continue
      }
      patch(&bytes, from: page * SampleDatabase.pageSize, &events)
    }
    return bytes
  }

  /// Replaces some bytes of a page; positions at the end of the page are counted from the end.
  private func patch(_ bytes: inout [UInt8], from start: Int, _ events: inout Events) {
    let offset = events.next(2) << 8 | events.next(256)
    let isFromEnd = events.next(2) == 1
    for step in 0..<1 + events.next(12) {
      let place = isFromEnd ? SampleDatabase.pageSize - 1 - offset - step : offset + step
      bytes[start + place % SampleDatabase.pageSize] = events.nextByte()
    }
  }

  /// Writes a database of a few pages, whose beginnings and ends the events choose.
  private func writePages(_ events: inout Events) {
    var bytes = [UInt8](repeating: 0, count: SampleDatabase.pageSize * (1 + events.next(4)))
    let half = events.rest.count / 2
    for (page, part) in [events.rest.prefix(half), events.rest.dropFirst(half)].enumerated() {
      let start = min(page * SampleDatabase.pageSize, bytes.count - SampleDatabase.pageSize)
      for (offset, byte) in part.prefix(SampleDatabase.pageSize).enumerated() {
        let place = offset < 40 ? offset : SampleDatabase.pageSize - 1 - (offset - 40)
        bytes[start + place % SampleDatabase.pageSize] = byte
      }
    }
    write(bytes, to: database)
  }

  /// Returns a log of changed pages with correct checksums.
  private func log(_ events: inout Events) -> [UInt8] {
    var log = LogWriter()
    while !events.isAtEnd, log.frameCount < 8 {
      let number = events.next(40)
      let page = number == 39 ? UInt32(events.next(256)) << 24 : UInt32(number)
      var bytes = SampleDatabase.page(Int(page))
      for _ in 0..<events.next(4) { patch(&bytes, from: 0, &events) }
      let size = UInt32(events.next(3) == 0 ? 0 : max(SampleDatabase.pageCount, events.next(64)))
      log.append(page, bytes, sizeAtCommit: size)
    }
    return log.bytes
  }
}

// MARK: - Values

extension DamagedDirectory {
  /// The columns that the store decodes.
  private static let columns = [
    "board.revision", "board.max_rows", "board.id", "board.path", "board.name",
    "board.accepted_types", "section.id", "section.position", "section.name", "section.board",
    "block.id", "block.section",
    "block.next", "block.revision", "block.rows", "representation.id", "representation.type",
    "representation.created", "representation.data", "representation.file",
    "representation.preview", "discarded.id", "discarded.rows", "counter.next", "counter.id",
    "identity.salt", "log.id", "log.revisions", "log.changes", "step.id", "step.bytes",
    "step.operations", "step.kept", "PRAGMA user_version",
    "PRAGMA application_id", "search_data.block", "log.row_count", "representation.sum",
    "board.deleted", "board.deleted_rows", "board.deleted_bytes",
  ]
  private static let numbers: [Int64] = [
    .min, .max, -1, 0, 1, 2, 1 << 31, 1 << 32 - 1, 1 << 32, 1 << 40, 1 << 54, 1 << 55,
    1 << 62, .max - 1,
  ]

  private func changeValues(_ events: inout Events) {
    write(SampleDatabase.bytes, to: database)
    var handle: OpaquePointer?
    guard sqlite3_open(database, &handle) == SQLITE_OK else { fatalError("no database") }
    defer { sqlite3_close(handle) }
    sqlite3_exec(handle, "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF", nil, nil, nil)
    while !events.isAtEnd { changeValue(handle, &events) }
  }

  private func changeValue(_ handle: OpaquePointer?, _ events: inout Events) {
    let column = Self.columns[events.next(Self.columns.count)].split(separator: ".")
    guard column.count == 2 else {
      sqlite3_exec(
        handle, "\(column[0]) = \(Int32(truncatingIfNeeded: number(&events)))", nil, nil, nil)
      return
    }
    let key = column[0] == "section" ? "position" : "rowid"
    let place = "(SELECT \(key) FROM \(column[0]) LIMIT 1 OFFSET \(events.next(8)))"
    let sql =
      events.next(16) == 0
      ? "DELETE FROM \(column[0]) WHERE \(key) = \(place)"
      : "UPDATE OR IGNORE \(column[0]) SET \(column[1]) = ? WHERE \(key) = \(place)"
    var statement: OpaquePointer?
    sqlite3_prepare_v2(handle, sql, -1, &statement, nil)
    defer { sqlite3_finalize(statement) }
    bind(&events, to: statement)
    sqlite3_step(statement)
  }

  private func bind(_ events: inout Events, to statement: OpaquePointer?) {
    switch events.next(4) {
    case 0, 1: sqlite3_bind_int64(statement, 1, number(&events))
    case 2:
      let bytes = (0..<events.next(80)).map { _ in events.nextByte() }
      sqlite3_bind_blob(statement, 1, bytes, Int32(bytes.count), CSQLITE_TRANSIENT)
    default:
      let bytes = (0..<events.next(16)).map { _ in CChar(bitPattern: events.nextByte()) }
      sqlite3_bind_text(statement, 1, bytes, Int32(bytes.count), CSQLITE_TRANSIENT)
    }
  }

  private func number(_ events: inout Events) -> Int64 {
    let kind = events.next(Self.numbers.count + 2)
    guard kind >= Self.numbers.count else { return Self.numbers[kind] &+ Int64(events.next(3)) }
    return Int64(events.next(256)) << Int64(8 * events.next(8))
  }
}
