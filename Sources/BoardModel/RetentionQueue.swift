/// The rows of a board that retention may delete, the oldest first.
///
/// Row numbers are in the order of creation. So a new row is appended, and the oldest rows are at
/// the front. Each insertion and each deletion is O(1). A renewed row gets a later number in
/// the queue, which determines its position in the queue. A deleted row stays in the queue until it is at the front, or
/// until most rows in the queue are deleted.
public struct RetentionQueue: Sendable {
  /// The rows in the order of their numbers; the rows before `first` were deleted.
  private var rows: [RowID]
  private var first = 0
  /// The numbers of renewed rows.
  private var renewals: [RowID: UInt64]

  /// Creates the queue of a board.
  ///
  /// O(n log n) in the rows of the board.
  ///
  /// - Parameters:
  ///   - board: the board.
  ///   - renewals: the numbers of renewed rows; other rows have their own.
  public init(of board: Board, renewals: [RowID: UInt64] = [:]) {
    var rows: [RowID] = []
    rows.reserveCapacity(board.count)
    for section in 0..<board.sectionCount {
      for run in board.storage.runs(ofSection: section) {
        rows.append(contentsOf: run.lazy.filter(\.isClearable).map(\.row))
      }
    }
    self.init(of: rows, renewals: renewals)
  }

  /// Creates a queue of some rows.
  ///
  /// O(n log n).
  public init(of rows: [RowID], renewals: [RowID: UInt64]) {
    self.renewals = renewals
    self.rows = rows.sorted { renewals[$0] ?? $0.rawValue < renewals[$1] ?? $1.rawValue }
  }

  private func rank(of row: RowID) -> UInt64 { renewals[row] ?? row.rawValue }

  /// Assigns a later number to a row.
  ///
  /// O(n) in the worst case.
  public mutating func renew(_ row: RowID, as number: RowID) {
    let index = position(of: row)
    if index < rows.count, rows[index] == row { rows.remove(at: index) }
    renewals[row] = number.rawValue
    add(row)
  }

  /// Adds the rows that a revision has inserted or unlocked; `board` is the board after it.
  ///
  /// - Returns: false if the revision does not list its rows. In this case, create a new queue.
  public mutating func follow(_ revision: Revision, on board: Board) -> Bool {
    for change in revision.changes {
      switch change {
      case .insert(let row, _), .reload(let row, _): add(row)
      case .reset: return false
      default: break
      }
    }
    if rows.count - first > 2 * board.count + 64 { removeDeleted(from: board) }
    return true
  }

  /// Adds a row, unless the queue has it.
  mutating func add(_ row: RowID) {
    guard let last = rows.last, rank(of: row) <= rank(of: last) else { return rows.append(row) }
    let index = position(of: row)
    if rows[index] != row { rows.insert(row, at: index) }
  }

  /// The index of the first row that is not before `row`.
  private func position(of row: RowID) -> Int {
    let wanted = rank(of: row)
    var (low, high) = (first, rows.count)
    while low < high {
      let middle = low + (high - low) / 2
      if rank(of: rows[middle]) < wanted { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// The number of rows in the queue, some of which may be deleted.
  var count: Int { rows.count - first }

  /// Removes all rows that do not satisfy a predicate.
  mutating func retain(_ isRetained: (RowID) -> Bool) {
    renewals = renewals.filter { isRetained($0.key) }
    rows = rows[first...].filter(isRetained)
    first = 0
  }

  private mutating func removeDeleted(from board: Board) {
    renewals = renewals.filter { board.contains($0.key) }
    rows = rows[first...].filter(board.isClearable)
    first = 0
  }

  /// Returns the oldest rows that may be deleted, at most `count`.
  ///
  /// O(count) on average.
  public mutating func oldest(_ count: Int, on board: Board) -> [RowID] {
    while first < rows.count, !board.isClearable(rows[first]) { first += 1 }
    if first > rows.count / 2 {
      rows.removeFirst(first)
      first = 0
    }
    guard count > 0 else { return [] }
    var oldest: [RowID] = []
    for row in rows[first...] where board.isClearable(row) {
      oldest.append(row)
      if oldest.count == count { break }
    }
    return oldest
  }

  /// Returns the expired rows among the oldest ones.
  ///
  /// A row is older than each row after it, so a binary search finds the last expired row. A row
  /// that another machine inserted can be older than the rows before it, so each row is checked
  /// again. Calls `isExpired` O(expired rows + log n) times; once if no row has expired.
  public mutating func expired<Failure: Error>(
    on board: Board, _ isExpired: (RowID) throws(Failure) -> Bool
  ) throws(Failure) -> [RowID] {
    guard let front = oldest(1, on: board).first, try isExpired(front) else { return [] }
    let present = oldest(board.count, on: board)
    var (low, high) = (1, present.count)
    while low < high {
      let middle = low + (high - low) / 2
      if try isExpired(present[middle]) { low = middle + 1 } else { high = middle }
    }
    var expired: [RowID] = []
    for row in present[..<low] where try isExpired(row) { expired.append(row) }
    return expired
  }
}

extension Board {
  /// Returns whether the row is on the board, editable and not pinned.
  ///
  /// O(1).
  public func isClearable(_ row: RowID) -> Bool { storage.entry(of: row)?.isClearable ?? false }
}
