import BoardModel
import DBus
import DragModel
import DragboardInterface
import DragboardStore

/// The methods of `org.dragboard.Dragboard1.Board` that repeat edits of another copy of the board.
///
/// They refuse sandboxed callers after they have checked the syntax of the arguments.
struct BoardSharing {
  let work: ClientWork
  let words: WordIndex
  let retention: Retention
  let limits: Limits
  /// Called before the contents of rows change.
  let willChange: RowsWillChange
  /// Returns the present time, in microseconds since 1970, UTC.
  let now: () -> UInt64

  /// The maximum number of edits in a call of ApplyEdits.
  ///
  /// All of them are applied in one step.
  static let maxElements = 20_000
  /// The maximum number of bytes of old small contents that one call rewrites.
  ///
  /// New attributes of a row rewrite its small contents.
  static let maxRewrittenBytes = 32 << 20
  static let maxBytesRewrittenBySandbox = 1 << 20
  /// The maximum number of bytes of new small contents in one call.
  ///
  /// They are stored in one step.
  private static let maxBytes = 4 << 20

  func reserveItems(
    _ board: BoardEntity, _ command: Command, _ count: UInt32
  ) throws(DBusError) -> [String] {
    guard 1...BoardInterface.maxReserved ~= Int(count) else {
      throw DBusError(
        .invalidArgs, "count: \(count) is out of range (1…\(BoardInterface.maxReserved))")
    }
    try command.access.checkGoverns()
    let rows = try command.step.write { store throws(StoreError) in
      try store.reserveRows(Int(count))
    }
    return rows.map(board.ids.id)
  }

  func applyEdits(
    _ board: BoardEntity, _ command: Command, _ reply: Reply<UInt64>, _ base: UInt64,
    _ edits: [BoardInterface.Edit]
  ) throws(DBusError) {
    var parsed: [IncomingEdit] = []
    parsed.reserveCapacity(edits.count)
    for (index, edit) in edits.enumerated() {
      do throws(DBusError) {
        parsed.append(try IncomingEdit(edit, ids: board.ids, now: now()))
      } catch { throw error.ofEdit(index) }
    }
    try command.access.checkGoverns()
    try board.checkBase(base)
    try checkSizes(parsed)
    let contents = parsed.map { $0.row?.ready }
    let isReady = zip(parsed, contents).allSatisfy { $0.row == nil || $1 != nil }
    if isReady, !work.isBusy(command.sender) {
      return reply.send(try apply(parsed, contents, base, to: board, command))
    }
    try applyLater(parsed, base, to: board, command, reply)
  }

  private func checkSizes(_ edits: [IncomingEdit]) throws(DBusError) {
    var small = 0
    for (index, edit) in edits.enumerated() {
      for content in edit.row?.contents ?? [] {
        guard content.byteCount <= limits.maxRepresentationBytes else {
          throw DBusError.limit(
            "representations: max-representation-bytes", limits.maxRepresentationBytes
          )
          .ofEdit(index)
        }
        if content.byteCount <= Payload.inlineLimit { small += content.byteCount }
      }
    }
    guard small <= Self.maxBytes else {
      throw .limit("edits: the maximum number of bytes of small contents", Self.maxBytes)
    }
  }

  /// Applies the edits after their large contents have been written to files.
  private func applyLater(
    _ edits: [IncomingEdit], _ base: UInt64, to board: BoardEntity, _ command: Command,
    _ reply: Reply<UInt64>
  ) throws(DBusError) {
    let (max, files) = (limits.maxRepresentationBytes, command.step.store.contents)
    let digesting = board.header.movesDuplicates
    let rows = edits.map(\.row)
    try work.read(
      for: command, bytes: rows.reduce(0) { $0 + ($1?.byteCountInMemory ?? 0) },
      kind: rows.lazy.compactMap { $0?.workKind }.first { $0 != .storage } ?? .storage
    ) { (reading) throws(DBusError) -> [RowContent?] in
      var contents: [RowContent?] = []
      for row in rows {
        contents.append(
          try row?.prepared(max: max, noting: reading, in: files, digesting: digesting))
      }
      return contents
    } then: { step, contents in
      do throws(DBusError) {
        try board.checkExists(in: step)
        try board.checkBase(base)
        let command = command.resumed(in: step)
        reply.send(try apply(edits, try contents.get(), base, to: board, command))
      } catch { reply.refuse(error) }
    } orElse: {
      reply.refuse(.rolledBack)
    }
  }

  // MARK: Applying

