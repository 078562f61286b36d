extension Board {
  /// Arranges the board or a section.
  ///
  /// Rows that are not in the arrangement are deleted, the others are moved. Sections are matched
  /// by name, and inserted, moved and deleted. The number of moves is minimal: a row that changes
  /// its section is moved once, and the longest series of rows that are in order is not moved. Rows
  /// that are not movable keep their section and their order. New sections are limited by
  /// `maxSections`.
  ///
  /// O(n log n) in the rows between the first and the last difference of each section, and one
  /// comparison of each other row.
  public mutating func apply(
    _ arrangement: Arrangement, maxSections: Int
  ) throws(ArrangementError) -> Revision? {
    switch arrangement.scope {
    case .board(let sections):
      do throws(BoardError) {
        return try apply(sections, maxSections: maxSections)
      } catch { throw .refused(error) }
    case .section(let section, let rows): return try apply(rows, toSection: section)
    }
  }

  private mutating func apply(
    _ wanted: [SnapshotSection], maxSections: Int
  ) throws(BoardError) -> Revision? {
    let names = wanted.map(\.name)
    let sections = SectionPlan(from: sectionNames, to: names)
    let tasks = sections.places.enumerated().map { index, place in
      RowPlan.Task(old: place.old, index: index, wanted: place.wanted.map { wanted[$0].rows } ?? [])
    }
    var rows = try RowPlan(
      for: tasks.sorted { ($0.old ?? .max, $0.index) < ($1.old ?? .max, $1.index) }, of: storage)
    let deletions = try rows.deletions()
    try rows.chooseStaying()
    guard wanted.count <= maxSections || Set(sectionNames).isSuperset(of: names) else {
      throw .limitExceeded(.sections, limit: maxSections)
    }
    return perform(ArrangementPlan(deletions: deletions, sections: sections, rows: rows))
  }

  private mutating func apply(
    _ wanted: [RowID], toSection section: Int
  ) throws(ArrangementError) -> Revision? {
    do throws(BoardError) { try checkSection(.section, section) } catch { throw .refused(error) }
    var rows = try plan(wanted, forSection: section)
    if let missing = rows.isWanted.firstIndex(of: false) {
      throw .rowMissing(rows.entries[missing].row, section: section)
    }
    do throws(BoardError) { try rows.chooseStaying() } catch { throw .refused(error) }
    return perform(ArrangementPlan(deletions: [], sections: nil, rows: rows))
  }

  private mutating func perform(_ plan: ArrangementPlan) -> Revision? {
    guard plan.changeCount > 0 else { return nil }
    return conclude(plan.perform(on: &storage, recording: &record))
  }

  private func plan(
    _ wanted: [RowID], forSection section: Int
  ) throws(ArrangementError) -> RowPlan {
    let task = RowPlan.Task(old: section, index: section, wanted: wanted)
    do throws(BoardError) {
      return try RowPlan(for: [task], of: storage)
    } catch {
      if case .noSuchRow(let row) = error, contains(row) {
        throw .rowElsewhere(row, section: section)
      }
      throw .refused(error)
    }
  }
}
