import BoardModel
import LinkModel
import Testing

/// A daemon whose data are restored from a backup, while the link has its latest state.
struct RestoredDaemonTests {
  private let chance = Chance(seed: 0)

  @Test(
    "The log wins, and rows that are new since the restoration remain", arguments: [0, 1, 2, 3, 20])
  func logWins(newRows: Int) async throws {
    await chance.stopFaults()
    let log = MemoryLog(chance)
    let store = MemoryContents()
    let machines = (0..<2).map { Machine($0, seed: 1, chance, log, store) }
    let (anna, bert) = (machines[0].board, machines[1].board)
    await bert.add("one", created: 1)
    await bert.add("two", created: 2)
    await bert.add("unsent", created: 3)
    await bert.make(.insertSection("later", at: 1))
    try await machines.settle()
    let backup = await bert.backup()
    let items = await bert.sections[0].items
    let text = SharedRow.Representation(
      type: "text/plain;charset=utf-8", content: .inline(Array("TWO".utf8)))
    await bert.make(
      .setContents(items[1], [text]), .setFlags(items[1], .isPinned, changing: .isPinned))
    await bert.add("three", created: 4)
    await anna.make(.delete(anna.sections[0].items[0]))
    await anna.add("four", created: 5)
    await anna.make(.renameSection(to: "soon", at: 1))
    try await machines.settle()

    await bert.restore(backup)
    for number in 0..<newRows { await bert.add("new \(number)", created: 100 + UInt64(number)) }
    // The link has not sent this edit, and the content is not in the log.
    let other = SharedRow.Representation(
      type: "text/plain;charset=utf-8", content: .inline(Array("edited".utf8)))
    if newRows > 0 { await bert.make(.setContents(items[2], [other])) }
    try await machines[1].started().verifyBoard()
    let texts = try await machines.settle()
    #expect(texts[0] == texts[1])
    let expected = ["TWO", "three", "four", newRows > 0 ? "edited" : "unsent"]
    #expect(Set(texts[0]) == Set(expected + (0..<newRows).map { "new \($0)" }))
    #expect(texts[0].count == expected.count + newRows)
    for machine in machines {
      #expect(await machine.board.sections.map(\.name) == ["main", "soon"])
      #expect(await machine.board.rows.values.count { $0.flags.contains(.isPinned) } == 1)
    }
    #expect(try await machines[1].started().replica.replaced == 5)
  }

  @Test(
    "An earlier copy with many new edits does not look like deletions", arguments: [3, 100_000])
  func manyEdits(keptRevisions: Int) async throws {
    await chance.stopFaults()
    let log = MemoryLog(chance)
    let store = MemoryContents()
    let machines = (0..<2).map { Machine($0, seed: 1, kept: keptRevisions, chance, log, store) }
    let (anna, bert) = (machines[0].board, machines[1].board)
    await bert.add("one", "two", created: 1)
    try await machines.settle()
    let backup = await bert.backup()
    await bert.add("three", created: 2)
    await anna.make(.delete(anna.sections[0].items[1]))
    try await machines.settle()

    await bert.restore(backup)
    // The link knows revision 5. The new edits have this revision, and more than the daemon stores.
    for number in 0..<20 { await bert.add("new \(number)", created: 100 + UInt64(number)) }
    machines[1].crash()
    let texts = try await machines.settle()
    #expect(texts[0] == texts[1])
    #expect(Set(texts[0]) == Set(["one", "three"] + (0..<20).map { "new \($0)" }))
    #expect(texts[0].count == 22)
    #expect(try await machines[1].started().replica.replaced == 5)
  }

  @Test(
    "An earlier copy is recognised though a client has edited the board directly after the link",
    arguments: [3, 100_000])
  func editAfterLink(keptRevisions: Int) async throws {
    await chance.stopFaults()
    let log = MemoryLog(chance)
    let store = MemoryContents()
    let machines = (0..<2).map { Machine($0, seed: 1, kept: keptRevisions, chance, log, store) }
    let (anna, bert) = (machines[0].board, machines[1].board)
    await bert.add("one", "two", created: 1)
    try await machines.settle()
    let backup = await bert.backup()
    await bert.add("three", created: 2)
    try await machines.settle()
    await anna.add("four", created: 3)
    try await machines[0].cycle()
    await bert.addAfterLink("lost")
    try await machines[1].receive()
    try await machines[1].push()
    machines[1].crash()
    #expect(await bert.texts() == ["one", "two", "three", "four", "lost"])

    await bert.restore(backup)
    for number in 0..<20 { await bert.add("new \(number)", created: 100 + UInt64(number)) }
    let texts = try await machines.settle()
    #expect(texts[0] == texts[1])
    #expect(Set(texts[0]) == Set(["one", "two", "three", "four"] + (0..<20).map { "new \($0)" }))
    #expect(try await machines[1].started().replica.replaced == 5)
  }

  @Test("An earlier content of a row is no edit, although the board has the same rows")
  func earlierContent() async throws {
    await chance.stopFaults()
    let log = MemoryLog(chance)
    let store = MemoryContents()
    let machines = (0..<2).map { Machine($0, seed: 1, chance, log, store) }
    let bert = machines[1].board
    await bert.add("one", "two", created: 1)
    try await machines.settle()
    let backup = await bert.backup()
    let items = await bert.sections[0].items
    let text = SharedRow.Representation(
      type: "text/plain;charset=utf-8", content: .inline(Array("ONE".utf8)))
    await bert.make(.setContents(items[0], [text]))
    try await machines.settle()
    await bert.restore(backup)
    for name in ["a", "b", "c"] { await bert.make(.setName(items[1], name)) }
    machines[1].crash()
    #expect(try await machines.settle() == [["ONE", "two"], ["ONE", "two"]])
  }

  @Test("Edits that were not sent when the daemon was restored are sent")
  func pendingEdits() async throws {
    await chance.stopFaults()
    let log = MemoryLog(chance)
    let store = MemoryContents()
    let machines = (0..<2).map { Machine($0, seed: 1, chance, log, store) }
    let bert = machines[1].board
    await bert.add("one", created: 1)
    try await machines.settle()
    let backup = await bert.backup()
    await bert.add("two", created: 2)
    try await machines[1].pull()
    await bert.restore(backup)
    try await machines[1].started().verifyBoard()
    #expect(try await machines.settle() == [["one", "two"], ["one", "two"]])
  }
}
