/// The order of stored blocks, each of which names its next block.
///
/// A block is identified by its offset in the list.
struct BlockChains {
  private var order: [SectionID: [Int]] = [:]

  /// Follows the chain of each section; throws if the blocks are damaged.
  init(sections: [StoredSection], blocks: [StoredBlock]) throws(BoardDamage) {
    try Self.check(sections)
    let offsets = try Self.offsets(of: blocks)
    let followers = try Self.followers(blocks, offsets)
    let firsts = try Self.firsts(sections, blocks, followers)
    for section in sections {
      var chain: [Int] = []
      var current = firsts[section.id]
      while let offset = current {
        chain.append(offset)
        current = followers[offset]
      }
      order[section.id] = chain
    }
    try checkAllReached(blocks)
  }

  /// Returns the blocks of a section in order.
  func slots(of section: SectionID) -> [Int] { order[section] ?? [] }

  private static func check(_ sections: [StoredSection]) throws(BoardDamage) {
    var ids: Set<SectionID> = []
    var names: Set<String> = []
    for section in sections {
      guard ids.insert(section.id).inserted else { throw .sectionTwice(section.id) }
      guard names.insert(section.name).inserted else { throw .sectionNameTwice(section.name) }
    }
    guard !sections.isEmpty else { throw .noSections }
  }

  private static func offsets(of blocks: [StoredBlock]) throws(BoardDamage) -> [BlockID: Int] {
    var offsets: [BlockID: Int] = [:]
    offsets.reserveCapacity(blocks.count)
    for (offset, block) in blocks.enumerated() {
      guard offsets.updateValue(offset, forKey: block.id) == nil else {
        throw .blockTwice(block.id)
      }
      guard 1...StoredBlock.maxRows ~= block.rows.count else {
        throw .badRowCount(block.id, block.rows.count)
      }
    }
    return offsets
  }

  /// Returns the next block of each block.
  ///
  /// Throws if a block is the next block of two blocks.
  private static func followers(
    _ blocks: [StoredBlock], _ offsets: [BlockID: Int]
  ) throws(BoardDamage) -> [Int?] {
    var followers = [Int?](repeating: nil, count: blocks.count)
    var isFollower = [Bool](repeating: false, count: blocks.count)
    for (offset, block) in blocks.enumerated() {
      guard let next = block.next else { continue }
      guard let follower = offsets[next] else { throw .noSuchBlock(next, after: block.id) }
      guard blocks[follower].section == block.section else {
        throw .blockOfAnotherSection(next, after: block.id)
      }
      guard !isFollower[follower] else { throw .followsTwice(next) }
      isFollower[follower] = true
      followers[offset] = follower
    }
    return followers
  }

  /// Returns the first block of each section: the block that is not the next block of any block.
  private static func firsts(
    _ sections: [StoredSection], _ blocks: [StoredBlock], _ followers: [Int?]
  ) throws(BoardDamage) -> [SectionID: Int] {
    let known = Set(sections.map(\.id))
    let later = Set(followers.compactMap(\.self))
    var firsts: [SectionID: Int] = [:]
    for (offset, block) in blocks.enumerated() {
      guard known.contains(block.section) else { throw .noSuchSection(block.section, of: block.id) }
      guard !later.contains(offset) else { continue }
      if let other = firsts.updateValue(offset, forKey: block.section) {
        throw .twoFirstBlocks(blocks[other].id, block.id)
      }
    }
    return firsts
  }

  /// Throws if a block is in a loop.
  ///
  /// A chain begins at a block that is not the next block of any block. In a loop, each block is
  /// the next block of another, so no chain reaches it.
  private func checkAllReached(_ blocks: [StoredBlock]) throws(BoardDamage) {
    var isReached = [Bool](repeating: false, count: blocks.count)
    for chain in order.values {
      for offset in chain { isReached[offset] = true }
    }
    if let missed = isReached.firstIndex(of: false) { throw .loop(blocks[missed].id) }
  }
}
