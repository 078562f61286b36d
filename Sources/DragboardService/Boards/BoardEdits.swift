import BoardModel
import DBus
import DragModel
import DragboardInterface
import DragboardStore

/// The methods of `org.dragboard.Dragboard1.Board` that change, move and delete rows.
struct BoardEdits {
  let work: ClientWork
  let words: WordIndex
  let storage: SandboxStorage
  let limits: Limits
  /// Called before the contents of rows change.
  let willChange: RowsWillChange

  // MARK: Texts

  func setText(
    _ board: BoardEntity, _ command: Command, _ reply: Reply<UInt64>, _ item: String,
    _ text: String
  ) throws(DBusError) {
    try setText(of: item, to: .plainText(text), base: 0, on: board, command, reply)
  }

  func replaceText(
    _ board: BoardEntity, _ command: Command, _ reply: Reply<UInt64>, _ base: UInt64,
    _ item: String, _ text: String
  ) throws(DBusError) {
    try setText(of: item, to: .plainText(text), base: base, on: board, command, reply)
  }

  private func setText(
    of item: String, to content: IncomingContent, base: UInt64, on board: BoardEntity,
    _ command: Command, _ reply: Reply<UInt64>
  ) throws(DBusError) {
    try board.checkBase(base)
    let (row, old) = try editable(item, for: content, on: board, command)
    let max = limits.maxRepresentationBytes
    guard content.byteCount <= max else { throw .limit("text: max-representation-bytes", max) }
    try charge(content.byteCount, command, argument: "text")
    guard let ready = content.ready, !work.isBusy(command.sender) else {
      return try setTextLater(
        of: item, to: content, base: base, sameAs: old, on: board, command, reply)
    }
    let isSame = old?.inMemory == content.data
    reply.send(isSame ? board.board.revision : try setContent(of: row, to: ready, board, command))
  }

  /// Returns the row with an id if the caller may edit it.
  ///
  /// If the new content may equal the row's content, the result contains the row's content, so that
  /// the caller can compare them. They may be equal if the row has only one representation, which
  /// has the type and the size of the new content.
  ///
  /// - Throws: NoSuchItem if there is no such row; AccessDenied or NotEditable if the caller may
  ///   not edit it; IOError if the row cannot be read.
  private func editable(
    _ item: String, for content: IncomingContent, on board: BoardEntity, _ command: Command
  ) throws(DBusError) -> (RowID, Payload?) {
    let (stored, row) = (StoredRows(board.ids, for: command), try board.row(item))
    try stored.checkMayChange([row])
    let types = try stored.summary(of: row).types
    let isAlike =
      types.count == 1 && types[0].type == content.type && types[0].byteCount == content.byteCount
    let old = isAlike ? try stored.content(of: row, at: 0) : nil
    try checkEditable(row, on: board)
    return (row, old)
  }

  /// Charges bytes to the storage limit of the caller's sandbox.
  private func charge(_ bytes: Int, _ command: Command, argument: String) throws(DBusError) {
    let sandbox = command.access.sandboxOfQuotas
    try storage.charge(bytes, rows: 0, to: sandbox, argument: argument)
    storage.settle(bytes, rows: 0, of: sandbox)
  }

  private func checkEditable(_ row: RowID, on board: BoardEntity) throws(DBusError) {
    if let flags = board.board.flags(of: row), !flags.contains(.isEditable) {
      throw board.answer(to: .notEditable(row))
    }
  }

  /// Writes a large text to a file first, on another thread.
  private func setTextLater(
    of item: String, to content: IncomingContent, base: UInt64, sameAs old: Payload?,
    on board: BoardEntity, _ command: Command, _ reply: Reply<UInt64>
  ) throws(DBusError) {
    let (max, files) = (limits.maxRepresentationBytes, command.step.store.contents)
    let revision = board.board.revision
    try work.run(for: command, bytes: content.byteCountInMemory) {
      Result { () throws(DBusError) in
        let isSame = try old.map { old throws(DBusError) in try content.isSame(as: old) } ?? false
        return isSame ? nil : try content.prepared(max: max, in: files)
      }
    } then: { step, prepared in
      do throws(DBusError) {
        let command = command.resumed(in: step)
        try board.checkExists(in: step)
        try board.checkBase(base)
        let (row, _) = try editable(item, for: content, on: board, command)
        if let ready = try prepared.get() {
          return reply.send(try setContent(of: row, to: ready, board, command))
        }
        if board.board.revision == revision { return reply.send(revision) }
        // The text equals the bytes that the row had when the call arrived. Another edit may have
        // changed these bytes since, so compare again.
        try setText(of: item, to: content, base: base, on: board, command, reply)
      } catch { reply.refuse(error) }
    } orElse: {
      reply.refuse(.rolledBack)
    }
  }

