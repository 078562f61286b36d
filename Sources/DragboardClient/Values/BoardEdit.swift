import DBus
import DragboardInterface

/// An edit of another copy of the board, which `apply` repeats.
///
/// Its indexes refer to the board after all previous edits.
public enum BoardEdit: Sendable {
  /// Inserts a row with a reserved id.
  case insert(ItemID, NewRow, at: RowPosition)
  /// Deletes a row.
  case delete(ItemID)
  /// Moves a row. `to` is its position on the board without the row.
  case move(ItemID, to: RowPosition)
  /// Changes flags of a row; nil leaves a flag unchanged.
  case setFlags(ItemID, isEditable: Bool?, isMovable: Bool?, isPinned: Bool?)
  /// Changes the suggested name of a row.
  case setName(ItemID, String)
  /// Changes the stack of a row.
  case setStack(ItemID, String)
  /// Replaces all representations of a row.
  case setRepresentations(ItemID, [(type: ContentType, content: RowBytes)])
  /// Inserts an empty section.
  case insertSection(String, at: Int)
  /// Deletes a section without rows.
  case deleteSection(at: Int)
  /// Moves a section with its rows. `to` is its index on the board without the section.
  case moveSection(from: Int, to: Int)
  /// Renames a section.
  case renameSection(to: String, at: Int)

  /// A row to insert.
  public struct NewRow: Sendable {
    /// The representations in order of fidelity, all of different types.
    public var representations: [(type: ContentType, content: RowBytes)]
    /// The name, the modification time, the application and the stack.
    public var attributes: ItemAttributes
    /// The time of the insertion, as time since the beginning of 1970, UTC; nil for the present time.
    public var created: Duration?
    /// Whether the row can be changed and deleted.
    public var isEditable = true
    /// Whether the row can be moved.
    public var isMovable = true
    /// Whether the row stays when the board is cleared.
    public var isPinned = false
    /// Whether the content came from the clipboard, so that the row has the source
    /// ``ClipboardBridge/rowSource``.
    public var isFromClipboard = false

    /// Creates an editable, movable row that is not pinned.
    public init(
      _ representations: [(type: ContentType, content: RowBytes)],
      attributes: ItemAttributes = ItemAttributes(), created: Duration? = nil
    ) {
      self.representations = representations
      self.attributes = attributes
      self.created = created
    }
  }
}

extension BoardEdit {
  var wire: BoardInterface.Edit {
    switch self {
    case .insert(let item, let row, let position):
      var attributes = row.attributes.wire(isFromClipboard: row.isFromClipboard)
      attributes["created"] = row.created.flatMap(\.microseconds).map { Variant(.uint64($0)) }
      attributes["editable"] = row.isEditable ? nil : Variant(.boolean(false))
      attributes["movable"] = row.isMovable ? nil : Variant(.boolean(false))
      attributes["pinned"] = row.isPinned ? Variant(.boolean(true)) : nil
      return Self.edit(
        .insert, item.description, position: position, attributes: attributes,
        representations: row.representations)
    case .delete(let item): return Self.edit(.delete, item.description)
    case .move(let item, let position):
      return Self.edit(.move, item.description, position: position)
    case .setFlags(let item, let isEditable, let isMovable, let isPinned):
      let flags = [("editable", isEditable), ("movable", isMovable), ("pinned", isPinned)]
      let named = flags.compactMap { name, flag in flag.map { (name, Variant(.boolean($0))) } }
      return Self.edit(.set, item.description, attributes: Dictionary(named) { $1 })
    case .setName(let item, let name):
      return Self.edit(.set, item.description, attributes: ["name": Variant(.string(name))])
    case .setStack(let item, let stack):
      return Self.edit(.set, item.description, attributes: ["stack": Variant(.string(stack))])
    case .setRepresentations(let item, let representations):
      return Self.edit(.set, item.description, representations: representations)
    case .insertSection(let name, let index):
      return Self.edit(.insertSection, name, position: RowPosition(section: index, row: 0))
    case .deleteSection(let index):
      return Self.edit(.deleteSection, position: RowPosition(section: index, row: 0))
    case .moveSection(let source, let destination):
      return Self.edit(.moveSection, position: RowPosition(section: source, row: destination))
    case .renameSection(let name, let index):
      return Self.edit(.renameSection, name, position: RowPosition(section: index, row: 0))
    }
  }

  private static func edit(
    _ kind: BoardInterface.EditKind, _ subject: String = "",
    position: RowPosition = RowPosition(section: 0, row: 0), attributes: [String: Variant] = [:],
    representations: [(type: ContentType, content: RowBytes)] = []
  ) -> BoardInterface.Edit {
    BoardInterface.Edit(
      kind.rawValue, subject, UInt32(index: position.section), UInt32(index: position.row),
      attributes,
      representations.map { BoardInterface.Representation($0.type.rawValue, $0.content.wire) })
  }
}
