/// An ordered list of rows in one or more sections: who stands where, and what may be done to whom.
///
/// A value. Every edit checks first and then changes; it gives the revision that it made, nil where
/// nothing has changed, and throws where it is refused. Of several faults the first counts, in the
/// order of `BoardError`'s cases but for what depends on other arguments.
///
/// One row is found, moved, inserted or deleted in a few microseconds at any size up to millions; a
/// row takes some 20 bytes. A copy of a board is cheap until one of the two is edited: that edit
/// pays O(rows).
public struct Board: Sendable {
  /// The number of edits so far, and one.
  public internal(set) var revision: UInt64

  var storage: RowStorage

  /// Makes a new board: revision 1, no rows, one section called `main`.
  public init() {
    self.init(blockCapacity: StoredBlock.mostRows)
  }

  /// Makes a new board whose blocks have at most that many rows, 2 or more.
  init(blockCapacity: Int) {
    revision = 1
    storage = RowStorage(capacity: blockCapacity)
    storage.insertSection(named: "main", at: 0)
    storage.recorded = UndoRecord()
  }

  /// Makes the board that was saved at that revision; the blocks come in any order.
  ///
  /// Refuses what is no board: blocks in a loop, of no section or missing, rows in two places.
  /// O(rows).
  public init(
    revision: UInt64, sections: [StoredSection], blocks: [StoredBlock]
  ) throws(BoardDamage) {
    try self.init(
      revision: revision, sections: sections, blocks: blocks, blockCapacity: StoredBlock.mostRows)
  }

  init(
    revision: UInt64, sections: [StoredSection], blocks: [StoredBlock], blockCapacity: Int
  ) throws(BoardDamage) {
    self.revision = revision
    storage = try RowStorage(capacity: blockCapacity, sections: sections, blocks: blocks)
  }

  /// What has to be written so that the stored board is this one: all that was touched since the
  /// last call.
  ///
  /// A new board is touched as a whole; one that was restored, not at all. An edit of one row
  /// touches at most five blocks.
  public mutating func takeUnsavedChanges() -> UnsavedChanges {
    storage.takeUnsavedChanges()
  }
}

// MARK: Reading

extension Board {
  /// How many rows all sections have.
  public var count: Int { storage.rowCount }

  /// How many sections there are, at least one.
  public var sectionCount: Int { storage.sections.count }

  /// The names of the sections in order.
  public var sectionNames: [String] { storage.sections.map(\.name) }

  /// How many rows the section has; nil where there is no such section.
  public func rowCount(inSection section: Int) -> Int? {
    storage.sections.indices ~= section ? storage.sections[section].rowCount : nil
  }

  /// Where the row stands; nil where it is not on the board.
  public func indexPath(of row: RowID) -> IndexPath? { storage.indexPath(of: row) }

  /// Whether the row is on the board.
  ///
  /// O(1).
  public func contains(_ row: RowID) -> Bool { storage.contains(row) }

  /// What may be done to the row; nil where it is not on the board.
  ///
  /// O(1).
  public func gates(of row: RowID) -> RowGates? { storage.entry(of: row)?.gates }

  /// The row that stands there; nil where nothing does.
  public func row(at path: IndexPath) -> RowID? {
    guard let count = rowCount(inSection: path.section), 0..<count ~= path.row else { return nil }
    return storage.entry(at: path).row
  }

  /// At most `count` rows of a section from `first` on, with their gates; none where there are
  /// none.
  public func rows(inSection section: Int, from first: Int, count: Int) -> [RowEntry] {
    let rowCount = rowCount(inSection: section) ?? 0
    guard 0..<rowCount ~= first, count > 0 else { return [] }
    return storage.entries(inSection: section, first..<first + min(count, rowCount - first))
  }

  /// All of the board's order.
  ///
  /// O(rows).
  public func snapshot() -> Snapshot {
    let sections = storage.sections.indices.map { index in
      SnapshotSection(name: storage.sections[index].name, rows: rows(ofSection: index))
    }
    return Snapshot(revision: revision, sections: sections)
  }

  /// The rows of a section, which is there.
  func rows(ofSection section: Int) -> [RowID] {
    var rows: [RowID] = []
    rows.reserveCapacity(storage.sections[section].rowCount)
    storage.forEachRun(inSection: section) { rows.append(contentsOf: $0.lazy.map(\.row)) }
    return rows
  }
}