  private func setContent(
    of row: RowID, to content: RowContent.Representation, _ board: BoardEntity, _ command: Command
  ) throws(DBusError) -> UInt64 {
    let old = try StoredRows(board.ids, for: command).summary(of: row)
    return try replace(
      RowContent(origin: old.origin, attributes: old.attributes, representations: [content]),
      of: row, board, command)
  }

  /// Replaces the content of a row, and retains the old content for the undo.
  private func replace(
    _ content: RowContent, of row: RowID, _ board: BoardEntity, _ command: Command
  ) throws(DBusError) -> UInt64 {
    let kept = try replace([content], of: [row], board, command)
    return try board.edit(for: command, keeping: kept) { model throws(BoardError) in
      try model.reload(row)
    }
  }

  /// Replaces the contents of rows; returns the rows that retain the old contents for the undo.
  private func replace(
    _ contents: [RowContent], of rows: [RowID], _ board: BoardEntity, _ command: Command
  ) throws(DBusError) -> [RowID] {
    guard !rows.isEmpty else { return [] }
    let isDigested = board.header.movesDuplicates
    defer { words.noteRows() }
    return try command.step.write(for: board) { store throws(StoreError) in
      try willChange(rows)
      var kept: [RowID] = []
      for (row, content) in zip(rows, contents) {
        kept += try store.keepContent(of: row)
        try store.put(isDigested ? content.digested : content, of: row)
      }
      return kept
    }
  }

  // MARK: Names

  func setItemName(
    _ board: BoardEntity, _ command: Command, _ item: String, _ name: String
  ) throws(DBusError) -> UInt64 {
    let name = try Label(argument: "name", name)
    let (stored, row) = (StoredRows(board.ids, for: command), try board.row(item))
    try stored.checkMayChange([row])
    let old = try stored.summary(of: row)
    try checkEditable(row, on: board)
    guard name != old.attributes.name else { return board.board.revision }
    // Both the row and the step that undoes the edit store the content, so it is charged again.
    try charge(old.byteCount, command, argument: "name")
    var attributes = old.attributes
    attributes.name = name
    return try replace(
      try content(of: row, old, attributes, in: stored), of: row, board, command)
  }

  /// Returns the content of a row, with its attributes replaced.
  private func content(
    of row: RowID, _ old: RowSummary, _ attributes: ItemAttributes, in stored: StoredRows
  ) throws(DBusError) -> RowContent {
    var representations: [RowContent.Representation] = []
    for (ordinal, summary) in old.types.enumerated() {
      let bytes = try stored.content(of: row, at: ordinal)
      representations.append(.init(type: summary.type, bytes: bytes, preview: ""))
    }
    return RowContent(
      origin: old.origin, attributes: attributes, preview: old.preview,
      representations: representations)
  }

  // MARK: Stacks

  func stackItems(
    _ board: BoardEntity, _ command: Command, _ items: [String], _ section: UInt32, _ row: Int32,
    _ stack: String
  ) throws(DBusError) -> UInt64 {
    let stack = try Label(argument: "stack", stack)
    let destination = try BoardEntity.destination(row)
    let (stored, rows) = (StoredRows(board.ids, for: command), try board.rows(items))
    try checkMayMove(rows, toSection: section, row: destination, on: board, command)
    var changed: [(row: RowID, old: RowSummary)] = []
    for row in rows {
      let old = try stored.summary(of: row)
      if old.attributes.stack != stack { changed.append((row, old)) }
    }
    let changedRows = changed.map(\.row)
    do throws(BoardError) {
      try board.board.checkMove(
        rows, toSection: Int(section), row: destination, reloading: changedRows)
    } catch { throw board.answer(to: error) }
    let maxBytes =
      command.access.governs
      ? BoardSharing.maxRewrittenBytes : BoardSharing.maxBytesRewrittenBySandbox
    guard changed.reduce(0, { $0 + $1.old.inlineByteCount }) <= maxBytes else {
      throw .limit("items: the maximum number of bytes of changed rows", maxBytes)
    }
    try charge(changed.reduce(0) { $0 + $1.old.byteCount }, command, argument: "items")
    var contents: [RowContent] = []
    for (row, old) in changed {
      var attributes = old.attributes
      attributes.stack = stack
      contents.append(try content(of: row, old, attributes, in: stored))
    }
    let kept = try replace(contents, of: changedRows, board, command)
    return try board.edit(for: command, keeping: kept) { model throws(BoardError) in
      try model.move(rows, toSection: Int(section), row: destination, reloading: changedRows)
    }
  }

  // MARK: Flags

  func setEditable(
    _ board: BoardEntity, _ command: Command, _ item: String, _ isEditable: Bool
  ) throws(DBusError) -> UInt64 {
    try setFlag(.isEditable, to: isEditable, of: item, on: board, command)
  }

