import BoardModel
import Testing

@Suite("The unsaved parts of a board, and the restoring of a board")
struct SavingTests {
  private static func block(
    _ id: UInt32, _ next: UInt32?, _ rows: [RowID], section: UInt32 = 1
  ) -> StoredBlock {
    StoredBlock(
      id: BlockID(id), section: SectionID(section), next: next.map(BlockID.init),
      rows: rows.map { RowEntry($0) })
  }

  private static let main = StoredSection(id: SectionID(1), name: "main")
  private static let other = StoredSection(id: SectionID(2), name: "other")

  @Test("The section of a new board is written once")
  func newBoard() {
    var board = Board()
    let changes = board.takeUnsavedChanges()
    #expect(changes.sections?.map(\.name) == ["main"])
    #expect(changes.blocks.isEmpty)
    #expect(board.takeUnsavedChanges().isEmpty)
  }

  @Test("A block is written once, however many edits changed it")
  func once() throws {
    var board = try Board(rows(1, 2, 3))
    _ = try board.move(from: at(0, 0), to: at(0, 2))
    _ = try board.delete(rows(2))
    let changes = board.takeUnsavedChanges()
    #expect(changes.blocks == [Self.block(1, nil, rows(3, 1))])
    #expect(changes.removedRows == rows(2))
    #expect(changes.removedBlocks.isEmpty)
  }

  @Test("A block that was made and deleted between two writes is never reported")
  func cameAndWent() throws {
    var board = Board()
    _ = board.takeUnsavedChanges()
    _ = try board.insert(rows(1), at: at(0, 0), maxRows: 9)
    _ = try board.delete(rows(1))
    let changes = board.takeUnsavedChanges()
    #expect(changes.blocks.isEmpty && changes.removedBlocks.isEmpty)
    #expect(changes.removedRows == rows(1))
  }

  @Test("A row that was deleted and restored has not left the board")
  func putBack() throws {
    var board = try Board(rows(1, 2, 3))
    _ = try board.delete(rows(2, 3))
    _ = try board.insert(rows(2), at: at(0, 0), maxRows: 9)
    #expect(board.takeUnsavedChanges().removedRows == rows(3))
  }

  @Test("An insertion among 100,000 rows splits one block; the next one changes one block")
  func fewBlocks() throws {
    var board = try Board(rows(0..<100_000))
    _ = board.takeUnsavedChanges()
    _ = try board.insert(rows(200_000), at: at(0, 50_000), maxRows: .max)
    #expect(board.takeUnsavedChanges().blocks.count == 2)
    _ = try board.insert(rows(200_001), at: at(0, 50_000), maxRows: .max)
    #expect(board.takeUnsavedChanges().blocks.count == 1)
    _ = try board.move(from: at(0, 50_000), to: at(0, 99_000))
    #expect(board.takeUnsavedChanges().blocks.count == 3)
  }

  @Test("Rows that are appended one by one fill the blocks")
  func appending() throws {
    var board = Board()
    for number in 0..<UInt64(4_800) {
      _ = try board.insert([RowID(number)], at: at(0, Int(number)), maxRows: .max)
    }
    let blocks = board.takeUnsavedChanges().blocks
    #expect(blocks.map(\.rows.count) == [Int](repeating: StoredBlock.maxRows, count: 10))
  }

  @Test("Flags, names, order and empty sections are restored, and new numbers are unused")
  func restore() throws {
    let fixed = RowEntry(RowID(7), flags: .isPinned)
    let blocks = [
      Self.block(9, 4, rows(1, 2)),
      StoredBlock(id: BlockID(4), section: SectionID(1), next: nil, rows: [fixed]),
    ]
    var board = try Board(revision: 12, sections: [Self.other, Self.main], blocks: blocks)
    #expect(board.revision == 12)
    #expect(board.sectionNames == ["other", "main"])
    #expect(board.order == [[], rows(1, 2, 7)])
    #expect(board.flags(of: RowID(7)) == .isPinned)
    #expect(board.takeUnsavedChanges().isEmpty)
    _ = try board.insert(rows(8), at: at(0, 0), maxRows: 9)
    _ = try board.insertSection(named: "third", at: nil, maxSections: 9)
    let changes = board.takeUnsavedChanges()
    #expect(changes.blocks.map(\.id) == [BlockID(10)])
    #expect(changes.sections?.map(\.id) == [SectionID(2), SectionID(1), SectionID(3)])
  }

  @Test(
    "Invalid data of a board is refused with the reason",
    arguments: [
      ([], [], .noSections),
      ([main, main], [], .sectionTwice(SectionID(1))),
      ([main, StoredSection(id: SectionID(2), name: "main")], [], .sectionNameTwice("main")),
      ([main], [block(1, nil, rows(1)), block(1, nil, rows(2))], .blockTwice(BlockID(1))),
      ([main], [block(1, nil, rows(1), section: 3)], .noSuchSection(SectionID(3), of: BlockID(1))),
      ([main], [block(1, 2, rows(1))], .noSuchBlock(BlockID(2), after: BlockID(1))),
      (
        [main, other], [block(1, 2, rows(1)), block(2, nil, rows(2), section: 2)],
        .blockOfAnotherSection(BlockID(2), after: BlockID(1))
      ),
      (
        [main], [block(1, 3, rows(1)), block(2, 3, rows(2)), block(3, nil, rows(3))],
        .followsTwice(BlockID(3))
      ),
      (
        [main], [block(1, nil, rows(1)), block(2, nil, rows(2))],
        .twoFirstBlocks(BlockID(1), BlockID(2))
      ),
      ([main], [block(1, 1, rows(1))], .loop(BlockID(1))),
      (
        [main], [block(1, nil, rows(1)), block(2, 3, rows(2)), block(3, 2, rows(3))],
        .loop(BlockID(2))
      ),
      ([main], [block(1, nil, [])], .badRowCount(BlockID(1), 0)),
      ([main], [block(1, nil, rows(0..<481))], .badRowCount(BlockID(1), 481)),
      (
        [main], [block(1, 2, rows(1, 2)), block(2, nil, rows(3, 1))],
        .rowTwice(RowID(1), in: BlockID(2))
      ),
      ([main], [block(.max, nil, rows(1))], .numbersUsedUp),
    ] as [([StoredSection], [StoredBlock], BoardDamage)])
  func damage(sections: [StoredSection], blocks: [StoredBlock], damage: BoardDamage) {
    #expect(throws: damage) { try Board(revision: 1, sections: sections, blocks: blocks) }
    #expect(!damage.description.isEmpty)
  }

  @Test(
    "A row with the flags of a new row is stored as its number; other flags are the top three bits")
  func entries() {
    let row = RowID(1 << 54 - 1)
    #expect(RowEntry(row).rawValue == row.rawValue)
    #expect(RowEntry(row, flags: .isMovable).rawValue == row.rawValue | 1 << 63)
    #expect(RowEntry(row, flags: .isEditable).rawValue == row.rawValue | 1 << 62)
    #expect(RowEntry(row, flags: .all).rawValue == row.rawValue | 1 << 61)
    for flags in (0...RowFlags.all.rawValue).map(RowFlags.init) {
      let entry = RowEntry(rawValue: RowEntry(row, flags: flags).rawValue)
      #expect(entry.row == row && entry.flags == flags)
    }
  }
}
