import DBus
import DragboardInterface
import TestSupport
import Testing

@Suite("Types on the bus, compared with the table")
struct TypeTableTests {
  let daemon: Daemon
  let client: BusClient

  init() throws {
    daemon = try Daemon()
    client = try daemon.client()
  }

  @Test("Every spelling of a type is registered, inserted and reported as its MIME form")
  func spellings() throws {
    for (text, mime) in TypeTable.spellings + TypeTable.aliases {
      let session = try client.beginDrag()
      _ = try client.call(DragSessionInterface.addItem, at: session, "")
      try client.register(text, "x", of: session)
      #expect(try client.call(DragSessionInterface.getTypes, at: session, 0) == [mime], "\(text)")
      expect(.duplicateRepresentation, naming: mime) {
        try client.register(mime, "x", of: session)
      }
      try client.cancel(session)
      let row = try client.call(BoardInterface.insertData, 0, 0, text, [0x78])
      #expect(try client.call(BoardInterface.getTypes, row) == [mime], "\(text)")
    }
  }

  @Test("A malformed type and a pattern are refused by every call that takes a type")
  func refusals() throws {
    let session = try client.drag(["x"])
    let row = try client.insert(["x"])[0]
    let (state, board) = (try types(of: session), try client.contents())
    try client.call(BoardInterface.setAcceptedTypes, ["text/plain"])
    let refused =
      TypeTable.malformed + TypeTable.unregistered + TypeTable.malformedPatterns
      + TypeTable.patterns
    for text in refused {
      expect(.invalidArgs, naming: "type") { try client.register(text, "x", of: session) }
      expect(.invalidArgs, naming: "type") {
        _ = try client.call(BoardInterface.insertData, 0, 0, text, [0x78])
      }
    }
    for text in TypeTable.malformed + TypeTable.malformedPatterns {
      expect(.invalidArgs, naming: "type") {
        _ = try client.call(DragSessionInterface.canLoad, at: session, text)
      }
      expect(.invalidArgs, naming: "type") {
        _ = try client.call(DragSessionInterface.loadData, at: session, 0, text)
      }
      expect(.invalidArgs, naming: "type") {
        _ = try client.call(DragSessionInterface.loadFile, at: session, 0, text)
      }
      expect(.invalidArgs, naming: "type") {
        _ = try client.call(BoardInterface.getData, row, text)
      }
      expect(.invalidArgs, naming: "types") {
        try client.call(BoardInterface.setAcceptedTypes, ["text/plain", text])
      }
    }
    #expect(try types(of: session) == state)
    #expect(try client.contents() == board)
    #expect(try client.get(BoardInterface.acceptedTypes) == ["text/plain"])
  }

  @Test("A query finds the first conforming type in order of fidelity, or none")
  func questions() throws {
    let session = try drag()
    for (text, _, conforming) in TypeTable.questions {
      let first = conforming.split(separator: " ").first.map(String.init)
      #expect(
        try client.call(DragSessionInterface.canLoad, at: session, text) == (first != nil),
        "\(text)")
      guard let first else {
        expect(.noSuchRepresentation) {
          _ = try client.call(DragSessionInterface.loadData, at: session, 0, text)
        }
        continue
      }
      let data = try client.call(DragSessionInterface.loadData, at: session, 0, text)
      #expect(String(decoding: data, as: UTF8.self) == first, "\(text)")
    }
  }

  @Test("A board accepts conforming types, and answers queries like a drag")
  func boards() throws {
    for (text, mime, conforming) in TypeTable.questions {
      try client.call(BoardInterface.setAcceptedTypes, [text])
      #expect(try client.get(BoardInterface.acceptedTypes) == [mime])
      let result = try client.drop(drag())
      let names = conforming.split(separator: " ").map(String.init)
      #expect(result.operation == (names.isEmpty ? "forbidden" : "copy"), "\(text)")
      guard let row = result.items.first else { continue }
      let types = TypeTable.types.filter { names.contains($0.name) }.map(\.type)
      #expect(try client.call(BoardInterface.getTypes, row) == types, "\(text)")
      let data = try client.call(BoardInterface.getData, row, text)
      #expect(String(decoding: data, as: UTF8.self) == names[0], "\(text)")
    }
  }

  /// Begins a drag of an item with all types of the table; the bytes of each type are its name.
  private func drag() throws -> ObjectPath {
    let session = try client.beginDrag()
    _ = try client.call(DragSessionInterface.addItem, at: session, "")
    for (name, type) in TypeTable.types { try client.register(type, name, of: session) }
    return session
  }

  private func types(of session: ObjectPath) throws -> [String] {
    try client.call(DragSessionInterface.getTypes, at: session, 0)
  }
}
