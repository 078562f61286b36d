/// The wanted order of a board or of one section.
///
/// An arrangement names each row and each section at most once; the initializers check this.
public struct Arrangement: Hashable, Sendable {
  enum Scope: Hashable, Sendable {
    /// All sections in order.
    ///
    /// Rows and sections that are not named are deleted.
    case board([SnapshotSection])

    /// One section by its index, with a new order of its rows.
    case section(Int, rows: [RowID])
  }

  let scope: Scope

  /// Creates an arrangement of the whole board: at least one section, each with its rows in order.
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

  /// Creates an arrangement of one section by its index: all of its rows in order.
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
