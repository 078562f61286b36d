package import BoardModel
internal import SQLite

/// The keys of the table `block`.
///
/// A key contains the board and the block.
package enum BlockKey {
  /// Returns the key of one block.
  package static func of(_ block: BlockID, on board: BoardNumber) -> Int64 {
    board.rawValue << 32 | Int64(block.rawValue)
  }

  /// Returns the board of a key.
  package static func board(_ key: Int64) -> BoardNumber { BoardNumber(key >> 32) }

  /// Returns the lowest and the highest key that a block of the board can have.
  package static func range(of board: BoardNumber) -> (Int64, Int64) {
    (of(BlockID(.min), on: board), of(BlockID(.max), on: board))
  }
}

extension StoredBlock {
  /// Reads the columns `id, section, next, revision, rows`.
  init(_ row: ResultRow) {
    self.init(
      id: BlockID(UInt32(truncatingIfNeeded: row.integer(0))),
      section: SectionID(UInt32(truncatingIfNeeded: row.integer(1))),
      next: row.isNull(2) ? nil : BlockID(UInt32(truncatingIfNeeded: row.integer(2))),
      rows: [RowEntry](packed: row.bytes(4)))
  }
}

extension [RowEntry] {
  /// Unpacks the bytes of `withPackedBytes`.
  ///
  /// An incomplete entry at the end is ignored.
  package init(packed bytes: UnsafeRawBufferPointer) {
    let count = bytes.count / MemoryLayout<RowEntry>.stride
    self.init(unsafeUninitializedCapacity: count) { entries, initialized in
      let whole = bytes[..<(count * MemoryLayout<RowEntry>.stride)]
      UnsafeMutableRawBufferPointer(entries).copyMemory(
        from: UnsafeRawBufferPointer(rebasing: whole))
      initialized = count
    }
  }

  /// Passes the packed entries to a function.
  ///
  /// An entry has eight little-endian bytes.
  ///
  /// This is also the layout of entries in memory on every machine that Swift supports.
  package func withPackedBytes<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try withUnsafeBufferPointer { entries throws(Failure) in
      try body(UnsafeRawBufferPointer(entries))
    }
  }
}
