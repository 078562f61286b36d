import BoardModel
import Foundation
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
    store = try BoardStore(directory: disk.path + "/data")
    try store.insert(RowID(1), .bytes(largeBytes(1)))
    try store.commit()
  }

  private func code(of error: StoreError?) -> Int32? {
    if case .file(let failure)? = error { failure.code } else { nil }
  }

  @Test("A content that does not fit tells so, and the room that it took is free again")
  func append() throws {
    try whileNothingStarts {
      let writer = try store.contents.makeWriter()
      let piece = [UInt8](repeating: 2, count: 300_000)
      let error = #expect(throws: StoreError.self) { while true { try writer.append(piece) } }
      #expect(code(of: error) == ENOSPC)
      #expect(writer.byteCount % piece.count == 0)
    }
    try store.insert(RowID(2), .bytes(largeBytes(2, count: 600_000)))
    try store.commit()
    #expect(try store.data(of: RowID(1), at: 0) == largeBytes(1))
    #expect(try store.data(of: RowID(2), at: 0) == largeBytes(2, count: 600_000))
  }

  @Test("An item that does not fit is refused, and the others of the transaction are kept")
  func insert() throws {
    try store.insert(RowID(2), .text("kept"))
    whileNothingStarts {
      let error = #expect(throws: StoreError.self) {
        try store.insert(RowID(3), .bytes(largeBytes(3, count: 3_000_000)))
      }
      #expect(code(of: error) == ENOSPC)
    }
    try store.commitAndPurge()
    #expect(try store.text(of: RowID(2)) == "kept")
    #expect(try store.item(RowID(3)) == nil)
  }

  @Test("Where a read ends the transaction nothing is written after it, until it is taken back")
  func read() throws {
    let text = String(repeating: "x", count: 3_000)
    let rows = (100..<200).map { RowID($0) }
    for row in rows { try store.insert(row, .text(text)) }
    try store.commit()
    try store.database.emptyLog()
    // With little memory for pages some read needs what is taken by pages that are not on the disk yet, after as many of them as fit.
    try store.database.execute("PRAGMA cache_size = 100")
    var refused = 0
    for count in 90..<150 as Range<UInt64> {
      try whileNothingStarts {
        for row in 200..<200 + count { try store.insert(RowID(row), .text(text)) }
        disk.fill()
        var refusal: StoreError?
        do throws(StoreError) {
          for row in rows { _ = try store.text(of: row) }
        } catch { refusal = error }
        disk.makeRoom()
        guard let refusal else { return store.rollback() }
        refused += 1
        #expect(throws: refusal) { try store.insert(RowID(1_000), .text("later")) }
        #expect(throws: refusal) { try store.commit() }
        #expect(try store.item(RowID(200)) == nil)
        #expect(try store.item(RowID(1_000)) == nil)
      }
      try store.database.emptyLog()
    }
    #expect(refused > 0)
    try store.insert(RowID(1_001), .text("kept"))
    try store.commit()
    #expect(try store.text(of: RowID(1_001)) == "kept")
    #expect(try rows.allSatisfy { try store.text(of: $0) == text })
  }
}
