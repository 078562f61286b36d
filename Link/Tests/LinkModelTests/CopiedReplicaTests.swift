import BoardModel
import LinkModel
import Testing

/// Machines whose home directories are restored from backups or copied, and boards that are shared
/// again.
struct CopiedReplicaTests {
  private let chance = Chance(seed: 0)
  private let store = MemoryContents()

  private func machines(_ count: Int, _ log: MemoryLog) async -> [Machine] {
    await chance.stopFaults()
    return (0..<count).map { Machine($0, seed: 1, chance, log, store) }
  }

  @Test("A row that is added after the restoration of a backup reaches the other machines")
  func restoredHome() async throws {
    let log = MemoryLog(chance)
    let machines = await machines(2, log)
    let (anna, bert) = (machines[0], machines[1])
    await bert.board.add("one")
    try await machines.settle()
    let backup = await bert.backup()
    for text in ["two", "three", "four"] {
      await bert.board.add(text)
      try await machines.settle()
    }
    await bert.restore(backup)
    await bert.board.add("five")
    try await bert.pull()
    _ = try await bert.started().nextBatch()
    let texts = try await machines.settle()
    #expect(texts[0] == texts[1])
    #expect(Set(texts[0]) == ["one", "two", "three", "four", "five"])
    #expect(try await bert.started().replica.renewals == 1)
    #expect(try await anna.started().replica.renewals == 0)
  }

  @Test("A machine and a copy of its home both add rows, and no row is missing or doubled")
  func copiedHome() async throws {
    let log = MemoryLog(chance)
    let machines = await machines(3, log)
    await machines[1].board.add("common")
    try await machines.settle()
    // These edits have not been sent when the home is copied.
    await machines[1].board.add("unsent 1", "unsent 2")
    try await machines[1].pull()
    await machines[2].restore(await machines[1].backup())
    for number in 0..<10 {
      for (machine, name) in zip(machines[1...], ["b", "c"]) {
        await machine.board.add("\(name)\(number)")
        try await machine.pull()
        _ = try await machine.started().nextBatch()
      }
    }
    let texts = try await machines.settle()
    #expect(texts[0] == texts[1] && texts[1] == texts[2])
    let names = ["b", "c"].flatMap { name in (0..<10).map { "\(name)\($0)" } }
    #expect(texts[0].sorted() == (["common", "unsent 1", "unsent 2"] + names).sorted())
  }

  @Test("Of n and m equal rows of two machines, the larger number stays")
  func equalRows() async throws {
    let log = MemoryLog(chance)
    let machines = await machines(3, log)
    for (number, machine) in machines.enumerated() {
      await machine.board.add("a", "b", "c", created: 7)
      for _ in 0..<number { await machine.board.add("twin", created: 9) }
      await machine.board.add("own \(number)", created: 7)
      await machine.board.add("same text", created: UInt64(number))
      // All machines have read their boards before one of them sends its rows.
      try await machine.pull()
    }
    let texts = try await machines.settle()
    #expect(texts[0] == texts[1] && texts[1] == texts[2])
    let counts = Dictionary(texts[0].map { ($0, 1) }, uniquingKeysWith: +)
    #expect(
      counts == [
        "a": 1, "b": 1, "c": 1, "twin": 2, "own 0": 1, "own 1": 1, "own 2": 1, "same text": 3,
      ])
  }

  @Test("A machine that has lost its replica doubles no row and loses none")
  func lostReplica() async throws {
    let log = MemoryLog(chance)
    let machines = await machines(2, log)
    for number in 0..<30 { await machines[0].board.add("\(number)", created: UInt64(number)) }
    try await machines.settle()
    await machines[1].board.add("unsent", created: 100)
    let item = try #require(await machines[0].board.sections.first?.items.first)
    await machines[0].board.make(.delete(item))
    await machines[1].lose()
    try await machines[1].receive()
    let texts = try await machines.settle()
    #expect(texts[0] == texts[1])
    #expect(texts[0].sorted() == ((0..<30).map { "\($0)" } + ["unsent"]).sorted())
  }

  @Test("A row that is edited and moved between the first reading and the merge stays one row")
  func editedBeforeTheMerge() async throws {
    let log = MemoryLog(chance)
    let machines = await machines(2, log)
    for machine in machines { await machine.board.add("a", "b", "c", created: 7) }
    try await machines[1].pull()
    let items = await machines[1].board.sections[0].items
    await machines[1].board.make(
      .setName(items[0], "name"), .move(items[0], to: IndexPath(section: 0, row: 2)))
    await machines[1].board.make(.delete(items[1]))
    try await machines[1].pull()
    let texts = try await machines.settle()
    #expect(texts == [["c", "a"], ["c", "a"]])
    let board = machines[0].board
    let (order, rows) = (await board.sections[0].items, await board.rows)
    let names = order.map { rows[$0]?.name }
    #expect(names == ["", "name"])
  }
}
