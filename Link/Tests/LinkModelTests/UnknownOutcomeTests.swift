import BoardModel
import LinkModel
import Testing

/// The board of a daemon that no longer has its changes.
private struct ForgetfulBoard: LocalBoard {
  let items: [ItemKey]
  let row: SharedRow

  func changes(since revision: UInt64, of history: String) -> LocalHistory { .tooLong }
  func snapshot() -> LocalSnapshot { LocalSnapshot(revision: 9, sections: [("main", items)]) }
  func reserve(_ count: Int) -> [ItemKey] { [] }

  func rows(
    at paths: [IndexPath: ItemKey], spool: any ContentSpool
  ) -> [ItemKey: SharedRow] { Dictionary(uniqueKeysWithValues: paths.values.map { ($0, row) }) }

  func apply(
    _ edits: [LocalEdit], contents: [ContentHash: ContentBytes], base: UInt64
  ) -> UInt64? { nil }
}

/// A link that was killed while it edited the daemon's board.
struct UnknownOutcomeTests {
  @Test
  func rowsOfAnEditThatWasNotMadeAreNotDeleted() async throws {
    let content = SharedContent.inline([1])
    let row = SharedRow(representations: [.init(type: "text/plain", content: content)])
    let old = (1...5).map { (key: RowKey(0, $0), item: ItemKey(0, $0)) }
    let insertions = old.map { SharedEdit.insert($0.key, row, at: .init(in: .first)) }
    let new = SharedEdit.insert(RowKey(0, 6), row, at: .init(in: .first))
    let names = old.map { SharedEdit.setName($0.key, "name") }
    let machine = MachineKey(0, 1)
    let batch = EditBatch(machine: MachineKey(0, 2), number: 1, edits: insertions + names + [new])
    // The daemon has the old rows. A client gives them the names of the intent.
    let events: [ReplicaEvent] = [
      .entry(LogEntry(number: 1, batch: batch.bytes), received: 0),
      .intent(Intent(edits: insertions, items: old.map(\.item))), .applied(revision: 2),
      .intent(Intent(edits: names + [new], items: [ItemKey(0, 6)])),
    ]
    let journal = MemoryJournal(Chance(seed: 0), machine: machine)
    var replica = Replica(machine: machine)
    replica.apply(events)
    var named = row
    named.name = "name"
    let contents = MemoryContents()
    let items = replica.shadow.keys(inSection: 0).compactMap { replica.items[$0] }
    let link = try Replicator(
      replica, journal: journal, local: ForgetfulBoard(items: items, row: named), spool: contents,
      logs: MemoryLog(Chance(seed: 0)), store: contents, time: { 0 })
    try await link.pull()
    #expect(await link.replica.visible[RowKey(0, 6)] != nil)
    #expect(await link.replica.pending.contains(.delete(RowKey(0, 6))) == false)
  }
}
