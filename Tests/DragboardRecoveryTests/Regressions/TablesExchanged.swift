import BoardModel
import Foundation
import SQLite
import TestSupport
import Testing

@testable import DragboardRecovery
@testable import DragboardStore

/// A database in which the roots of two tables were exchanged opened as an empty board, and so did
/// a database that had lost blocks.
@Suite("Regression: tables were taken for other tables")
struct TablesExchanged {
  /// The rows in the tables.
  enum Sample: CaseIterable {
    /// A single row.
    case small
    /// Rows in every table.
    case full

    func fill(_ store: BoardStore) throws {
      var (id, board) = try store.makeBoard(named: "default")
      _ = try store.append(["milk"], to: &board, id)
      guard case .full = self else { return try store.commit() }
      let rows = try store.append((0..<40).map { "row \($0)" }, to: &board, id)
      try store.replaceContent(of: rows[0], with: .bytes(largeBytes(1)))
      try store.indexAll()
      _ = try board.delete([rows[1]])
      try store.history.save(
        StepInfo(number: 1, isUndone: false, byteCount: 9), [], keeping: [rows[2]], of: id)
      try store.save(&board, as: id)
      try store.history.log([1], 2...board.revision, rowCount: board.count, of: id)
      var (other, second) = try store.makeBoard(named: "second")
      _ = try store.append(["bread"], to: &second, other)
      try store.commit()
    }
  }

  /// The way in which two roots are exchanged.
  enum Way: CaseIterable {
    /// The schema names the wrong page.
    case schema
    /// The pages are exchanged.
    case pages
  }

  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func fill(_ sample: Sample) throws -> StoreInventory {
    let store = try folder.open()
    try sample.fill(store)
    store.conclude()
    return try StoreInventory(store)
  }

  private func roots() throws -> [(name: String, page: Int)] {
    let database = try Database(path: folder.database, holding: StoreLock(directory: folder.path))
    var roots: [(name: String, page: Int)] = []
    try Statement(database, "SELECT name, rootpage FROM sqlite_schema WHERE rootpage > 0")
      .forEach { roots.append(($0.text(0) ?? "", Int($0.integer(1)))) }
    return roots
  }

  private func exchange(_ one: Int, _ other: Int, _ way: Way, in copy: TemporaryFolder) throws {
    switch way {
    case .schema:
      let database = try Database(path: copy.database, holding: StoreLock(directory: copy.path))
      try database.execute(
        """
        PRAGMA writable_schema = ON;
        UPDATE sqlite_schema SET rootpage = \(one + other) - rootpage
          WHERE rootpage IN (\(one), \(other))
        """)
    case .pages:
      var bytes = try Data(contentsOf: URL(fileURLWithPath: copy.database))
      let size = PageImage.pageSize
      let ranges = [one, other].map { ($0 - 1) * size..<$0 * size }
      let pages = ranges.map { Data(bytes[$0]) }
      bytes.replaceSubrange(ranges[0], with: pages[1])
      bytes.replaceSubrange(ranges[1], with: pages[0])
      try bytes.write(to: URL(fileURLWithPath: copy.database))
    }
  }

  @Test(
    "Whichever two roots are exchanged, all rows remain, or the damage is reported",
    arguments: [(Sample.full, Way.schema), (.full, .pages), (.small, .pages)])
  func roots(sample: Sample, way: Way) throws {
    let before = try fill(sample)
    let roots = try roots()
    #expect(roots.count >= 16)
    for (index, one) in roots.enumerated() {
      for other in roots[(index + 1)...] {
        let copy = try folder.afterPowerCut()
        try exchange(one.page, other.page, way, in: copy)
        let comment: Comment = "\(one.name) and \(other.name)"
        do {
          let store = try copy.open()
          // The daemon does this when it is idle.
          _ = try? store.commitAndPurge()
          let after = try StoreInventory(store)
          #expect(after == before || store.recovery != nil, comment)
          #expect(after.items.count == before.items.count, comment)
        }
        #expect(copy.contentNames() == folder.contentNames(), comment)
      }
    }
  }

  @Test("A board whose blocks are missing or outdated is recovered")
  func staleBlocks() throws {
    let before = try fill(.full)
    let database = try Data(contentsOf: URL(fileURLWithPath: folder.database))
    let page = try #require(try roots().first { $0.name == "block" }?.page)
    let range = (page - 1) * PageImage.pageSize..<page * PageImage.pageSize
    do {
      let store = try folder.open()
      let stored = try #require(try store.boards().first)
      var board = stored.board
      _ = try store.append(["later"], to: &board, stored.id)
      try store.history.log(
        [1], board.revision...board.revision, rowCount: board.count, of: stored.id)
      try store.commit()
      store.conclude()
    }
    var stale = try Data(contentsOf: URL(fileURLWithPath: folder.database))
    stale.replaceSubrange(range, with: database[range])
    try stale.write(to: URL(fileURLWithPath: folder.database))
    let store = try folder.open()
    let report = try #require(store.recovery)
    #expect("\(report)".contains("its log has 41 rows at"), "\(report)")
    #expect(try StoreInventory(store).items.count == before.items.count)
  }

  @Test(
    "A board that has lost its name or some of its rows is recovered",
    arguments: [
      ("DELETE FROM board WHERE id = 1", "has rows but no name"),
      ("UPDATE block SET rows = substr(rows, 9) WHERE id >> 32 = 1", "its log has 40 rows at"),
    ])
  func lost(sql: String, message: String) throws {
    let before = try fill(.full)
    do {
      let lock = try StoreLock(directory: folder.path)
      try Database(path: folder.database, holding: lock).execute(sql)
    }
    let store = try folder.open()
    let report = try #require(store.recovery)
    #expect("\(report)".contains(message), "\(report)")
    #expect(try StoreInventory(store).items.count >= before.items.count - 1)
  }
}
