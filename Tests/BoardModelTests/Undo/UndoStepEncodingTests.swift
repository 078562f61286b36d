import TestSupport
import Testing

@testable import BoardModel
import FuzzTargets

@Suite("The binary form of undo steps")
struct UndoStepEncodingTests {
  private static let step = UndoStep(operations: [
    .insert([RowEntry(RowID(1), flags: .isPinned), RowEntry(RowID(1 << 54 - 1))], at: at(0, 300)),
    .delete(70_000, at: at(2, 1)), .put([RowEntry(RowID(5))], at: at(1, 0)),
    .lift(1, at: at(0, 0)), .move(from: at(0, 1), to: at(1, 0)),
    .setFlags([.isMovable, .isPinned], of: RowID(7)), .exchangeContent(of: RowID(8)),
    .insertSection("Zürich 🏔", at: 1), .deleteSection(at: 0), .moveSection(from: 2, to: 0),
    .renameSection(to: "a", at: 200),
    .changeRetention(
      RetentionChange(
        from: RetentionLimits(rows: .max, seconds: 0), to: RetentionLimits(rows: 7, seconds: 300))),
    .others([.delete(2, at: at(0, 1)), .deleteSection(at: 3)]),
  ])

  @Test("Every operation is read back as it was written")
  func roundTrip() throws {
    #expect(try UndoStep(bytes: Self.step.bytes) == Self.step)
  }

  @Test("The encoding equals the documented bytes")
  func form() {
    let step = UndoStep(operations: [
      .insert([RowEntry(RowID(258), flags: .isMovable)], at: at(0, 300)),
      .renameSection(to: "é", at: 2),
    ])
    let insert: [UInt8] = [1, 0, 0xac, 0x02, 1, 2, 1, 0, 0, 0, 0, 0, 0x80]
    #expect(step.bytes == [1] + insert + [11, 2, 2, 0xc3, 0xa9])
  }

  @Test("A restored row takes eight bytes, many deleted rows take a few")
  func size() throws {
    var board = try Board(rows(0..<5_000))
    #expect(try board.latestStep().bytes.count < 10)
    _ = board.clear()
    #expect(try board.latestStep().bytes.count < 8 * 5_000 + 10)
  }

  @Test("A truncated encoding is refused, wherever it is cut within an operation")
  func cutOff() throws {
    let bytes = UndoStep(operations: [Self.step.operations[0]]).bytes
    for count in 2..<bytes.count {
      #expect(throws: HistoryDamage.cutOff) { try UndoStep(bytes: Array(bytes[..<count])) }
    }
    #expect(throws: HistoryDamage.cutOff) { try UndoStep(bytes: []) }
    #expect(throws: HistoryDamage.empty) { try UndoStep(bytes: [1]) }
  }

  @Test(
    "An encoding that no encoder writes is refused",
    arguments: [
      ([2, 9, 0], .unknownVersion(2)),
      ([1, 9, 0, 14], .unknownOperation(14, offset: 3)),
      ([1, 13, 0x80, 0x80, 0x80, 0x80, 0x10, 0, 0, 0], .badNumber(offset: 7)),
      ([1, 12, 1, 12, 0], .unknownOperation(12, offset: 4)),
      ([1, 12, 2, 9, 0], .cutOff),
      ([1, 9, 0, 0], .unknownOperation(0, offset: 3)),
      ([1, 9, 0x80, 0], .badNumber(offset: 4)),
      ([1, 9, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 1], .badNumber(offset: 10)),
      ([1, 9, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f], .badNumber(offset: 9)),
      ([1, 8, 0, 1, 0xff], .badName(offset: 5)),
      ([1, 8, 0, 0], .badName(offset: 4)),
      ([1, 8, 0, 9, 0x61], .cutOff),
      ([1, 1, 0, 0, 0xff, 0xff, 0xff, 0xff, 0x7f, 1], .cutOff),
      ([1, 7, 0, 0, 0, 0, 0, 0, 0x40, 0], .badRow(offset: 10)),
      ([1, 7, 0, 0, 0, 0, 0, 0, 0, 0x80], .badRow(offset: 10)),
      ([1, 7, 0, 0, 0, 0, 0, 0, 0, 0x20], .badRow(offset: 10)),
      ([1, 6, 8, 0, 0, 0, 0, 0, 0, 0, 0], .badFlags(offset: 3)),
    ] as [([UInt8], HistoryDamage)])
  func damage(bytes: [UInt8], damage: HistoryDamage) {
    #expect(throws: damage) { try UndoStep(bytes: bytes) }
    #expect(!damage.description.isEmpty)
  }

