import BoardModel
import Foundation
import SQLite
import TestSupport
import Testing

@testable import DragboardRecovery
@testable import DragboardStore

@Suite("A damaged database is moved aside, and its readable rows are recovered")
struct RecoveryTests {
  let folder: TemporaryFolder
  let before: StoreInventory
  let salt: [UInt8]

  init() throws {
    folder = try TemporaryFolder()
    let store = try folder.open()
    try store.fillForDamage()
    before = try StoreInventory(store)
    salt = store.salt
  }

  private func damage(_ change: (inout [UInt8]) -> Void) throws {
    var bytes = try Array(Data(contentsOf: URL(fileURLWithPath: folder.database)))
    change(&bytes)
    try Data(bytes).write(to: URL(fileURLWithPath: folder.database))
  }

  private func pageCount() throws -> Int {
    try Data(contentsOf: URL(fileURLWithPath: folder.database)).count / PageImage.pageSize
  }

  /// Opens a directory with a damaged database; opens it again if the first opening finds no
  /// damage.
  private func recovered(_ folder: TemporaryFolder) throws -> BoardStore {
    do {
      let store = try folder.open()
      if store.recovery != nil { return store }
    }
    DamageNote.leave("seen while it was open", in: folder.data)
    return try folder.open()
  }

  /// Checks that the rows are sound, were there before the damage, and have the same order.
  private func check(_ store: BoardStore, _ comment: Comment) throws {
    let after = try StoreInventory(store)
    for (row, item) in after.items {
      let old = try #require(before.items[row], comment)
      // Some of several representations may be lost.
      #expect(item == old || item.types.allSatisfy(old.types.contains), comment)
      for (type, content) in zip(item.types, item.contents) {
        let expected = old.contents[try #require(old.types.firstIndex(of: type))]
        // It is unknown whether the overflow page of a long content has changed.
        #expect(content == expected || expected.count == 6_000, comment)
      }
    }
    // If no row of a board has a position, all its rows are in its first section.
    let misplaced = store.recovery?.counts.misplacedRows ?? 0
    let boards = after.boards.values.filter { sections in
      misplaced == 0 || misplaced < sections.reduce(0) { $0 + $1.rows.count }
    }
    for section in boards.flatMap({ $0 }) where !section.name.hasPrefix("recovered") {
      let old = before.boards.values.flatMap { $0 }.first {
        $0.rows.contains(section.rows.first ?? RowID(0))
      }
      let places = section.rows.compactMap { old?.rows.firstIndex(of: $0) }
      #expect(places.count == section.rows.count, comment)
      // If a block is lost, its successors form a second chain, and the chain with the end comes
      // last.
      #expect(zip(places, places.dropFirst()).count { $0 > $1 } <= 1, comment)
    }
    #expect(try store.tables.transaction.database.text("PRAGMA integrity_check") == "ok", comment)
  }

  @Test(
    "If any one page is lost, the rows on all other pages remain, with their contents",
    arguments: [0, nil] as [UInt8?])
  func pages(filler: UInt8?) throws {
    var numbers = SplitMix64(seed: 7)
    var isSalted = 0
    for page in try 0..<pageCount() {
      let copy = try folder.afterPowerCut()
      let range = page * PageImage.pageSize..<(page + 1) * PageImage.pageSize
      var bytes = try Array(Data(contentsOf: URL(fileURLWithPath: copy.database)))
      for offset in range { bytes[offset] = filler ?? UInt8.random(in: 0...255, using: &numbers) }
      try Data(bytes).write(to: URL(fileURLWithPath: copy.database))
      let store = try recovered(copy)
      let comment: Comment = "page \(page + 1)"
      try check(store, comment)
      let after = try StoreInventory(store)
      // A page has at most about 140 rows.
      #expect(before.items.count - after.items.count <= 150, comment)
      isSalted += store.salt == salt ? 1 : 0
      #expect(try store.reserveRows(1)[0] > before.items.keys.max() ?? RowID(0), comment)
      let report = try #require(store.recovery)
      #expect(
        try Array(Data(contentsOf: URL(fileURLWithPath: report.folder + "/boards.db"))) == bytes)
    }
    // The salt, on which the ids of rows depend, is lost only with its own page.
    #expect(isSalted == (try pageCount()) - 1)
  }

