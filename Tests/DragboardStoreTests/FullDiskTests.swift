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
}
