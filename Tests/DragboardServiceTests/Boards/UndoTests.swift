import DBus
import DragboardInterface
import TestSupport
import Testing

@Suite("Undo and Redo")
struct UndoTests {
  private static let large = [UInt8](repeating: 7, count: 300_000)

  /// One edit of each kind; the later edits depend on the earlier ones.
  private static let edits: [(String, @Sendable (BusClient) throws -> Void)] = [
    ("InsertText", { _ = try $0.call(BoardInterface.insertText, 0, 0, "a") }),
    ("InsertTexts", { try $0.insert(["b", "c", "d", "e", "f"]) }),
    ("InsertData", { _ = try $0.call(BoardInterface.insertData, 0, 1, "image/png", large) }),
    ("SetText of data", { _ = try $0.call(BoardInterface.setText, $0.id(1), "png") }),
    ("SetText", { _ = try $0.call(BoardInterface.setText, $0.id(1), "again") }),
    ("SetText, large", { try setLargeText($0) }),
    ("SetEditable", { _ = try $0.call(BoardInterface.setEditable, $0.item("f"), false) }),
    ("SetMovable", { _ = try $0.call(BoardInterface.setMovable, $0.item("e"), false) }),
    ("SetPinned", { _ = try $0.call(BoardInterface.setPinned, $0.item("c"), true) }),
    ("InsertSection", { _ = try $0.call(BoardInterface.insertSection, "later", -1) }),
    ("MoveRow", { _ = try $0.call(BoardInterface.moveRow, 0, 0, 1, 0) }),
    (
      "MoveItems",
      { _ = try $0.call(BoardInterface.moveItems, [$0.item("d"), $0.item("b")], 1, 0) }
    ),
    (
      "StackItems",
      { _ = try $0.call(BoardInterface.stackItems, [$0.item("b"), $0.item("d")], 1, 0, "s") }
    ),
    ("RenameSection", { _ = try $0.call(BoardInterface.renameSection, 1, "sooner") }),
    ("MoveSection", { _ = try $0.call(BoardInterface.moveSection, 1, 0) }),
    ("a drop of texts", { try $0.drop($0.drag(["x", "y"]), section: 0, row: 1) }),
    ("a drop of representations", { try dropRepresentations($0) }),
    ("a drop of its own row", { try dropOwnRow($0) }),
    ("ApplyOrder", { try order($0) }),
    ("ApplySnapshot", { try arrange($0) }),
    ("DeleteRow", { _ = try $0.call(BoardInterface.deleteRow, 0, 0) }),
    ("DeleteItems", { _ = try $0.call(BoardInterface.deleteItems, [$0.id(0), $0.id(1)]) }),
    ("Clear", { _ = try $0.call(BoardInterface.clear) }),
    ("SetEditable again", { _ = try $0.call(BoardInterface.setEditable, $0.item("f"), true) }),
    (
      "DeleteSection",
      { _ = try $0.call(BoardInterface.deleteSection, $0.section(of: $0.item("f"))) }
    ),
    ("InsertText into what is left", { try $0.insert(["last"]) }),
  ]

  private static func setLargeText(_ client: BusClient) throws {
    _ = try client.call(
      BoardInterface.setText, client.id(1), String(repeating: "word ", count: 80_000))
  }

  private static func dropRepresentations(_ client: BusClient) throws {
    let session = try client.beginDrag()
    let item = try client.call(DragSessionInterface.addItem, at: session, "a name")
    try client.call(
      DragSessionInterface.registerData, at: session, item, "image/png", "all", large + [1])
    try client.register("text/html", "<b>bold</b>", item: item, of: session)
    try client.register("text/plain;charset=utf-8", "bold", item: item, of: session)
    try client.drop(session)
  }

  private static func dropOwnRow(_ client: BusClient) throws {
    let session = try client.drag(rows: [client.item("a")])
    #expect(try client.drop(session, as: "org.source", section: 0, row: 3).operation == "move")
  }

  private static func order(_ client: BusClient) throws {
    let rows = try client.replica().sections[0].rows
    _ = try client.call(BoardInterface.applyOrder, 0, 0, rows.reversed())
  }

