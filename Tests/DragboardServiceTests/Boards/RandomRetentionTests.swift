import DBus
import DragboardInterface
import TestSupport
import Testing

@Suite(
  "Retention at random, with sandboxed clients, duplicates and pinned rows",
  .enabled(
    if: Relay.Wall.mountNamespace.isPossible,
    "needs a mount namespace: root, or user namespaces that the system lets a user make"))
struct RandomRetentionTests {
  /// A board that follows the rules of retention in the simplest way.
  private struct Oracle {
    struct Row {
      let number: Int
      var text: String
      let isBoxed: Bool
      /// The order of ages.
      var age: Int
      var isPinned = false
    }

    private(set) var rows: [Row] = []
    var retainRows = 0
    private var next = 0

    var texts: [String] { rows.map(\.text) }

    mutating func insert(_ texts: [String], at place: Int, boxed isBoxed: Bool) {
      if texts.count == 1, moveDuplicate(of: texts[0], to: place, boxed: isBoxed) { return }
      let evicted = isBoxed ? ownOldest(for: texts.count) : oldest(for: texts.count)
      let new = texts.map { text in
        next += 1
        return Row(number: next, text: text, isBoxed: isBoxed, age: next)
      }
      rows.insert(contentsOf: new, at: place)
      rows.removeAll { evicted.contains($0.number) }
    }

    private mutating func moveDuplicate(of text: String, to place: Int, boxed: Bool) -> Bool {
      let equal = rows.filter { $0.text == text && $0.isBoxed == boxed }
      guard let row = equal.max(by: { $0.number < $1.number }),
        let source = rows.firstIndex(where: { $0.number == row.number })
      else { return false }
      next += 1
      var moved = rows.remove(at: source)
      moved.age = next
      rows.insert(moved, at: source < place ? place - 1 : place)
      return true
    }

    private var share: Int { max(1, retainRows / 4) }

    /// Returns the rows that a sandboxed insertion deletes.
    private func ownOldest(for count: Int) -> Set<Int> {
      guard retainRows > 0 else { return [] }
      let own = rows.filter(\.isBoxed)
      return oldest(of: own, own.count + count - share)
    }

    /// Returns the rows that another insertion or a setting deletes.
    private func oldest(for count: Int) -> Set<Int> {
      let excess = rows.count + count - retainRows
      guard retainRows > 0, excess > 0 else { return [] }
      let own = rows.filter(\.isBoxed)
      let surplus = max(0, own.count - share)
      let beyond = oldest(of: own, surplus)
      let first = oldest(of: own, min(beyond.count, excess))
      let rest = rows.filter { !first.contains($0.number) }
      return first.union(
        oldest(of: rest, excess - (surplus - beyond.count) - first.count))
    }

    private func oldest(of rows: [Row], _ count: Int) -> Set<Int> {
      let clearable = rows.filter { !$0.isPinned }.sorted { $0.age < $1.age }
      return Set(clearable.prefix(max(0, count)).map(\.number))
    }

    /// Sets `RetainRows`, and returns whether rows were deleted.
    mutating func retain(_ count: Int) -> Bool {
      retainRows = count
      let evicted = oldest(for: 0)
      rows.removeAll { evicted.contains($0.number) }
      return !evicted.isEmpty
    }

    mutating func pin(_ index: Int, _ isPinned: Bool) { rows[index].isPinned = isPinned }

    mutating func setText(_ index: Int, _ text: String) { rows[index].text = text }
  }

  @Test("Each edit and each setting leaves the rows that the rules retain", arguments: 0..<6)
  func random(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let daemon = try Daemon()
    var free = try daemon.client()
    var relay = try Relay(on: daemon.bus, as: "org.boxed.App")
    var boxed = try relay.client()
    try free.set(BoardInterface.movesDuplicates, to: true)
    var oracle = Oracle()
    var number = 0
    for round in 0..<160 {
      let isBoxed = Int.random(in: 0..<3, using: &random) == 0
      let client = isBoxed ? boxed : free
      let place = Int.random(in: 0...oracle.rows.count, using: &random)
      let index = oracle.rows.indices.randomElement(using: &random)
      switch (Int.random(in: 0..<12, using: &random), index) {
      case (0..<5, _):
        let texts = (0..<Int.random(in: 1...4, using: &random)).map { "\(number + $0)" }
        number += texts.count
        try client.insert(texts, at: Int32(place))
        oracle.insert(texts, at: place, boxed: isBoxed)
      case (5..<7, let index?):
        let text = oracle.rows[index].text
        try client.insert([text], at: Int32(place))
        oracle.insert([text], at: place, boxed: isBoxed)
      case (7, let index?):
        number += 1
        let ids = try free.rows().map(\.id)
        _ = try free.call(BoardInterface.setText, ids[index], "\(number)")
        oracle.setText(index, "\(number)")
      case (8..<10, let index?):
        let isPinned = Bool.random(using: &random)
        let ids = try free.rows().map(\.id)
        _ = try free.call(BoardInterface.setPinned, ids[index], isPinned)
        oracle.pin(index, isPinned)
      case (10, _):
        let (before, count) = (oracle, Int.random(in: 0...16, using: &random))
        try free.retain(rows: UInt32(count))
        if oracle.retain(count), Bool.random(using: &random) {
          #expect(try free.texts() == oracle.texts, "round \(round)")
          try free.undo()
          oracle = before
          oracle.retainRows = before.retainRows == 0 ? 0 : max(count, before.retainRows)
          #expect(try free.get(BoardInterface.retainRows) == UInt32(oracle.retainRows))
        }
      default:
        guard Int.random(in: 0..<4, using: &random) == 0 else { continue }
        daemon.kill()
        try daemon.start()
        free = try daemon.client()
        relay = try Relay(on: daemon.bus, as: "org.boxed.App")
        boxed = try relay.client()
      }
      try #require(try free.texts() == oracle.texts, "round \(round)")
    }
  }
}
