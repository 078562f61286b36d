/// How a board, or one section of it, is to be: which rows stand where.
///
/// What can be said without a board has been checked: no row and no section is named twice.
public struct Arrangement: Hashable, Sendable {
  /// What is arranged.
  enum Scope: Hashable, Sendable {
    /// All sections in order; rows and sections that are not named go.
    case board([SnapshotSection])

    /// One section, by its index, whose rows get another order.
    case section(Int, rows: [RowID])
  }

  let scope: Scope

  /// The whole board: sections, at least one, in order, each with its rows in order.
  ///
  /// O(rows).
  public init(_ sections: [SnapshotSection]) throws(ArrangementError) {
    guard !sections.isEmpty else { throw .noSections }
    var names: Set<String> = []
    for section in sections {
      do throws(NameFault) { _ = try Name(section.name) } catch { throw .invalidName(error) }
      guard names.insert(section.name).inserted else { throw .sectionTwice(section.name) }
    }
    try Self.checkDistinct(sections.lazy.map(\.rows))
    scope = .board(sections)
  }

  /// One section, by its index: its rows, all of them, in order.
  ///
  /// O(rows).
  public init(ofSection section: Int, rows: [RowID]) throws(ArrangementError) {
    try Self.checkDistinct(CollectionOfOne(rows))
    scope = .section(section, rows: rows)
  }

  private static func checkDistinct(_ lists: some Sequence<[RowID]>) throws(ArrangementError) {
    var seen = RowSet()
    for rows in lists {
      for row in rows {
        guard seen.insert(row) else { throw .rowTwice(row) }
      }
    }
  }
}
