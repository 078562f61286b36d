import BoardModel
import Testing

/// Returns rows with these numbers.
func rows(_ numbers: UInt64...) -> [RowID] { numbers.map(RowID.init) }

/// Returns rows whose numbers are in the range.
func rows(_ numbers: Range<UInt64>) -> [RowID] { numbers.map(RowID.init) }

/// Returns an index path.
func at(_ section: Int, _ row: Int) -> IndexPath { IndexPath(section: section, row: row) }

extension Board {
  /// Creates a board whose sections `main`, `s1`, `s2`… contain these rows.
  init(_ sections: [RowID]...) throws {
    self.init()
    for (index, rows) in sections.enumerated() {
      if index > 0 { _ = try insertSection(named: "s\(index)", at: nil, maxSections: .max) }
      _ = try insert(rows, at: at(index, 0), maxRows: .max)
    }
  }

  /// The rows of every section.
  var order: [[RowID]] { snapshot().sections.map(\.rows) }

  /// Returns the step that undoes the latest edit.
  ///
  /// The latest edit must exist, and its step must not have been taken before.
  mutating func latestStep() throws -> UndoStep {
    let step = takeUndoStep()
    return try #require(step)
  }
}
