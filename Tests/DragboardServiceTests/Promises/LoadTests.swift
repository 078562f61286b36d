import DBus
import DragboardInterface
import TestSupport
import Testing

@Suite("Loads")
struct LoadTests {
  let daemon: Daemon
  let client: BusClient

  init() throws {
    daemon = try Daemon()
    client = try daemon.client()
  }

  @Test("Every way to load returns the first conforming representation in the order of fidelity")
  func fidelity() throws {
    let session = try client.beginDrag()
    try client.addItem(
      [
        "text/html": "html", "text/plain": "latin",
        "text/plain;charset=utf-8;format=flowed": "flowed",
        "UTF8_STRING": "plain", "public.png": "png",
      ], to: session)
    for (query, text) in [
      ("*/*", "html"), ("text/*", "html"), ("text/plain", "latin"), ("image/*", "png"),
      ("public.utf8-plain-text", "flowed"), ("public.data", "html"), ("text/html", "html"),
      ("text/plain;format=flowed", "flowed"),
    ] {
      #expect(try client.loadData(query, of: session) == Array(text.utf8), "\(query)")
      let file = try client.loadFile(query, of: session)
      #expect(TestFile.rest(of: file) == Array(text.utf8), "\(query)")
    }
    #expect(try client.loadText(of: session) == "flowed")
  }

  @Test("A load is refused if no representation conforms, or the item is missing")
  func refusals() throws {
    let session = try client.beginDrag()
    try client.addItem(["text/html": "html", "text/plain": "latin"], to: session)
    try client.addItem([:], to: session)
    let loads: [(String, (UInt32) throws -> Void)] = [
      ("text/plain;charset=utf-8", { _ = try client.loadText($0, of: session) }),
      ("image/png", { _ = try client.loadData("public.png", item: $0, of: session) }),
      ("image/*", { _ = try client.loadFile("image/*", item: $0, of: session) }),
    ]
    for (type, load) in loads {
      for item in [0, 1] as [UInt32] {
        expect(.noSuchRepresentation, naming: "type", "item \(item)", type) { try load(item) }
      }
      for item in [2, .max] as [UInt32] {
        expect(.noSuchItem, naming: "item", "\(item)", "0…1") { try load(item) }
      }
    }
    expect(.noSuchRepresentation) { _ = try client.loadData("*/*", item: 1, of: session) }
    #expect(try client.standing(of: session) == "active ")
  }

  @Test(
    "A load returns the stored bytes, and a text load has U+FFFD for scalars that D-Bus forbids")
  func bytes() throws {
    let session = try client.beginDrag()
    let text = "a\0b\u{FFFE}c\u{10FFFF}\u{FFFD}é"
    try client.addItem(["UTF8_STRING": text, "text/html": ""], to: session)
    #expect(try client.loadText(of: session) == "a\u{FFFD}b\u{FFFD}c\u{FFFD}\u{FFFD}é")
    #expect(try client.loadData("text/plain", of: session) == Array(text.utf8))
    #expect(TestFile.rest(of: try client.loadFile("text/plain", of: session)) == Array(text.utf8))
    #expect(try client.loadData("text/html", of: session) == [])
    #expect(TestFile.rest(of: try client.loadFile("text/html", of: session)) == [])
  }

