import TestSupport
import Testing

@testable import BoardModel
import FuzzTargets

@Suite("Differences are minimal, and can be replayed")
struct DifferenceTests {
  @Test(
    "Any arrangement of the rows is reached in the minimum number of moves",
    arguments: [(1, 4), (2, 4), (3, 3), (4, 8), (5, 480)])
  func random(seed: UInt64, blockCapacity: Int) throws {
    var source = ArrangementSource(seed: seed)
    var applied = 0
    for _ in 0..<120 {
      var board = source.board(blockCapacity: blockCapacity)
      for _ in 0..<3 where try apply(source.arrangement(of: board), to: &board) { applied += 1 }
    }
    #expect(applied > 120)
  }

  /// Applies the arrangement and compares the results; returns whether the board changed.
  private func apply(_ wanted: [SnapshotSection], to board: inout Board) throws -> Bool {
    let before = board
    let naive = NaiveDifference(from: board, to: wanted)
    do {
      let revision = try board.apply(Arrangement(wanted), maxSections: .max)
      try #require(naive.faults.isEmpty)
      try #require(board.snapshot().sections == wanted)
      var replica = before.snapshot()
      if let revision { try replica.apply(revision) }
      try #require(replica == board.snapshot())
      try #require(naive.isLeast(revision?.changes ?? []), "\(before.snapshot()) to \(wanted)")
      compare(board, with: before)
      return revision != nil
    } catch let ArrangementError.refused(error) {
      try #require(naive.faults.contains(error), "\(error)")
      #expect(board.snapshot() == before.snapshot())
      return false
    }
  }

  /// Checks that every row has its new position and its old flags.
  private func compare(_ board: Board, with before: Board) {
    for (section, rows) in board.order.enumerated() {
      for (index, row) in rows.enumerated() {
        if board.indexPath(of: row) == at(section, index),
          board.flags(of: row) == before.flags(of: row)
        {
          continue
        }
        Issue.record("\(row) is not at \(section).\(index), or has other flags")
      }
    }
    let gone = Set(before.order.joined()).subtracting(board.order.joined())
    #expect(!gone.contains(where: board.contains))
  }

  @Test("No shorter series of moves leads to the same order")
  func fewest() throws {
    var random = SplitMix64(seed: 5)
    for _ in 0..<40 {
      let all = rows(0..<5)
      let (split, other) = (
        Int.random(in: 0...5, using: &random), Int.random(in: 0...5, using: &random)
      )
      var board = try Board(Array(all[..<split]), Array(all[split...]))
      let before = board.order
      let shuffled = all.shuffled(using: &random)
      let wanted = [
        SnapshotSection(name: "main", rows: Array(shuffled[..<other])),
        SnapshotSection(name: "s1", rows: Array(shuffled[other...])),
      ]
      let revision = try board.apply(Arrangement(wanted), maxSections: 2)
      #expect(
        revision?.changes.count ?? 0 == fewestMoves(of: all, from: before, to: wanted.map(\.rows)))
    }
  }

  @Test(
    "A random order of 10,000 rows is reported in the minimum number of moves, which can be replayed"
  )
  func large() throws {
    var random = SplitMix64(seed: 9)
    let all = rows(0..<10_000)
    var board = try Board(all)
    var replica = board.snapshot()
    let order = all.shuffled(using: &random)
    let told = try board.apply(Arrangement(ofSection: 0, rows: order), maxSections: 1)
    let revision = try #require(told)
    #expect(revision.changes.count == 10_000 - longestByPiles(order.map { Int($0.rawValue) }))
    try replica.apply(revision)
    #expect(replica.sections == [SnapshotSection(name: "main", rows: order)])
    #expect(board.snapshot() == replica)
  }

  /// The length of the longest ascending subsequence: the number of piles of patience sorting.
  private func longestByPiles(_ values: [Int]) -> Int {
    var tops: [Int] = []
    for value in values {
      if let pile = tops.firstIndex(where: { $0 > value }) {
        tops[pile] = value
      } else {
        tops.append(value)
      }
    }
    return tops.count
  }
}

/// A source of random boards, some with rows that are not movable or not editable, and of
/// arrangements of their rows.
private struct ArrangementSource {
  private var random: SplitMix64
  private var lastName = 0

  init(seed: UInt64) { random = SplitMix64(seed: seed) }

  private mutating func draw(_ range: Range<Int>) -> Int { Int.random(in: range, using: &random) }

  mutating func board(blockCapacity: Int) -> Board {
    var board = Board(blockCapacity: blockCapacity)
    var last: UInt64 = 0
    for section in 0..<draw(1..<5) {
      if section > 0 {
        _ = try? board.insertSection(named: "s\(section)", at: nil, maxSections: .max)
      }
      let new = (0..<draw(0..<25)).map { _ in
        last += draw(0..<20) == 0 ? 100 : 1
        return RowID(last)
      }
      _ = try? board.insert(new.shuffled(using: &random), at: at(section, 0), maxRows: .max)
    }
    guard draw(0..<2) == 0 else { return board }
    for row in board.order.joined() {
      if draw(0..<10) == 0 { _ = try? board.setFlags(.isMovable, to: false, of: row) }
      if draw(0..<40) == 0 { _ = try? board.setFlags(.isEditable, to: false, of: row) }
    }
    return board
  }

  mutating func arrangement(of board: Board) -> [SnapshotSection] {
    var wanted = board.snapshot().sections
    if draw(0..<3) == 0 { changeSections(of: &wanted) }
    switch draw(0..<5) {
    case 0: for section in wanted.indices { wanted[section].rows.shuffle(using: &random) }
    case 1: scatter(&wanted)
    default: for _ in 0..<draw(0..<5) { moveOne(&wanted) }
    }
    if draw(0..<3) == 0 {
      for section in wanted.indices { wanted[section].rows.removeAll { _ in draw(0..<8) == 0 } }
    }
    if draw(0..<30) == 0 { wanted[0].rows.append(RowID(1_000_000)) }
    return wanted
  }

  private mutating func changeSections(of wanted: inout [SnapshotSection]) {
    if draw(0..<2) == 0 { wanted.shuffle(using: &random) }
    if draw(0..<2) == 0 {
      lastName += 1
      wanted.insert(SnapshotSection(name: "n\(lastName)"), at: draw(0..<wanted.count + 1))
    }
    if wanted.count > 1, draw(0..<2) == 0 {
      let gone = wanted.remove(at: draw(0..<wanted.count))
      if draw(0..<2) == 0 { wanted[draw(0..<wanted.count)].rows += gone.rows }
    }
  }

  private mutating func scatter(_ wanted: inout [SnapshotSection]) {
    let all = wanted.flatMap(\.rows).shuffled(using: &random)
    for section in wanted.indices { wanted[section].rows = [] }
    for row in all { wanted[draw(0..<wanted.count)].rows.append(row) }
  }

  private mutating func moveOne(_ wanted: inout [SnapshotSection]) {
    let (source, target) = (draw(0..<wanted.count), draw(0..<wanted.count))
    guard !wanted[source].rows.isEmpty else { return }
    let row = wanted[source].rows.remove(at: draw(0..<wanted[source].rows.count))
    wanted[target].rows.insert(row, at: draw(0..<wanted[target].rows.count + 1))
  }
}
