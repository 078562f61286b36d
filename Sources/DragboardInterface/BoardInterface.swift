public import DBus
public import Files

/// The interface `org.dragboard.Dragboard1.Board` of an ordered list of rows in sections.
public enum BoardInterface {
  /// The maximum number of elements in the list of InsertTexts, MoveItems or DeleteItems.
  public static let maxListCount = 100_000
  /// The maximum number of elements in the list of StackItems, which rewrites each row.
  public static let maxStackCount = 1_000
  /// The maximum number of ids that one call of ReserveItems returns.
  public static let maxReserved = 10_000
  /// The interface's name.
  public static let name: InterfaceName = "org.dragboard.Dragboard1.Board"

  /// A row on the wire: its id, its preview, its types in order of fidelity, and its attributes.
  public typealias Row = Structure<String, String, [String], RowAttributes>
  /// A found row on the wire: its section, its index in the section, its id, its preview, its types in
  /// order of fidelity, and its attributes.
  public typealias FoundRow = Structure<
    UInt32, UInt32, String, String, [String], RowAttributes
  >
  /// A section on the wire: its name and the ids of its rows.
  public typealias Section = Structure<String, [String]>
  /// A representation of an item to insert on the wire: its type and its bytes.
  public typealias Representation = Structure<String, WireContent>
  /// A part of an edit on the wire: kind, item or section name, section, row, attributes,
  /// representations.
  public typealias Edit = Structure<
    String, String, UInt32, UInt32, [String: Variant], [Representation]
  >

  /// The kind of a part of ApplyEdits.
  public enum EditKind: String, Hashable, Sendable, CaseIterable {
    /// Inserts the row with a reserved id.
    case insert
    /// Deletes the row.
    case delete
    /// Moves the row; the position refers to the board without it.
    case move
    /// Changes the flags, or the name and the representations.
    case set
    /// Inserts an empty section.
    case insertSection = "insert-section"
    /// Deletes an empty section.
    case deleteSection = "delete-section"
    /// Moves a section; its new index is the argument for the row.
    case moveSection = "move-section"
    /// Renames a section.
    case renameSection = "rename-section"
  }

  /// A method that edits the item with an id, and returns the new revision.
  public typealias ItemEdit<Argument: BusValue> = MethodDeclaration<
    Arguments<String, Argument>, Arguments<UInt64>
  >

  // MARK: Reading

  /// Returns a page of rows.
  public static let getRows = MethodDeclaration<
    Arguments<UInt32, UInt32, UInt32>, Arguments<UInt64, [Row]>
  >(name, "GetRows", in: "section", "first", "count", out: "revision", "rows")
  /// Returns the plain texts of a page of rows.
  public static let getTexts = MethodDeclaration<
    Arguments<UInt32, UInt32, UInt32>, Arguments<[String]>
  >(name, "GetTexts", in: "section", "first", "count", out: "texts")
  /// Returns the index path of an item.
  public static let getIndexPath = MethodDeclaration<
    Arguments<String>, Arguments<UInt32, UInt32>
  >(name, "GetIndexPath", in: "item", out: "section", "row")
  /// Returns an item's types, in order of fidelity.
  public static let getTypes = MethodDeclaration<Arguments<String>, Arguments<[String]>>(
    name, "GetTypes", in: "item", out: "types")
  /// Returns an item's plain text.
  public static let getText = MethodDeclaration<Arguments<String>, Arguments<String>>(
    name, "GetText", in: "item", out: "text")
  /// Returns the bytes of an item's first representation that conforms to a type.
  public static let getData = MethodDeclaration<Arguments<String, String>, Arguments<[UInt8]>>(
    name, "GetData", in: "item", "type", out: "data")
  /// Returns the bytes of an item's first representation that conforms to a type, as a file.
  public static let getFile = MethodDeclaration<
    Arguments<String, String>, Arguments<FileDescriptor>
  >(name, "GetFile", in: "item", "type", out: "fd")
  /// Returns the rows whose name and plain text contain every word of a query.
  public static let search = MethodDeclaration<Arguments<String, UInt32>, Arguments<[String]>>(
    name, "Search", in: "query", "limit", out: "items")
  /// Returns a page of the rows that contain every word of a query, the best rows first.
  public static let findRows = MethodDeclaration<
    Arguments<String, UInt32, UInt32>, Arguments<UInt64, [FoundRow], Bool>
  >(name, "FindRows", in: "query", "offset", "limit", out: "revision", "rows", "more")
  /// Returns the sections with the ids of their rows.
  public static let getSnapshot = MethodDeclaration<Arguments<>, Arguments<UInt64, [Section]>>(
    name, "GetSnapshot", out: "revision", "sections")