  private static func arrange(_ client: BusClient) throws {
    var board = try client.replica()
    var sections = board.sections
    let moved = sections[0].rows.removeLast()
    sections[0].rows.removeFirst()
    sections.insert(Replica.Section(name: "new", rows: [moved]), at: 1)
    board.arrange(sections)
    _ = try client.call(BoardInterface.applySnapshot, 0, board.wire)
  }

  @Test("Every kind of edit is undone and redone, with data and ids, across restarts")
  func everyKind() throws {
    let daemon = try Daemon()
    var client = try daemon.client()
    var states = [try client.whole()]
    for (name, edit) in Self.edits {
      let revision = try client.get(BoardInterface.revision)
      try edit(client)
      #expect(try client.get(BoardInterface.revision) == revision + 1, "\(name)")
      states.append(try client.whole())
      #expect(states.last != states.dropLast().last, "\(name)")
    }
    daemon.kill()
    try daemon.start()
    try goThrough(states, of: daemon, backwards: true, killingEvery: 9)
    client = try daemon.client()
    expect(.nothingToUndo) { try client.undo() }
    try goThrough(states, of: daemon, backwards: false, killingEvery: 7)
    client = try daemon.client()
    expect(.nothingToRedo) { try client.redo() }
    try client.undo(states.count - 1)
    try client.redo(states.count - 1)
    #expect(try client.whole() == states.last)
  }

  /// Undoes or redoes all edits.
  ///
  /// After each of them it compares the board, and checks that Changed updates a copy to the same
  /// state.
  private func goThrough(
    _ states: [WholeBoard], of daemon: Daemon, backwards: Bool, killingEvery period: Int
  ) throws {
    var client = try daemon.client()
    var copy = try client.replica()
    let indices = backwards ? Array(states.indices.dropLast().reversed()) : Array(1..<states.count)
    for index in indices {
      if backwards { try client.undo() } else { try client.redo() }
      let edit = Self.edits[backwards ? index : index - 1].0
      let isExpected = try client.whole() == states[index]
      #expect(isExpected, "\(backwards ? "undone" : "redone"): \(edit)")
      let told = try client.takeRevisions()
      #expect(told.count == 1, "\(edit)")
      for revision in told { try copy.apply(revision.from, revision.to, revision.changes) }
      #expect(try client.replica() == copy, "\(edit)")
      guard index % period == 0 else { continue }
      daemon.kill()
      try daemon.start()
      client = try daemon.client()
    }
  }

  @Test("An undo or redo without a step is refused, and nothing changes")
  func nothing() throws {
    let daemon = try Daemon()
    let client = try daemon.client()
    func refuse() throws {
      let before = try client.contents()
      _ = client.takeSignals()
      expect(.nothingToUndo) { try client.undo() }
      expect(.nothingToRedo) { try client.redo() }
      #expect(client.takeSignals().isEmpty)
      #expect(try client.contents() == before)
    }
    try refuse()
    // A change of a property makes no revision and cannot be undone.
    try client.set(BoardInterface.maxRows, to: Variant(.uint32(7)))
    _ = try client.call(BoardInterface.setAcceptedTypes, ["image/*"])
    _ = try client.call(BoardInterface.clear)
    try refuse()
  }

  @Test("An edit after an undo removes the steps to redo; a call that changes nothing does not")
  func redoBranch() throws {
    let daemon = try Daemon()
    let client = try daemon.client()
    let item = try client.insert(["a"])[0]
    _ = try client.insert(["b"])
    _ = try client.insert(["c"])
    try client.undo(2)
    _ = try client.call(BoardInterface.moveRow, 0, 0, 0, 0)
    _ = try client.call(BoardInterface.setText, item, "a")
    _ = try client.call(BoardInterface.setMovable, item, true)
    _ = try client.call(BoardInterface.insertTexts, 0, 0, [])
    _ = try client.call(BoardInterface.applyOrder, 0, 0, [item])
    _ = try? client.call(BoardInterface.moveRow, 0, 9, 0, 0)
    try client.set(BoardInterface.maxRows, to: Variant(.uint32(70)))
    _ = try client.call(ManagerInterface.createBoard, at: Dragboard.root, "other")
    _ = try client.insert(["elsewhere"], on: Dragboard.boardPath("other"))
    try client.redo()
    #expect(try client.texts() == ["a", "b"])
    _ = try client.call(BoardInterface.setText, item, "A")
    expect(.nothingToRedo) { try client.redo() }
    try client.undo(3)
    #expect(try client.texts() == [])
    try client.redo(3)
    #expect(try client.texts() == ["A", "b"])
    expect(.nothingToRedo) { try client.redo() }
  }

