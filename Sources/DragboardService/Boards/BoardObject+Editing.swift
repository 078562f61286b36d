import BoardModel
import DBus
import DragModel
import DragboardInterface

/// The methods of `org.dragboard.Dragboard1.Board` that change, move and delete.
extension BoardObject {
  // MARK: Changing

  func setText(
    _ item: String, _ text: String, _ call: Call, _ reply: Reply<UInt64>
  ) throws(DBusError) {
    let (bytes, sandbox) = (text.utf8.count, call.access.sandboxOfQuotas)
    try service.sandboxStorage.charge(bytes, rows: 0, to: sandbox, argument: "text")
    service.sandboxStorage.settle(bytes, rows: 0, of: sandbox)
    try setText(item, .plainText(text), call, reply)
  }

  private func setText(
    _ item: String, _ content: IncomingContent, _ call: Call, _ reply: Reply<UInt64>
  ) throws(DBusError) {
    let (row, old) = try changeable(item, content, call.access)
    let most = service.limits.maxRepresentationBytes
    guard content.byteCount <= most else { throw .limit("text: max-representation-bytes", most) }
    if let ready = content.ready, !service.clientWork.isBusy(call.sender) {
      let isSame = old?.inMemory == content.data
      return reply.send(isSame ? board.revision : try setContent(of: row, to: ready))
    }
    try setLater(item, content, sameAs: old, call, reply)
  }

  /// The row whose text is to become that, and where its bytes are if it holds as many of the same type and nothing else.
  ///
  /// - Throws: NoSuchItem, AccessDenied, NotEditable, IOError.
  private func changeable(
    _ item: String, _ content: IncomingContent, _ access: BoardAccess
  ) throws(DBusError) -> (RowID, Bytes?) {
    let row = try row(item)
    try checkMayChange([row], access)
    let types = try summary(of: row).types
    let isAlike =
      types.count == 1 && types[0].type == content.type && types[0].byteCount == content.byteCount
    let old = isAlike ? try self.content(of: row, at: 0) : nil
    if let gates = board.gates(of: row), !gates.contains(.editable) {
      throw answer(.notEditable(row))
    }
    return (row, old)
  }

  /// Writes a large text off the loop, and then makes it the row's one representation.
  private func setLater(
    _ item: String, _ content: IncomingContent, sameAs old: Bytes?, _ call: Call,
    _ reply: Reply<UInt64>
  ) throws(DBusError) {
    let fate = service.batch.fate()
    let (most, makeFile) = (
      service.limits.maxRepresentationBytes, service.repository.makeSpool
    )
    let revision = board.revision
    try service.clientWork.run(for: call.sender, bytes: content.byteCountInMemory) {
      Result { () throws(DBusError) in
        let isSame = try old.map { old throws(DBusError) in try content.isSame(as: old) } ?? false
        return isSame ? nil : try content.prepared(most: most, makeFile: makeFile)
      }
    } then: { [self] prepared in
      do throws(DBusError) {
        guard !fate.isTakenBack else { throw .takenBack }
        try checkExists()
        let (row, _) = try changeable(item, content, call.access)
        if let ready = try prepared.get() {
          return reply.send(try setContent(of: row, to: ready))
        }
        if board.revision == revision { return reply.send(revision) }
        // What it was the same as may be gone.
        try setText(item, content, call, reply)
      } catch { reply.refuse(error) }
    }
  }

  private func setContent(
    of row: RowID, to content: RowContent.Representation
  ) throws(DBusError) -> UInt64 {
    let old = try summary(of: row)
    let kept = try service.batch.write { () throws(RepositoryError) in
      try service.sessions.preserveContents(of: [row])
      let kept = try keepContent(of: row)
      try service.repository.put(RowContent(changed: old, to: content), of: row)
      return kept
    }
    return try edit(keeping: kept) { board throws(BoardError) in try board.reload(row) }
  }

  func setGate(
    _ gate: RowGates, open: Bool, of item: String, _ access: BoardAccess
  ) throws(DBusError) -> UInt64 {
    let row = try row(item)
    try checkMayChange([row], access)
    return try edit { board throws(BoardError) in
      try board.setGates(gate, open: open, of: row)
    }
  }

  // MARK: Moving and deleting

  func moveItems(
    _ items: [String], _ section: UInt32, _ row: Int32, _ access: BoardAccess
  ) throws(DBusError) -> UInt64 {
    let destination = try destination(row)
    let rows = try rows(items)
    try checkMayChange(rows, access)
    return try edit { board throws(BoardError) in
      try board.move(rows, toSection: Int(section), row: destination)
    }
  }

  func deleteItems(_ items: [String], _ access: BoardAccess) throws(DBusError) -> UInt64 {
    let rows = try rows(items)
    try checkMayChange(rows, access)
    return try edit { board throws(BoardError) in try board.delete(rows) }
  }

  // MARK: Sections and settings

  func insertSection(
    _ name: String, _ section: Int32, _ access: BoardAccess
  ) throws(DBusError) -> UInt64 {
    let index = try destination(section, argument: "section")
    try access.checkGoverns()
    return try edit { board throws(BoardError) in
      try board.insertSection(named: name, at: index, maxSections: service.limits.maxSections)
    }
  }

  /// The most types that a board can be said to accept.
  private static let maxAcceptedTypes = 256
  /// The most types that a call may name: faults of their form are reported before their number.
  static let maxNamedTypes = 10_000

  func setAcceptedTypes(_ types: [String], _ access: BoardAccess) throws(DBusError) {
    var accepted: [String] = []
    for type in types {
      let query = try TypeQuery(argument: "types", type).description
      if accepted.count <= Self.maxAcceptedTypes, !accepted.contains(query) {
        accepted.append(query)
      }
    }
    try access.checkGoverns()
    guard types.count <= Self.maxAcceptedTypes else {
      throw .limit("types: the number of accepted types", Self.maxAcceptedTypes)
    }
    try changeHeader { $0.acceptedTypes = accepted }
  }
}

extension RowContent {
  /// What an insert makes of a representation.
  init(inserted representation: Representation, by source: String, at created: UInt64) {
    self.init(
      created: created, source: source, name: "", preview: representation.preview,
      representations: [representation])
  }

  /// What SetText makes of a row.
  init(changed old: RowSummary, to representation: Representation) {
    self.init(
      created: old.created, source: old.source, name: old.name, preview: representation.preview,
      representations: [representation])
  }
}
