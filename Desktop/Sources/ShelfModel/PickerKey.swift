/// The meaning of a key in a picker, where most keys type words of the search.
public enum PickerKey: Hashable, Sendable {
  /// Moves the selection.
  case move(BoardList.KeyboardStep)
  /// Moves the selection by a page; true for down.
  case movePage(Bool)
  /// Pastes the selected row, or its plain text.
  case paste(isPlain: Bool)
  /// Pastes the row with a number from 1 on.
  case pasteNumber(Int)
  /// Shows a large preview.
  case preview
  /// Deletes the selected row.
  case delete
  /// Undoes the latest deletion.
  case undo
  /// Shows the next or the previous board.
  case board(Int)
  /// Begins a search in which digits and spaces are text.
  case search
  /// Closes the picker.
  case close

  /// A key of the keyboard.
  public enum Key: Hashable, Sendable {
    case up, down, pageUp, pageDown, home, end, enter, space, delete, tab, slash, escape
    /// A digit from 1 to 9.
    case digit(Int)
    /// The letter of a shortcut, in lower case.
    case letter(Character)
  }

  /// The keys that are held.
  public struct Modifiers: OptionSet, Hashable, Sendable {
    /// The bits.
    public let rawValue: Int
    /// Creates a set from its bits.
    public init(rawValue: Int) { self.rawValue = rawValue }
    /// Control.
    public static let control = Modifiers(rawValue: 1)
    /// Shift.
    public static let shift = Modifiers(rawValue: 2)
    /// Alt.
    public static let alt = Modifiers(rawValue: 4)
  }

  /// The state of the search field.
  public struct Search: Hashable, Sendable {
    /// Whether digits and spaces are text: the user has typed a word, or begun a search.
    public let isBegun: Bool
    /// Whether the cursor is after the last character, and nothing is selected.
    public let isAtEnd: Bool

    /// Creates a state.
    public init(isBegun: Bool, isAtEnd: Bool) {
      (self.isBegun, self.isAtEnd) = (isBegun, isAtEnd)
    }
  }

  /// Returns the meaning of a key; nil if the search field handles the key.
  public init?(_ key: Key, _ modifiers: Modifiers, in search: Search) {
    switch (key, modifiers) {
    case (.up, []): self = .move(.rows(-1))
    case (.down, []): self = .move(.rows(1))
    case (.pageUp, []): self = .movePage(false)
    case (.pageDown, []): self = .movePage(true)
    case (.home, [.control]): self = .move(.first)
    case (.end, [.control]): self = .move(.last)
    case (.home, []) where !search.isBegun: self = .move(.first)
    case (.end, []) where !search.isBegun: self = .move(.last)
    case (.enter, []): self = .paste(isPlain: false)
    case (.enter, [.control]): self = .paste(isPlain: true)
    case (.digit(let number), [.alt]): self = .pasteNumber(number)
    case (.digit(let number), []) where !search.isBegun: self = .pasteNumber(number)
    case (.space, [.control]): self = .preview
    case (.space, []) where !search.isBegun: self = .preview
    case (.delete, [.shift]): self = .delete
    case (.delete, []) where search.isAtEnd: self = .delete
    case (.letter("z"), [.control]) where !search.isBegun: self = .undo
    case (.tab, []): self = .board(1)
    case (.tab, [.shift]): self = .board(-1)
    case (.slash, []) where !search.isBegun: self = .search
    case (.letter("f"), [.control]): self = .search
    case (.escape, _): self = .close
    default: return nil
    }
  }
}
