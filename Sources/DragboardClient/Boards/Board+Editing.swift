import DBus
import DragboardInterface

/// Edits. An edit is on the disk when its call returns.
extension Board {
  // MARK: Inserting

  /// Inserts rows of plain text, one after the other.
  ///
  /// - Parameters:
  ///   - texts: the texts of the rows. An empty list changes nothing.
  ///   - section: the index of the section.
  ///   - row: the index of the first new row; nil for the end of the section.
  /// - Returns: the ids of the new rows in order.
  /// - Throws: `invalidArguments` for an invalid position; `limitsExceeded` if the board is full.
  @discardableResult
  public func insert(
    _ texts: [String], inSection section: Int = 0, at row: Int? = nil
  ) async throws(DragboardError) -> [ItemID] {
    try ItemID.all(
      try await call(
        BoardInterface.insertTexts, UInt32(index: section), Int32(destination: row), texts))
  }

  /// Inserts a row with one representation.
  ///
  /// - Parameters:
  ///   - data: the bytes, at most 64 MiB.
  ///   - type: the type of the bytes.
  ///   - section: the index of the section.
  ///   - row: the index of the new row; nil for the end of the section.
  /// - Returns: the row's id.
  /// - Throws: `invalidArguments` if the position or the type is invalid, or if the type is text
  ///   and the bytes are not UTF-8; `limitsExceeded`.
  @discardableResult
  public func insert(
    _ data: [UInt8], as type: ContentType, inSection section: Int = 0, at row: Int? = nil
  ) async throws(DragboardError) -> ItemID {
    try ItemID(
      wire: try await call(
        BoardInterface.insertData, UInt32(index: section), Int32(destination: row), type.rawValue,
        data))
  }

  /// Inserts a row with one representation, whose bytes are in a file of any size.
  ///
  /// - Parameters:
  ///   - file: a regular file or a memfd.
  ///   - type: the type of the file's bytes.
  ///   - section: the index of the section.
  ///   - row: the index of the new row; nil for the end of the section.
  /// - Returns: the row's id.
  /// - Throws: `invalidArguments` if the position or the type is invalid, if the type is text and
  ///   the bytes are not UTF-8, or if the file is a pipe, a directory or a device;
  ///   `limitsExceeded`; `inputOutput`.
  @discardableResult
  public func insert(
    _ file: SourceFile, as type: ContentType, inSection section: Int = 0,
    at row: Int? = nil
  ) async throws(DragboardError) -> ItemID {
    return try ItemID(
      wire: try await call(
        BoardInterface.insertFile, timeout: DragboardConnection.unlimited, UInt32(index: section),
        Int32(destination: row), type.rawValue, file.file))
  }

  /// Inserts a row with attributes and all its representations.
  ///
  /// - Parameters:
  ///   - representations: the representations in order of fidelity, all of different types. At most
  ///     16 are files; the others have at most 64 MiB together.
  ///   - attributes: the name, the modification time and the application.
  ///   - isFromClipboard: whether the content came from the clipboard, so that the row has the
  ///     source ``ClipboardBridge/rowSource``.
  ///   - section: the index of the section.
  ///   - row: the index of the new row; nil for the end of the section.
  /// - Returns: the row's id.
  /// - Throws: `invalidArguments`, `duplicateRepresentation`, `limitsExceeded`, `inputOutput`;
  ///   `accessDenied` if a sandboxed client names the source of the clipboard.
  @discardableResult
  public func insert(
    _ representations: [(type: ContentType, content: RowBytes)],
    attributes: ItemAttributes = ItemAttributes(), isFromClipboard: Bool = false,
    inSection section: Int = 0, at row: Int? = nil
  ) async throws(DragboardError) -> ItemID {
    try ItemID(
      wire: try await call(
        BoardInterface.insertItem, timeout: DragboardConnection.unlimited, UInt32(index: section),
        Int32(destination: row), attributes.wire(isFromClipboard: isFromClipboard),
        representations.map { BoardInterface.Representation($0.type.rawValue, $0.content.wire) }))
  }

  // MARK: Changing

  /// Changes the suggested name of a row; returns the revision.
  ///
  /// - Throws: `noSuchItem`, `notEditable`, `invalidArguments`.
  @discardableResult
  public func setName(of item: ItemID, to name: String) async throws(DragboardError) -> UInt64 {
    try await call(BoardInterface.setItemName, item.description, name)
  }

  /// Replaces all representations of a row by a text; returns the revision.
  ///
  /// - Throws: `noSuchItem`, `notEditable`, `limitsExceeded`.
  @discardableResult
  public func setText(of item: ItemID, to text: String) async throws(DragboardError) -> UInt64 {
    try await call(BoardInterface.setText, item.description, text)
  }

  /// Replaces all representations of a row by a text if the board has not changed since a revision.
  ///
  /// - Parameters:
  ///   - item: the row.
  ///   - text: the text.
  ///   - base: the revision at which the row was read.
  /// - Returns: the revision.
  /// - Throws: `staleRevision`; the errors of ``setText(of:to:)``.
  @discardableResult
  public func replaceText(
    of item: ItemID, by text: String, base: UInt64
  ) async throws(DragboardError) -> UInt64 {
    try await call(BoardInterface.replaceText, base, item.description, text)
  }

  /// Sets whether a row can be changed and deleted; returns the revision.
  ///
  /// - Throws: `noSuchItem`.
  @discardableResult
  public func setEditable(
    _ isEditable: Bool, of item: ItemID
  ) async throws(DragboardError) -> UInt64 {
    try await call(BoardInterface.setEditable, item.description, isEditable)
  }

