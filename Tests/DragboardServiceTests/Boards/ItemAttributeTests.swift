import DBus
import DragboardInterface
import Files
import TestSupport
import Testing

@Suite("Attributes of items")
struct ItemAttributeTests {
  private static let attributes: [String: Variant] = [
    "name": Variant(.string("report.pdf")), "modified": Variant(.uint64(1_700_000_000_000_001)),
    "application": Variant(.string("Viewer")), "stack": Variant(.string("a stack")),
    "mode": Variant(.uint32(0o750)),
  ]

  let daemon: Daemon
  let client: BusClient

  init() throws {
    daemon = try Daemon("--undo-steps", "2")
    client = try daemon.client()
  }

  private func insert(
    _ representations: [(String, WireContent)], _ attributes: [String: Variant] = attributes,
    at row: Int32 = -1
  ) throws(DBusError) -> String {
    try client.call(
      BoardInterface.insertItem, 0, row, attributes,
      representations.map { BoardInterface.Representation($0.0, $0.1) })
  }

  /// Returns the attributes that the source of a row chose.
  private static func chosen(_ row: RowView) -> [String: Variant] {
    row.attributes.filter { attributes.keys.contains($0.key) }.mapValues { Variant($0) }
  }

  @Test(
    "A row has all representations and attributes of its item, also after a kill",
    arguments: [10, 200_000])
  func insertItem(size: Int) throws {
    let (bytes, other) = ([UInt8].sample(size), [UInt8].sample(size + 1))
    _ = client.takeSignals()
    let item = try insert(
      [
        ("application/pdf", .file(try TestFile.memory(bytes))), ("image/png", .data(other)),
        ("UTF8_STRING", .text("second\nline")),
      ])
    let first = try insert([("text/plain;charset=utf-8", .text("a"))], [:], at: 0)
    #expect(try client.call(BoardInterface.getChanges, 1).1.count == 2)
    daemon.kill()
    try daemon.start()
    let later = try daemon.client()
    let rows = try later.rows()
    #expect(rows.map(\.id) == [first, item])
    #expect(rows[0].types == ["text/plain;charset=utf-8"] && Self.chosen(rows[0]).isEmpty)
    #expect(rows[1].types == ["application/pdf", "image/png", "text/plain;charset=utf-8"])
    #expect(rows[1].preview == "second")
    #expect(Self.chosen(rows[1]) == Self.attributes)
    #expect(rows[1].attributes["size"] == .uint64(UInt64(2 * size + 12)))
    expect(try later.call(BoardInterface.getData, item, "application/pdf"), are: bytes)
    expect(try later.call(BoardInterface.getData, item, "image/*"), are: other)
    #expect(try later.call(BoardInterface.getText, item) == "second\nline")
  }

