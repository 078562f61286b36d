import SQLite
import TestSupport
import Testing

@testable import DragboardStore

@Suite("SQL statements")
struct StatementTests {
  let folder: TemporaryFolder
  let database: Database

  init() throws {
    folder = try TemporaryFolder()
    database = try Database(
      path: folder.path + "/test.db", holding: StoreLock(directory: folder.path))
    try database.execute("CREATE TABLE t(id INTEGER PRIMARY KEY, value)")
  }

  private func insert(_ value: some Bindable) throws {
    try Statement(database, "INSERT INTO t(value) VALUES (?)").run(value)
  }

  private func read<Result>(_ read: (ResultRow) -> Result) throws -> Result? {
    try Statement(database, "SELECT value, typeof(value) FROM t").first(read: read)
  }

  @Test("Integers round-trip", arguments: [0, -1, .min, .max, 1_700_000_000_000_000] as [Int64])
  func integers(value: Int64) throws {
    try insert(value)
    #expect(try read { $0.integer(0) } == value)
  }

  @Test("Texts round-trip, including U+0000", arguments: ["", "a", "ä→😀", "a\0b\0", "e\u{301}"])
  func texts(text: String) throws {
    try insert(text)
    let found = try read { ($0.text(0), $0.text(1)) }
    #expect(found?.0.map { Array($0.utf8) } == Array(text.utf8))
    #expect(found?.1 == "text")
  }

  @Test("Blobs round-trip, even an empty one", arguments: [[], [0], [0, 255, 0, 7]])
  func bytes(bytes: [UInt8]) throws {
    try bytes.withUnsafeBytes { try insert($0) }
    let found = try read { (Array($0.bytes(0)), $0.text(1), $0.isNull(0)) }
    #expect(found?.0 == bytes)
    #expect(found?.1 == "blob")
    #expect(found?.2 == false)
  }

  @Test("Nil is bound as NULL")
  func null() throws {
    try insert(String?.none)
    let found = try read { ($0.isNull(0), $0.text(0), $0.integer(0)) }
    #expect(found?.0 == true)
    #expect(found?.1 == nil)
    #expect(found?.2 == 0)
  }

  @Test("A statement can be used again with other values, and retains none")
  func reuse() throws {
    let insert = Statement(database, "INSERT INTO t(id, value) VALUES (?, ?)")
    for id in 1...3 as ClosedRange<Int64> { try insert.run(id, "v\(id)") }
    try insert.run(4 as Int64)
    var rows: [String?] = []
    try Statement(database, "SELECT value FROM t WHERE id > ? ORDER BY id").forEach(1 as Int64) {
      rows.append($0.text(0))
    }
    #expect(rows == ["v2", "v3", nil])
  }

  @Test("A read that stops at the first row does not delay a commit")
  func readIsReset() throws {
    for value in 1...3 as ClosedRange<Int64> { try insert(value) }
    let select = Statement(database, "SELECT value FROM t ORDER BY id")
    #expect(try select.first { $0.integer(0) } == 1)
    try database.execute("BEGIN; DROP TABLE t; COMMIT")
    #expect(throws: SQLiteError.self) { try select.first { $0.integer(0) } }
  }

  @Test("An error has SQLite's code and message")
  func errors() throws {
    try insert(1 as Int64)
    let again = Statement(database, "INSERT INTO t(id) VALUES (1)")
    let error = try #require(throws: SQLiteError.self) { try again.run() }
    #expect(error.code == 19)  // SQLITE_CONSTRAINT
    #expect(error.extendedCode == 1555)  // SQLITE_CONSTRAINT_PRIMARYKEY
    #expect(error.message.contains("t.id"))
  }

  @Test("An invalid SQL statement fails when it is used")
  func syntax() throws {
    let error = try #require(throws: SQLiteError.self) {
      try Statement(database, "SELEC 1").run()
    }
    #expect(error.message.contains("SELEC"))
  }

  @Test("A superfluous value is refused")
  func tooManyValues() throws {
    let error = try #require(throws: SQLiteError.self) {
      try Statement(database, "SELECT 1").run(1 as Int64)
    }
    #expect(error.code == 25)  // SQLITE_RANGE
  }
}
