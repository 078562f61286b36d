/// A section of a snapshot: its name and its rows in order.
public struct SnapshotSection: Hashable, Sendable {
  /// The name of the section.
  public var name: String

  /// The rows in order.
  public var rows: [RowID]

  /// Creates a section.
  public init(name: String, rows: [RowID] = []) {
    self.name = name
    self.rows = rows
  }
}

/// The order of a board's rows at one revision, in plain arrays.
public struct Snapshot: Hashable, Sendable {
  /// The revision of the board.
  public var revision: UInt64

  /// The sections in order.
  public var sections: [SnapshotSection]

  /// Creates a snapshot.
  public init(revision: UInt64, sections: [SnapshotSection]) {
    self.revision = revision
    self.sections = sections
  }
}
