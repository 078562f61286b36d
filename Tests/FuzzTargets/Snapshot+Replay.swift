public import BoardModel

/// Replays revisions on a snapshot, as a client does with its copy of a board.
///
/// Tests compare the result with the changes that the model reports.
extension Snapshot {
  /// Applies the changes of the next revision.
  ///
  /// - Throws: `SnapshotError`. After `doesNotFit` the sections are partly changed and the revision
  /// number is unchanged.
  ///
  /// - Complexity: O(rows of a section) for each change.
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

/// The reason why a revision does not apply to a snapshot.
public enum SnapshotError: Error, Hashable, Sendable {
  /// The revision does not follow the snapshot's revision.
  case doesNotFollow(from: UInt64, have: UInt64)

  /// The revision lists no changes.
  case reset

  /// The snapshot does not contain what the change refers to.
  case doesNotFit(Change)
}
