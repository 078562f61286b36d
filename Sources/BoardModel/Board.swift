/// An ordered list of rows in one or more sections: row positions and flags.
///
/// Every edit checks its arguments before it changes anything. It returns the new revision, or nil
/// if nothing has changed, and throws if it is refused. If several arguments are wrong, the error
/// is the first one in the order of the cases of `BoardError`. An argument whose valid values
/// depend on other arguments is checked after them.
///
/// An edit or a look-up of one row takes a few microseconds at any size up to millions; a row takes
/// about 20 bytes. Copying a board is cheap; the first edit of one of the two copies is O(rows).
public struct Board: Sendable {
  /// The number of edits so far, plus one.
  public internal(set) var revision: UInt64

  var storage: RowStorage

  /// The operations that undo the latest edit.
  var record = UndoRecord()

  /// Creates a board: revision 1, no rows, one section called `main`.
  public init() {
    self.init(blockCapacity: StoredBlock.maxRows)
  }

  /// Creates a board with blocks of at most `blockCapacity` rows, 2 or more.
  init(blockCapacity: Int) {
    revision = 1
    storage = RowStorage(capacity: blockCapacity)
    storage.insertSection(named: "main", at: 0)
  }

  /// Restores a board that was saved at this revision; the blocks may be in any order.
  ///
  /// Throws if a block is missing, in a loop or without a section, or if a row has two positions.
  /// O(rows).
  public init(
    revision: UInt64, sections: [StoredSection], blocks: [StoredBlock]
  ) throws(BoardDamage) {
    try self.init(
      revision: revision, sections: sections, blocks: blocks, blockCapacity: StoredBlock.maxRows)
  }

  init(
    revision: UInt64, sections: [StoredSection], blocks: [StoredBlock], blockCapacity: Int
  ) throws(BoardDamage) {
    self.revision = revision
    storage = try RowStorage(capacity: blockCapacity, sections: sections, blocks: blocks)
  }

  /// Returns the changes since the last call, for the store.
  ///
  /// A new board is returned as a whole; a restored board has no changes. An edit of one row
  /// changes at most five blocks.
  public mutating func takeUnsavedChanges() -> UnsavedChanges {
    storage.takeUnsavedChanges()
  }

  /// Ends an edit, and returns its revision; nil changes mean a reset.
  mutating func conclude(_ changes: [Change]?) -> Revision {
    record.complete()
    let made = Revision(from: revision, changes: changes ?? [.reset])
    revision = made.to
    return made
  }
}

// MARK: Reading

extension Board {
  /// The number of rows of all sections.
  public var count: Int { storage.rowCount }

  /// The number of sections, at least one.
  public var sectionCount: Int { storage.sections.count }

  /// The names of the sections in order.
  public var sectionNames: [String] { storage.sections.map(\.name) }

  /// Returns the number of rows of a section; nil if there is no such section.
  public func rowCount(inSection section: Int) -> Int? { storage.rowCount(inSection: section) }

  /// Returns the path of a row; nil if it is not on the board.
  public func indexPath(of row: RowID) -> IndexPath? { storage.indexPath(of: row) }

  /// Returns whether the row is on the board.
  ///
  /// O(1).
  public func contains(_ row: RowID) -> Bool { storage.contains(row) }

  /// Returns the flags of a row; nil if it is not on the board.
  ///
  /// O(1).
  public func flags(of row: RowID) -> RowFlags? { storage.entry(of: row)?.flags }

  /// Returns the row at a path; nil if there is none.
  public func row(at path: IndexPath) -> RowID? { storage.row(at: path) }

  /// Returns at most `count` rows of a section from `first` on, with their flags.
  public func rows(inSection section: Int, from first: Int, count: Int) -> [RowEntry] {
    let rowCount = rowCount(inSection: section) ?? 0
    guard 0..<rowCount ~= first, count > 0 else { return [] }
    return storage.entries(inSection: section, first..<first + min(count, rowCount - first))
  }

  /// Returns at most `count` rows from an index in the order of the whole board on.
  public func rows(from first: Int, count: Int) -> [RowID] {
    var (rows, skipped) = ([RowID](), first)
    for section in 0..<sectionCount where rows.count < count {
      let rowCount = storage.sections[section].rowCount
      rows += self.rows(inSection: section, from: skipped, count: count - rows.count).map(\.row)
      skipped = max(0, skipped - rowCount)
    }
    return rows
  }

  /// Returns at most `count` rows with the highest numbers, the highest first.
  ///
  /// A new row has a higher number than all older rows. O(rows / 64 + `count`), if the numbers are
  /// almost consecutive.
  public func newestRows(_ count: Int) -> [RowID] { storage.index.newest(count) }

  /// Returns the order of all rows.
  ///
  /// O(rows).
  public func snapshot() -> Snapshot {
    let sections = storage.sections.indices.map { index in
      SnapshotSection(name: storage.sections[index].name, rows: rows(ofSection: index))
    }
    return Snapshot(revision: revision, sections: sections)
  }

  /// Returns the rows of a section, which must exist.
  func rows(ofSection section: Int) -> [RowID] {
    var rows: [RowID] = []
    rows.reserveCapacity(storage.sections[section].rowCount)
    for run in storage.runs(ofSection: section) { rows.append(contentsOf: run.lazy.map(\.row)) }
    return rows
  }
}
