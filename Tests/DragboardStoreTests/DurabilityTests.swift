import BoardModel
import DragboardRecovery
import Foundation
import SQLite
import TestSupport
import Testing

@testable import DragboardStore

@Suite("Durable commits and rollbacks")
struct DurabilityTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test("After a power cut exactly the committed edits remain")
  func powerCut() throws {
    let store = try folder.open()
    var (id, board) = try store.makeBoard(named: "one")
    let kept = try store.append(["kept"], to: &board, id)
    try store.commit()
    let committed = board.snapshot()
    let lost = try store.append(["lost"], to: &board, id)
    _ = try store.makeBoard(named: "two")
    #expect(store.hasUncommittedWrites)

    let found = try folder.afterPowerCut().open()
    #expect(try found.boards().map(\.header.name) == ["one"])
    #expect(try found.boards().first?.board.snapshot() == committed)
    #expect(try found.text(of: kept[0]) == "kept")
    #expect(try found.summary(of: lost[0]) == nil)
  }

  @Test("A killed process loses only its uncommitted edits")
  func killed() async throws {
    await #expect(processExitsWith: .signal(SIGKILL)) { [data = folder.data as String] in
      let store = try BoardStore.open(in: data)
      var (id, board) = try store.makeBoard(named: "one")
      _ = try store.append(["kept"], to: &board, id)
      try store.commit()
      _ = try store.append(["lost"], to: &board, id)
      kill(getpid(), SIGKILL)
    }
    let store = try folder.open()
    let found = try #require(try store.boards().first)
    #expect(found.board.count == 1)
    #expect(try store.text(of: RowID(1)) == "kept")
    #expect(try store.summary(of: RowID(2)) == nil)
  }

  @Test("A second process is refused while this process has the store open")
  func otherProcess() async throws {
    let store = try folder.open()
    await #expect(processExitsWith: .success) {
      [data = folder.data as String, owner = getpid() as Int32] in
      #expect(throws: StoreError.inUse(directory: data, owner: owner)) {
        try BoardStore.open(in: data)
      }
    }
    #expect(try store.boards().isEmpty)
  }

  @Test("A rollback restores the committed boards, contents and settings")
  func rollback() throws {
    let store = try folder.open()
    var (id, board) = try store.makeBoard(named: "one")
    let rows = try store.append(["a", "b"], to: &board, id)
    try store.commit()
    let before = board.snapshot()

    try store.rename(id, to: "other")
    try store.replaceContent(of: rows[0], with: .text("changed"))
    _ = try board.delete([rows[1]])
    try store.save(&board, as: id)
    _ = try store.purgeDiscarded(limit: 10)
    #expect(try store.summary(of: rows[1]) == nil)
    store.rollback()

    #expect(!store.hasUncommittedWrites)
    #expect(try store.boards().map(\.header.name) == ["one"])
    #expect(try store.boards().first?.board.snapshot() == before)
    #expect(try store.text(of: rows[0]) == "a")
    #expect(try store.text(of: rows[1]) == "b")
  }

  @Test("Neither reading nor committing nothing writes to the disk")
  func nothingToCommit() throws {
    let store = try folder.open()
    _ = try store.boards()
    _ = try store.summary(of: RowID(1))
    #expect(try !store.purgeDiscarded(limit: 100))
    #expect(!store.hasUncommittedWrites)
    let before = store.tables.transaction.database.totalChanges
    try store.commit()
    store.rollback()
    #expect(store.tables.transaction.database.totalChanges == before)
  }

  @Test("Every commit is synced before it returns")
  func settings() throws {
    let database = try folder.open().tables.transaction.database
    #expect(try database.integer("PRAGMA synchronous") == 2)
    var mode: String?
    try Statement(database, "PRAGMA journal_mode").forEach { mode = $0.text(0) }
    #expect(mode == "wal")
  }

  @Test("The log does not keep the size of the largest transaction")
  func logSize() throws {
    let store = try folder.open()
    let bytes = [UInt8](repeating: 1, count: 60_000)
    for row in 1...300 as ClosedRange<UInt64> {
      try store.put(.bytes(bytes), of: RowID(row))
    }
    try store.commit()
    #expect(try folder.files()["boards.db-wal"]?.count ?? 0 > 16 << 20)
    for row in 301...302 as ClosedRange<UInt64> {
      try store.put(.text("small"), of: RowID(row))
      try store.commit()
    }
    let size = try folder.files()["boards.db-wal"]?.count ?? 0
    #expect(size <= 4 << 20)
  }
}
