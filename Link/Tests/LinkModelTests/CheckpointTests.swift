import BoardModel
import LinkModel
import Synchronization
import Testing

/// Machines compare their boards now and then, and compute a board again that differs.
struct CheckpointTests {
  private let chance = Chance(seed: 0)
  private static let day: UInt64 = 86_400_000_000

  @Test("A board that differs is found after a day, and is equal again", arguments: [0, 1, 2])
  func healing(wrong: Int) async throws {
    await chance.stopFaults()
    let log = MemoryLog(chance)
    let store = MemoryContents()
    let machines = (0..<3).map { Machine($0, seed: 1, chance, log, store) }
    await machines[0].board.add("one", "two", created: 1)
    try await machines.settle()
    await machines[1].board.add("three", created: 2)
    try await machines.settle()
    let entries = await log.entries.count

    var board = try await machines[wrong].started().replica.visible
    let key = try #require(board.keys(inSection: 0).first)
    board.apply(.delete(key))
    machines[wrong].crash()
    _ = try await machines[wrong].journal.append([.rebuilt(board, time: 1)])
    try await machines.settle()
    #expect(await machines[wrong].board.texts().count == 2)
    #expect(await log.entries.count == entries)

    for machine in machines { machine.clock.now.withLock { $0 += Self.day } }
    try await machines.settle()
    for machine in machines {
      machine.clock.now.withLock { $0 += Self.day + 1 }
      try await machines.settle()
    }
    for machine in machines {
      #expect(await machine.board.texts().sorted() == ["one", "three", "two"])
      #expect(try await machine.started().replica.divergence == nil)
    }
    #expect(try await machines[wrong].started().replica.rebuilt > 1)
    // Without new entries there are no further checkpoints.
    let count = await log.entries.count
    for machine in machines { machine.clock.now.withLock { $0 += 10 * Self.day } }
    try await machines.settle()
    #expect(await log.entries.count == count)
  }

  @Test("A checkpoint comes after a thousand entries")
  func manyEntries() async throws {
    await chance.stopFaults()
    let log = MemoryLog(chance)
    let store = MemoryContents()
    let machine = Machine(0, seed: 1, chance, log, store)
    for number in 0..<1_000 {
      await machine.board.add("\(number)")
      try await [machine].settle()
    }
    let batches = try await log.entries.map { try EditBatch(bytes: $0.batch) }
    #expect(batches.count { $0.checkpoint != nil } == 1)
    #expect(batches.last?.checkpoint != nil)
  }
}