  @Test(
    "A step that does not fit changes nothing",
    arguments: [
      .insert([RowEntry(RowID(1))], at: at(0, 0)), .insert([], at: at(0, 0)),
      .insert([RowEntry(RowID(9)), RowEntry(RowID(9))], at: at(0, 0)),
      .insert([RowEntry(RowID(9))], at: at(0, 4)), .insert([RowEntry(RowID(9))], at: at(5, 0)),
      .put([RowEntry(RowID(1))], at: at(0, 0)), .delete(0, at: at(0, 0)),
      .delete(4, at: at(0, 0)), .delete(1, at: at(0, 3)), .delete(1, at: at(9, 0)),
      .lift(3, at: at(0, 1)), .move(from: at(0, 3), to: at(0, 0)),
      .move(from: at(0, 0), to: at(0, 3)), .move(from: at(0, 0), to: at(1, 2)),
      .move(from: at(0, 0), to: at(7, 0)), .setFlags([], of: RowID(9)),
      .exchangeContent(of: RowID(9)), .insertSection("main", at: 0),
      .insertSection("new", at: 3), .deleteSection(at: 0), .deleteSection(at: 9),
      .moveSection(from: 0, to: 2), .moveSection(from: 2, to: 0), .renameSection(to: "s1", at: 0),
      .renameSection(to: "new", at: 2),
    ] as [UndoStep.Operation])
  func unfit(operation: UndoStep.Operation) throws {
    var board = try Board(rows(1, 2, 3), rows(4))
    let before = board.snapshot()
    let step = UndoStep(operations: [
      .lift(2, at: at(0, 0)), .put([RowEntry(RowID(2)), RowEntry(RowID(1))], at: at(0, 0)),
      .setFlags([], of: RowID(2)), .insertSection("x", at: 0), .renameSection(to: "y", at: 0),
      .moveSection(from: 0, to: 2), .deleteSection(at: 2), .move(from: at(0, 0), to: at(1, 0)),
      .move(from: at(1, 0), to: at(0, 0)), operation,
    ])
    #expect(throws: HistoryDamage.doesNotFit(operation: 9)) { try board.apply(step) }
    #expect(board.snapshot() == before)
    #expect(board.flags(of: RowID(2)) == .initial)
    #expect(board.indexPath(of: RowID(1)) == at(0, 0))
  }

  @Test("A damaged step changes the board as it is reported, or not at all")
  func flippedBytes() throws {
    var edits = EditSource(seed: 21)
    var board = Board(blockCapacity: 4)
    var naive = NaiveBoard()
    var (applied, refused) = (0, 0)
    for _ in 0..<1_500 {
      let edit = edits.nextWithArrangements(for: naive)
      guard (try? board.perform(edit)) != nil else { continue }
      _ = try naive.perform(edit)
      var bytes = try board.latestStep().bytes
      for _ in 0..<Int.random(in: 1...2, using: &edits.random) {
        let offset = Int.random(in: 1..<bytes.count, using: &edits.random)
        bytes[offset] = UInt8.random(in: 0...12, using: &edits.random)
      }
      var changed = board
      do {
        let revision = try changed.apply(UndoStep(bytes: bytes))
        var replica = board.snapshot()
        if revision.changes != [.reset] { try replica.apply(revision) }
        try #require(replica == changed.snapshot())
        applied += 1
      } catch is HistoryDamage {
        try #require(changed.snapshot() == board.snapshot())
        refused += 1
      }
      let all = changed.order.flatMap(\.self)
      try #require(Set(all).count == all.count && changed.count == all.count)
      for row in all { try #require(changed.indexPath(of: row) != nil) }
    }
    #expect(applied > 50 && refused > 200)
  }
}