  @Test("If a database was truncated, the rows before the cut remain", arguments: 0...9)
  func truncated(tenths: Int) throws {
    try damage { $0.removeLast($0.count - $0.count * tenths / 10) }
    let store = try recovered(folder)
    try check(store, "\(tenths)/10")
    let after = try StoreInventory(store)
    // Some bytes of each page are not rows.
    #expect(after.items.count >= before.items.count * max(0, tenths - 4) / 10)
  }

  @Test("A deleted board is recovered as deleted, beside a board with its name and path")
  func deletedBoard() throws {
    let small = try TemporaryFolder()
    let id: BoardNumber
    let rows: [RowID]
    let before: Snapshot
    do {
      let store = try small.open()
      var (one, board) = try store.makeBoard(named: "one")
      rows = try store.append(["a", "b"], to: &board, one)
      (id, before) = (one, board.snapshot())
      try store.deleteBoard(
        DeletedBoard(id: id, header: .usual("one"), time: 7, rowCount: 2, byteCount: 5))
      var (two, other) = try store.makeBoard(named: "one")
      _ = try store.append(["c"], to: &other, two)
      try store.commit()
    }
    // The first opening recovers, the second opens the new database.
    for isDamaged in [true, false] {
      if isDamaged { DamageNote.leave("a test", in: small.data) }
      let store = try small.open()
      #expect((store.recovery != nil) == isDamaged)
      #expect(try store.boards().map(\.header) == [.usual("one")])
      #expect(
        try store.deletedBoards() == [
          DeletedBoard(id: id, header: .usual("one"), time: 7, rowCount: 2, byteCount: 5)
        ])
      try store.commitAndPurge()
      #expect(try store.text(of: rows[1]) == "b")
      #expect(try store.board(id).snapshot().sections == before.sections)
      #expect(try store.makeBoard(named: "new").id.rawValue > 2)
      store.rollback()
    }
  }

  @Test("Rows are found by their digests after a recovery", arguments: [6, 70_000])
  func digests(byteCount: Int) throws {
    let small = try TemporaryFolder()
    let content = RowContent.bytes(largeBytes(1, count: byteCount)).digested
    var row = RowID(0)
    do {
      let store = try small.open()
      var (id, board) = try store.makeBoard(named: "one")
      row = try store.insert([content])[0]
      _ = try board.insert([row], at: IndexPath(section: 0, row: 0), maxRows: .max)
      try store.save(&board, as: id)
      try store.commit()
      let stored = try #require(try store.rowContent(of: row)?.digested.digest)
      #expect(try store.rows(withDigest: stored) == [row])
    }
    DamageNote.leave("a test", in: small.data)
    let store = try small.open()
    #expect(store.recovery != nil)
    let stored = try #require(try store.rowContent(of: row)?.digested.digest)
    #expect(try store.rows(withDigest: stored) == [row])
  }

  @Test(
    "If only a deleted board still has its settings, rows without a position get a new board")
  func onlyDeletedBoard() throws {
    let small = try TemporaryFolder()
    let rows: [RowID]
    do {
      let store = try small.open()
      var (id, board) = try store.makeBoard(named: "one")
      rows = try store.append(["a", "b"], to: &board, id)
      try store.deleteBoard(
        DeletedBoard(id: id, header: .usual("one"), time: 7, rowCount: 1, byteCount: 5))
      try store.commit()
      // The board loses its rows.
      try store.tables.transaction.database.execute("UPDATE block SET rows = zeroblob(8), next = 9")
    }
    DamageNote.leave("a test", in: small.data)
    let store = try small.open()
    #expect(try store.deletedBoards().map(\.rowCount) == [0])
    let boards = try store.boards()
    #expect(boards.count == 1)
    #expect(boards.first?.board.snapshot().sections.flatMap(\.rows) == rows)
  }

  @Test("Cells outside their page are reported as damage, not read as missing rows")
  func outside() throws {
    let small = try TemporaryFolder()
    let page: Int
    do {
      let store = try small.open()
      var (id, board) = try store.makeBoard(named: "default")
      _ = try store.append(["a", "b", "c"], to: &board, id)
      try store.commit()
      store.conclude()
      page = Int(
        try store.tables.transaction.database.integer(
          "SELECT rootpage FROM sqlite_schema WHERE name = 'block'"))
    }
    var bytes = try Array(Data(contentsOf: URL(fileURLWithPath: small.database)))
    let pointers = (page - 1) * PageImage.pageSize + 8
    for offset in 0..<2 { bytes[pointers + offset] = 0xFF }
    try Data(bytes).write(to: URL(fileURLWithPath: small.database))
    let store = try small.open()
    #expect(store.recovery != nil)
    #expect(try StoreInventory(store).items.count == 3)
  }

  @Test(
    "Pages that only the log has are recovered even if the database file is destroyed")
  func log() throws {
    let store = try folder.open()
    let found = try #require(try store.boards().first)
    var board = found.board
    let rows = try store.append(["in the log"], to: &board, found.id)
    try store.commit()
    let copy = try folder.afterPowerCut()
    try Data(repeating: 0x41, count: 10_000).write(to: URL(fileURLWithPath: copy.database))
    let again = try copy.open()
    #expect(again.recovery != nil)
    #expect(try again.text(of: rows[0]) == "in the log")
    let aside = try #require(again.recovery?.folder)
    #expect(FileManager.default.fileExists(atPath: aside + "/boards.db-wal"))
  }

  @Test(
    "An intact database that was reported as damaged is recovered completely"
  )
  func sound() throws {
    let (row, flags) = try changeFlags()
    let revisions = try folder.open().boards().map(\.board.revision)
    DamageNote.leave("", in: folder.data)
    let store = try folder.open()
    #expect(store.recovery?.damage == "there was a damage note without a reason")
    #expect(try StoreInventory(store) == before)
    for (board, revision) in zip(try store.boards(), revisions) {
      #expect(board.board.revision > revision)
      #expect(try store.steps(of: board.id).isEmpty)
      #expect(try store.firstLoggedRevision(of: board.id) == nil)
    }
    #expect(try store.boards()[0].board.flags(of: row) == flags)
    // A deleted row stays deleted.
    #expect(try store.summary(of: BoardStore.deletedRow) == nil)
  }

  /// Gives a row flags unlike those of a new row.
  private func changeFlags() throws -> (RowID, RowFlags?) {
    let store = try folder.open()
    let found = try #require(try store.boards().first)
    var board = found.board
    let row = try #require(board.row(at: IndexPath(section: 0, row: 0)))
    _ = try board.setFlags([.isMovable, .isPinned], to: true, of: row)
    _ = try board.setFlags(.isEditable, to: false, of: row)
    try store.save(&board, as: found.id)
    try store.commit()
    return (row, board.flags(of: row))
  }

  @Test("No number is reused, whichever counters are lost", arguments: 0..<8)
  func counters(lost: Int64) throws {
    let row: RowID
    let session, view: Range<UInt64>
    do {
      let store = try folder.open()
      // These rows are deleted, so that only the counter knows their numbers.
      row = try #require(try store.reserveRows(1_000).last)
      (session, view) = (try store.reserveSessionNumbers(), try store.reserveViewNumbers())
      try store.commit()
      for kind in [CounterTable.Counter.rows, .sessions, .views] where lost & kind.rawValue != 0 {
        try store.tables.transaction.database.execute(
          "DELETE FROM counter WHERE id = \(kind.rawValue)")
      }
    }
    DamageNote.leave("", in: folder.data)
    let store = try folder.open()
    #expect(store.recovery != nil)
    #expect(try store.reserveRows(1)[0] > row)
    #expect(try store.reserveSessionNumbers().lowerBound >= session.upperBound)
    #expect(try store.reserveViewNumbers().lowerBound >= view.upperBound)
  }

  @Test(
    "Contents without a row are moved aside too, and nothing in the directory is deleted")
  func contents() throws {
    let names = Set(folder.contentNames())
    try damage { bytes in for offset in bytes.indices.dropFirst(4096) { bytes[offset] = 0 } }
    let store = try recovered(folder)
    try store.commitAndPurge()
    let aside = try #require(store.recovery?.folder) + "/contents"
    let moved = try FileManager.default.contentsOfDirectory(atPath: aside)
    #expect(Set(moved).union(folder.contentNames()) == names)
  }
}

