import BoardModel
import Testing

/// Rows by number, for short tests.
func rows(_ numbers: UInt64...) -> [RowID] { numbers.map(RowID.init) }

/// Rows by a range of numbers.
func rows(_ numbers: Range<UInt64>) -> [RowID] { numbers.map(RowID.init) }

/// A path, as short as can be.
func at(_ section: Int, _ row: Int) -> IndexPath { IndexPath(section: section, row: row) }

extension Board {
  /// A board whose sections, `main`, `s1`, `s2`…, hold those rows.
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
  /// It must exist, and must not have been requested.
  mutating func latestStep() throws -> UndoStep {
    let step = takeUndoStep()
    return try #require(step)
  }
}
