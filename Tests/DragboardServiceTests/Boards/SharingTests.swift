import DBus
import DragboardInterface
import Files
import Glibc
import TestSupport
import Testing

@Suite("Edits of other copies of a board")
struct SharingTests {
  private typealias Edit = BoardInterface.Edit
  private typealias Representation = BoardInterface.Representation

  private static func insert(
    _ item: String, _ text: String, at row: UInt32, _ attributes: [String: Variant] = [:]
  ) -> BoardInterface.Edit {
    Edit(
      "insert", item, 0, row, attributes, [Representation("text/plain;charset=utf-8", .text(text))])
  }

  private func revision(_ client: BusClient) throws -> UInt64 {
    try client.get(BoardInterface.revision)
  }

  @Test("Reserved ids are the ids of the inserted rows, also after a restart")
  func reservedIds() throws {
    let daemon = try Daemon()
    let items = try daemon.client().call(BoardInterface.reserveItems, 3)
    #expect(Set(items).count == 3)
    daemon.kill()
    try daemon.start()
    let client = try daemon.client()
    let large = [UInt8](repeating: 9, count: 200_000)
    let file = try MemoryFile.sealed(holding: large)
    let time = Variant(.uint64(1_234_567_000_000))
    let base = try revision(client)
    let new = try client.call(
      BoardInterface.applyEdits, base,
      [
        Self.insert(
          items[0], "first", at: 0,
          [
            "created": time, "name": Variant(.string("a.txt")), "pinned": Variant(.boolean(true)),
            "editable": Variant(.boolean(false)),
          ]),
        Edit(
          "insert", items[1], 0, 1, [:],
          [Representation("image/png", .file(file)), Representation("text/html", .data([60]))]),
      ])
    #expect(new == base + 1)
    let rows = try client.rows()
    #expect(rows.map(\.id) == Array(items[..<2]))
    #expect(rows[0].attributes["created"] == time.value)
    #expect(rows[0].attributes["name"] == .string("a.txt"))
    #expect(rows[0].attributes["pinned"] == .boolean(true))
    #expect(rows[0].attributes["editable"] == .boolean(false))
    #expect(try client.call(BoardInterface.getData, items[1], "image/png") == large)
    #expect(client.next("Changed").path == BusClient.board.text)
  }

