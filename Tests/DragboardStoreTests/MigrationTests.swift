import BoardModel
import Foundation
import SQLite
import TestSupport
import Testing

@testable import DragboardStore

@Suite("A database of an earlier version")
struct MigrationTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Runs SQL on the database without the store; the changes may stay in the log.
  private func edit(_ sql: String, leavingLog: Bool = false) throws -> [String] {
    let database = try Database(path: folder.database, holding: StoreLock(directory: folder.data))
    if leavingLog { database.leaveLogOnClose() }
    try database.execute("PRAGMA locking_mode = EXCLUSIVE")
    try database.execute(sql)
    var schema: [String] = []
    try Statement(database, "SELECT sql FROM sqlite_schema WHERE sql NOT NULL ORDER BY name")
      .forEach { schema.append($0.text(0) ?? "") }
    return schema
  }

  /// Changes the boards of the database to the format of version 2.
  private func goBackToVersion2() throws {
    try goBack(
      to: 2,
      """
      DROP TABLE search; DROP TABLE log; DROP TABLE step; DELETE FROM counter WHERE id = 3;
      \(Self.withoutSums)
      """)
  }

  private func goBack(to version: Int, _ sql: String, leavingLog: Bool = false) throws {
    let schema = try edit(
      "\(sql); PRAGMA user_version = \(version)", leavingLog: leavingLog)
    let expected = try Database(
      path: folder.path + "/expected.db", holding: StoreLock(directory: folder.path))
    for step in Schema.steps[..<version] { try expected.execute(step) }
    var original: [String] = []
    try Statement(expected, "SELECT sql FROM sqlite_schema WHERE sql NOT NULL ORDER BY name")
      .forEach { original.append($0.text(0) ?? "") }
    try #require(schema == original)
  }

  @Test("A database is migrated with its rows and without a history, and its rows are found")
  func version2() throws {
    let large = largeBytes(3)
    var rows: [RowID] = []
    var before: Snapshot?
    var salt: [UInt8] = []
    var id: BoardNumber?
    do {
      let store = try folder.open()
      salt = store.salt
      var (one, board) = try store.makeBoard(named: "one")
      rows = try store.append(["alpha", "beta", "gamma"], to: &board, one)
      let file = try store.reserveRows(1)[0]
      try store.put(.bytes(large), of: file)
      _ = try board.insert([file], at: IndexPath(section: 0, row: 0), maxRows: .max)
      _ = try board.delete([rows[2]])
      try store.save(&board, as: one)
      try store.commit()
      (before, id) = (board.snapshot(), one)
      rows.append(file)
    }
    try goBackToVersion2()

    let store = try folder.open()
    #expect(store.salt == salt)
    let one = try #require(id)
    let board = try #require(try store.boards().first)
    #expect(board.board.snapshot() == before)
    #expect(try store.steps(of: one) == [])
    #expect(try store.firstLoggedRevision(of: one) == nil)
    #expect(try store.data(of: rows[3], at: 0) == large)

    // Rows that were discarded before the migration are not indexed, and are purged.
    #expect(try store.search("beta") == [])
    #expect(try store.isIndexBehind())
    while try store.indexSome(limit: 2) {}
    #expect(try store.search("beta") == [rows[1]])
    try store.commitAndPurge()
    #expect(try store.search("gamma") == [])
    #expect(try store.summary(of: rows[2]) == nil)
    try store.history.log([1], 9...9, of: one)
    try store.history.save(
      StepInfo(number: 1, isUndone: false, byteCount: 1), [1], keeping: [], of: one)
    try store.commit()
    #expect(try folder.afterPowerCut().open().steps(of: one).count == 1)
  }

  /// The statement that removes the table of version 9.
  private static let withoutMakers = "DROP TABLE maker"
  /// The statements that remove the column of version 8.
  private static let withoutModes = "\(withoutMakers); ALTER TABLE representation DROP COLUMN mode"
  /// The statements that remove the columns of version 7.
  private static let withoutSandboxes = """
    \(withoutModes); DROP INDEX representation_sandbox; ALTER TABLE representation DROP COLUMN sandbox
    """
  private static let withoutSandboxesOfSteps = "ALTER TABLE step DROP COLUMN sandbox"
  /// The statements that remove the columns of version 6.
  private static let withoutAttributes = """
    DROP INDEX representation_renewed; ALTER TABLE representation DROP COLUMN renewed;
    DROP INDEX representation_digest; ALTER TABLE representation DROP COLUMN digest;
    ALTER TABLE representation DROP COLUMN stack;
    ALTER TABLE representation DROP COLUMN application; ALTER TABLE representation DROP COLUMN modified
    """
  /// The statements that make the table of boards as it was before it contained deleted boards.
  private static let withoutDeletion: String = {
    let step = Schema.steps[0]
    let table = step.range(of: "CREATE TABLE board(").map { step[$0.lowerBound...] } ?? ""
    let end = table.range(of: ");")?.upperBound ?? table.startIndex
    return """
      DROP INDEX board_path; DROP INDEX board_name; ALTER TABLE board RENAME TO new_board;
      \(table[..<end])
      INSERT INTO board SELECT id, path, name, revision, max_rows, moves_multiple_rows,
        accepted_types FROM new_board;
      UPDATE sqlite_sequence SET seq = (SELECT seq FROM sqlite_sequence WHERE name = 'new_board')
        WHERE name = 'board';
      DROP TABLE new_board
      """
  }()
  private static let withoutVersion6 =
    withoutSandboxes + ";" + withoutAttributes + ";" + withoutDeletion
  /// The statements that remove the columns of later versions.
  private static let withoutSums =
    withoutVersion6 + "; ALTER TABLE representation DROP COLUMN sum"
  private static let withoutCounts = withoutSums + "; ALTER TABLE log DROP COLUMN row_count"

  @Test(
    "Rows stored without counts and sums are read, with their history",
    arguments: [
      (3, "\(withoutSandboxesOfSteps); \(withoutCounts)"),
      (4, "\(withoutSandboxesOfSteps); \(withoutSums)"),
      (5, "\(withoutSandboxesOfSteps); \(withoutVersion6)"),
      (6, "\(withoutSandboxesOfSteps); \(withoutSandboxes)"), (7, withoutModes), (8, withoutMakers),
    ], [false, true])
  func versionWithHistory(earlier: (Int, String), isInLog: Bool) throws {
    let large = largeBytes(3)
    do {
      let store = try folder.open()
      var (id, board) = try store.makeBoard(named: "one")
      let rows = try store.append(["alpha", "beta"], to: &board, id)
      try store.replaceContent(of: rows[1], with: .bytes(large))
      try store.history.log([1], 2...board.revision, rowCount: board.count, of: id)
      try store.indexAll()
      try store.commit()
      store.conclude()
    }
    try goBack(to: earlier.0, earlier.1, leavingLog: isInLog)
    #expect(FileManager.default.fileExists(atPath: folder.database + "-wal") == isInLog)

    do {
      let store = try folder.open()
      #expect(store.recovery == nil)
      let stored = try #require(try store.boards().first)
      var board = stored.board
      let rows = board.snapshot().sections.flatMap(\.rows)
      #expect(try store.text(of: rows[0]) == "alpha")
      #expect(try store.data(of: rows[1], at: 0) == large)
      try store.indexAll()
      #expect(try store.search("alpha") == [rows[0]])
      #expect(try store.loggedChanges(after: 1, of: stored.id) == [[1]])
      _ = try store.append(["gamma"], to: &board, stored.id)
      try store.history.log(
        [2], board.revision...board.revision, rowCount: board.count, of: stored.id)
      try store.commitAndPurge()
    }
    let store = try folder.open()
    #expect(store.recovery == nil)
    #expect(try store.boards().first?.board.count == 3)
  }

  @Test("A database that a daemon wrote opens, with and without its log", arguments: [false, true])
  func sample(hasLog: Bool) throws {
    let sample = Checkout.path("Tests/DragboardStoreTests/Samples/version5")
    try FileManager.default.copyItem(atPath: sample, toPath: folder.data)
    if !hasLog { try FileManager.default.removeItem(atPath: folder.database + "-wal") }
    let store = try folder.open()
    #expect(store.recovery == nil)
    let boards = try store.boards()
    #expect(boards.map(\.header.name) == ["default", "notes"])
    let stored = try #require(boards.first)
    #expect(stored.board.sectionNames == ["main", "later"])
    #expect(try store.board(stored.id).snapshot() == stored.board.snapshot())
    let rows = stored.board.snapshot().sections.flatMap(\.rows)
    let texts = ["alpha", "beta gamma", String(repeating: "x", count: 70_000)]
    #expect(try rows.map { try store.text(of: $0) } == texts + (hasLog ? ["epsilon"] : []))
    // Migration indexes each row again, exactly once.
    try store.indexAll()
    #expect(try store.search("gamma") == [rows[1]])
    // The edit in the log has deleted the undone step.
    #expect(try store.steps(of: stored.id).contains(where: \.isUndone) != hasLog)

    var board = stored.board
    _ = try store.append(["zeta"], to: &board, stored.id)
    try store.commit()
    #expect(try folder.afterPowerCut().open().board(stored.id).snapshot() == board.snapshot())
  }

  @Test("The number of a board that an earlier version deleted is not reused")
  func numbers() throws {
    let last: BoardNumber
    do {
      let store = try folder.open()
      _ = try store.makeBoard(named: "one")
      last = try store.makeBoard(named: "gone").id
      try store.purgeBoard(last)
      try store.commit()
    }
    try goBack(to: 5, "\(Self.withoutSandboxesOfSteps); \(Self.withoutVersion6)")
    let store = try folder.open()
    #expect(try store.boards().map(\.header) == [.usual("one")])
    #expect(try store.makeBoard(named: "new").id > last)
    #expect(throws: StoreError.self) { try store.makeBoard(named: "one") }
  }

  @Test("A database is migrated completely, or not changed")
  func failure() throws {
    do { _ = try folder.open() }
    try goBackToVersion2()
    // A table with this name makes the last statement of the last step fail.
    _ = try edit("CREATE TABLE search(x)")
    #expect(throws: StoreError.self) { try folder.open() }
    let schema = try edit("DROP TABLE search")
    #expect(!schema.contains { $0.contains("TABLE log") })
    #expect(try folder.open().boards().isEmpty)
  }
}
