import LinkModel
import Testing

/// The edits of a machine that have no effect, because another machine was faster.
struct DroppedEditTests {
  private static let (own, other) = (MachineKey(0, 1), MachineKey(0, 2))
  private static let later = SectionKey(5, 5)

  private var replica = Replica(machine: own)
  private var (position, batches): (UInt64, [MachineKey: UInt64]) = (0, [:])

  private static func insertion(_ number: UInt64, _ text: String) -> SharedEdit {
    let content = SharedContent.inline(Array(text.utf8))
    let row = SharedRow(representations: [.init(type: "text/plain;charset=utf-8", content: content)]
    )
    return .insert(RowKey(0, number), row, at: .init(in: .first))
  }

  /// Makes edits of the machine's daemon.
  private mutating func edit(_ edits: SharedEdit...) {
    replica.apply([.local(LocalEdits(revision: 1, edits: edits)), .cut(edits.count)])
  }

  /// Reads an entry of a machine.
  private mutating func read(_ edits: [SharedEdit], of machine: MachineKey, at time: UInt64 = 9) {
    position += 1
    batches[machine, default: 0] += 1
    let batch = EditBatch(machine: machine, number: batches[machine] ?? 1, edits: edits)
    replica.apply([.entry(LogEntry(number: position, batch: batch.bytes), received: time)])
  }

  /// Reads the machine's pending edits from the log.
  private mutating func readOwn(at time: UInt64 = 9) {
    read(replica.pending, of: Self.own, at: time)
  }

  /// Stores the replica and reads it again, after the daemon has made all edits.
  private mutating func restart() throws {
    let deletions = replica.shadow.keys(inSection: 0).filter { replica.visible[$0] == nil }
    let intent = Intent(edits: deletions.map { .delete($0) }, items: [])
    replica.apply([.intent(intent), .applied(revision: 2), .synced])
    replica = try Replica(bytes: try #require(replica.bytes))
  }

  @Test
  mutating func aDroppedEditHasTheTitleOfItsDeletedRow() throws {
    edit(
      Self.insertion(1, "\n  Buy stamps\nand more"), Self.insertion(2, "Call the garage"),
      .insertSection(Self.later, "later", after: .first))
    readOwn()
    edit(
      .move(RowKey(0, 1), to: .init(in: .first)), .setName(RowKey(0, 2), "garage.txt"),
      .moveSection(Self.later, after: nil))
    read(
      [.delete(RowKey(0, 1)), .delete(RowKey(0, 2)), .deleteSection(Self.later)], of: Self.other)
    // The second deletion has no effect.
    read([.delete(RowKey(0, 1))], of: Self.other)
    readOwn(at: 7)
    #expect(replica.dropped.map(\.title) == ["Buy stamps", "Call the garage", "later"])
    #expect(replica.dropped.map(\.reason) == [.rowGone, .rowGone, .sectionGone])
    #expect(replica.dropped.map(\.received) == [7, 7, 7])
    try restart()
    #expect(replica.dropped.map(\.title) == ["Buy stamps", "Call the garage", "later"])
    #expect(replica.droppedCount == 3)
  }

  @Test
  mutating func theTitleOfAPendingEditIsKeptInARestart() throws {
    edit(Self.insertion(1, "Buy stamps"))
    readOwn()
    edit(.setStack(RowKey(0, 1), "stack"))
    read([.delete(RowKey(0, 1))], of: Self.other)
    try restart()
    readOwn()
    #expect(replica.dropped.map(\.title) == ["Buy stamps"])
  }

  @Test
  mutating func theDaemonStillHasADeletedRow() throws {
    edit(Self.insertion(1, "Buy stamps"))
    readOwn()
    read([.delete(RowKey(0, 1))], of: Self.other)
    // The link has not deleted the row on the daemon's board yet.
    edit(.setStack(RowKey(0, 1), "stack"))
    readOwn()
    #expect(replica.dropped.map(\.title) == ["Buy stamps"])
  }

  @Test
  mutating func titlesAndDroppedEditsAreLimited() throws {
    edit(Self.insertion(1, String(repeating: "long ", count: 100)))
    readOwn()
    edit(.setName(RowKey(0, 1), "one"))
    read([.delete(RowKey(0, 1))], of: Self.other)
    readOwn()
    for _ in 0..<120 {
      edit(.setName(RowKey(0, 1), "two"))
      readOwn()
    }
    #expect(replica.dropped.count == Replica.maxDropped)
    #expect(replica.droppedCount == 121)
    #expect(replica.dropped.allSatisfy { $0.title.unicodeScalars.count <= 60 })
  }
}