  @Test("Edits that change nothing in the end make no revision and no signal, and store nothing")
  func noEffect() throws {
    let daemon = try Daemon()
    let client = try daemon.client()
    let ids = try client.insert(["a", "b"])
    let new = try client.call(BoardInterface.reserveItems, 1)[0]
    let base = try revision(client)
    let text = { Representation("text/plain;charset=utf-8", .text($0)) }
    _ = client.takeSignals()
    for edits in [
      [Self.insert(new, "c", at: 0), Edit("delete", new, 0, 0, [:], [])],
      [Edit("move", ids[0], 0, 1, [:], []), Edit("move", ids[1], 0, 1, [:], [])],
      [Edit("set", ids[0], 0, 0, [:], [text("a")])],
      [Edit("set", ids[0], 0, 0, [:], [text("x")]), Edit("set", ids[0], 0, 0, [:], [text("a")])],
      [Edit("set", ids[1], 0, 0, ["name": Variant(.string(""))], [])],
    ] {
      #expect(try client.call(BoardInterface.applyEdits, base, edits) == base)
    }
    #expect(client.takeSignals().isEmpty)
    #expect(try client.texts() == ["a", "b"])
    #expect(
      try client.call(BoardInterface.applyEdits, base, [Self.insert(new, "c", at: 0)]) == base + 1)
    #expect(try client.texts() == ["c", "a", "b"])
  }

  @Test("Edits of every kind are one revision, whatever the flags of the rows")
  func everyKind() throws {
    let daemon = try Daemon()
    let client = try daemon.client()
    let ids = try client.insert(["a", "b", "c"])
    _ = try client.call(BoardInterface.setEditable, ids[1], false)
    _ = try client.call(BoardInterface.setMovable, ids[2], false)
    let base = try revision(client)
    let text = [Representation("text/plain;charset=utf-8", .text("A"))]
    let new = try client.call(
      BoardInterface.applyEdits, base,
      [
        Edit("delete", ids[1], 0, 0, [:], []), Edit("move", ids[2], 0, 0, [:], []),
        Edit("set", ids[0], 0, 0, [:], text),
        Edit("set", ids[0], 0, 0, ["name": Variant(.string("A.txt"))], []),
        Edit(
          "set", ids[0], 0, 0,
          ["pinned": Variant(.boolean(true)), "movable": Variant(.boolean(false))], []),
        Edit("insert-section", "later", 1, 0, [:], []),
        Edit("rename-section", "soon", 1, 0, [:], []), Edit("move-section", "", 1, 0, [:], []),
        Edit("insert-section", "gone", 0, 0, [:], []), Edit("delete-section", "", 0, 0, [:], []),
      ])
    #expect(new == base + 1)
    #expect(try client.get(BoardInterface.sections) == ["soon", "main"])
    let rows = try client.rows(1)
    #expect(rows.map(\.id) == [ids[2], ids[0]])
    #expect(try client.texts(1) == ["c", "A"])
    #expect(rows[1].attributes["name"] == .string("A.txt"))
    #expect(rows[1].attributes["pinned"] == .boolean(true))
    #expect(rows[1].attributes["movable"] == .boolean(false))
  }

  @Test("MaxRows applies after each edit, RetainSeconds some seconds later, and RetainRows never")
  func retained() throws {
    let daemon = try Daemon()
    let client = try daemon.client()
    let items = try client.call(BoardInterface.reserveItems, 4)
    func apply(_ edits: Edit...) throws(DBusError) {
      _ = try client.call(BoardInterface.applyEdits, 0, edits)
    }
    let delete = Edit("delete", items[0], 0, 0, [:], [])
    try client.set(BoardInterface.maxRows, to: Variant(.uint32(1)))
    try apply(Self.insert(items[0], "a", at: 0))
    expect(.limitsExceeded, naming: "edit 0", "max-rows") {
      try apply(Self.insert(items[1], "b", at: 0), delete)
    }
    #expect(try client.texts() == ["a"])
    try apply(delete, Self.insert(items[1], "b", at: 0))
    #expect(try client.texts() == ["b"])

    try client.set(BoardInterface.maxRows, to: Variant(.uint32(0)))
    try client.set(BoardInterface.retainRows, to: Variant(.uint32(1)))
    let future = Variant(.uint64(4_000_000_000_000_000))
    try apply(
      Self.insert(items[2], "old", at: 0, ["created": Variant(.uint64(1))]),
      Self.insert(items[3], "new", at: 0, ["created": future]))
    #expect(try client.texts() == ["new", "old", "b"])
    #expect(try client.rows()[0].attributes["created"] != future.value)

    try client.set(BoardInterface.retainRows, to: Variant(.uint32(0)))
    _ = try client.call(BoardInterface.clear)
    let last = try client.call(BoardInterface.reserveItems, 1)[0]
    try client.set(BoardInterface.retainSeconds, to: Variant(.uint32(1)))
    try apply(Self.insert(last, "old", at: 0, ["created": Variant(.uint64(1))]))
    #expect(client.run { (try? client.texts()) == [] })
  }

  @Test("A text that is not an id is NoSuchItem, but InvalidArgs in an order and in ApplyEdits")
  func unknownIDs() throws {
    let daemon = try Daemon()
    let client = try daemon.client()
    let row = try client.insert(["a"])[0]
    for id in ["x", row.uppercased()] {
      expect(.noSuchItem, naming: id) { _ = try client.call(BoardInterface.getText, id) }
      expect(.noSuchItem, naming: id) { _ = try client.call(BoardInterface.deleteItems, [id]) }
      expect(.invalidArgs, naming: id) {
        _ = try client.call(BoardInterface.applyOrder, 0, 0, [id])
      }
      expect(.invalidArgs, naming: id) {
        _ = try client.call(
          BoardInterface.applyEdits, 0, [Edit("delete", id, 0, 0, [:], [])])
      }
    }
    _ = try client.call(BoardInterface.deleteItems, [row])
    expect(.noSuchItem, naming: row) {
      _ = try client.call(BoardInterface.applyEdits, 0, [Edit("delete", row, 0, 0, [:], [])])
    }
    expect(.noSuchItem, naming: row) { _ = try client.call(BoardInterface.getText, row) }
  }

  @Test("Invalid edits are refused early, so that other edits of the same batch do not fail")
  func batchRefusals() throws {
    let daemon = try Daemon()
    let client = try daemon.client()
    let other = try daemon.client()
    let item = try client.call(BoardInterface.reserveItems, 1)[0]
    let base = try revision(client)
    let many = (0..<300).map { Representation("application/x-\($0)", .data([1])) }
    let numbers = Variant(.array(of: "y", [Value](repeating: .byte(0), count: 30_000)))
    let refused: [(ErrorName, [Edit])] = [
      (.limitsExceeded, [Edit("insert", item, 0, 0, [:], many)]),
      (.limitsExceeded, [Edit("insert", item, 0, 0, ["x": numbers], [])]),
      (
        .invalidArgs,
        [
          Self.insert(item, "a", at: 0), Edit("delete", item, 0, 0, [:], []),
          Self.insert(item, "b", at: 0),
        ]
      ),
    ]
    for (number, (name, edits)) in refused.enumerated() {
      daemon.signal(SIGSTOP)
      let calls = client.send([call(BoardInterface.applyEdits, base + UInt64(number), edits)])
      let insertion = other.send([call(BoardInterface.insertText, 0, -1, "kept")])
      daemon.signal(SIGCONT)
      #expect(calls.errors() == [String(name.text.split(separator: ".").last ?? "")])
      #expect(insertion.errors() == [""])
    }
    #expect(try client.texts() == ["kept", "kept", "kept"])
  }

  @Test("Undo undoes own edits beside edits of others, also after a restart")
  func undo() throws {
    let daemon = try Daemon()
    var client = try daemon.client()
    let ids = try client.insert(["a", "b", "c"])
    _ = try client.call(BoardInterface.setText, ids[0], "A")
    _ = try client.call(BoardInterface.deleteItems, [ids[1]])
    let items = try client.call(BoardInterface.reserveItems, 1)
    let base = try revision(client)
    _ = try client.call(
      BoardInterface.applyEdits, base,
      [Self.insert(items[0], "other", at: 0), Edit("delete", ids[2], 0, 0, [:], [])])
    daemon.kill()
    try daemon.start()
    client = try daemon.client()
    _ = try client.call(BoardInterface.undo)
    #expect(try client.texts() == ["other", "A", "b"])
    _ = try client.call(BoardInterface.undo)
    #expect(try client.texts() == ["other", "a", "b"])
    _ = try client.call(BoardInterface.redo)
    #expect(try client.texts() == ["other", "A", "b"])
    _ = try client.call(BoardInterface.undo)
    _ = try client.call(BoardInterface.undo)
    #expect(try client.texts() == ["other"])
    #expect(throws: DBusError.self) { _ = try client.call(BoardInterface.undo) }
  }

  @Test("Undo of an edit whose row another machine has deleted removes no other row")
  func undoOfDeletedRow() throws {
    let daemon = try Daemon()
    let client = try daemon.client()
    let ids = try client.insert(["a"]) + client.insert(["b"])
    _ = try client.call(
      BoardInterface.applyEdits, try revision(client), [Edit("delete", ids[1], 0, 0, [:], [])])
    let revision = try revision(client)
    #expect(try client.call(BoardInterface.undo) == revision)
    #expect(try client.texts() == ["a"])
    _ = try client.call(BoardInterface.undo)
    #expect(try client.texts() == [])
    #expect(throws: DBusError.self) { _ = try client.call(BoardInterface.undo) }
  }

  @Test("A stale base and a used id are refused, and nothing changes")
  func refusals() throws {
    let daemon = try Daemon()
    let client = try daemon.client()
    let items = try client.call(BoardInterface.reserveItems, 2)
    let base = try revision(client)
    _ = try client.call(BoardInterface.applyEdits, base, [Self.insert(items[0], "a", at: 0)])
    func expectRefusal(_ name: ErrorName, _ base: UInt64, _ edits: [BoardInterface.Edit]) throws {
      let state = try client.replica()
      let error = #expect(throws: DBusError.self) {
        _ = try client.call(BoardInterface.applyEdits, base, edits)
      }
      #expect(error?.name == name)
      #expect(try client.replica() == state)
    }
    try expectRefusal(.staleRevision, base, [Self.insert(items[1], "b", at: 0)])
    _ = try client.call(BoardInterface.deleteItems, [items[0]])
    // The content of the deleted row is in the undo history.
    try expectRefusal(
      .invalidArgs, 0, [Self.insert(items[1], "b", at: 0), Self.insert(items[0], "a", at: 0)])
    _ = try client.call(BoardInterface.undo)
    #expect(try client.texts() == ["a"])
  }
}
