public import BoardModel

/// An edit of a shared board.
///
/// It identifies rows and sections by their keys, so it has the same meaning if other edits come
/// before it.
public enum SharedEdit: Hashable, Sendable {
  /// Inserts a row.
  case insert(RowKey, SharedRow, at: Place)
  /// Moves a row.
  case move(RowKey, to: Place)
  /// Deletes a row.
  case delete(RowKey)
  /// Sets the flags in `changing` to their values in `flags`.
  case setFlags(RowKey, RowFlags, changing: RowFlags)
  /// Changes the suggested name of a row.
  case setName(RowKey, String)
  /// Changes the stack of a row.
  case setStack(RowKey, String)
  /// Replaces the representations of a row.
  case setContents(RowKey, [SharedRow.Representation])
  /// Inserts an empty section after another section; nil for the beginning.
  case insertSection(SectionKey, String, after: SectionKey?)
  /// Renames a section.
  case renameSection(SectionKey, String)
  /// Moves a section with its rows after another section; nil for the beginning.
  case moveSection(SectionKey, after: SectionKey?)
  /// Deletes a section, which must be empty.
  case deleteSection(SectionKey)

  /// The row that the edit names; nil if it names a section.
  var row: RowKey? {
    switch self {
    case .insert(let key, _, _), .move(let key, _), .delete(let key), .setFlags(let key, _, _),
      .setName(let key, _), .setStack(let key, _), .setContents(let key, _):
      key
    case .insertSection, .renameSection, .moveSection, .deleteSection: nil
    }
  }

  /// Returns the edit with other keys for some rows.
  func renamingRows(_ names: [RowKey: RowKey]) -> SharedEdit {
    func name(_ key: RowKey) -> RowKey { names[key] ?? key }
    func renamed(_ place: Place) -> Place {
      Place(in: place.section, after: place.after.map(name), before: place.before.map(name))
    }
    return switch self {
    case .insert(let key, let row, let place): .insert(name(key), row, at: renamed(place))
    case .move(let key, let place): .move(name(key), to: renamed(place))
    case .delete(let key): .delete(name(key))
    case .setFlags(let key, let flags, let changing):
      .setFlags(name(key), flags, changing: changing)
    case .setName(let key, let text): .setName(name(key), text)
    case .setStack(let key, let stack): .setStack(name(key), stack)
    case .setContents(let key, let contents): .setContents(name(key), contents)
    case .insertSection, .renameSection, .moveSection, .deleteSection: self
    }
  }

  /// The position of a row: directly after one row and before another row.
  ///
  /// If the row before the position was deleted, the row after it determines the position. If both
  /// were deleted, the position is the end of the section. If the section was deleted too, it is
  /// the end of the first section.
  public struct Place: Hashable, Sendable {
    /// The section.
    public let section: SectionKey
    /// The row before the position; nil at the beginning of the section.
    public let after: RowKey?
    /// The row after the position; nil at the end of the section.
    public let before: RowKey?

    /// Creates a position.
    public init(in section: SectionKey, after: RowKey? = nil, before: RowKey? = nil) {
      self.section = section
      self.after = after
      self.before = before
    }
  }
}

/// The reason why an edit has no effect.
public enum DropReason: UInt8, Hashable, Sendable {
  /// Another machine has deleted the row.
  case rowGone = 1
  /// Another machine has deleted the section.
  case sectionGone = 2
  /// The section to delete contains rows of another machine.
  case sectionNotEmpty = 3
  /// The section is the only section of the board, which cannot be deleted.
  case lastSection = 4
  /// Another section has the name.
  case nameTaken = 5
  /// The board is full.
  case boardFull = 6
}

extension DropReason: CustomStringConvertible {
  /// The reason, in words.
  public var description: String {
    switch self {
    case .rowGone: "another machine has deleted the row"
    case .sectionGone: "another machine has deleted the section"
    case .sectionNotEmpty: "the section has rows of another machine"
    case .lastSection: "the only section cannot be deleted"
    case .nameTaken: "another section has this name"
    case .boardFull: "the board is full"
    }
  }
}

/// An edit of this machine that had no effect on the shared board.
public struct DroppedEdit: Hashable, Sendable {
  /// The edit.
  public let edit: SharedEdit
  /// The reason.
  public let reason: DropReason
  /// The title of the row, or the name of the section; "" if it is unknown.
  public let title: String
  /// The number of the entry in the log.
  public let entry: UInt64
  /// The time at which this machine read the entry, in microseconds since 1970, UTC.
  public let received: UInt64

  /// Creates a record of an edit without an effect.
  public init(
    _ edit: SharedEdit, _ reason: DropReason, title: String, entry: UInt64, received: UInt64
  ) {
    self.edit = edit
    self.reason = reason
    self.title = title
    self.entry = entry
    self.received = received
  }
}