  /// Applies edits whose contents are ready.
  private func apply(
    _ edits: [IncomingEdit], _ contents: [RowContent?], _ base: UInt64, to board: BoardEntity,
    _ command: Command
  ) throws(DBusError) -> UInt64 {
    let stored = StoredRows(board.ids, for: command)
    var inserted: [RowID] = []
    var new = Set<RowID>()
    var changed: [RowID: RowContent] = [:]
    var discarded: [RowID] = []
    var rewrittenBytes = 0
    for (index, (edit, content)) in zip(edits, contents).enumerated() {
      switch edit.edit {
      case .insert(let row, _, _):
        guard new.insert(row).inserted, !board.board.contains(row), try !isStored(row, command)
        else {
          throw DBusError(
            .invalidArgs,
            "item \(board.ids.id(of: row).quoted) was inserted before (expected an id from ReserveItems)"
          ).ofEdit(index)
        }
        inserted.append(row)
        changed[row] = content
      case .delete(let row): discarded.append(row)
      case .reload(let row) where changed[row] != nil || board.board.contains(row):
        if changed[row] == nil {
          rewrittenBytes += try stored.summary(of: row).inlineByteCount
          guard rewrittenBytes <= Self.maxRewrittenBytes else {
            throw DBusError.limit(
              "representations: the maximum number of bytes of changed rows", Self.maxRewrittenBytes
            ).ofEdit(index)
          }
        }
        let old = if let new = changed[row] { new } else { try stored.rowContent(of: row) }
        changed[row] = edit.content(content, replacing: old)
      default: break
      }
    }
    let unchanged = try rowsWithSameContent(as: changed, without: new, on: board, in: stored)
    let revision: UInt64?
    do throws(OtherEditError) {
      revision = try board.repeatEdits(
        edits.map(\.edit), unchanged: unchanged, discarding: discarded, in: command.step)
    } catch { throw board.answer(to: error.error).ofEdit(error.index) }
    // If nothing has changed, the rows that the edits inserted were deleted by them, too.
    guard let revision else { return board.board.revision }
    try command.step.write { store throws(StoreError) in
      for (row, content) in changed where !unchanged.contains(row) {
        let content = board.header.movesDuplicates ? content.digested : content
        if !new.contains(row) {
          try willChange([row])
          board.discard(try store.keepContent(of: row))
        }
        try store.put(content, of: row)
      }
    }
    if !inserted.isEmpty { retention.noteInsertion(of: inserted, by: .user, on: board) }
    if !changed.isEmpty { words.noteRows() }
    return revision
  }

  /// Returns the rows of the board that already have these contents.
  ///
  /// New contents in files are not compared with stored ones, which would take too long.
  private func rowsWithSameContent(
    as contents: [RowID: RowContent], without new: Set<RowID>, on board: BoardEntity,
    in stored: StoredRows
  ) throws(DBusError) -> Set<RowID> {
    var rows: Set<RowID> = []
    for (row, content) in contents where !new.contains(row) && board.board.contains(row) {
      if try stored.rowContent(of: row).isSame(as: content) { rows.insert(row) }
    }
    return rows
  }

  private func isStored(_ row: RowID, _ command: Command) throws(DBusError) -> Bool {
    do throws(StoreError) { return try command.step.store.summary(of: row) != nil } catch {
      throw error.answer
    }
  }
}

/// An edit in the argument of ApplyEdits.
private struct IncomingEdit {
  /// The edit of the board; `reload` if the contents, the name or the stack of a row change.
  let edit: OtherEdit
  /// The new row, or the new representations of a row; nil if there are none.
  private(set) var row: IncomingRow?
  /// The new suggested name; nil if it does not change.
  private var name: Label?
  /// The new stack; nil if it does not change.
  private var stack: Label?

