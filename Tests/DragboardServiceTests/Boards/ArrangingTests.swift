import DBus
import DragboardInterface
import TestSupport
import Testing

@Suite("ApplySnapshot and ApplyOrder")
struct ArrangingTests {
  /// A board with two sections: "main" has the rows 0 to 3, of which 1 and 2 are not movable, and
  /// "other" has the rows 4 and 5, of which 4 is not editable.
  private final class Fixture {
    let daemon: Daemon
    let client: BusClient
    let rows: [String]

    init(_ options: String...) throws {
      daemon = try options.isEmpty ? Daemon() : Daemon(options[0], options[1])
      client = try daemon.client()
      _ = try client.call(BoardInterface.insertSection, "other", -1)
      let first = try client.insert(["a", "b", "c", "d"])
      rows = first + (try client.insert(["e", "f"], section: 1))
      for row in rows[1...2] { _ = try client.call(BoardInterface.setMovable, row, false) }
      _ = try client.call(BoardInterface.setEditable, rows[4], false)
      _ = client.takeSignals()
    }

    /// Applies a snapshot whose sections list rows by number.
    func apply(_ sections: [(String, [Int])], base: UInt64 = 0) throws -> (
      revision: UInt64, changes: [WireChange]
    ) {
      try client.call(
        BoardInterface.applySnapshot, base,
        sections.map { BoardInterface.Section($0.0, $0.1.map { rows[$0] }) })
    }

    /// Arranges the rows of a section in the order of these numbers.
    func order(_ section: UInt32, _ rows: [Int], base: UInt64 = 0) throws -> UInt64 {
      try client.call(BoardInterface.applyOrder, base, section, rows.map { self.rows[$0] })
    }

