import BoardModel
import DragboardStore

/// Cached data for the retention of a board's rows.
///
/// The data are read from the board and the store when they are needed.
struct BoardRetention {
  /// The queue of rows; nil until it is needed, and after an edit that does not list its rows.
  private var queue: RetentionQueue?
  /// The rows that use shares of sandboxes; nil until they are needed, and after an edit that may
  /// have restored some.
  private var sandboxed: SandboxRows?
  /// The oldest row at the latest look-up, and the time of its insertion.
  private var oldest: (row: RowID, created: UInt64)?

  /// Whether the data must follow the edits of the board.
  var mustFollow: Bool { queue != nil || sandboxed != nil }

  /// Updates the data after an edit; `board` is the board after the edit.
  mutating func follow(_ revision: Revision, on board: Board) {
    if queue?.follow(revision, on: board) == false { queue = nil }
    if sandboxed?.follow(revision) == false { sandboxed = nil }
  }

  /// Forgets which rows use shares of sandboxes, because an edit has restored rows.
  mutating func didRestoreRows() { sandboxed = nil }

  /// Treats a row as if it were new, with the age of a new row that has the number `number`.
  mutating func renew(_ row: RowID, as number: RowID) {
    oldest = nil
    queue?.renew(row, as: number)
    sandboxed?.renew(row, as: number)
  }

  // MARK: Sandboxes

  /// Records new rows of a sandbox.
  mutating func note(_ rows: [RowID], of sandbox: String) { sandboxed?.add(rows, of: sandbox) }

  /// Returns the number of rows that a sandbox has on the board.
  mutating func count(
    of sandbox: String, on board: Board, in store: BoardStore
  ) throws(StoreError) -> Int {
    try withSandboxed(of: board, in: store) { $0.count(of: sandbox) }
  }

  /// Returns up to `count` of the oldest rows of a sandbox that may be deleted.
  mutating func oldest(
    _ count: Int, of sandbox: String, on board: Board, in store: BoardStore
  ) throws(StoreError) -> [RowID] {
    try withSandboxed(of: board, in: store) { $0.oldest(count, of: sandbox, on: board) }
  }

  /// Returns the rows of all sandboxes beyond their shares: their number, and those of them that may
  /// be deleted.
  mutating func surplus(
    beyond share: Int, on board: Board, in store: BoardStore
  ) throws(StoreError) -> (count: Int, deletable: [RowID]) {
    try withSandboxed(of: board, in: store) { $0.surplus(beyond: share, on: board) }
  }

  private mutating func withSandboxed<Result>(
    of board: Board, in store: BoardStore, _ body: (inout SandboxRows) -> Result
  ) throws(StoreError) -> Result {
    // The property is empty meanwhile, so that the rows have only one owner and are not copied.
    var rows: SandboxRows
    if let known = sandboxed {
      rows = known
    } else {
      rows = SandboxRows(try store.rowsBySandbox(), renewals: try store.renewals(), on: board)
    }
    sandboxed = nil
    defer { sandboxed = rows }
    return body(&rows)
  }

  // MARK: All rows

  /// Returns up to `count` of the oldest rows that may be deleted.
  mutating func oldest(
    _ count: Int, on board: Board, in store: BoardStore
  ) throws(StoreError) -> [RowID] {
    try withQueue(of: board, in: store) { $0.oldest(count, on: board) }
  }

  /// Returns the oldest rows, up to the last row that was inserted at `time` or earlier.
  mutating func expired(
    at time: UInt64, on board: Board, in store: BoardStore
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
    on board: Board, in store: BoardStore
  ) throws(StoreError) -> UInt64? {
    guard let row = try oldest(1, on: board, in: store).first else { return nil }
    if let oldest, oldest.row == row { return oldest.created }
    guard let created = try store.summary(of: row)?.created else { return nil }
    oldest = (row, created)
    return created
  }

  private mutating func withQueue<Result>(
    of board: Board, in store: BoardStore, _ body: (inout RetentionQueue) -> Result
  ) throws(StoreError) -> Result {
    var queue = try takeQueue(of: board, in: store)
    defer { self.queue = queue }
    return body(&queue)
  }

  /// Removes the queue from the property, so that its array has only one owner.
  ///
  /// With two owners, each change would copy the array.
  private mutating func takeQueue(
    of board: Board, in store: BoardStore
  ) throws(StoreError) -> RetentionQueue {
    defer { queue = nil }
    if let queue { return queue }
    return RetentionQueue(of: board, renewals: try store.renewals())
  }
}