  func setMovable(
    _ board: BoardEntity, _ command: Command, _ item: String, _ isMovable: Bool
  ) throws(DBusError) -> UInt64 {
    try setFlag(.isMovable, to: isMovable, of: item, on: board, command)
  }

  func setPinned(
    _ board: BoardEntity, _ command: Command, _ item: String, _ isPinned: Bool
  ) throws(DBusError) -> UInt64 {
    try setFlag(.isPinned, to: isPinned, of: item, on: board, command)
  }

  private func setFlag(
    _ flag: RowFlags, to isSet: Bool, of item: String, on board: BoardEntity, _ command: Command
  ) throws(DBusError) -> UInt64 {
    let row = try board.row(item)
    try StoredRows(board.ids, for: command).checkMayChange([row])
    return try board.edit(for: command) { model throws(BoardError) in
      try model.setFlags(flag, to: isSet, of: row)
    }
  }

  // MARK: Moving and deleting

  func moveRow(
    _ board: BoardEntity, _ command: Command, _ fromSection: UInt32, _ fromRow: UInt32,
    _ toSection: UInt32, _ toRow: UInt32
  ) throws(DBusError) -> UInt64 {
    let source = IndexPath(section: Int(fromSection), row: Int(fromRow))
    let destination = IndexPath(section: Int(toSection), row: Int(toRow))
    do throws(BoardError) {
      try board.board.checkPaths(ofMoveFrom: source, to: destination)
    } catch { throw board.answer(to: error) }
    try checkMayChange(source, on: board, command)
    return try board.edit(for: command) { model throws(BoardError) in
      try model.move(from: source, to: destination)
    }
  }

  func moveItems(
    _ board: BoardEntity, _ command: Command, _ items: [String], _ section: UInt32, _ row: Int32
  ) throws(DBusError) -> UInt64 {
    let destination = try BoardEntity.destination(row)
    let rows = try board.rows(items)
    try checkMayMove(rows, toSection: section, row: destination, on: board, command)
    return try board.edit(for: command) { model throws(BoardError) in
      try model.move(rows, toSection: Int(section), row: destination)
    }
  }

  /// Refuses rows that the caller may not move.
  ///
  /// A destination that does not exist is refused first.
  private func checkMayMove(
    _ rows: [RowID], toSection section: UInt32, row: Int?, on board: BoardEntity, _ command: Command
  ) throws(DBusError) {
    guard !command.access.governs else { return }
    do throws(BoardError) {
      _ = try board.board.pathOfMove(of: rows, toSection: Int(section), row: row)
    } catch { throw board.answer(to: error) }
    try StoredRows(board.ids, for: command).checkMayChange(rows)
  }

  func deleteRow(
    _ board: BoardEntity, _ command: Command, _ section: UInt32, _ row: UInt32
  ) throws(DBusError) -> UInt64 {
    let path = IndexPath(section: Int(section), row: Int(row))
    try checkMayChange(path, on: board, command)
    return try board.edit(for: command) { model throws(BoardError) in
      try model.delete(at: path)
    }
  }

  func deleteItems(
    _ board: BoardEntity, _ command: Command, _ items: [String]
  ) throws(DBusError) -> UInt64 {
    let rows = try board.rows(items)
    try StoredRows(board.ids, for: command).checkMayChange(rows)
    return try board.edit(for: command) { model throws(BoardError) in try model.delete(rows) }
  }

  func clear(_ board: BoardEntity, _ command: Command) throws(DBusError) -> UInt64 {
    try command.access.checkGoverns()
    return try board.edit(for: command) { model throws(BoardError) in model.clear() }
  }

  func erase(
    _ board: BoardEntity, _ command: Command, _ includingPinned: Bool
  ) throws(DBusError) -> UInt64 {
    try command.access.checkGoverns()
    board.evict(board.board.clearableRows(includingPinned: includingPinned), in: command.step)
    board.forgetHistory(in: command.step)
    return board.board.revision
  }

  /// Refuses the row at an index path if the caller may not change it.
  ///
  /// A path without a row passes, because the edit refuses it.
  private func checkMayChange(
    _ path: IndexPath, on board: BoardEntity, _ command: Command
  ) throws(DBusError) {
    guard !command.access.governs, let row = board.board.row(at: path) else { return }
    try StoredRows(board.ids, for: command).checkMayChange([row])
  }
}

extension RowSummary {
  fileprivate var byteCount: Int { types.reduce(0) { $0 + $1.byteCount } }
}

extension BoardStore {
  /// Moves the content of a row to a new row that is on no board.
  ///
  /// The old row has no content afterwards.
  func keepContent(of row: RowID) throws(StoreError) -> [RowID] {
    let kept = try reserveRows(1)
    for keeper in kept { try moveItem(from: row, to: keeper) }
    return kept
  }
}
