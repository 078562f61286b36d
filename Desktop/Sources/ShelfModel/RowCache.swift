public import DragboardClient

/// A cache of a board's rows, which are requested in pages when they become visible.
///
/// The type is a pure value: it returns the requests, and the caller reports the results.
public struct RowCache: Sendable {
  /// Rows of a section that one request reads.
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
  /// The revision of the latest known change of each row.
  ///
  /// Results of requests at earlier revisions are ignored.
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

  /// Stores the result of a request.
  ///
  /// - Returns: the rows whose facts have changed.
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

  /// Records a failed request, so that it can be repeated.
  public mutating func fail(_ page: Page) { asked.remove(page) }

  /// Records that the edit of `revision` changed a row.
  ///
  /// The cached facts remain until newer facts arrive.
  public mutating func didChange(_ item: ItemID, at revision: UInt64) { changed[item] = revision }

  /// Clears the cache.
  ///
  /// After a restart of the daemon, the cached facts may be wrong.
  public mutating func removeAll() { self = RowCache() }

  /// If the cache has too many rows, removes the rows that are not visible.
  public mutating func forget(keeping shown: Set<ItemID>) {
    guard rows.count > Self.capacity else { return }
    rows = rows.filter { shown.contains($0.key) }
    changed = changed.filter { shown.contains($0.key) }
  }
}
