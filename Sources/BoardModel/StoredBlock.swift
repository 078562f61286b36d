/// The identity of a block of rows on its board: a number that is not reused while the board is in
/// memory.
public struct BlockID: Hashable, Comparable, Sendable {
  /// The number.
  public let rawValue: UInt32

  /// Creates the id with this number.
  public init(_ rawValue: UInt32) { self.rawValue = rawValue }

  /// Compares the numbers.
  public static func < (one: BlockID, other: BlockID) -> Bool { one.rawValue < other.rawValue }
}

/// The identity of a section on its board, independent of its name and index: a number that is not
/// reused while the board is in memory.
public struct SectionID: Hashable, Comparable, Sendable {
  /// The number.
  public let rawValue: UInt32

  /// Creates the id with this number.
  public init(_ rawValue: UInt32) { self.rawValue = rawValue }

  /// Compares the numbers.
  public static func < (one: SectionID, other: SectionID) -> Bool { one.rawValue < other.rawValue }
}

/// A run of consecutive rows of one section, as it is stored on disk.
///
/// An edit changes few blocks.
public struct StoredBlock: Hashable, Sendable {
  /// The maximum number of rows of a block.
  ///
  /// Such a block fits into a page of 4 KiB, with the headers of the block and the page.
  public static let maxRows = 480

  /// The id of the block.
  public let id: BlockID

  /// The section of the block.
  public let section: SectionID

  /// The next block of the section; nil for the last block.
  public let next: BlockID?

  /// The rows in order, 1 to `maxRows`.
  public let rows: [RowEntry]

  /// Creates a block.
  public init(id: BlockID, section: SectionID, next: BlockID?, rows: [RowEntry]) {
    self.id = id
    self.section = section
    self.next = next
    self.rows = rows
  }
}

/// A section as it is stored on disk.
///
/// A list of stored sections is in the order of the board.
public struct StoredSection: Hashable, Sendable {
  /// The id of the section.
  public let id: SectionID

  /// The name of the section.
  public let name: String

  /// Creates a section.
  public init(id: SectionID, name: String) {
    self.id = id
    self.name = name
  }
}

/// The changes to write so that the stored board equals the board in memory.
public struct UnsavedChanges: Hashable, Sendable {
  /// The new and the changed blocks; each occurs once.
  public var blocks: [StoredBlock] = []

  /// The stored blocks to delete.
  public var removedBlocks: [BlockID] = []

  /// All sections in order, which replace the stored sections; nil if no section has changed.
  public var sections: [StoredSection]?

  /// The rows that have left the board; only an undo needs their contents.
  public var removedRows: [RowID] = []

  /// Creates an empty set of changes.
  public init() {}

  /// Whether there is nothing to write.
  public var isEmpty: Bool {
    blocks.isEmpty && removedBlocks.isEmpty && sections == nil && removedRows.isEmpty
  }
}