  // MARK: Inserting and changing

  /// Inserts a row of plain text.
  public static let insertText = MethodDeclaration<
    Arguments<UInt32, Int32, String>, Arguments<String>
  >(name, "InsertText", in: "section", "row", "text", out: "item")
  /// Inserts consecutive rows of plain text.
  public static let insertTexts = MethodDeclaration<
    Arguments<UInt32, Int32, [String]>, Arguments<[String]>
  >(name, "InsertTexts", in: "section", "row", "texts", out: "items")
  /// Inserts a row of any type.
  public static let insertData = MethodDeclaration<
    Arguments<UInt32, Int32, String, [UInt8]>, Arguments<String>
  >(name, "InsertData", in: "section", "row", "type", "data", out: "item")
  /// Inserts a row of any type from a file.
  public static let insertFile = MethodDeclaration<
    Arguments<UInt32, Int32, String, FileDescriptor>, Arguments<String>
  >(name, "InsertFile", in: "section", "row", "type", "fd", out: "item")
  /// Inserts a row with all its representations and attributes.
  public static let insertItem = MethodDeclaration<
    Arguments<UInt32, Int32, [String: Variant], [Representation]>, Arguments<String>
  >(
    name, "InsertItem", in: "section", "row", "attributes", "representations", out: "item")
  /// Changes the suggested name of a row.
  public static let setItemName = ItemEdit<String>(
    name, "SetItemName", in: "item", "name", out: "revision")
  /// Moves rows to consecutive positions, and sets their stack.
  public static let stackItems = MethodDeclaration<
    Arguments<[String], UInt32, Int32, String>, Arguments<UInt64>
  >(name, "StackItems", in: "items", "section", "row", "stack", out: "revision")
  /// Replaces all representations of a row by plain text.
  public static let setText = ItemEdit<String>(name, "SetText", in: "item", "text", out: "revision")
  /// Replaces all representations of a row by plain text if the board has not changed since a revision.
  public static let replaceText = MethodDeclaration<
    Arguments<UInt64, String, String>, Arguments<UInt64>
  >(name, "ReplaceText", in: "base", "item", "text", out: "revision")
  /// Sets whether a row can be changed and deleted.
  public static let setEditable = ItemEdit<Bool>(
    name, "SetEditable", in: "item", "editable", out: "revision")
  /// Sets whether a row can be moved.
  public static let setMovable = ItemEdit<Bool>(
    name, "SetMovable", in: "item", "movable", out: "revision")
  /// Sets whether a row stays when the board is cleared.
  public static let setPinned = ItemEdit<Bool>(
    name, "SetPinned", in: "item", "pinned", out: "revision")

  // MARK: Moving and deleting

  /// Moves the row at an index path.
  public static let moveRow = MethodDeclaration<
    Arguments<UInt32, UInt32, UInt32, UInt32>, Arguments<UInt64>
  >(
    name, "MoveRow", in: "from_section", "from_row", "to_section", "to_row", out: "revision")
  /// Moves rows to consecutive positions.
  public static let moveItems = MethodDeclaration<
    Arguments<[String], UInt32, Int32>, Arguments<UInt64>
  >(name, "MoveItems", in: "items", "section", "row", out: "revision")
  /// Deletes the row at an index path.
  public static let deleteRow = MethodDeclaration<Arguments<UInt32, UInt32>, Arguments<UInt64>>(
    name, "DeleteRow", in: "section", "row", out: "revision")
  /// Deletes all of these rows, or none.
  public static let deleteItems = MethodDeclaration<Arguments<[String]>, Arguments<UInt64>>(
    name, "DeleteItems", in: "items", out: "revision")
  /// Deletes every row that is editable and not pinned.
  public static let clear = MethodDeclaration<Arguments<>, Arguments<UInt64>>(
    name, "Clear", out: "revision")
  /// Deletes rows and the undo history, so that their contents are erased.
  public static let erase = MethodDeclaration<Arguments<Bool>, Arguments<UInt64>>(
    name, "Erase", in: "pinned", out: "revision")

  // MARK: Sections

