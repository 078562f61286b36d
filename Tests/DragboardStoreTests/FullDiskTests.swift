import BoardModel
import DragboardRecovery
import Files
import Foundation
import SQLite
import TestSupport
import Testing

@testable import DragboardStore

@Suite(
  "Large contents on a full disk",
  .enabled(if: SmallDisk.isPossible, "this process may not mount a file system"))
struct FullDiskTests {
  let disk: SmallDisk
  let store: BoardStore

  init() throws {
    disk = try SmallDisk()
    store = try BoardStore.open(in: disk.path + "/data")
    try store.put(.bytes(largeBytes(1)), of: RowID(1))
    try store.commit()
  }

  private func code(of error: StoreError?) -> Int32? {
    if case .file(let failure)? = error { failure.code } else { nil }
  }

  @Test("If a content does not fit, its writer reports it, and the space is free again")
  func append() throws {
    try whileNothingStarts {
      let writer = try store.contents.makeWriter()
      let piece = [UInt8](repeating: 2, count: 300_000)
      let error = #expect(throws: StoreError.self) { while true { try writer.append(piece) } }
      #expect(code(of: error) == ENOSPC)
      #expect(writer.byteCount % piece.count == 0)
    }
    try store.put(.bytes(largeBytes(2, count: 600_000)), of: RowID(2))
    try store.commit()
    #expect(try store.data(of: RowID(1), at: 0) == largeBytes(1))
    #expect(try store.data(of: RowID(2), at: 0) == largeBytes(2, count: 600_000))
  }

  @Test("If an item does not fit, it is refused, and the other items of the transaction remain")
  func insert() throws {
    try store.put(.text("kept"), of: RowID(2))
    whileNothingStarts {
      let error = #expect(throws: StoreError.self) {
        try store.put(.bytes(largeBytes(3, count: 3_000_000)), of: RowID(3))
      }
      #expect(code(of: error) == ENOSPC)
    }
    try store.commitAndPurge()
    #expect(try store.text(of: RowID(2)) == "kept")
    #expect(try store.summary(of: RowID(3)) == nil)
  }

  @Test("If a read ends the transaction, nothing is written until the rollback")
  func read() throws {
    let text = String(repeating: "x", count: 3_000)
    let rows = (100..<200).map { RowID($0) }
    for row in rows { try store.put(.text(text), of: row) }
    try store.commit()
    try store.tables.transaction.database.emptyLog()
    // With a small page cache, some read must first write dirty pages to the disk, which is full by
    // then.
    try store.tables.transaction.database.execute("PRAGMA cache_size = 100")
    var refused = 0
    for count in 90..<150 as Range<UInt64> {
      try whileNothingStarts {
        for row in 200..<200 + count { try store.put(.text(text), of: RowID(row)) }
        disk.fill()
        var refusal: StoreError?
        do throws(StoreError) {
          for row in rows { _ = try store.text(of: row) }
        } catch { refusal = error }
        disk.makeRoom()
        guard let refusal else { return store.rollback() }
        refused += 1
        #expect(throws: refusal) { try store.put(.text("later"), of: RowID(1_000)) }
        #expect(throws: refusal) { try store.commit() }
        #expect(try store.summary(of: RowID(200)) == nil)
        #expect(try store.summary(of: RowID(1_000)) == nil)
      }
      try store.tables.transaction.database.emptyLog()
    }
    #expect(refused > 0)
    try store.put(.text("kept"), of: RowID(1_001))
    try store.commit()
    #expect(try store.text(of: RowID(1_001)) == "kept")
    #expect(try rows.allSatisfy { try store.text(of: $0) == text })
  }
}
