/// The rows of a board that use the shares of sandboxes.
public struct SandboxRows: Sendable {
  /// The rows of one sandbox.
  private struct Share {
    var rows = Set<RowID>()
    /// The rows that may be deleted, the oldest first.
    var queue: RetentionQueue

    /// Removes deleted rows from the queue if most of its rows are deleted.
    mutating func removeDeleted() {
      guard queue.count > 2 * rows.count + 64 else { return }
      queue.retain { rows.contains($0) }
    }
  }

  /// The number of rows in all queues, some of which may be deleted.
  var queuedCount: Int { shares.values.reduce(0) { $0 + $1.queue.count } }

  private var shares: [String: Share] = [:]
  private let renewals: [RowID: UInt64]

  /// Sorts the rows of a board by sandbox.
  ///
  /// - Parameters:
  ///   - rows: the rows of each sandbox; rows that are not on the board are ignored.
  ///   - renewals: the numbers of renewed rows, which determine their age.
  ///   - board: the board.
  public init(_ rows: [String: [RowID]], renewals: [RowID: UInt64], on board: Board) {
    self.renewals = renewals
    for (sandbox, rows) in rows { add(rows.filter(board.contains), of: sandbox) }
  }

  /// Returns the number of rows of a sandbox, which includes pinned and locked rows.
  public func count(of sandbox: String) -> Int { shares[sandbox]?.rows.count ?? 0 }

  /// Adds new rows of a sandbox.
  public mutating func add(_ rows: [RowID], of sandbox: String) {
    guard !rows.isEmpty else { return }
    guard shares[sandbox] != nil else {
      shares[sandbox] = Share(
        rows: Set(rows), queue: RetentionQueue(of: rows, renewals: renewals))
      return
    }
    shares[sandbox]?.rows.formUnion(rows)
    for row in rows { shares[sandbox]?.queue.add(row) }
    shares[sandbox]?.removeDeleted()
  }

  /// Gives a row the age of a new row with this number.
  public mutating func renew(_ row: RowID, as number: RowID) {
    for sandbox in shares.keys where shares[sandbox]?.rows.contains(row) == true {
      shares[sandbox]?.queue.renew(row, as: number)
    }
  }

  /// Follows an edit of the board.
  ///
  /// - Returns: false if the edit may have restored rows. In this case, sort the rows again.
  public mutating func follow(_ revision: Revision) -> Bool {
    for change in revision.changes {
      switch change {
      case .delete(let row, _):
        for sandbox in shares.keys { shares[sandbox]?.rows.remove(row) }
      case .reload(let row, _):
        for sandbox in shares.keys where shares[sandbox]?.rows.contains(row) == true {
          shares[sandbox]?.queue.add(row)
        }
      case .reset: return false
      default: break
      }
    }
    return true
  }

  /// Returns the oldest rows of a sandbox that may be deleted, at most `count`.
  public mutating func oldest(_ count: Int, of sandbox: String, on board: Board) -> [RowID] {
    guard count > 0, var share = shares.removeValue(forKey: sandbox) else { return [] }
    defer { shares[sandbox] = share }
    return share.queue.oldest(count, on: board)
  }

  /// Returns the rows of all sandboxes beyond their shares of `share` rows each: their number, and
  /// those of them that may be deleted, the oldest of each sandbox first.
  public mutating func surplus(
    beyond share: Int, on board: Board
  ) -> (count: Int, deletable: [RowID]) {
    var (count, rows): (Int, [RowID]) = (0, [])
    for sandbox in shares.keys.sorted() {
      let surplus = self.count(of: sandbox) - share
      guard surplus > 0 else { continue }
      count += surplus
      rows += oldest(surplus, of: sandbox, on: board)
    }
    return (count, rows)
  }
}