  /// Sets whether a row can be moved; returns the revision.
  ///
  /// - Throws: `noSuchItem`.
  @discardableResult
  public func setMovable(
    _ isMovable: Bool, of item: ItemID
  ) async throws(DragboardError) -> UInt64 {
    try await call(BoardInterface.setMovable, item.description, isMovable)
  }

  /// Sets whether a row stays when the board is cleared; returns the revision.
  ///
  /// - Throws: `noSuchItem`.
  @discardableResult
  public func setPinned(
    _ isPinned: Bool, of item: ItemID
  ) async throws(DragboardError) -> UInt64 {
    try await call(BoardInterface.setPinned, item.description, isPinned)
  }

  // MARK: Moving and deleting

  /// Moves a row.
  ///
  /// - Parameters:
  ///   - source: the position of the row.
  ///   - destination: the new position, on the board without the row.
  /// - Returns: the revision.
  /// - Throws: `invalidArguments` if a position does not exist; `notMovable`.
  @discardableResult
  public func move(
    from source: RowPosition, to destination: RowPosition
  ) async throws(DragboardError) -> UInt64 {
    try await call(
      BoardInterface.moveRow, UInt32(index: source.section), UInt32(index: source.row),
      UInt32(index: destination.section), UInt32(index: destination.row))
  }

  /// Moves rows to one position, in the order of `items`.
  ///
  /// - Parameters:
  ///   - items: the rows, without duplicates.
  ///   - section: the index of the section to move them to.
  ///   - row: the new index of the first row, in the section without the moved rows; nil for the
  ///     end of the section.
  /// - Returns: the revision.
  /// - Throws: `noSuchItem`, `notMovable`, `invalidArguments`.
  @discardableResult
  public func move(
    _ items: [ItemID], toSection section: Int, row: Int? = nil
  ) async throws(DragboardError) -> UInt64 {
    try await call(
      BoardInterface.moveItems, items.wire, UInt32(index: section), Int32(destination: row))
  }

  /// Moves rows to one position, as `move` does, and sets their stack, in one edit.
  ///
  /// Adjacent rows of a section with the same stack belong together.
  ///
  /// - Parameters:
  ///   - items: at most 1,000 rows, without duplicates.
  ///   - stack: the stack, which the caller invents; "" takes the rows out of their stacks.
  ///   - section: the index of the section to move them to.
  ///   - row: the new index of the first row, in the section without the moved rows; nil for the
  ///     end of the section.
  /// - Returns: the revision.
  /// - Throws: `noSuchItem`, `notMovable`, `notEditable`, `invalidArguments`, `limitsExceeded`.
  @discardableResult
  public func stack(
    _ items: [ItemID], as stack: String, inSection section: Int, at row: Int? = nil
  ) async throws(DragboardError) -> UInt64 {
    try await call(
      BoardInterface.stackItems, items.wire, UInt32(index: section), Int32(destination: row), stack)
  }

  /// Deletes all given rows, or none of them; returns the revision.
  ///
  /// - Throws: `noSuchItem`, `notEditable`; `invalidArguments` if a row is named twice.
  @discardableResult
  public func delete(_ items: [ItemID]) async throws(DragboardError) -> UInt64 {
    try await call(BoardInterface.deleteItems, items.wire)
  }

  /// Deletes every row that is editable and not pinned; returns the revision.
  @discardableResult
  public func clear() async throws(DragboardError) -> UInt64 {
    try await call(BoardInterface.clear)
  }

  /// Deletes every row that is editable and not pinned, and all steps of undo and redo.
  ///
  /// The daemon erases the deleted contents from the disk about a second later.
  ///
  /// - Parameter includingPinned: whether pinned rows are deleted, too.
  /// - Returns: the revision.
  /// - Throws: `accessDenied` in a sandbox.
  @discardableResult
  public func erase(includingPinned: Bool = false) async throws(DragboardError) -> UInt64 {
    try await call(BoardInterface.erase, includingPinned)
  }

  // MARK: Applying an order

  /// Makes the board equal to a snapshot.
  ///
  /// Rows that are not in the snapshot are deleted, and the other rows are moved. Sections are
  /// inserted and deleted.
  /// - Parameters:
  ///   - snapshot: the new order. It contains only rows of the board, without duplicates.
  ///   - isForced: whether to apply the snapshot even if the board has a newer revision.
  /// - Returns: the revision, and the changes; nil changes if there are too many to list.
  /// - Throws: `staleRevision`, `invalidArguments`, `notEditable`, `notMovable`.
  @discardableResult
  public func apply(
    _ snapshot: BoardSnapshot, isForced: Bool = false
  ) async throws(DragboardError) -> (revision: UInt64, changes: [BoardChange]?) {
    let base = isForced ? 0 : snapshot.revision
    let (revision, changes) = try await call(BoardInterface.applySnapshot, base, snapshot.wire)
    return (revision, try BoardChange.all(changes))
  }

  /// Changes the order of a section's rows.
  ///
  /// - Parameters:
  ///   - items: all rows of the section in their new order.
  ///   - section: the index of the section.
  ///   - base: the revision at which the rows were read; nil applies the order to any revision.
  /// - Returns: the revision.
  /// - Throws: `staleRevision`, `invalidArguments`, `notMovable`.
  @discardableResult
  public func apply(
    order items: [ItemID], ofSection section: Int = 0, base: UInt64? = nil
  ) async throws(DragboardError) -> UInt64 {
    try await call(BoardInterface.applyOrder, base ?? 0, UInt32(index: section), items.wire)
  }
}
