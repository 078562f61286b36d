/// Rows that are, or were, consecutive in a section.
struct RowRun: Hashable, Sendable {
  /// The path of the first row.
  let path: IndexPath

  /// The rows, at least one.
  private(set) var entries: [RowEntry]

  init(_ entries: [RowEntry], at path: IndexPath) {
    self.path = path
    self.entries = entries
  }

  /// Appends rows if they directly follow the run; returns whether they do.
  fileprivate mutating func extend(by more: some Collection<RowEntry>, at path: IndexPath) -> Bool {
    guard path.section == self.path.section, path.row == self.path.row + entries.count else {
      return false
    }
    entries += more
    return true
  }
}

extension [RowRun] {
  /// Appends rows that come after all others; extends the last run if they directly follow it.
  mutating func append(_ entries: some Collection<RowEntry>, at path: IndexPath) {
    guard !entries.isEmpty else { return }
    if let last = indices.last, self[last].extend(by: entries, at: path) { return }
    append(RowRun([RowEntry](entries), at: path))
  }

  var rowCount: Int { reduce(0) { $0 + $1.entries.count } }

  /// The deletions of the rows, the last first, so that no deletion shifts another row.
  var deletions: [Change] {
    reversed().flatMap { run in
      run.entries.indices.reversed().map { offset in
        .delete(
          run.entries[offset].row,
          at: IndexPath(section: run.path.section, row: run.path.row + offset))
      }
    }
  }
}