// MARK: Interruptions

extension RecoveryTests {
  @Test("A recovery that was interrupted before the new database was complete starts again")
  func unfinished() throws {
    let damaged = try Data(contentsOf: URL(fileURLWithPath: folder.database)).dropLast(4096)
    try damaged.write(to: URL(fileURLWithPath: folder.database))
    let aside = folder.data + "/damaged-2026-01-01T000000Z"
    try FileManager.default.createDirectory(atPath: aside, withIntermediateDirectories: false)
    try Data(repeating: 1, count: 5_000).write(to: URL(fileURLWithPath: aside + "/unfinished.db"))
    let store = try recovered(folder)
    try check(store, "")
    #expect(store.recovery?.folder != aside)
    #expect(!FileManager.default.fileExists(atPath: aside))
  }

  @Test("A recovery that was interrupted while files were moved continues", arguments: 0...3)
  func interrupted(moved: Int) throws {
    try damage { bytes in for offset in 0..<16 { bytes[offset] = 0 } }
    DamageNote.leave("note", in: folder.data)
    let finished = try folder.open()
    let (after, report) = (try StoreInventory(finished), try #require(finished.recovery))
    let copy = try folder.afterPowerCut()
    let aside = copy.data + "/" + URL(fileURLWithPath: report.folder).lastPathComponent
    // The interrupted state: the new database is beside the old one, some of whose files were
    // moved.
    try FileManager.default.moveItem(atPath: copy.database, toPath: aside + "/recovered.db")
    try? FileManager.default.moveItem(
      atPath: copy.data + "/boards.db-wal", toPath: aside + "/recovered.db-wal")
    for name in ["damaged", "boards.db"].dropFirst(moved) {
      try FileManager.default.moveItem(atPath: aside + "/" + name, toPath: copy.data + "/" + name)
    }
    let store = try copy.open()
    #expect(store.recovery == nil)
    #expect(try StoreInventory(store) == after)
    #expect(FileManager.default.fileExists(atPath: aside + "/boards.db"))
    #expect(FileManager.default.fileExists(atPath: aside + "/report.txt"))
  }
}

extension BoardStore {
  /// A row that `fillForDamage` deletes.
  static let deletedRow = RowID(5)