  @Test(
    "A drop copies attributes from the session to the row, and a drag from the row to the session")
  func drags() throws {
    let session = try client.beginDrag()
    let index = try client.call(DragSessionInterface.addItem, at: session, "draft.pdf")
    try client.register("application/pdf", "bytes", item: index, of: session)
    #expect(
      try client.call(DragSessionInterface.getAttributes, at: session, index)
        == ["name": Variant(.string("draft.pdf"))])
    _ = try client.call(DragSessionInterface.setAttributes, at: session, index, Self.attributes)
    _ = try client.call(
      DragSessionInterface.setAttributes, at: session, index,
      ["application": Variant(.string("Editor"))])
    #expect(
      try client.call(DragSessionInterface.getSuggestedName, at: session, index) == "report.pdf")
    try client.call(BoardInterface.setAcceptedTypes, ["*/*"])
    let row = try client.drop(session).items[0]
    let expected = Self.attributes.merging(["application": Variant(.string("Editor"))]) { $1 }
    #expect(Self.chosen(try client.rows()[0]) == expected)
    let drag = try client.drag(rows: [row], as: "")
    #expect(try client.call(DragSessionInterface.getAttributes, at: drag, 0) == expected)
    let stranger = try daemon.client()
    expect(.accessDenied) {
      _ = try stranger.call(DragSessionInterface.setAttributes, at: drag, 0, [:])
    }
  }

  @Test("A modification time that the database cannot store is refused")
  func latestTime() throws {
    let text = [("UTF8_STRING", WireContent.text("a"))]
    let latest = UInt64(Int64.max)
    _ = try insert(text, ["modified": Variant(.uint64(latest))])
    #expect(try client.rows()[0].attributes["modified"] == .uint64(latest))
    let session = try client.beginDrag()
    _ = try client.call(DragSessionInterface.addItem, at: session, "")
    for time in [latest + 1, .max] {
      let late = ["modified": Variant(.uint64(time))]
      expect(.invalidArgs, naming: "attributes: modified", "\(time)", "\(latest)") {
        _ = try insert(text, late)
      }
      expect(.invalidArgs, naming: "attributes: modified", "\(time)", "\(latest)") {
        _ = try client.call(DragSessionInterface.setAttributes, at: session, 0, late)
      }
    }
    #expect(try client.rows().count == 1)
  }

  @Test("A mode with more than the permissions of owner, group and others is refused")
  func largestMode() throws {
    let text = [("UTF8_STRING", WireContent.text("a"))]
    _ = try insert(text, ["mode": Variant(.uint32(0o777))])
    _ = try insert(text, ["mode": Variant(.uint32(0))])
    #expect(try client.rows().map { $0.attributes["mode"] } == [.uint32(0o777), .uint32(0)])
    for mode in [0o1000, 0o4755, UInt32.max] {
      expect(.invalidArgs, naming: "attributes: mode", "\(mode)", "511") {
        _ = try insert(text, ["mode": Variant(.uint32(mode))])
      }
    }
    #expect(try client.rows().count == 2)
  }

  @Test("SetItemName changes only the name, in one edit that can be undone")
  func setItemName() throws {
    let bytes = [UInt8].sample(200_000)
    let item = try insert([("image/png", .data(bytes)), ("UTF8_STRING", .text("some text"))])
    let before = try client.rows()[0]
    _ = client.takeSignals()
    let revision = try client.call(BoardInterface.setItemName, item, "holiday.png")
    let (changed, changes) = try client.call(BoardInterface.getChanges, revision - 1)
    #expect(changed == revision && changes.map(\.members.0) == ["reload"])
    let after = try client.rows()[0]
    #expect(after.attributes["name"] == .string("holiday.png"))
    #expect(
      after.attributes.filter { $0.key != "name" } == before.attributes.filter { $0.key != "name" })
    #expect(after.types == before.types && after.preview == before.preview)
    #expect(try client.call(BoardInterface.setItemName, item, "holiday.png") == revision)

    #expect(try client.call(BoardInterface.search, "holiday text", 0) == [item])
    #expect(try client.call(BoardInterface.search, "report", 0) == [])
    try client.undo()
    #expect(try client.rows()[0].attributes == before.attributes)
    #expect(try client.call(BoardInterface.search, "report text", 0) == [item])
    #expect(try client.call(BoardInterface.search, "holiday", 0) == [])
    // The bytes stay in the file even when the undo steps that shared it are gone.
    for number in 0..<6 {
      _ = try client.call(BoardInterface.setItemName, item, "\(number).png")
    }
    daemon.kill()
    try daemon.start()
    let later = try daemon.client()
    #expect(try later.rows()[0].attributes["name"] == .string("5.png"))
    expect(try later.call(BoardInterface.getData, item, "image/png"), are: bytes)

    _ = try later.call(BoardInterface.setEditable, item, false)
    expect(.notEditable, naming: item) {
      _ = try later.call(BoardInterface.setItemName, item, "x")
    }
  }

  @Test("Rows are moved together and get a stack in one edit, which is undone and redone")
  func stackItems() throws {
    let large = [UInt8].sample(200_000)
    let items = try client.insert(["a", "b", "c", "d"])
    let picture = try insert([("image/png", .data(large)), ("UTF8_STRING", .text("e"))], [:])
    let before = try client.rows()
    func stacks() throws -> [Value?] { try client.rows().map { $0.attributes["stack"] } }
    let revision = try client.call(
      BoardInterface.stackItems, [items[1], picture, items[3]], 0, 1, "s")
    let (changed, changes) = try client.call(BoardInterface.getChanges, revision - 1)
    #expect(changed == revision)
    #expect(changes.map(\.members.0) == ["move", "move", "reload", "reload", "reload"])
    let after = try client.rows()
    let order = [items[0], items[1], picture, items[3], items[2]]
    #expect(after.map(\.id) == order)
    #expect(try stacks() == [nil, .string("s"), .string("s"), .string("s"), nil])
    #expect(after[2].types == before[4].types && after[2].preview == "e")
    #expect(try client.call(BoardInterface.search, "b", 0) == [items[1]])

    try client.undo()
    #expect(try client.rows() == before)
    #expect(try client.call(BoardInterface.getText, items[1]) == "b")
    #expect(try client.call(BoardInterface.getText, items[3]) == "d")
    expect(try client.call(BoardInterface.getData, picture, "image/png"), are: large)
    daemon.kill()
    try daemon.start()
    let later = try daemon.client()
    _ = try later.call(BoardInterface.redo)
    #expect(try later.rows() == after)
    #expect(try later.call(BoardInterface.getText, items[1]) == "b")
    #expect(try later.call(BoardInterface.getText, items[3]) == "d")
    expect(try later.call(BoardInterface.getData, picture, "image/png"), are: large)

    // If the rows already have these positions and this stack, no edit is made.
    let now = try later.get(BoardInterface.revision)
    #expect(try later.call(BoardInterface.stackItems, [items[1], picture], 0, 1, "s") == now)
    #expect(try later.call(BoardInterface.stackItems, [], 0, 0, "s") == now)
    // The rows already have these positions, so only the stack changes.
    _ = try later.call(BoardInterface.stackItems, [items[1], picture, items[3]], 0, 1, "")
    #expect(try later.rows().map(\.id) == order)
    #expect(try later.rows().allSatisfy { $0.attributes["stack"] == nil })
  }

  @Test("If a row, the board or a limit refuses a stack, nothing changes")
  func refusedStacks() throws {
    let items = try client.insert(["a", "b", "c"])
    _ = try client.call(BoardInterface.setEditable, items[2], false)
    _ = try client.call(BoardInterface.setMovable, items[1], false)
    let before = try client.contents()
    func stack(_ items: [String], row: Int32 = 0, _ stack: String = "s") throws(DBusError) {
      _ = try client.call(BoardInterface.stackItems, items, 0, row, stack)
    }
    expect(.notEditable, naming: items[2]) { try stack([items[0], items[2]]) }
    expect(.notMovable, naming: items[1]) { try stack([items[0], items[1]]) }
    expect(.invalidArgs, naming: "row", "5") { try stack([items[0]], row: 5) }
    expect(.invalidArgs, naming: "items", "twice") { try stack([items[0], items[0]]) }
    expect(.noSuchItem, naming: "items") { try stack([items[0], "x"]) }
    expect(.invalidArgs, naming: "stack", "U+000A") { try stack([items[0]], "a\nb") }
    #expect(try client.contents() == before)
  }

  @Test("The preview of a row without plain text is empty")
  func preview() throws {
    for type in ["text/html", "text/plain", "text/uri-list"] {
      _ = try client.call(BoardInterface.insertData, 0, 0, type, Array("words".utf8))
    }
    #expect(try client.rows().map(\.preview) == ["", "", ""])
  }

  @Test("A row that is not editable can be stacked in its own stack, and gets other flags")
  func lockedRow() throws {
    let items = try client.insert(["a", "b", "c"])
    _ = try client.call(BoardInterface.setEditable, items[0], false)
    let revision = try client.call(BoardInterface.stackItems, [items[0], items[1]], 0, -1, "")
    #expect(try client.texts() == ["c", "a", "b"])
    #expect(try client.call(BoardInterface.setPinned, items[0], true) == revision + 1)
    #expect(try client.call(BoardInterface.setMovable, items[0], false) == revision + 2)
    expect(.notMovable, naming: items[0]) {
      _ = try client.call(BoardInterface.moveRow, 0, 1, 0, 1)
    }
    #expect(try client.call(BoardInterface.setEditable, items[0], true) == revision + 3)
  }

  @Test("A search finds the name of a row without text")
  func search() throws {
    let picture = try insert([("image/png", .data([1]))], ["name": Variant(.string("Café.PNG"))])
    _ = try insert([("image/png", .data([2]))], [:])
    for query in ["cafe", "CAFÉ.png", "png caf"] {
      #expect(try client.call(BoardInterface.search, query, 0) == [picture], "\(query)")
    }
    _ = try client.call(BoardInterface.deleteItems, [picture])
    #expect(try client.call(BoardInterface.search, "cafe", 0) == [])
  }

  @Test("A long attribute is refused before it is decoded")
  func longAttributes() throws {
    let session = try client.beginDrag()
    _ = try client.call(DragSessionInterface.addItem, at: session, "")
    let bytes = Variant(.array(of: "y", [Value](repeating: .byte(1), count: 65)))
    let many = Dictionary(uniqueKeysWithValues: (0...64).map { ("\($0)", Variant(.byte(1))) })
    for attributes in [["name": bytes], many] {
      expect(.limitsExceeded, naming: "attributes", "64") {
        _ = try insert([("image/png", .data([1]))], attributes)
      }
      expect(.limitsExceeded, naming: "attributes", "64") {
        _ = try client.call(DragSessionInterface.setAttributes, at: session, 0, attributes)
      }
    }
  }

  @Test("Invalid items and attributes are refused, and nothing changes")
  func refusals() throws {
    let item = try insert([("image/png", .data([1]))])
    let session = try client.beginDrag()
    _ = try client.call(DragSessionInterface.addItem, at: session, "name")
    let before = try client.contents()
    let good: [(String, WireContent)] = [("image/png", .data([1]))]
    let long = Variant(.string(String(repeating: "x", count: 256)))
    let attributes: [([String: Variant], String)] = [
      (["colour": Variant(.string("red"))], "colour"), (["name": Variant(.int32(5))], "name"),
      (["modified": Variant(.int64(5))], "modified"), (["name": long], "255"),
      (["name": Variant(.string("a\nb"))], "U+000A"), (["application": long], "application"),
    ]
    for (attributes, word) in attributes {
      expect(.invalidArgs, naming: "attributes", word) { _ = try insert(good, attributes) }
      expect(.invalidArgs, naming: "attributes", word) {
        _ = try client.call(DragSessionInterface.setAttributes, at: session, 0, attributes)
      }
    }
    let name = try client.call(DragSessionInterface.getAttributes, at: session, 0)
    #expect(name == ["name": Variant(.string("name"))])
    let representations: [([(String, WireContent)], ErrorName, String)] = [
      ([], .invalidArgs, "empty"), ([("nonsense", .data([]))], .invalidArgs, "nonsense"),
      ([("image/png", .text("x"))], .invalidArgs, "image/png"),
      ([("UTF8_STRING", .data([0xff]))], .invalidArgs, "UTF-8"),
      (good + [("public.png", .data([2]))], .duplicateRepresentation, "image/png"),
      ((0...256).map { ("x/y\($0)", .data([])) }, .limitsExceeded, "256"),
      ([("UTF8_STRING", .file(try TestFile.memory([0xff])))], .invalidArgs, "representations"),
    ]
    for (representations, error, word) in representations {
      expect(error, naming: "representations", word) { _ = try insert(representations) }
    }
    expect(.invalidArgs, naming: "row") { _ = try insert(good, [:], at: 5) }
    expect(.invalidArgs, naming: "name", "U+000A") {
      _ = try client.call(BoardInterface.setItemName, item, "a\nb")
    }
    expect(.noSuchItem, naming: "item") {
      _ = try client.call(BoardInterface.setItemName, "x", "a")
    }
    let other = OutgoingMessage.call(
      "InsertItem", of: BoardInterface.name, at: BusClient.board, to: Dragboard.busName)
    other.append(
      UInt32(0), Int32(0), [String: Variant](), [Structure("image/png", Variant(.uint32(5)))])
    expect(.invalidArgs, naming: "representations", "'u'") { _ = try client.wait(for: other) }
    #expect(try client.contents() == before)
  }
}
