public import DragboardClient

/// What is known of a board's rows, asked for in pages as rows come into sight.
///
/// Pure: it says what to ask, and is told what came of it.
public struct RowCache: Sendable {
  /// Rows of a section that are asked for together.
  public struct Page: Hashable, Sendable {
    /// The index of the section.
    public let section: Int
    /// The index of the first row.
    public let first: Int
  }

  /// How many rows a page has.
  public static let pageSize = 64
  /// How many rows are remembered at most, once `forget(keeping:)` was called.
  public static let capacity = 4_096

  private var rows: [ItemID: RowFacts] = [:]
  /// The revision at which a row was changed; what is older is not taken.
  private var changed: [ItemID: UInt64] = [:]
  private var asked: Set<Page> = []

  /// Nothing is known.
  public init() {}

  /// What is known of a row.
  public subscript(item: ItemID) -> RowFacts? { rows[item] }

  /// The page to ask for so that the row there is known; nil where it has been asked for.
  public mutating func need(_ place: RowPosition) -> Page? {
    let page = Page(section: place.section, first: place.row / Self.pageSize * Self.pageSize)
    return asked.insert(page).inserted ? page : nil
  }

  /// Takes what was asked for; gives the rows of which something is new.
  public mutating func receive(
    _ found: [RowFacts], at revision: UInt64, for page: Page
  ) -> Set<ItemID> {
    asked.remove(page)
    var news: Set<ItemID> = []
    for row in found where changed[row.id] ?? 0 <= revision && rows[row.id] != row {
      rows[row.id] = row
      news.insert(row.id)
    }
    return news
  }

  /// What was asked for did not come; it can be asked for again.
  public mutating func fail(_ page: Page) { asked.remove(page) }

  /// The row was changed by the edit that led to `revision`: what is known of it is shown until something newer comes.
  public mutating func didChange(_ item: ItemID, at revision: UInt64) { changed[item] = revision }

  /// The daemon is another one: nothing that is known need be true.
  public mutating func removeAll() { self = RowCache() }

  /// Forgets rows, where there are too many, except those that are shown.
  public mutating func forget(keeping shown: Set<ItemID>) {
    guard rows.count > Self.capacity else { return }
    rows = rows.filter { shown.contains($0.key) }
    changed = changed.filter { shown.contains($0.key) }
  }
}
