import BoardModel

/// An oracle for the difference of two arrangements, computed in the simplest way.
struct NaiveDifference {
  /// The errors with the highest priority; the board may report any of them.
  private(set) var faults: Set<BoardError> = []

  private let locked: Set<RowID>
  private var deletes = 0
  private var moves = 0
  private var sectionInserts = 0
  private var sectionDeletes = 0
  private var sectionMoves = 0

  init(from board: Board, to wanted: [SnapshotSection]) {
    let old = board.snapshot().sections
    let (rows, wantedRows) = (Set(old.flatMap(\.rows)), Set(wanted.flatMap(\.rows)))
    locked = rows.filter { board.flags(of: $0)?.contains(.isMovable) == false }
    let gone = rows.subtracting(wantedRows)
    deletes = gone.count
    faults = Set(wantedRows.subtracting(rows).map { .noSuchRow($0) })
    if faults.isEmpty {
      let kept = gone.filter { board.flags(of: $0)?.contains(.isEditable) == false }
      faults = Set(kept.map { .notEditable($0) })
    }
    countSections(old.map(\.name), wanted.map(\.name))
    var lockFaults: Set<BoardError> = []
    for section in wanted {
      let own = old.first { $0.name == section.name }?.rows ?? []
      count(section.rows, own, &lockFaults)
    }
    if faults.isEmpty { faults = lockFaults }
  }

  private mutating func countSections(_ old: [String], _ wanted: [String]) {
    let kept = wanted.compactMap(old.firstIndex(of:))
    sectionInserts = wanted.count - kept.count
    sectionDeletes = old.count - kept.count
    sectionMoves = kept.count - heaviestAscent(kept) { _ in 1 }
  }

  private mutating func count(
    _ wanted: [RowID], _ own: [RowID], _ lockFaults: inout Set<BoardError>
  ) {
    let offsets = wanted.compactMap(own.firstIndex(of:))
    let lockedHere = offsets.filter { locked.contains(own[$0]) }
    for row in wanted where locked.contains(row) && !own.contains(row) {
      lockFaults.insert(.notMovable(row))
    }
    for (index, offset) in lockedHere.enumerated() {
      let isOutOfOrder =
        lockedHere[..<index].contains { $0 > offset }
        || lockedHere[index...].contains { $0 < offset }
      if isOutOfOrder { lockFaults.insert(.notMovable(own[offset])) }
    }
    // A locked row weighs more than all movable rows together, so the heaviest ascending
    // subsequence has every locked row.
    let weight = heaviestAscent(offsets) { locked.contains(own[$0]) ? 1_001 : 1 }
    moves += wanted.count - (weight - lockedHere.count * 1_000)
  }

  /// Tries, for each element, every element that can precede it.
  private func heaviestAscent(_ values: [Int], _ weight: (Int) -> Int) -> Int {
    var best: [Int] = []
    for (index, value) in values.enumerated() {
      let before = best.indices.lazy.filter { values[$0] < value }.map { best[$0] }.max() ?? 0
      best.append(before + weight(values[index]))
    }
    return best.max() ?? 0
  }

  /// Returns whether there are as few changes as possible, and none of them moves a locked row.
  func isLeast(_ changes: [Change]) -> Bool {
    var counts = [0, 0, 0, 0, 0]
    for change in changes {
      switch change {
      case .delete: counts[0] += 1
      case .move(let row, _, _):
        counts[1] += 1
        if locked.contains(row) { return false }
      case .insertSection: counts[2] += 1
      case .deleteSection: counts[3] += 1
      case .moveSection: counts[4] += 1
      case .insert, .reload, .renameSection, .reset: return false
      }
    }
    return counts == [deletes, moves, sectionInserts, sectionDeletes, sectionMoves]
  }
}

/// Returns the smallest number of moves of listed rows, found by a breadth-first search.
func fewestMoves(of list: [RowID], from start: [[RowID]], to goal: [[RowID]]) -> Int {
  var seen: Set<[[RowID]]> = [start]
  var frontier = [start]
  var moves = 0
  while !frontier.contains(goal), !frontier.isEmpty {
    frontier = frontier.flatMap { order in list.flatMap { allMoves(of: $0, in: order) } }
      .filter { seen.insert($0).inserted }
    moves += 1
  }
  return moves
}

private func allMoves(of row: RowID, in order: [[RowID]]) -> [[[RowID]]] {
  let without = order.map { $0.filter { $0 != row } }
  return without.indices.flatMap { section in
    (0...without[section].count).map { index in
      var moved = without
      moved[section].insert(row, at: index)
      return moved
    }
  }
}
