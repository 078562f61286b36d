/// A section of a snapshot: its name and its rows in order.
public struct SnapshotSection: Hashable, Sendable {
  /// What the section is called.
  public var name: String

  /// Its rows in order.
  public var rows: [RowID]

  /// Makes a section of those rows.
  public init(name: String, rows: [RowID] = []) {
    self.name = name
    self.rows = rows
  }
}

/// The order of a board's rows at one revision, in plain arrays.
public struct Snapshot: Hashable, Sendable {
  /// The revision that the board was at.
  public var revision: UInt64

  /// The sections in order.
  public var sections: [SnapshotSection]

  /// Makes a snapshot of those sections.
  public init(revision: UInt64, sections: [SnapshotSection]) {
    self.revision = revision
    self.sections = sections
  }
}
