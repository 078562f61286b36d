import DBus
import DragboardInterface

/// Edits: when one has returned, it is on the disk.
extension Board {
  // MARK: Inserting

  /// Inserts rows of plain text, one after the other.
  ///
  /// - Parameters:
  ///   - texts: a text for each row; an empty list is no edit.
  ///   - section: the index of the section.
  ///   - row: index of the first row; nil is the end.
  /// - Returns: their ids in order.
  /// - Throws: `invalidArguments` for an invalid place; `limitsExceeded` if the board is full.
  @discardableResult
  public func insert(
    _ texts: [String], inSection section: Int = 0, at row: Int? = nil
  ) async throws(DragboardError) -> [ItemID] {
    try ItemID.all(
      try await call(
        BoardInterface.insertTexts, UInt32(index: section), Int32(destination: row), texts))
  }

  /// Inserts a row of one representation.
  ///
  /// - Parameters:
  ///   - data: the bytes, at most 64 MiB.
  ///   - type: their type.
  ///   - section: the index of the section.
  ///   - row: index of the row; nil is the end.
  /// - Returns: the row's id.
  /// - Throws: `invalidArguments` for an invalid place or type, and for a text type whose bytes are
  ///   not UTF-8; `limitsExceeded`.
  @discardableResult
  public func insert(
    _ data: [UInt8], as type: ContentType, inSection section: Int = 0, at row: Int? = nil
  ) async throws(DragboardError) -> ItemID {
    try ItemID(
      wire: try await call(
        BoardInterface.insertData, UInt32(index: section), Int32(destination: row), type.rawValue,
        data))
  }

  /// Inserts a row of one representation from a file, of any size.
  ///
  /// - Parameters:
  ///   - file: a regular file or a memfd.
  ///   - type: its type.
  ///   - section: the index of the section.
  ///   - row: index of the row; nil is the end.
  /// - Returns: the row's id.
  /// - Throws: `invalidArguments` as for bytes, and for a pipe, a directory or a device;
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
  ///   - representations: in order of fidelity, no type twice; bytes of at most 64 MiB together, and
  ///     at most 16 files.
  ///   - attributes: the name, the modification time and the application.
  ///   - section: the index of the section.
  ///   - row: index of the row; nil is the end.
  /// - Returns: the row's id.
  /// - Throws: `invalidArguments`, `duplicateRepresentation`, `limitsExceeded`, `inputOutput`.
  @discardableResult
  public func insert(
    _ representations: [(type: ContentType, content: RowBytes)],
    attributes: ItemAttributes = ItemAttributes(), inSection section: Int = 0, at row: Int? = nil
  ) async throws(DragboardError) -> ItemID {
    try ItemID(
      wire: try await call(
        BoardInterface.insertItem, timeout: DragboardConnection.unlimited, UInt32(index: section),
        Int32(destination: row), attributes.wire.wire,
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

  /// Moves a row to `destination`, a position of the board without it; returns the revision.
  ///
  /// - Throws: `invalidArguments` for a place that is none; `notMovable`.
  @discardableResult
  public func move(
    from source: RowPosition, to destination: RowPosition
  ) async throws(DragboardError) -> UInt64 {
    try await call(
      BoardInterface.moveRow, UInt32(index: source.section), UInt32(index: source.row),
      UInt32(index: destination.section), UInt32(index: destination.row))
  }

  /// Takes rows out and puts them back together, in the order given.
  ///
  /// - Parameters:
  ///   - items: the rows, none twice.
  ///   - section: index of the destination.
  ///   - row: index of the first row in the section without the rows; nil is the end.
  /// - Returns: the revision.
  /// - Throws: `noSuchItem`, `notMovable`, `invalidArguments`.
  @discardableResult
  public func move(
    _ items: [ItemID], toSection section: Int, row: Int? = nil
  ) async throws(DragboardError) -> UInt64 {
    try await call(
      BoardInterface.moveItems, items.wire, UInt32(index: section), Int32(destination: row))
  }

  /// Deletes rows, all of them or none; returns the revision.
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

  // MARK: Orders

  /// Makes the board equal to a snapshot: other rows are deleted, the rest are moved, and sections
  /// are inserted and deleted.
  ///
  /// - Parameters:
  ///   - snapshot: rows of the board, each once.
  ///   - isForced: whether the board may have been edited since the snapshot.
  /// - Returns: the revision, and the changes; nil if they are too many to list.
  /// - Throws: `staleRevision`, `invalidArguments`, `notEditable`, `notMovable`.
  @discardableResult
  public func apply(
    _ snapshot: BoardSnapshot, isForced: Bool = false
  ) async throws(DragboardError) -> (revision: UInt64, changes: [BoardChange]?) {
    let base = isForced ? 0 : snapshot.revision
    let (revision, changes) = try await call(BoardInterface.applySnapshot, base, snapshot.wire)
    return (revision, try BoardChange.all(changes))
  }

  /// Puts the rows of a section, all of them, into another order.
  ///
  /// - Parameters:
  ///   - items: the section's rows in their new order.
  ///   - section: the index of the section.
  ///   - base: the revision that the rows were read at; nil applies to whatever stands.
  /// - Returns: the revision.
  /// - Throws: `staleRevision`, `invalidArguments`, `notMovable`.
  @discardableResult
  public func apply(
    order items: [ItemID], ofSection section: Int = 0, base: UInt64? = nil
  ) async throws(DragboardError) -> UInt64 {
    try await call(BoardInterface.applyOrder, base ?? 0, UInt32(index: section), items.wire)
  }
}