  @Test("At least 100 steps can be undone and redone, also after restarts")
  func hundred() throws {
    let daemon = try Daemon()
    var client = try daemon.client()
    for number in 0..<101 { _ = try client.insert(["\(number)"]) }
    daemon.kill()
    try daemon.start()
    client = try daemon.client()
    try client.undo(60)
    daemon.kill()
    try daemon.start()
    client = try daemon.client()
    try client.undo(40)
    #expect(try client.texts() == ["0"])
    try client.redo(100)
    #expect(try client.texts() == (0..<101).map { "\($0)" })
  }

  @Test("Undo and Redo restore rows even above a lowered MaxRows")
  func limits() throws {
    let daemon = try Daemon()
    let client = try daemon.client()
    _ = try client.insert(["a", "b", "c"])
    _ = try client.call(BoardInterface.clear)
    try client.set(BoardInterface.maxRows, to: Variant(.uint32(1)))
    try client.undo()
    #expect(try client.texts() == ["a", "b", "c"])
    try client.undo()
    try client.redo()
    #expect(try client.texts() == ["a", "b", "c"])
    expect(.limitsExceeded) { _ = try client.insert(["d"]) }
  }

  @Test("Each board has its own steps, which are deleted with it")
  func boards() throws {
    let daemon = try Daemon()
    let client = try daemon.client()
    let other = try client.board("other")
    _ = try client.insert(["a"])
    _ = try client.insert(["x"], on: other)
    _ = try client.insert(["b"])
    try client.undo()
    #expect(try client.texts() == ["a"])
    _ = try client.call(BoardInterface.undo, at: other)
    #expect(try client.texts(of: other) == [])
    _ = try client.call(BoardInterface.redo, at: other)
    _ = try client.call(ManagerInterface.deleteBoard, at: Dragboard.root, "other")
    #expect(try client.board("other") == other)
    #expect(throws: DBusError.self) { try client.call(BoardInterface.undo, at: other) }
    try client.undo()
    #expect(try client.texts() == [])
  }

  @Test("Edits, undos and redos of one batch are made in order")
  func oneBatch() throws {
    let daemon = try Daemon()
    let client = try daemon.client()
    let item = try client.insert(["a", "b"])[0]
    func undo() -> OutgoingMessage { call(BoardInterface.undo) }
    func redo() -> OutgoingMessage { call(BoardInterface.redo) }
    let errors = client.send([
      call(BoardInterface.setText, item, "A"), undo(), redo(),
      call(BoardInterface.setText, item, "AA"), call(BoardInterface.deleteRow, 0, 1), undo(),
      undo(), redo(), redo(), redo(), call(BoardInterface.clear), undo(), undo(), undo(), undo(),
      undo(), undo(), redo(), redo(), redo(),
    ]).errors()
    #expect(errors.enumerated().filter { $1 != "" }.map(\.0) == [9, 16])
    #expect(try client.texts() == ["AA", "b"])
    daemon.kill()
    try daemon.start()
    let again = try daemon.client()
    #expect(try again.texts() == ["AA", "b"])
    try again.redo(2)
    #expect(try again.texts() == [])
    try again.undo(3)
    #expect(try again.texts() == ["A", "b"])
  }
}

extension BusClient {
  /// Returns the id of the row at an index, counted through all sections.
  fileprivate func id(_ index: Int) throws -> String {
    let rows = try replica().rows
    return try #require(rows.indices ~= index ? rows[index] : nil)
  }

  /// Returns the id of the row with this text.
  fileprivate func item(_ text: String) throws -> String {
    let sections = try replica().sections
    for (index, section) in sections.enumerated() {
      if let row = try texts(UInt32(index)).firstIndex(of: text) { return section.rows[row] }
    }
    throw DBusError(.noSuchItem, text)
  }

  /// Returns the index of the section of a row.
  fileprivate func section(of item: String) throws -> UInt32 {
    try call(BoardInterface.getIndexPath, item).0
  }
}
