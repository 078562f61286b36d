/// Rows that stand, or stood, one behind the other in a section.
struct RowRun: Hashable, Sendable {
  /// Where the first of them stands.
  let path: IndexPath

  /// The rows, at least one.
  private(set) var entries: [RowEntry]

  /// Makes the run that begins there.
  init(_ entries: [RowEntry], at path: IndexPath) {
    self.path = path
    self.entries = entries
  }

  /// Adds rows that stand there, where that is right behind the run; tells whether it is.
  fileprivate mutating func extend(by more: some Collection<RowEntry>, at path: IndexPath) -> Bool {
    guard path.section == self.path.section, path.row == self.path.row + entries.count else {
      return false
    }
    entries += more
    return true
  }
}

extension [RowRun] {
  /// Adds rows that stand there, behind all others: to the last run, where they follow on it.
  mutating func append(_ entries: some Collection<RowEntry>, at path: IndexPath) {
    guard !entries.isEmpty else { return }
    if let last = indices.last, self[last].extend(by: entries, at: path) { return }
    append(RowRun([RowEntry](entries), at: path))
  }

  /// How many rows all of them have.
  var rowCount: Int { reduce(0) { $0 + $1.entries.count } }

  /// The deletes of the rows, the last first, so that none shifts another.
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
