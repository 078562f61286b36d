import DBus
import DragboardInterface
import TestSupport
import Testing

@Suite("The content of dropped rows")
struct CopyTests {
  /// Begins a drag of an item with four types; not every client may see the third type.
  private func richDrag(_ client: BusClient, name: String = "") throws -> ObjectPath {
    let session = try client.beginDrag()
    _ = try client.call(DragSessionInterface.addItem, at: session, name)
    try client.register("text/html", "<b>x</b>", of: session)
    try client.register("UTF8_STRING", "x", of: session)
    try client.register("image/png", "secret", visibility: "team", of: session)
    try client.register("public.jpeg", "jpeg", of: session)
    return session
  }

  @Test(
    "A drop takes every type of an item that the board accepts and every client may see, in order",
    arguments: [
      (["*/*"], ["text/html", "text/plain;charset=utf-8", "image/jpeg"]),
      (["text/*"], ["text/html", "text/plain;charset=utf-8"]),
      (["image/*", "text/html"], ["text/html", "image/jpeg"]),
      (["text/plain"], ["text/plain;charset=utf-8"]),
      (["public.data"], ["text/html", "text/plain;charset=utf-8", "image/jpeg"]),
    ])
  func types(accepted: [String], types: [String]) throws {
    let daemon = try Daemon()
    let client = try daemon.client()
    let session = try richDrag(client)
    _ = try client.call(BoardInterface.setAcceptedTypes, accepted)
    let items = try client.drop(session).items
    #expect(items.count == 1)
    #expect(try client.call(BoardInterface.getTypes, items[0]) == types)
    for type in types {
      let data = try client.call(BoardInterface.getData, items[0], type)
      let bytes = ["text/html": "<b>x</b>", "image/jpeg": "jpeg"][type, default: "x"]
      #expect(String(decoding: data, as: UTF8.self) == bytes)
    }
  }

  @Test("A drop copies the types that the board accepts at the drop, not at the proposal")
  func acceptanceAtTheDrop() throws {
    let daemon = try Daemon()
    let client = try daemon.client()
    let session = try richDrag(client)
    #expect(try client.propose(session).operation == "copy")
    _ = try client.call(BoardInterface.setAcceptedTypes, ["image/tiff"])
    #expect(try client.drop(session).operation == "forbidden")
    #expect(try client.rows().isEmpty)
  }

  @Test("Accepted types are stored as MIME types, each once, in order; invalid ones are refused")
  func acceptedTypes() throws {
    let daemon = try Daemon()
    let client = try daemon.client()
    _ = try client.call(
      BoardInterface.setAcceptedTypes, ["public.html", "TEXT/HTML", "public.data", "image/*"])
    #expect(try client.get(BoardInterface.acceptedTypes) == ["text/html", "*/*", "image/*"])
    for bad in ["", "text", "*", "*/html", "text/x*", "org.unknown"] {
      expect(.invalidArgs, naming: "types") {
        try client.call(BoardInterface.setAcceptedTypes, ["text/plain", bad])
      }
    }
    #expect(try client.get(BoardInterface.acceptedTypes) == ["text/html", "*/*", "image/*"])
    _ = try client.call(BoardInterface.setAcceptedTypes, [])
    #expect(try client.get(BoardInterface.acceptedTypes) == [])
    #expect(try client.propose(client.drag(["x"])).operation == "forbidden")
  }

  @Test("Items without an accepted type are left out; the others stay in order and consecutive")
  func leftOut() throws {
    let daemon = try Daemon()
    let client = try daemon.client()
    try client.call(BoardInterface.setAcceptedTypes, ["text/plain"])
    try client.insert(["a", "b"])
    let session = try client.beginDrag()
    for index in 0..<6 as Range<UInt32> {
      _ = try client.call(DragSessionInterface.addItem, at: session, "")
      guard index % 3 != 1 else { continue }
      try client.register(
        index % 3 == 0 ? "text/html" : "public.utf8-plain-text", "\(index)", item: index,
        of: session)
    }
    _ = client.takeSignals()
    let items = try client.drop(session, row: 1).items
    #expect(try client.texts() == ["a", "2", "5", "b"])
    #expect(try client.rows()[1...2].map(\.id) == items)
    #expect(client.takeWords().contains("DidTransferItems [2, 5] []"))
  }

  @Test("A row has the suggested name, the application of the drag, and the size of all types")
  func attributes() throws {
    let daemon = try Daemon()
    let client = try daemon.client()
    try client.drop(richDrag(client, name: "Letter.html"), as: "org.target")
    try client.insert(["inserted"])
    let rows = try client.rows()
    #expect(rows[0].attributes["name"] == .string("Letter.html"))
    #expect(rows[0].attributes["source"] == .string("org.source"))
    #expect(rows[0].attributes["size"] == .uint64(8 + 1 + 4))
    #expect(rows[0].attributes["editable"] == .boolean(true))
    #expect(rows[0].attributes["movable"] == .boolean(true))
    #expect(rows[0].preview == "x")
    #expect(rows[1].attributes["name"] == nil)
    #expect(rows[1].attributes["source"] == .string(""))
    guard case .uint64(let created)? = rows[1].attributes["created"] else {
      Issue.record("created is \(String(describing: rows[1].attributes["created"]))")
      return
    }
    // The value is in microseconds since 1970, and in this century.
    #expect((946_684_800_000_000..<4_102_444_800_000_000).contains(created))
  }

  @Test("A drag by a unique name leaves that name as the source of its rows")
  func uniqueNameAsSource() throws {
    let daemon = try Daemon()
    let client = try daemon.client()
    try client.drop(client.drag(["x"], as: ""))
    #expect(try client.rows()[0].attributes["source"] == .string(client.name))
  }

  @Test("A row that is dragged to another board keeps its types and name, but not its flags")
  func betweenBoards() throws {
    let daemon = try Daemon()
    let client = try daemon.client()
    let row = try client.drop(richDrag(client, name: "Letter.html")).items[0]
    _ = try client.call(BoardInterface.setMovable, row, false)
    let other = try client.board("other")
    let copy = try client.drop(client.drag(rows: [row], as: "org.third"), on: other).items
    let rows = try client.rows(of: other)
    #expect(rows.map(\.id) == copy)
    #expect(copy != [row])
    #expect(rows[0].types == ["text/html", "text/plain;charset=utf-8", "image/jpeg"])
    #expect(rows[0].attributes["name"] == .string("Letter.html"))
    #expect(rows[0].attributes["source"] == .string("org.third"))
    #expect(rows[0].attributes["movable"] == .boolean(true))
    #expect(try client.rows().map(\.id) == [row])
  }
}
