extension Board {
  /// Applies an arrangement to the board or to a section.
  ///
  /// Rows that are not in the arrangement are deleted; the other rows are moved. Sections are
  /// matched by name, and are inserted, moved and deleted if necessary. The number of moves is
  /// minimal: a row that changes its section is moved once, and the longest series of rows that are
  /// in order is not moved. Rows that are not movable keep their section and their order. New
  /// sections are limited by `maxSections`.
  ///
  /// O(n log n) in the rows between the first and the last difference of each section, plus one
  /// comparison for each other row.
  public mutating func apply(
    _ arrangement: Arrangement, maxSections: Int
  ) throws(ArrangementError) -> Revision? {
    let plan: ArrangementPlan
    switch arrangement.scope {
    case .board(let sections):
      do throws(BoardError) {
        plan = try ArrangementPlan(sections, of: storage, maxSections: maxSections)
      } catch { throw .refused(error) }
    case .section(let section, let rows):
      do throws(BoardError) { try storage.checkSection(.section, section) } catch {
        throw .refused(error)
      }
      plan = try ArrangementPlan(rows, ofSection: section, of: storage)
    }
    guard plan.changeCount > 0 else { return nil }
    return conclude(plan.perform(on: &storage, recording: &record))
  }
}
