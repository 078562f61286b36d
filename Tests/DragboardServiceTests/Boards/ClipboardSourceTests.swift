import DBus
import DragboardInterface
import TestSupport
import Testing

/// Rows with the source of the clipboard, which no client counts as.
@Suite("Rows with the source of the clipboard")
struct ClipboardSourceTests {
  private static let source = "/clipboard"

  private let daemon: Daemon
  private let client: BusClient

  init() throws {
    daemon = try Daemon()
    client = try daemon.client()
  }

  private func insert(
    _ text: String, source: String = Self.source, at row: Int32 = 0, by client: BusClient
  ) throws -> String {
    try client.call(
      BoardInterface.insertItem, 0, row, ["source": Variant(.string(source))],
      [BoardInterface.Representation("text/plain;charset=utf-8", .text(text))])
  }

  private func sources() throws -> [Value?] { try client.rows().map { $0.attributes["source"] } }

  @Test("InsertItem and ApplyEdits give a row the source, also after a crash and an edit")
  func insertion() throws {
    let row = try insert("copy", by: client)
    let reserved = try client.call(BoardInterface.reserveItems, 1)
    let edit = BoardInterface.Edit(
      "insert", reserved[0], 0, 1, ["source": Variant(.string(Self.source))],
      [BoardInterface.Representation("text/plain;charset=utf-8", .text("other"))])
    _ = try client.call(BoardInterface.applyEdits, 0, [edit])
    _ = try client.call(BoardInterface.setText, row, "changed")
    daemon.kill()
    try daemon.start()
    let later = try daemon.client()
    #expect(
      try later.rows().map { $0.attributes["source"] }
        == [.string(Self.source), .string(Self.source)])
  }

  @Test("Any other source is refused", arguments: ["", "org.example.App", ":1.1", "/clipboard/"])
  func otherSources(source: String) throws {
    expect(.invalidArgs, naming: "attributes: source") {
      _ = try insert("copy", source: source, by: client)
    }
    expect(.invalidArgs, naming: "attributes: source") {
      let row = try client.call(BoardInterface.reserveItems, 1)[0]
      let edit = BoardInterface.Edit(
        "insert", row, 0, 0, ["source": Variant(.string(source))],
        [BoardInterface.Representation("text/plain;charset=utf-8", .text("copy"))])
      _ = try client.call(BoardInterface.applyEdits, 0, [edit])
    }
    expect(.invalidArgs, naming: "attributes: source") {
      _ = try client.call(
        BoardInterface.insertItem, 0, 0, ["source": Variant(.boolean(true))],
        [BoardInterface.Representation("text/plain;charset=utf-8", .text("copy"))])
    }
    #expect(try client.texts() == [])
  }

  @Test("An existing row gets no other source")
  func laterChange() throws {
    let row = try insert("copy", by: client)
    let edit = BoardInterface.Edit(
      "set", row, 0, 0, ["name": Variant(.string("n")), "source": Variant(.string(Self.source))],
      [])
    expect(.invalidArgs, naming: "set") {
      _ = try client.call(BoardInterface.applyEdits, 0, [edit])
    }
  }

  /// Otherwise the latest copy would have the rights of a row that another client inserted.
  @Test("A copy moves only a row with the source of the clipboard")
  func duplicates() throws {
    try client.set(BoardInterface.movesDuplicates, to: true)
    let text = try client.call(BoardInterface.insertText, 0, 0, "copy")
    let copy = try insert("copy", by: client)
    #expect(copy != text)
    #expect(try client.rows().map(\.id) == [copy, text])
    #expect(try insert("copy", at: 2, by: client) == copy)
    #expect(try client.rows().map(\.id) == [text, copy])
    #expect(try sources() == [.string(""), .string(Self.source)])
  }

  @Test("A large copy moves only a row with the source of the clipboard")
  func largeDuplicates() throws {
    try client.set(BoardInterface.movesDuplicates, to: true)
    let large = String(repeating: "x", count: 100_000)
    let text = try client.call(BoardInterface.insertText, 0, 0, large)
    let copy = try insert(large, by: client)
    #expect(copy != text)
    #expect(try insert(large, by: client) == copy)
  }

  /// Otherwise the content would get the rights of the application that drags.
  @Test("A drop of rows on another board keeps the source")
  func drops() throws {
    let copy = try insert("copy", by: client)
    let text = try client.call(BoardInterface.insertText, 0, 1, "text")
    let board = try client.board("other")
    for rows in [[copy], [text, copy], [text]] {
      try client.drop(client.drag(rows: rows), on: board)
    }
    #expect(
      try client.rows(of: board).map { $0.attributes["source"] }
        == Array(repeating: .string(Self.source), count: 3) + [.string("org.source")])
  }

  @Test(
    "A sandboxed client neither reads nor changes such a row, nor inserts one",
    .enabled(
      if: Relay.Wall.mountNamespace.isPossible,
      "needs a mount namespace: root, or user namespaces that the system lets a user make"))
  func sandbox() throws {
    try client.set(BoardInterface.movesDuplicates, to: true)
    try withExtendedLifetime(Relay(on: daemon.bus, as: "clipboard")) { relay in
      let boxed = try relay.client()
      let own = try boxed.insert(["copy"])[0]
      let row = try insert("copy", at: 1, by: client)
      #expect(row != own)
      #expect(try boxed.texts() == ["copy", ""])
      expect(.accessDenied, naming: "") { _ = try boxed.call(BoardInterface.setText, row, "x") }
      expect(.accessDenied, naming: "") { _ = try boxed.call(BoardInterface.deleteItems, [row]) }
      expect(.accessDenied, naming: "source") { _ = try insert("copy", by: boxed) }
      #expect(try client.rows().map(\.id) == [own, row])
      #expect(try sources() == [.string("clipboard"), .string(Self.source)])
    }
  }
}