  /// Makes boards of every kind, over some hundred pages, and deletes some rows.
  fileprivate func fillForDamage() throws {
    var (id, board) = try makeBoard(named: "default")
    _ = try board.insertSection(named: "later", at: 1, maxSections: 9)
    let rows = try append((0..<1_200).map { "row \($0)" }, to: &board, id)
    try addLongRows(to: &board, id)
    var (other, second) = try makeBoard(named: "second")
    _ = try append((0..<700).map { "of the second \($0)" }, to: &second, other)
    try commit()
    _ = try indexSome(limit: 500)
    _ = try board.delete([rows[4]] + rows[200..<300])
    try save(&board, as: id)
    try history.save(
      StepInfo(number: 1, isUndone: false, byteCount: 9), [], keeping: [rows[7]], of: id)
    try history.log([1, 2, 3], 2...9, of: id)
    try commitAndPurge()
  }

  private func addLongRows(to board: inout Board, _ id: BoardNumber) throws {
    let rows = try reserveRows(24)
    for (index, row) in rows.enumerated() {
      let number = UInt8(index)
      var item = RowContent.bytes(largeBytes(number, count: [100, 6_000, 70_000][index % 3]))
      item.representations.append(.text("text of \(index)"))
      try put(item, of: row)
    }
    _ = try board.insert(rows, at: IndexPath(section: 1, row: 0), maxRows: .max)
    try save(&board, as: id)
  }
}

extension Database {
  /// Returns the text that a statement of one row and one column returns.
  fileprivate func text(_ sql: String) throws(SQLiteError) -> String? {
    try Statement(self, sql).first { $0.text(0) } ?? nil
  }
}
