import TestSupport
import Testing

@testable import BoardModel

@Suite("The binary form of revisions")
struct RevisionEncodingTests {
  private static let revisions = [
    Revision(
      from: 1,
      changes: [
        .insert(RowID(1 << 54 - 1), at: at(0, 300)), .delete(RowID(0), at: at(2, 1)),
        .move(RowID(7), from: at(0, 1), to: at(1, 70_000)), .reload(RowID(8), at: at(1, 0)),
      ]),
    Revision(
      from: 2,
      changes: [
        .insertSection("Zürich 🏔", at: 1), .deleteSection("a", at: 0),
        .moveSection("b", from: 2, to: 0), .renameSection(to: "c", at: 200),
      ]),
    Revision(from: 3, changes: [.reset]),
  ]

  @Test("Every change is read back as it was written")
  func roundTrip() throws {
    #expect(try [Revision](encoding: Self.revisions.encoding) == Self.revisions)
    #expect(try [Revision](encoding: [Revision]().encoding) == [])
  }

  @Test("The encoding equals the documented bytes")
  func form() {
    let revision = Revision(
      from: 300,
      changes: [
        .move(RowID(258), from: at(0, 1), to: at(2, 300)), .moveSection("é", from: 3, to: 1),
      ])
    let row: [UInt8] = [2, 1, 0, 0, 0, 0, 0, 0]
    #expect(
      [revision].encoding == [1, 0, 0xac, 0x02, 3, 0, 1, 2, 0xac, 0x02] + row
        + [7, 3, 2, 0xc3, 0xa9, 1])
  }

  @Test("The revisions of random edits are decoded unchanged", arguments: [1, 2, 3])
  func randomEdits(seed: UInt64) throws {
    var edits = EditSource(seed: seed)
    var (board, naive) = (Board(blockCapacity: 4), NaiveBoard())
    var revisions: [Revision] = []
    for _ in 0..<700 {
      let edit = edits.nextWithArrangements(for: naive)
      guard let revision = try? board.perform(edit) else { continue }
      _ = try naive.perform(edit)
      revisions.append(revision)
    }
    #expect(revisions.count > 200)
    #expect(try [Revision](encoding: revisions.encoding) == revisions)
    var start = 0
    while start < revisions.count {
      let end = min(revisions.count, start + Int.random(in: 1...9, using: &edits.random))
      let batch = Array(revisions[start..<end])
      try #require(try [Revision](encoding: batch.encoding) == batch)
      start = end
    }
  }

  @Test("A truncated encoding is read up to a whole change, or refused")
  func cutOff() throws {
    let bytes = Self.revisions.encoding
    let whole = Self.revisions.flatMap(\.changes)
    for count in 1..<bytes.count {
      guard let read = try? [Revision](encoding: Array(bytes[..<count])) else { continue }
      #expect(whole.starts(with: read.flatMap(\.changes)), "\(count) bytes")
    }
    #expect(throws: HistoryDamage.cutOff) { try [Revision](encoding: []) }
    #expect(throws: HistoryDamage.cutOff) { try [Revision](encoding: [1, 0]) }
    #expect(throws: HistoryDamage.cutOff) { try [Revision](encoding: [1, 0, 1, 8, 0, 2, 0x61]) }
  }

  @Test(
    "An encoding that no encoder writes is refused",
    arguments: [
      ([2, 0, 1, 9], .unknownVersion(2)),
      ([1, 9], .empty),
      ([1, 0, 1, 10], .unknownOperation(10, offset: 3)),
      ([1, 0, 0x80, 0], .badNumber(offset: 4)),
      ([1, 0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f], .badNumber(offset: 9)),
      ([1, 0, 1, 5, 0, 1, 0xff], .badName(offset: 7)),
      ([1, 0, 1, 6, 0, 0], .badName(offset: 6)),
      ([1, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x80], .badRow(offset: 14)),
      ([1, 0, 1, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0x40, 0], .badRow(offset: 14)),
    ] as [([UInt8], HistoryDamage)])
  func damage(bytes: [UInt8], damage: HistoryDamage) {
    #expect(throws: damage) { try [Revision](encoding: bytes) }
  }

  @Test("Damaged bytes are read as some revisions, or refused")
  func flippedBytes() {
    var random = SplitMix64(seed: 5)
    let form = Self.revisions.encoding
    var (read, refused) = (0, 0)
    for _ in 0..<5_000 {
      var bytes = form
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(
          in: 0...255, using: &random)
      }
      if (try? [Revision](encoding: bytes)) == nil { refused += 1 } else { read += 1 }
    }
    #expect(read > 50 && refused > 1_000)
  }
}