    /// Expects that `body` throws this error and changes nothing.
    func refuse(
      _ name: ErrorName, naming words: String..., at location: SourceLocation = #_sourceLocation,
      _ body: () throws -> Void
    ) throws {
      let before = try client.contents()
      let error = #expect(throws: DBusError.self, sourceLocation: location) { try body() }
      #expect(error?.name == name, "\(String(describing: error))", sourceLocation: location)
      for word in words {
        #expect(
          error?.message.contains(word) ?? false, "\(String(describing: error))",
          sourceLocation: location)
      }
      #expect(try client.contents() == before, sourceLocation: location)
      #expect(client.takeSignals().isEmpty, sourceLocation: location)
    }
  }

  // MARK: Refused calls

  @Test("The first of several faults of a snapshot is reported, and nothing changes")
  func snapshotFaults() throws {
    let fixture = try Fixture("--max-sections", "2")
    let now = try fixture.client.get(BoardInterface.revision)
    let unknown = "00000000-0000-8000-8000-000000000000"
    let apply = { try fixture.client.call(BoardInterface.applySnapshot, $0, $1) }
    func section(_ name: String, _ ids: [String]) -> BoardInterface.Section {
      BoardInterface.Section(name, ids)
    }
    // Malformed arguments are reported before a stale base and before errors that depend on the
    // board.
    try fixture.refuse(.invalidArgs, naming: "sections") { _ = try apply(1, []) }
    try fixture.refuse(.invalidArgs, naming: "sections", "twice", "\"x\"") {
      _ = try apply(1, [section("x", [unknown]), section("x", [])])
    }
    try fixture.refuse(.invalidArgs, naming: "sections") {
      _ = try apply(1, [section("", [unknown])])
    }
    try fixture.refuse(.invalidArgs, naming: "sections") {
      _ = try apply(1, [section(String(repeating: "x", count: 65), [])])
    }
    try fixture.refuse(.invalidArgs, naming: "sections", "twice", fixture.rows[3]) {
      _ = try apply(
        1, [section("x", [fixture.rows[3], unknown]), section("y", [fixture.rows[3]])])
    }
    try fixture.refuse(.invalidArgs, naming: "base", "\(now)") {
      _ = try apply(now + 1, [section("main", [])])
    }
    // A stale base is reported before unknown rows.
    try fixture.refuse(.staleRevision, naming: "base", "\(now)") {
      _ = try apply(1, [section("main", [unknown])])
    }
    // Unknown rows are reported before locked rows.
    try fixture.refuse(.invalidArgs, naming: "sections", unknown) {
      _ = try apply(now, [section("main", [unknown])])
    }
    // Rows that are not editable are reported before rows that are not movable.
    try fixture.refuse(.notEditable, naming: fixture.rows[4]) {
      _ = try fixture.apply([("main", [2, 1, 0, 3]), ("other", [5])], base: now)
    }
    for sections in [
      [("main", [2, 1, 0, 3]), ("other", [4, 5])], [("main", [0, 1, 3]), ("other", [4, 5, 2])],
      [("new", [0, 1, 2, 3]), ("other", [4, 5])],
    ] { try fixture.refuse(.notMovable) { _ = try fixture.apply(sections, base: now) } }
    // Limits come last.
    try fixture.refuse(.limitsExceeded, naming: "max-sections", "2") {
      _ = try fixture.apply(
        [("main", [1, 2, 0, 3]), ("other", [4, 5]), ("new", [])], base: now)
    }
  }

  @Test("The first of several faults of an order is reported, and nothing changes")
  func orderFaults() throws {
    let fixture = try Fixture()
    let now = try fixture.client.get(BoardInterface.revision)
    let unknown = "not an id"
    let apply = { try fixture.client.call(BoardInterface.applyOrder, $0, $1, $2) }
    try fixture.refuse(.invalidArgs, naming: "items", "twice") {
      _ = try apply(1, 9, [unknown, unknown])
    }
    try fixture.refuse(.invalidArgs, naming: "base") { _ = try apply(now + 1, 0, [unknown]) }
    try fixture.refuse(.staleRevision, naming: "base") { _ = try apply(1, 0, [unknown]) }
    try fixture.refuse(.invalidArgs, naming: "items", unknown) { _ = try apply(now, 0, [unknown]) }
    try fixture.refuse(.invalidArgs, naming: "section", "2", "0…1") {
      _ = try fixture.order(2, [0, 1, 2, 3])
    }
    try fixture.refuse(.invalidArgs, naming: "items", fixture.rows[3]) {
      _ = try fixture.order(0, [0, 2, 1])
    }
    try fixture.refuse(.invalidArgs, naming: "items", fixture.rows[5]) {
      _ = try fixture.order(0, [2, 1, 0, 3, 5])
    }
    try fixture.refuse(.notMovable) { _ = try fixture.order(0, [2, 1, 0, 3]) }
  }

  @Test("The ids of another board's rows are unknown")
  func otherBoard() throws {
    let fixture = try Fixture()
    let other = try fixture.client.board("other")
    let row = try fixture.client.insert(["x"], on: other)[0]
    _ = fixture.client.takeSignals()
    try fixture.refuse(.invalidArgs, naming: "sections", row) {
      _ = try fixture.client.call(
        BoardInterface.applySnapshot, 0, [BoardInterface.Section("main", fixture.rows + [row])])
    }
  }

  // MARK: Successful calls

  @Test("Inserted, deleted and moved sections and rows are returned, and reported once")
  func snapshot() throws {
    let fixture = try Fixture()
    var copy = try fixture.client.replica()
    let (revision, changes) = try fixture.apply(
      [("new", [5]), ("other", [3, 4]), ("main", [1, 2])], base: copy.revision)
    #expect(revision == copy.revision + 1)
    let told = try fixture.client.takeRevisions()
    #expect(told.map(\.to) == [revision])
    #expect(words(of: told[0].changes) == words(of: changes))
    try copy.apply((revision, changes))
    #expect(try fixture.client.replica() == copy)
    #expect(copy.sections.map(\.name) == ["new", "other", "main"])
    #expect(
      changes.map(\.members.0).sorted() == [
        "delete", "insert-section", "move", "move", "move-section",
      ])
    #expect(try fixture.client.texts(2) == ["b", "c"])

    let (_, gone) = try fixture.apply([("other", [4, 5]), ("main", [1, 2])])
    #expect(gone.map(\.members.0) == ["delete", "move", "delete-section"])
    #expect(try fixture.client.get(BoardInterface.sections) == ["other", "main"])
  }

  @Test("A section with another name is another section, to which the rows move")
  func otherName() throws {
    let daemon = try Daemon()
    let client = try daemon.client()
    let row = try client.insert(["a"])[0]
    let (_, changes) = try client.call(
      BoardInterface.applySnapshot, 0, [BoardInterface.Section("other", [row])])
    #expect(changes.map(\.members.0) == ["insert-section", "move", "delete-section"])
    #expect(try client.get(BoardInterface.sections) == ["other"])
  }

  @Test("Rows that are in the requested order already make no revision")
  func nothing() throws {
    let fixture = try Fixture()
    let copy = try fixture.client.replica()
    let (revision, changes) = try fixture.client.call(
      BoardInterface.applySnapshot, copy.revision, copy.wire)
    #expect(revision == copy.revision && changes.isEmpty)
    #expect(try fixture.order(0, [0, 1, 2, 3], base: revision) == revision)
    #expect(fixture.client.takeSignals().isEmpty)
  }

  @Test("Rows that are not movable keep their order, and only the other rows move")
  func immovable() throws {
    let fixture = try Fixture()
    _ = try fixture.order(0, [1, 0, 3, 2])
    let moved = try fixture.client.takeRevisions().flatMap(\.changes)
    #expect(moved.allSatisfy { $0.members.0 == "move" })
    #expect(Set(moved.map(\.members.1)).isDisjoint(with: fixture.rows[1...2]))
    #expect(try fixture.client.texts() == ["b", "a", "d", "c"])
  }

  @Test("The second of two clients that reorder at once gets StaleRevision, and loses nothing")
  func atOnce() throws {
    let daemon = try Daemon()
    let clients = [try daemon.client(), try daemon.client()]
    let items = try clients[0].insert(["a", "b", "c", "d"])
    let copy = try clients[1].replica()
    let orders = [[3, 0, 1, 2], [1, 0, 2, 3]].map { $0.map { items[$0] } }
    let sent = zip(clients, orders).map { client, order in
      client.send([call(BoardInterface.applyOrder, copy.revision, 0, order)])
    }
    let errors = sent.map { $0.errors()[0] }
    #expect(errors.sorted() == ["", "StaleRevision"])
    let (first, second) = errors[0] == "" ? (0, 1) : (1, 0)
    #expect(try clients[0].replica().rows == orders[first])
    // The second client catches up and tries again.
    var known = copy
    try known.apply(try clients[second].call(BoardInterface.getChanges, copy.revision))
    #expect(known.rows == orders[first])
    _ = try clients[second].call(BoardInterface.applyOrder, known.revision, 0, orders[second])
    #expect(try clients[0].replica().rows == orders[second])
    try clients[0].undo()
    #expect(try clients[0].replica().rows == orders[first])
  }

  // MARK: The minimum number of moves

  /// Returns the length of the longest increasing subsequence.
  ///
  /// For each number, it computes the length of the longest increasing subsequence that ends there.
  private static func longestRise(_ numbers: [Int]) -> Int {
    var ending: [Int] = []
    for (index, number) in numbers.enumerated() {
      let before = (0..<index).filter { numbers[$0] < number }.map { ending[$0] }.max() ?? 0
      ending.append(before + 1)
    }
    return ending.max() ?? 0
  }

  @Test("A random order takes the minimum number of moves", arguments: [1, 2, 3, 4])
  func minMoves(seed: UInt64) throws {
    let daemon = try Daemon()
    let client = try daemon.client()
    var random = SplitMix64(seed: seed)
    let items = try client.insert((0..<120).map { "\($0)" })
    for _ in 0..<8 {
      let before = try client.replica().rows
      var after = before
      if Bool.random(using: &random) {
        after.shuffle(using: &random)
      } else {
        for _ in 0..<9 {
          let row = after.remove(at: .random(in: after.indices, using: &random))
          after.insert(row, at: .random(in: 0...after.count, using: &random))
        }
      }
      _ = client.takeSignals()
      _ = try client.call(BoardInterface.applyOrder, 0, 0, after)
      let told = try client.takeRevisions().flatMap(\.changes)
      #expect(try client.replica().rows == after)
      let numbers = Dictionary(uniqueKeysWithValues: after.enumerated().map { ($1, $0) })
      let least = items.count - Self.longestRise(before.compactMap { numbers[$0] })
      #expect(told.count == least)
    }
  }

  @Test(
    "A random snapshot with its sections takes the minimum number of moves", arguments: [5, 6, 7])
  func leastMovesOfSnapshots(seed: UInt64) throws {
    let daemon = try Daemon()
    let client = try daemon.client()
    var edits = RandomEdits(seed: seed, prefix: "x")
    for section in 0..<5 {
      _ = try client.call(BoardInterface.insertSection, "section \(section)", -1)
      _ = try client.insert((0..<20).map { "\($0)" }, section: UInt32(section))
    }
    for _ in 0..<10 {
      let before = try client.replica()
      let wanted = edits.mixed(before)
      let (_, changes) = try client.call(BoardInterface.applySnapshot, 0, wanted.wire)
      let after = try client.replica()
      #expect(after.sections == wanted.sections)
      let counts = Dictionary(grouping: changes, by: \.members.0).mapValues(\.count)
      #expect(counts["move", default: 0] == Self.minRowMoves(before, after))
      #expect(counts["move-section", default: 0] == Self.minSectionMoves(before, after))
      #expect(counts["delete", default: 0] == before.rows.count - after.rows.count)
      #expect(counts["insert", default: 0] + counts["reload", default: 0] == 0)
    }
  }

  private static func minRowMoves(_ before: Replica, _ after: Replica) -> Int {
    var staying = 0
    for section in after.sections {
      guard let old = before.sections.first(where: { $0.name == section.name }) else { continue }
      let numbers = Dictionary(uniqueKeysWithValues: section.rows.enumerated().map { ($1, $0) })
      staying += longestRise(old.rows.compactMap { numbers[$0] })
    }
    return after.rows.count - staying
  }

  private static func minSectionMoves(_ before: Replica, _ after: Replica) -> Int {
    let names = after.sections.map(\.name)
    let kept = before.sections.compactMap { names.firstIndex(of: $0.name) }
    return kept.count - longestRise(kept)
  }
}
