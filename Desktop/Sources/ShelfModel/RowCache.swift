public import DragboardClient

/// A cache of a board's rows, which are requested in pages as they become visible.
///
/// Pure: it returns the requests, and the caller reports the results.
public struct RowCache: Sendable {
  /// Rows of a section that are requested together.
  public struct Page: Hashable, Sendable {
    /// The index of the section.
    public let section: Int
    /// The index of the first row.
    public let first: Int
  }

  /// The number of rows in a page.
  public static let pageSize = 64
  /// The maximum number of cached rows after `forget(keeping:)`.
  public static let capacity = 4_096

  private var rows: [ItemID: RowFacts] = [:]
  /// The revision at which each row was changed; older results are ignored.
  private var changed: [ItemID: UInt64] = [:]
  private var asked: Set<Page> = []

  /// Creates an empty cache.
  public init() {}

  /// Returns the cached facts of a row.
  public subscript(item: ItemID) -> RowFacts? { rows[item] }

  /// Returns the page to request for the row at a position; nil if it was already requested.
  public mutating func need(_ place: RowPosition) -> Page? {
    let page = Page(section: place.section, first: place.row / Self.pageSize * Self.pageSize)
    return asked.insert(page).inserted ? page : nil
  }

  /// Stores the result of a request; returns the changed rows.
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

  /// Handles a failed request, which can be repeated.
  public mutating func fail(_ page: Page) { asked.remove(page) }

  /// Handles a change of a row by the edit of `revision`: the cached facts are shown until newer
  /// ones arrive.
  public mutating func didChange(_ item: ItemID, at revision: UInt64) { changed[item] = revision }

  /// Clears the cache: a new daemon makes everything in it unreliable.
  public mutating func removeAll() { self = RowCache() }

  /// Removes rows if there are too many, except visible ones.
  public mutating func forget(keeping shown: Set<ItemID>) {
    guard rows.count > Self.capacity else { return }
    rows = rows.filter { shown.contains($0.key) }
    changed = changed.filter { shown.contains($0.key) }
  }
}
