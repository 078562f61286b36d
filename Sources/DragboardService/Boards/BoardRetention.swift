import BoardModel
import DragboardStore

/// Cached data for the retention of a board's rows.
///
/// The data are read from the board and the store when they are needed.
struct BoardRetention {
  /// The maximum number of rows whose source is looked up to find the rows of a sandboxed client.
  private static let maxLookedUp = 1_000
  /// The maximum number of sandboxed clients in `rowsOfSources`, and of rows for each of them.
  private static let maxSources = 16
  private static let maxRemembered = 100_000

  /// The queue of rows; nil until it is needed, and after an edit that does not list its rows.
  private var queue: RetentionQueue?
  /// The oldest row at the latest look-up, and the time of its insertion.
  private var oldest: (row: RowID, created: UInt64)?
  /// The rows of each sandboxed client that needed a look-up, in ascending order.
  private var rowsOfSources: [String: [RowID]] = [:]

  /// Whether the queue must follow the edits of the board.
  var hasQueue: Bool { queue != nil }

  /// Updates the queue after an edit; `board` is the board after the edit.
  mutating func follow(_ revision: Revision, on board: Board) {
    if queue?.follow(revision, on: board) == false { queue = nil }
  }

  /// Records new rows of a sandboxed client.
  mutating func note(_ rows: [RowID], of source: String) {
    rowsOfSources[source]? += rows
    // Most rows of such a long list have been deleted. So the list is dropped, and the next look-up
    // finds the remaining rows.
    if (rowsOfSources[source]?.count ?? 0) > Self.maxRemembered { rowsOfSources[source] = nil }
  }

  /// Treats a row as if it were new, with the age of a new row that has the number `number`.
  mutating func renew(_ row: RowID, as number: RowID) {
    oldest = nil
    queue?.renew(row, as: number)
  }

  /// Returns up to `count` of the oldest rows that may be deleted.
  mutating func oldest(
    _ count: Int, on board: Board, in store: any StoreReading
  ) throws(StoreError) -> [RowID] {
    try withQueue(of: board, in: store) { $0.oldest(count, on: board) }
  }

  /// Returns up to `count` of the oldest rows that may be deleted and have this source.
  mutating func oldest(
    _ count: Int, of source: String, on board: Board, in store: any StoreReading
  ) throws(StoreError) -> [RowID] {
    if rowsOfSources[source] == nil {
      if rowsOfSources.count >= Self.maxSources { rowsOfSources = [:] }
      var rows: [RowID] = []
      let newest = try withQueue(of: board, in: store) { $0.newest(Self.maxLookedUp, on: board) }
      for row in newest {
        if try store.summary(of: row)?.source == source { rows.append(row) }
      }
      rowsOfSources[source] = rows.reversed()
    }
    rowsOfSources[source]?.removeAll { !board.contains($0) }
    return Array((rowsOfSources[source] ?? []).lazy.filter(board.isClearable).prefix(count))
  }

  /// Returns the oldest rows, up to the last row that was inserted at `time` or earlier.
  mutating func expired(
    at time: UInt64, on board: Board, in store: any StoreReading
  ) throws(StoreError) -> [RowID] {
    guard let created = try timeOfOldest(on: board, in: store), created <= time else { return [] }
    var queue = try takeQueue(of: board, in: store)
    defer { self.queue = queue }
    return try queue.expired(on: board) { (row) throws(StoreError) in
      try store.summary(of: row).map { $0.created <= time } ?? false
    }
  }

  /// Returns the insertion time of the oldest row that may be deleted; nil if there is none.
  mutating func timeOfOldest(
    on board: Board, in store: any StoreReading
  ) throws(StoreError) -> UInt64? {
    guard let row = try oldest(1, on: board, in: store).first else { return nil }
    if let oldest, oldest.row == row { return oldest.created }
    guard let created = try store.summary(of: row)?.created else { return nil }
    oldest = (row, created)
    return created
  }

  private mutating func withQueue<Result>(
    of board: Board, in store: any StoreReading, _ body: (inout RetentionQueue) -> Result
  ) throws(StoreError) -> Result {
    var queue = try takeQueue(of: board, in: store)
    defer { self.queue = queue }
    return body(&queue)
  }

  /// Removes the queue from the property, so that its array has only one owner.
  ///
  /// With two owners, each change would copy the array.
  private mutating func takeQueue(
    of board: Board, in store: any StoreReading
  ) throws(StoreError) -> RetentionQueue {
    defer { queue = nil }
    if let queue { return queue }
    return RetentionQueue(of: board, renewals: try store.renewals())
  }
}