  init(_ wire: BoardInterface.Edit, ids: ItemIDs, now: UInt64) throws(DBusError) {
    let (kind, subject, section, row, wireAttributes, representations) = wire.members
    guard representations.count <= ItemProvider.maxRepresentations else {
      throw .limit(
        "representations: the maximum number of representations", ItemProvider.maxRepresentations)
    }
    let path = IndexPath(section: Int(section), row: Int(row))
    func item() throws(DBusError) -> RowID {
      if let row = ids.row(of: subject) { return row }
      throw DBusError(
        .invalidArgs, "\(subject.quoted) is not an item (expected an id of this service)")
    }
    switch BoardInterface.EditKind(rawValue: kind) {
    case .insert:
      var attributes = EditAttributes()
      try attributes.update(with: wireAttributes)
      edit = .insert(
        try item(),
        flags: RowFlags.initial.subtracting(attributes.changing).union(attributes.flags),
        at: path)
      self.row = IncomingRow(
        origin: RowOrigin(
          created: min(attributes.created ?? now, now), source: attributes.source ?? ""),
        attributes: attributes.item, contents: try [IncomingContent](representations))
    case .set:
      var attributes = EditAttributes()
      try attributes.update(with: wireAttributes)
      let hasFlags = !attributes.changing.isEmpty
      let hasContent =
        attributes.hasName || attributes.hasStack || !representations.isEmpty
      guard hasFlags != hasContent, !attributes.hasOthers else {
        throw DBusError(
          .invalidArgs,
          "set: the edit sets nothing, or flags and contents (expected only flags, or at least one of: name, stack, representations)"
        )
      }
      if hasFlags {
        edit = .setFlags(attributes.flags, changing: attributes.changing, of: try item())
      } else {
        edit = .reload(try item())
        name = attributes.hasName ? attributes.item.name : nil
        stack = attributes.hasStack ? attributes.item.stack : nil
        self.row =
          representations.isEmpty
          ? nil
          : IncomingRow(
            origin: RowOrigin(created: now, source: ""), attributes: .none,
            contents: try [IncomingContent](representations))
      }
    case .delete: edit = .delete(try item())
    case .move: edit = .move(try item(), to: path)
    case .insertSection: edit = .insertSection(subject, at: path.section)
    case .deleteSection: edit = .deleteSection(at: path.section)
    case .moveSection: edit = .moveSection(from: path.section, to: path.row)
    case .renameSection: edit = .renameSection(to: subject, at: path.section)
    case nil:
      let kinds = BoardInterface.EditKind.allCases.map(\.rawValue).joined(separator: ", ")
      throw DBusError(
        .invalidArgs, "\(kind.quoted) is not a kind of edit (expected one of \(kinds))")
    }
  }

  /// The content of a row after the edit.
  func content(_ new: RowContent?, replacing old: RowContent) -> RowContent {
    var attributes = old.attributes
    if let name { attributes.name = name }
    if let stack { attributes.stack = stack }
    return RowContent(
      origin: old.origin, attributes: attributes,
      preview: new?.preview ?? old.preview,
      representations: new?.representations ?? old.representations)
  }
}

extension RowSummary {
  /// The number of bytes of the contents that are not in files.
  var inlineByteCount: Int {
    types.reduce(0) { $0 + ($1.byteCount <= Payload.inlineLimit ? $1.byteCount : 0) }
  }
}

extension RowContent {
  /// Returns whether two contents of one row have the same attributes, types and bytes.
  ///
  /// Contents in different files count as different.
  fileprivate func isSame(as other: RowContent) -> Bool {
    attributes == other.attributes && hasSameRepresentations(as: other)
  }
}

/// The attributes of an edit: those of InsertItem, including "source", "created", and the flags.
private struct EditAttributes {
  var item = ItemAttributes.none
  var created: UInt64?
  var source: String?
  var flags: RowFlags = []
  /// The flags that the edit sets or clears.
  var changing: RowFlags = []
  var (hasName, hasStack) = (false, false)
  /// Whether the edit has attributes that only an insertion can set.
  var hasOthers = false

  mutating func update(with wire: [String: Variant]) throws(DBusError) {
    var rest = wire
    for (name, flag) in [
      ("editable", RowFlags.isEditable), ("movable", .isMovable), ("pinned", .isPinned),
    ] {
      guard let value = rest.removeValue(forKey: name) else { continue }
      guard case .boolean(let isSet) = value.value else {
        throw DBusError(
          .invalidArgs, "attributes: \(name): type '\(value.value.signature)' (expected b)")
      }
      changing.insert(flag)
      if isSet { flags.insert(flag) }
    }
    if let value = rest.removeValue(forKey: "created") {
      guard case .uint64(let time) = value.value else {
        throw DBusError(
          .invalidArgs, "attributes: created: type '\(value.value.signature)' (expected t)")
      }
      created = time
    }
    source = try rest.takeRowSource()
    try item.update(with: rest)
    hasName = rest["name"] != nil
    hasStack = rest["stack"] != nil
    hasOthers =
      created != nil || source != nil || rest["modified"] != nil || rest["application"] != nil
      || rest["mode"] != nil
  }
}

extension DBusError {
  /// The error, with the index of the edit that caused it.
  fileprivate func ofEdit(_ index: Int) -> DBusError {
    DBusError(name, "edits: edit \(index): \(message)")
  }
}
