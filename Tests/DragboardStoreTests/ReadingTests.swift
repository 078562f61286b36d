import BoardModel
import DragModel
import SQLite
import TestSupport
import Testing

@testable import DragboardStore

@Suite("Several reads in one transaction")
struct ReadingTests {
  private struct Failure: Error {}

  private func names(_ rows: [RowID], in store: BoardStore) throws -> [String?] {
    try rows.map { try store.text(of: $0) }
  }

  @Test("Reads see the same rows, and SQLite's transaction ends with them, also after an error")
  func reads() throws {
    let folder = try TemporaryFolder()
    let store = try folder.open()
    let database = store.tables.transaction.database
    let rows = try store.insert(["one", "two"])
    try store.commit()
    let texts = try store.reading {
      let texts = try names(rows, in: store)
      #expect(database.isInTransaction)
      return texts
    }
    #expect(texts == ["one", "two"])
    #expect(!database.isInTransaction)
    #expect(throws: Failure.self) { try store.reading { throw Failure() } }
    #expect(!database.isInTransaction)
    #expect(!store.hasUncommittedWrites)
    // Nothing holds the log back.
    store.conclude()
    #expect(try database.integer("PRAGMA wal_checkpoint") == 0)
  }

  @Test("A write among the reads is part of the next commit, or is rolled back")
  func writes() throws {
    let folder = try TemporaryFolder()
    let store = try folder.open()
    let first = try store.reading {
      _ = try store.summary(of: RowID(1))
      return try store.insert(["kept"])
    }
    #expect(store.hasUncommittedWrites)
    try store.commit()
    let second = try store.reading { try store.insert(["lost"]) }
    // These reads are in the transaction of the write.
    #expect(try store.reading { try names(second, in: store) } == ["lost"])
    store.rollback()
    #expect(try names(first + second, in: store) == ["kept", nil])
  }

  @Test("Reads within reads belong to the outer ones")
  func nested() throws {
    let folder = try TemporaryFolder()
    let store = try folder.open()
    let rows = try store.insert(["one"])
    try store.commit()
    let texts = try store.reading {
      let texts = try store.reading { try names(rows, in: store) }
      #expect(store.tables.transaction.database.isInTransaction)
      return texts
    }
    #expect(texts == ["one"])
    #expect(!store.tables.transaction.database.isInTransaction)
  }
}
