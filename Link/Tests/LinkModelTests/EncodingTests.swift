import BoardModel
import LinkModel
import TestSupport
import Testing

/// The encodings of values, whose bytes come from other machines.
struct EncodingTests {
  private static let batch = EditBatch(
    machine: MachineKey(1, 2), number: 300,
    edits: [
      .insert(
        RowKey(3, 4),
        SharedRow(
          flags: .all, name: "a.txt", modified: 5, application: "org.example.App", created: 6,
          representations: [
            .init(type: "text/plain;charset=utf-8", content: .inline(Array("text".utf8))),
            .init(
              type: "image/png", content: .stored(ContentHash(of: [1, 2, 3]), byteCount: 70_000)),
          ]), at: .init(in: .first, after: RowKey(7, 8), before: RowKey(9, 10))),
      .move(RowKey(3, 4), to: .init(in: .first)), .delete(RowKey(3, 4)),
      .setFlags(RowKey(3, 4), [.isPinned], changing: [.isPinned, .isMovable]),
      .setName(RowKey(3, 4), ""), .setStack(RowKey(3, 4), "s"),
      .setContents(RowKey(3, 4), [.init(type: "text/html", content: .inline([]))]),
      .insertSection(SectionKey(11, 12), "later", after: .first),
      .renameSection(SectionKey(11, 12), "soon"), .moveSection(SectionKey(11, 12), after: nil),
      .deleteSection(SectionKey(11, 12)),
    ])

  @Test
  func aBatchIsDecoded() throws { #expect(try EditBatch(bytes: Self.batch.bytes) == Self.batch) }

  @Test
  func everyTruncatedBatchIsRefused() {
    let bytes = Self.batch.bytes
    for count in bytes.indices {
      #expect(throws: EncodingDamage.self) { try EditBatch(bytes: Array(bytes.prefix(count))) }
    }
    #expect(throws: EncodingDamage.excess) { try EditBatch(bytes: bytes + [0]) }
  }

  @Test
  func alteredBytesNeverTrapAndDecodeToTheirOwnEncoding() {
    var random = SplitMix64(seed: 1)
    for _ in 0..<20_000 {
      var bytes = Self.batch.bytes
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(
          in: 0...255, using: &random)
      }
      if let batch = try? EditBatch(bytes: bytes) { #expect(batch.bytes == bytes) }
    }
  }

  @Test(
    "Names that the daemon refuses are refused",
    arguments: ["a\nb", String(repeating: "x", count: 300)])
  func namesThatTheDaemonRefusesAreRefused(name: String) {
    let batch = EditBatch(
      machine: MachineKey(1, 2), number: 1, edits: [.setName(RowKey(1, 1), name)])
    #expect(throws: EncodingDamage.invalid) { try EditBatch(bytes: batch.bytes) }
  }

  @Test("A batch without a successor is refused", arguments: [0, UInt64.max])
  func aBatchWithoutASuccessorIsRefused(number: UInt64) {
    let batch = EditBatch(machine: MachineKey(1, 2), number: number, edits: [])
    #expect(throws: EncodingDamage.invalid) { try EditBatch(bytes: batch.bytes) }
  }

  @Test
  func everyEventIsDecoded() throws {
    let events: [ReplicaEvent] = [
      .local(
        LocalEdits(
          revision: 9, wasIntentApplied: true,
          items: [.init(key: RowKey(1, 2), item: ItemKey(3, 4))], edits: Self.batch.edits)),
      .cut(3), .entry(LogEntry(number: 7, batch: [1, 2]), received: 8),
      .intent(Intent(edits: Self.batch.edits, items: [ItemKey(3, 4)])), .applied(revision: 8),
      .cancelled, .synced,
    ]
    for event in events { #expect(try ReplicaEvent(bytes: event.bytes) == event) }
  }

  @Test
  func hashesEqualThoseOfB2sum() {
    // The expected values are from `b2sum -l 256`.
    let hashes = [
      "abc": "bddd813c634239723171ef3fee98579b94964e3bb1cb3e427262c8c068d52319",
      String(repeating: "a", count: 1_000):
        "e00b0ddbf1e2cdaf5c898e1a5e8826ea3a2c339bcf2a478da2e5fca9ff126672",
      "": "0e5751c026e543b2e8ab2eb06099daa1d1e5df47778f7787faab45cdf12fe3a8",
    ]
    for (text, expected) in hashes {
      let hash = ContentHash(of: Array(text.utf8))
      #expect("\(hash)" == expected)
      #expect(ContentHash(digits: expected) == hash)
    }
  }
}