  @Test("A load of a dragged row returns each representation as it was when the drag began")
  func rows() throws {
    let drag = try client.beginDrag()
    try client.addItem(["text/html": "<b>", "UTF8_STRING": "x", "image/png": "png"], to: drag)
    let row = try client.drop(drag).items[0]
    let sessions = [
      try client.drag(rows: [row], as: ""),
      try client.call(DragSourceInterface.beginRowDrag, "", 0, 0),
    ]
    _ = try client.call(BoardInterface.setText, row, "changed")
    _ = try client.call(BoardInterface.deleteItems, [row])
    let other = try daemon.client()
    for session in sessions {
      try other.accept(session)
      #expect(
        try other.call(DragSessionInterface.getTypes, at: session, 0)
          == ["text/html", "text/plain;charset=utf-8", "image/png"])
      #expect(try other.loadText(of: session) == "x")
      #expect(try other.loadData("*/*", of: session) == Array("<b>".utf8))
      #expect(TestFile.rest(of: try other.loadFile("image/*", of: session)) == Array("png".utf8))
      try other.finish(session)
    }
  }

  @Test("A load of more than 64 MiB is refused with a hint at LoadFile; 64 MiB arrive")
  func tooLarge() throws {
    let session = try client.beginDrag(as: "")
    for (item, size) in [64 << 20, (64 << 20) + 1].enumerated() {
      _ = try client.call(DragSessionInterface.addItem, at: session, "")
      try client.call(
        DragSessionInterface.registerFile, at: session, UInt32(item), "image/png", "all",
        TestFile.sealed(zeros: size))
    }
    try client.accept(session)
    #expect(try client.loadData("image/png", of: session).count == 64 << 20)
    expect(.limitsExceeded, naming: "\((64 << 20) + 1)", "LoadFile") {
      _ = try client.loadData("image/png", item: 1, of: session)
    }
    _ = client.takeWords()
    try client.finish(session)
    #expect(client.takeWords().first == "DidTransferItems [0] [1]")
  }

  @Test("A text load of more than 64 MiB is refused, and LoadFile returns the text")
  func tooLargeText() throws {
    let session = try client.beginDrag()
    _ = try client.call(DragSessionInterface.addItem, at: session, "")
    let size = (64 << 20) + 1
    try client.call(
      DragSessionInterface.registerFile, at: session, 0, "UTF8_STRING", "all",
      TestFile.sealed(zeros: size))
    expect(.limitsExceeded, naming: "\(size)", "LoadFile") {
      _ = try client.loadText(of: session)
    }
    let file = try client.loadFile("text/plain", of: session)
    #expect(TestFile.identity(of: file).last == UInt64(size))
  }

  // MARK: Calls with two faults

  /// A call with two faults, and the fault that is reported.
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let error: ErrorName
    let call: @Sendable (BusClient, ObjectPath) throws -> Void
  }

  private static let faults: [Case] = [
    Case(testDescription: "no operation, of a session that has ended", error: .invalidArgs) {
      try $0.accept($1, "link")
    },
    Case(testDescription: "no application, of a session that has ended", error: .invalidArgs) {
      try $0.accept($1, as: "a..b")
    },
    Case(testDescription: "no operation, as another", error: .invalidArgs) {
      try $0.accept($1, as: ":1.9999", "forbidden")
    },
    Case(testDescription: "as another, of a session that has ended", error: .accessDenied) {
      try $0.accept($1, as: ":1.9999")
    },
    Case(testDescription: "a session that has ended", error: .sessionEnded) { try $0.accept($1) },
    Case(testDescription: "no type, of a session that has ended", error: .invalidArgs) {
      _ = try $0.loadData("nonsense", of: $1)
    },
    Case(testDescription: "no type of a file, of a session that has ended", error: .invalidArgs) {
      _ = try $0.loadFile("*/html", item: 9, of: $1)
    },
    Case(testDescription: "no item, of a session that has ended", error: .sessionEnded) {
      _ = try $0.loadText(9, of: $1)
    },
    Case(testDescription: "a session that has ended is finished", error: .sessionEnded) {
      try $0.finish($1)
    },
  ]

  @Test("A load reports its first fault: format, identity, existence, state", arguments: faults)
  func order(_ fault: Case) throws {
    let session = try client.drag(["x"], as: "")
    try client.cancel(session)
    expect(fault.error) { try fault.call(client, session) }
  }

  @Test("A load without the right to it is refused before a missing representation is reported")
  func identityFirst() throws {
    let session = try client.drag(["x"], as: "")
    let other = try daemon.client()
    expect(.invalidArgs, naming: "type") {
      _ = try other.loadData("nonsense", item: 9, of: session)
    }
    expect(.accessDenied) { _ = try other.loadData("image/png", of: session) }
    expect(.accessDenied) { _ = try other.loadText(9, of: session) }
    try other.accept(session)
    expect(.noSuchItem) { _ = try other.loadData("image/png", item: 9, of: session) }
    expect(.noSuchRepresentation) { _ = try other.loadData("image/png", of: session) }
  }

  @Test(
    "A load accepts the operations copy and move, and an error names them",
    arguments: ["", "Copy", "cancel", "forbidden"])
  func operations(operation: String) throws {
    let session = try client.drag(["x"])
    expect(.invalidArgs, naming: "operation", "copy", "move") {
      try client.accept(session, operation)
    }
    #expect(try client.standing(of: session) == "active ")
  }
}