  /// Inserts an empty section.
  public static let insertSection = MethodDeclaration<
    Arguments<String, Int32>, Arguments<UInt64>
  >(name, "InsertSection", in: "name", "section", out: "revision")
  /// Renames a section.
  public static let renameSection = MethodDeclaration<
    Arguments<UInt32, String>, Arguments<UInt64>
  >(name, "RenameSection", in: "section", "name", out: "revision")
  /// Moves a section with its rows.
  public static let moveSection = MethodDeclaration<
    Arguments<UInt32, UInt32>, Arguments<UInt64>
  >(name, "MoveSection", in: "from_section", "to_section", out: "revision")
  /// Deletes a section with its rows.
  public static let deleteSection = MethodDeclaration<Arguments<UInt32>, Arguments<UInt64>>(
    name, "DeleteSection", in: "section", out: "revision")
  /// Sets the types that a drop can bring.
  public static let setAcceptedTypes = MethodDeclaration<Arguments<[String]>, Arguments<>>(
    name, "SetAcceptedTypes", in: "types")

  // MARK: Differences

  /// Changes the board to match a snapshot.
  public static let applySnapshot = MethodDeclaration<
    Arguments<UInt64, [Section]>, Arguments<UInt64, [WireChange]>
  >(name, "ApplySnapshot", in: "base", "sections", out: "revision", "changes")
  /// Reorders the rows of a section.
  public static let applyOrder = MethodDeclaration<
    Arguments<UInt64, UInt32, [String]>, Arguments<UInt64>
  >(name, "ApplyOrder", in: "base", "section", "items", out: "revision")
  /// Returns all changes since a revision.
  public static let getChanges = MethodDeclaration<
    Arguments<UInt64>, Arguments<UInt64, [WireChange]>
  >(name, "GetChanges", in: "since", out: "revision", "changes")
  /// Returns all changes since a revision of a history.
  public static let getHistory = MethodDeclaration<
    Arguments<UInt64, String>, Arguments<UInt64, String, [WireChange]>
  >(name, "GetHistory", in: "since", "history", out: "revision", "latest", "changes")
  /// Reserves ids for rows to insert with ApplyEdits.
  public static let reserveItems = MethodDeclaration<Arguments<UInt32>, Arguments<[String]>>(
    name, "ReserveItems", in: "count", out: "items")
  /// Repeats edits of another copy of the board, in one edit.
  public static let applyEdits = MethodDeclaration<Arguments<UInt64, [Edit]>, Arguments<UInt64>>(
    name, "ApplyEdits", in: "base", "edits", out: "revision")
  /// Undoes the latest edit.
  public static let undo = MethodDeclaration<Arguments<>, Arguments<UInt64>>(
    name, "Undo", out: "revision")
  /// Redoes the edit that was undone last.
  public static let redo = MethodDeclaration<Arguments<>, Arguments<UInt64>>(
    name, "Redo", out: "revision")

  // MARK: Properties and the signal

  /// The board's name.
  public static let boardName = PropertyDeclaration<String>(name, "Name")
  /// The revision, which each edit increases by 1.
  public static let revision = PropertyDeclaration<UInt64>(name, "Revision", changes: .silent)
  /// The number of rows.
  public static let count = PropertyDeclaration<UInt32>(name, "Count", changes: .silent)
  /// The sections' names in order.
  public static let sections = PropertyDeclaration<[String]>(name, "Sections")
  /// The types and type patterns that a drop can bring.
  public static let acceptedTypes = PropertyDeclaration<[String]>(name, "AcceptedTypes")
  /// The maximum number of rows; 0 means the daemon's limit.
  public static let maxRows = PropertyDeclaration<UInt32>(name, "MaxRows", isWritable: true)
  /// Whether a local drag may move several rows.
  public static let movesMultipleRows = PropertyDeclaration<Bool>(
    name, "MovesMultipleRows", isWritable: true)
  /// The maximum number of rows that the board retains; 0 means all rows.
  public static let retainRows = PropertyDeclaration<UInt32>(name, "RetainRows", isWritable: true)
  /// The number of seconds for which the board retains a row; 0 means forever.
  public static let retainSeconds = PropertyDeclaration<UInt32>(
    name, "RetainSeconds", isWritable: true)
  /// Whether the insertion of a content that is already on the board moves the row with this
  /// content instead.
  public static let movesDuplicates = PropertyDeclaration<Bool>(
    name, "MovesDuplicates", isWritable: true)
  /// Whether rows of the board are being dragged.
  public static let hasActiveDrag = PropertyDeclaration<Bool>(name, "HasActiveDrag")

  /// Reports the changes of each edit.
  public static let changed = SignalDeclaration<Arguments<UInt64, UInt64, [WireChange]>>(
    name, "Changed", "from_revision", "to_revision", "changes")
}
