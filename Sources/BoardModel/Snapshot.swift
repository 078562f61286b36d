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

/// All of a board's order at one revision, in plain arrays: what a client keeps, and brings up to
/// date by applying revisions.
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

  /// Makes this the snapshot of the revision after it.
  ///
  /// A revision that does not follow on this one, or is a reset, leaves the snapshot as it is. One
  /// that follows and does not fit leaves it half changed, at its old revision: then it is to be
  /// read anew. Costs O(rows of a section) for each change.
  public mutating func apply(_ revision: Revision) throws(SnapshotError) {
    guard revision.from == self.revision else {
      throw .doesNotFollow(from: revision.from, have: self.revision)
    }
    guard revision.changes != [.reset] else { throw .reset }
    for change in revision.changes {
      try apply(change)
    }
    self.revision = revision.to
  }

  private mutating func apply(_ change: Change) throws(SnapshotError) {
    switch change {
    case .insert(let row, let path):
      try put(row, at: path, for: change)
    case .delete(let row, let path):
      try take(row, at: path, for: change)
    case .move(let row, let source, let destination):
      try take(row, at: source, for: change)
      try put(row, at: destination, for: change)
    case .reload(let row, let path):
      guard self[path] == row else { throw .doesNotFit(change) }
    default:
      try applyToSections(change)
    }
  }

  private mutating func applyToSections(_ change: Change) throws(SnapshotError) {
    switch change {
    case .insertSection(let name, let index) where 0...sections.count ~= index:
      sections.insert(SnapshotSection(name: name), at: index)
    case .deleteSection(let name, let index)
    where sections.indices ~= index && sections[index] == SnapshotSection(name: name):
      sections.remove(at: index)
    case .moveSection(let name, let source, let destination)
    where sections.indices ~= source && sections.indices ~= destination
      && sections[source].name == name:
      sections.insert(sections.remove(at: source), at: destination)
    case .renameSection(let name, let index) where sections.indices ~= index:
      sections[index].name = name
    default:
      throw .doesNotFit(change)
    }
  }

  private subscript(path: IndexPath) -> RowID? {
    guard sections.indices ~= path.section, sections[path.section].rows.indices ~= path.row else {
      return nil
    }
    return sections[path.section].rows[path.row]
  }

  private mutating func put(
    _ row: RowID, at path: IndexPath, for change: Change
  ) throws(SnapshotError) {
    guard sections.indices ~= path.section, 0...sections[path.section].rows.count ~= path.row else {
      throw .doesNotFit(change)
    }
    sections[path.section].rows.insert(row, at: path.row)
  }

  private mutating func take(
    _ row: RowID, at path: IndexPath, for change: Change
  ) throws(SnapshotError) {
    guard self[path] == row else { throw .doesNotFit(change) }
    sections[path.section].rows.remove(at: path.row)
  }
}

/// Why a revision could not be applied to a snapshot.
///
/// The remedy is the same for all: read the board again.
public enum SnapshotError: Error, Hashable, Sendable {
  /// The revision begins at another one than the snapshot is at.
  case doesNotFollow(from: UInt64, have: UInt64)

  /// The revision does not tell what has changed.
  case reset

  /// The snapshot does not have what this step of the revision speaks of.
  case doesNotFit(Change)
}
