/// The reason why stored sections and blocks do not form a board.
public enum BoardDamage: Error, Hashable, Sendable {
  /// There is no section.
  case noSections

  /// Two sections have the same id.
  case sectionTwice(SectionID)

  /// Two sections have the same name.
  case sectionNameTwice(String)

  /// Two blocks have the same id.
  case blockTwice(BlockID)

  /// The section of the block does not exist.
  case noSuchSection(SectionID, of: BlockID)

  /// The next block does not exist.
  case noSuchBlock(BlockID, after: BlockID)

  /// The next block belongs to another section.
  case blockOfAnotherSection(BlockID, after: BlockID)

  /// Two blocks name this block as their next block.
  case followsTwice(BlockID)

  /// Two blocks of a section both seem to be its first: no block names them as its next block.
  case twoFirstBlocks(BlockID, BlockID)

  /// The block cannot be reached from the first block of its section: it is in a loop.
  case loop(BlockID)

  /// The block has no rows, or too many.
  case badRowCount(BlockID, Int)

  /// The row occurs twice; the second time in this block.
  case rowTwice(RowID, in: BlockID)

  /// No numbers of blocks or sections are left.
  case numbersUsedUp
}

extension BoardDamage: CustomStringConvertible {
  /// The problem, with the numbers of sections and blocks.
  public var description: String {
    switch self {
    case .noSections: "there is no section"
    case .sectionTwice(let section): "section \(section.rawValue) occurs twice"
    case .sectionNameTwice(let name): "two sections have the name \"\(name)\""
    case .blockTwice(let block): "block \(block.rawValue) occurs twice"
    case .noSuchSection(let section, let block):
      "block \(block.rawValue) belongs to section \(section.rawValue), which is missing"
    case .noSuchBlock(let block, let before):
      "block \(block.rawValue), which follows block \(before.rawValue), is missing"
    case .blockOfAnotherSection(let block, let before):
      "block \(block.rawValue) follows block \(before.rawValue) of another section"
    case .followsTwice(let block): "block \(block.rawValue) follows two other blocks"
    case .twoFirstBlocks(let one, let other):
      "blocks \(one.rawValue) and \(other.rawValue) both come first in their section"
    case .loop(let block): "block \(block.rawValue) is in a loop"
    case .badRowCount(let block, let count):
      "block \(block.rawValue) has \(count) rows (expected 1…\(StoredBlock.maxRows))"
    case .rowTwice(let row, let block):
      "row \(row) occurs twice, the second time in block \(block.rawValue)"
    case .numbersUsedUp: "all numbers of blocks or sections are used"
    }
  }
}
