import BoardModel
import DragboardRecovery
import Foundation
import SQLite
import TestSupport
import Testing

@testable import DragboardStore

@Suite("Opening a store")
struct OpeningTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func permissions(_ path: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
  }

  @Test("Missing directories are created, and only the user can read their files")
  func makesFolders() throws {
    let directory = folder.path + "/a/b/c"
    let store = try BoardStore.open(in: directory)
    #expect(try store.boards().isEmpty)
    #expect(try permissions(folder.path + "/a") == 0o700)
    #expect(try permissions(directory) == 0o700)
    #expect(try permissions(directory + "/boards.db") == 0o600)
  }

  @Test("If a directory cannot be created, the error names it")
  func unusableFolder() throws {
    let file = folder.path + "/file"
    #expect(FileManager.default.createFile(atPath: file, contents: nil))
    let error = try #require(throws: StoreError.self) {
      try BoardStore.open(in: file + "/data")
    }
    #expect("\(error)".contains(file))
  }

  @Test("A second owner is refused, and the error names the first owner")
  func secondOwner() throws {
    let first = try folder.open()
    let error = StoreError.inUse(directory: folder.data, owner: getpid())
    #expect(throws: error) { try folder.open() }
    #expect("\(error)".contains(folder.data))
    #expect("\(error)".contains("\(getpid())"))
    #expect(try first.boards().isEmpty)
  }

  @Test("A store can be opened again after its owner has ended")
  func ownerGoes() throws {
    do { _ = try folder.open() }
    #expect(try folder.open().boards().isEmpty)
  }

  @Test("The salt never changes, and differs between stores")
  func salt() throws {
    let salt = try folder.open().salt
    #expect(salt.count == 16)
    #expect(try folder.open().salt == salt)
    #expect(try TemporaryFolder().open().salt != salt)
  }

  /// Runs SQL on the database without the store.
  private func edit(_ sql: String, leavingLog: Bool = false) throws {
    let database = try Database(
      path: folder.database, holding: StoreLock(directory: folder.data))
    if leavingLog { database.leaveLogOnClose() }
    try database.execute("PRAGMA locking_mode = EXCLUSIVE")
    try database.execute(sql)
  }

  @Test("A database of a later release is refused and not changed", arguments: [false, true])
  func laterVersion(isInLog: Bool) throws {
    do { _ = try folder.open() }
    try edit("PRAGMA user_version = 1000", leavingLog: isInLog)
    let before = try folder.files()
    #expect(throws: StoreError.newer(version: 1000, known: Schema.version)) { try folder.open() }
    let after = try folder.files()
    for (name, bytes) in before { #expect(after[name] == bytes, "\(name)") }
  }

  @Test("A database of another program is refused and not changed")
  func foreignDatabase() throws {
    do { _ = try folder.open() }
    try edit("PRAGMA application_id = 1")
    let before = try folder.files()["boards.db"]
    let error = try #require(throws: StoreError.self) { try folder.open() }
    #expect(error == .foreign(path: folder.database))
    #expect(try folder.files()["boards.db"] == before)
  }

  @Test("A file that is not a database is moved aside unchanged, and a new database is created")
  func noDatabase() throws {
    do { _ = try folder.open() }
    let bytes = Data(repeating: 0x41, count: 10_000)
    try bytes.write(to: URL(fileURLWithPath: folder.database))
    let store = try folder.open()
    let aside = try #require(store.recovery?.folder)
    #expect(aside.contains(/damaged-\d{4}-\d\d-\d\dT\d{6}Z$/))
    #expect(try Data(contentsOf: URL(fileURLWithPath: aside + "/boards.db")) == bytes)
    #expect(try store.boards().isEmpty)
  }

  @Test(
    "An invalid board is reported by name, and its valid parts are recovered",
    arguments: [
      ("UPDATE block SET next = 77", "block 77"),
      ("DELETE FROM section", "section"),
      ("UPDATE block SET rows = x'00'", "0 rows"),
      ("INSERT INTO block SELECT id + 1, section, NULL, 2, rows FROM block", "first"),
    ])
  func damagedBoard(sql: String, message: String) throws {
    do {
      let store = try folder.open()
      var (id, board) = try store.makeBoard(named: "shopping")
      _ = try store.append(["milk"], to: &board, id)
      try store.commit()
    }
    try edit(sql)
    let store = try folder.open()
    let report = try #require(store.recovery)
    #expect("\(report)".contains("\"shopping\""))
    #expect("\(report)".contains(message), "\(report)")
    let rows = try #require(try store.boards().first).board.snapshot().sections.flatMap(\.rows)
    #expect(try rows.map { try store.text(of: $0) } == ["milk"])
  }
}
