import LinkModel
import Synchronization
import Testing

/// Rows whose contents come later than the log.
struct MissingContentTests {
  private let chance = Chance(seed: 0)

  @Test("Other machines are asked for a content only if it does not come for a while")
  func requests() async throws {
    await chance.stopFaults()
    let log = MemoryLog(chance)
    let store = MemoryContents()
    let anna = Machine(0, seed: 1, chance, log, store)
    let bert = Machine(1, seed: 1, chance, log, store, requestDelay: 30_000_000)
    let text = String(repeating: "large", count: 300)
    await anna.board.addLarge(text)
    await anna.board.add("small")
    try await anna.pull()
    try await anna.publish()
    for _ in 0..<3 {
      try await bert.cycle()
      #expect(await bert.board.texts() == ["small"])
      #expect(try await bert.started().replica.waiting.count == 1)
      #expect(await log.entries.count == 1)
    }
    bert.clock.now.withLock { $0 += 30_000_000 }
    for _ in 0..<2 { try await bert.cycle() }
    let last = try #require(await log.entries.last)
    #expect(try EditBatch(bytes: last.batch).requests == [ContentHash(of: Array(text.utf8))])
    let texts = try await [anna, bert].settle()
    #expect(texts[0] == texts[1])
    #expect(texts[1].count == 2)
    #expect(try await bert.started().replica.waiting.isEmpty)
  }

  @Test("A row that is deleted before its content has come is not waited for")
  func deletion() async throws {
    await chance.stopFaults()
    let log = MemoryLog(chance)
    let store = MemoryContents()
    let anna = Machine(0, seed: 1, chance, log, store)
    let bert = Machine(1, seed: 1, chance, log, store, requestDelay: 30_000_000)
    await anna.board.addLarge(String(repeating: "large", count: 300))
    try await anna.pull()
    try await anna.publish()
    try await bert.cycle()
    #expect(try await bert.started().replica.waiting.count == 1)
    let item = try #require(await anna.board.sections[0].items.first)
    await anna.board.make(.delete(item))
    try await anna.pull()
    try await anna.publish()
    try await bert.cycle()
    #expect(try await bert.cycle())
    #expect(try await bert.started().replica.isSynced)
  }
}
