/// Why stored sections and blocks make no board.
public enum BoardDamage: Error, Hashable, Sendable {
  /// There is no section.
  case noSections

  /// Two sections have one id.
  case sectionTwice(SectionID)

  /// Two sections have one name.
  case sectionNameTwice(String)

  /// Two blocks have one id.
  case blockTwice(BlockID)

  /// The block belongs to a section that is not there.
  case noSuchSection(SectionID, of: BlockID)

  /// The block is said to follow, and is not there.
  case noSuchBlock(BlockID, after: BlockID)

  /// The block follows on one of another section.
  case blockOfAnotherSection(BlockID, after: BlockID)

  /// The block follows on two others.
  case followsTwice(BlockID)

  /// The section has two blocks that follow on none.
  case twoFirstBlocks(BlockID, BlockID)

  /// The block cannot be reached from the first of its section: it is in a loop.
  case loop(BlockID)

  /// The block has no rows, or more than a block can have.
  case badRowCount(BlockID, Int)

  /// The row stands in two places; the second of them is in that block.
  case rowTwice(RowID, in: BlockID)

  /// The numbers of blocks or sections are used up.
  case numbersUsedUp
}

extension BoardDamage: CustomStringConvertible {
  /// What does not fit, with the numbers of sections and blocks.
  public var description: String {
    switch self {
    case .noSections: "there is no section"
    case .sectionTwice(let section): "section \(section.rawValue) is there twice"
    case .sectionNameTwice(let name): "two sections are called \"\(name)\""
    case .blockTwice(let block): "block \(block.rawValue) is there twice"
    case .noSuchSection(let section, let block):
      "block \(block.rawValue) belongs to section \(section.rawValue), which is missing"
    case .noSuchBlock(let block, let before):
      "block \(block.rawValue), which follows block \(before.rawValue), is missing"
    case .blockOfAnotherSection(let block, let before):
      "block \(block.rawValue) follows block \(before.rawValue) of another section"
    case .followsTwice(let block): "block \(block.rawValue) follows two others"
    case .twoFirstBlocks(let one, let other):
      "blocks \(one.rawValue) and \(other.rawValue) both come first in their section"
    case .loop(let block): "block \(block.rawValue) is in a loop"
    case .badRowCount(let block, let count):
      "block \(block.rawValue) has \(count) rows; right is 1 to \(StoredBlock.mostRows)"
    case .rowTwice(let row, let block):
      "row \(row) stands in two places, one of them block \(block.rawValue)"
    case .numbersUsedUp: "the numbers of blocks or sections are used up"
    }
  }
}
