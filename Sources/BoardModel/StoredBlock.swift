/// What names a block of rows on its board: a number that is not used again while the board is in
/// memory.
public struct BlockID: Hashable, Comparable, Sendable {
  /// The number.
  public let rawValue: UInt32

  /// Names the block of that number.
  public init(_ rawValue: UInt32) { self.rawValue = rawValue }

  /// The order of the numbers.
  public static func < (one: BlockID, other: BlockID) -> Bool { one.rawValue < other.rawValue }
}

/// What names a section on its board, whatever its name and place: a number that is not used again
/// while the board is in memory.
public struct SectionID: Hashable, Comparable, Sendable {
  /// The number.
  public let rawValue: UInt32

  /// Names the section of that number.
  public init(_ rawValue: UInt32) { self.rawValue = rawValue }

  /// The order of the numbers.
  public static func < (one: SectionID, other: SectionID) -> Bool { one.rawValue < other.rawValue }
}

/// A run of consecutive rows of one section, as it rests on disk.
///
/// An edit touches few of them.
public struct StoredBlock: Hashable, Sendable {
  /// The most rows of a block: with its header and those of the page it fits 4 KiB.
  public static let mostRows = 480

  /// What names the block.
  public let id: BlockID

  /// The section that it belongs to.
  public let section: SectionID

  /// The block whose rows follow in the section; nil where it is the last.
  public let next: BlockID?

  /// The rows in order, 1 to `mostRows`.
  public let rows: [RowEntry]

  /// Makes a block as it was stored.
  public init(id: BlockID, section: SectionID, next: BlockID?, rows: [RowEntry]) {
    self.id = id
    self.section = section
    self.next = next
    self.rows = rows
  }
}

/// A section as it rests on disk; their order is the order in which they are listed.
public struct StoredSection: Hashable, Sendable {
  /// What names the section.
  public let id: SectionID

  /// What people call it.
  public let name: String

  /// Makes a section as it was stored.
  public init(id: SectionID, name: String) {
    self.id = id
    self.name = name
  }
}

/// What has to be written so that the stored board is the one in memory.
public struct UnsavedChanges: Hashable, Sendable {
  /// The blocks to write, new or in place of those of the same id; each once.
  public var blocks: [StoredBlock] = []

  /// The blocks to forget, written earlier.
  public var removedBlocks: [BlockID] = []

  /// All sections in order, in place of those written earlier; nil where they have not changed.
  public var sections: [StoredSection]?

  /// The rows that have left the board; what they hold is needed by an undo alone.
  public var removedRows: [RowID] = []

  /// Nothing to write.
  public init() {}

  /// Whether there is nothing to write.
  public var isEmpty: Bool {
    blocks.isEmpty && removedBlocks.isEmpty && sections == nil && removedRows.isEmpty
  }
}
