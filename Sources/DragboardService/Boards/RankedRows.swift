import BoardModel
import DragboardStore

/// The best rows of those that a search finds in any order.
///
/// Better matches come first, and newer rows before older ones with an equal match.
struct RankedRows {
  private struct Entry: Comparable {
    let match: RowMatch
    let age: UInt64
    let row: RowID

    static func < (one: Entry, other: Entry) -> Bool {
      one.match == other.match ? one.age > other.age : one.match < other.match
    }
  }

  private let max: Int
  private var entries: [Entry] = []
  /// The last row, if there are `max` rows.
  private var last: Entry?
  private var found = RowSet()

  /// Creates an empty list of at most `max` rows.
  init(max: Int) { self.max = max }

  /// Returns whether the row was inserted before.
  func contains(_ row: RowID) -> Bool { found.contains(row) }

  /// Inserts a row that is not in the list, unless there are enough better rows.
  ///
  /// - Parameters:
  ///   - row: the row.
  ///   - match: the match of the row.
  ///   - age: the number that determines its age.
  mutating func insert(_ row: RowID, _ match: RowMatch, age: UInt64) {
    found.insert(row)
    let entry = Entry(match: match, age: age, row: row)
    if let last, entry > last { return }
    entries.append(entry)
    // The list is shortened rarely, so that an insertion is O(log max) on average.
    if entries.count >= 2 * max + 64 { shorten() }
  }

  private mutating func shorten() {
    entries.sort()
    entries.removeLast(Swift.max(0, entries.count - max))
    if entries.count == max { last = entries.last }
  }

  /// Returns the rows that are still on the board, the best first.
  mutating func rows(on board: Board) -> [RowID] {
    entries.removeAll { !board.contains($0.row) }
    shorten()
    return entries.map(\.row)
  }
}
