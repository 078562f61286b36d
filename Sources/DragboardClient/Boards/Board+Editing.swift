import DBus
import DragboardInterface

/// Edits: when one has returned, it is on the disk.
extension Board {
  // MARK: Inserting

  /// Inserts rows of plain text, one after the other.
  ///
  /// - Parameters:
  ///   - texts: one for each row; none is no edit.
  ///   - section: the index of the section.
  ///   - row: where the first shall stand; nil is the end.
  /// - Returns: their ids in order.
  /// - Throws: `invalidArguments` for a place that is none; `limitsExceeded` where the board would be too full.
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
  ///   - type: what they are.
  ///   - section: the index of the section.
  ///   - row: where it shall stand; nil is the end.
  /// - Returns: the row's id.
  /// - Throws: `invalidArguments` for a place that is none, a type that is none, or text that is not UTF-8 though its type says so;
  ///   `limitsExceeded`.
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
  ///   - type: what it holds.
  ///   - section: the index of the section.
  ///   - row: where it shall stand; nil is the end.
  /// - Returns: the row's id.
  /// - Throws: `invalidArguments` as for bytes, and for a pipe, a folder or a device; `limitsExceeded`; `inputOutput`.
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

  // MARK: Changing

  /// Makes `text` the row's one representation; gives the revision.
  ///
  /// - Throws: `noSuchItem`, `notEditable`, `limitsExceeded`.
  @discardableResult
  public func setText(of item: ItemID, to text: String) async throws(DragboardError) -> UInt64 {
    try await call(BoardInterface.setText, item.description, text)
  }

  /// Says whether a row can be changed and deleted; gives the revision.
  ///
  /// - Throws: `noSuchItem`.
  @discardableResult
  public func setEditable(
    _ isEditable: Bool, of item: ItemID
  ) async throws(DragboardError) -> UInt64 {
    try await call(BoardInterface.setEditable, item.description, isEditable)
  }

  /// Says whether a row can be moved; gives the revision.
  ///
  /// - Throws: `noSuchItem`.
  @discardableResult
  public func setMovable(
    _ isMovable: Bool, of item: ItemID
  ) async throws(DragboardError) -> UInt64 {
    try await call(BoardInterface.setMovable, item.description, isMovable)
  }

  // MARK: Moving and deleting

  /// Takes a row out and puts it back, so that it stands at `destination` then; gives the revision.
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
  ///   - section: where they shall stand.
  ///   - row: where the first shall stand, as the section is without them; nil is the end.
  /// - Returns: the revision.
  /// - Throws: `noSuchItem`, `notMovable`, `invalidArguments`.
  @discardableResult
  public func move(
    _ items: [ItemID], toSection section: Int, row: Int? = nil
  ) async throws(DragboardError) -> UInt64 {
    try await call(
      BoardInterface.moveItems, items.wire, UInt32(index: section), Int32(destination: row))
  }

  /// Deletes rows, all of them or none; gives the revision.
  ///
  /// - Throws: `noSuchItem`, `notEditable`, `invalidArguments` where a row is named twice.
  @discardableResult
  public func delete(_ items: [ItemID]) async throws(DragboardError) -> UInt64 {
    try await call(BoardInterface.deleteItems, items.wire)
  }

  /// Deletes every row that is editable; gives the revision.
  @discardableResult
  public func clear() async throws(DragboardError) -> UInt64 {
    try await call(BoardInterface.clear)
  }

  // MARK: Orders

  /// Makes the board as `snapshot` says: rows that it does not name go, the rest move, sections come and go.
  ///
  /// - Parameters:
  ///   - snapshot: rows of the board, each once.
  ///   - isForced: whether it applies to whatever stands; else the board must still be at the snapshot's revision.
  /// - Returns: the revision, and the changes that were made; nil where they are too many to tell.
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
