import DBus
import DragboardInterface
import TestSupport
import Testing

@Suite("Wrong input is refused by name, and changes nothing")
struct WrongInputTests {
  /// A call that is wrong, the error that it gets, and what the error's message has to name.
  private struct Case {
    let what: String
    let call: Message
    let error: ErrorName
    let names: [String]

    init(_ what: String, _ call: Message, _ error: ErrorName, _ names: String...) {
      (self.what, self.call, self.error, self.names) = (what, call, error, names)
    }
  }

  /// A daemon with small limits, a board of two sections, and sessions of every kind.
  private struct Fixture {
    let daemon: Daemon
    let client: BusClient
    let observer: BusClient
    /// Three rows: "a", "b", and one that is neither editable nor movable.
    let items: [String]
    /// A session of "org.x" with one item of two types, one of the caller's own, one that has ended.
    let session, own, ended: ObjectPath
    let unknownItem = "00000000-0000-8000-8000-000000000000"

    init() throws {
      daemon = try Daemon(
        "--max-rows", "6", "--max-sections", "3", "--max-boards", "3", "--max-items", "4",
        "--max-representation-bytes", "100", "--max-session-bytes", "150", "--max-bytes", "250",
        "--max-sessions", "5", "--max-sessions-per-application", "3")
      client = try daemon.client()
      observer = try daemon.client()
      items = try client.call(BoardInterface.insertTexts, 0, 0, ["a", "b", "c"])
      _ = try client.call(BoardInterface.setEditable, items[2], false)
      _ = try client.call(BoardInterface.setMovable, items[2], false)
      _ = try client.call(BoardInterface.insertSection, "second", -1)
      _ = try client.call(ManagerInterface.createBoard, at: Dragboard.root, "other")
      session = try client.call(ManagerInterface.beginTextDrag, at: Dragboard.root, "org.x", ["t"])
      own = try observer.call(ManagerInterface.beginTextDrag, at: Dragboard.root, "", ["t"])
      ended = try client.call(ManagerInterface.beginTextDrag, at: Dragboard.root, "org.x", ["t"])
      _ = try client.call(DragSessionInterface.cancel, at: ended)
      _ = (client.takeSignals(), observer.takeSignals())
    }

    /// Everything that the calls could have changed.
    func everything() throws -> [String] {
      var all = ["\(try observer.state())"]
      all.append("\(try observer.call(ManagerInterface.getBoard, at: Dragboard.root, "other"))")
      all.append("\(try observer.get(ManagerInterface.boards, at: Dragboard.root))")
      all.append("\(try observer.get(ManagerInterface.sessions, at: Dragboard.root))")
      for session in [session, own] {
        all.append("\(try observer.get(DragSessionInterface.itemCount, at: session))")
        all.append("\(try observer.get(DragSessionInterface.state, at: session))")
        all.append("\(try observer.get(DragSessionInterface.operation, at: session))")
        all.append("\(try observer.get(DragSessionInterface.allowsMove, at: session))")
        all.append("\(try observer.call(DragSessionInterface.getTypes, at: session, 0))")
      }
      return all
    }

    /// Makes every call, and holds the answer against what is due.
    func refuse(_ cases: [Case]) throws {
      let before = try everything()
      for wrong in cases {
        switch client.answers(to: [wrong.call])[0] {
        case .success: Issue.record("\(wrong.what): done")
        case .failure(let error):
          #expect(error.name == wrong.error, "\(wrong.what): \(error)")
          for name in wrong.names {
            #expect(error.message.contains(name), "\(wrong.what): \(error)")
          }
        }
        #expect(try everything() == before, "\(wrong.what)")
      }
      #expect(observer.takeSignals().map(\.member) == [])
    }
  }

  @Test("Indexes")
  func indexes() throws {
    let fixture = try Fixture()
    let invalid = ErrorName.invalidArgs
    try fixture.refuse([
      Case(
        "insert behind the end", call(BoardInterface.insertText, 0, 4, "x"), invalid, "row", "4",
        "3"),
      Case("insert before -1", call(BoardInterface.insertText, 0, -2, "x"), invalid, "row", "-2"),
      Case("least index", call(BoardInterface.insertText, 0, .min, "x"), invalid, "row"),
      Case("greatest index", call(BoardInterface.insertTexts, 0, .max, ["x"]), invalid, "row"),
      Case("no text, nowhere", call(BoardInterface.insertTexts, 0, 9, []), invalid, "row"),
      Case("no section", call(BoardInterface.insertText, 2, -1, "x"), invalid, "section", "2"),
      Case("greatest section", call(BoardInterface.insertText, .max, 0, "x"), invalid, "section"),
      Case("data nowhere", call(BoardInterface.insertData, 0, 9, "image/png", [1]), invalid, "row"),
      Case("move from no row", call(BoardInterface.moveRow, 0, 3, 0, 0), invalid, "from_row", "3"),
      Case(
        "move from no section", call(BoardInterface.moveRow, 7, 0, 0, 0), invalid, "from_section"),
      Case("move to no row", call(BoardInterface.moveRow, 0, 0, 0, 3), invalid, "to_row", "3"),
      Case("move to no section", call(BoardInterface.moveRow, 0, 0, 2, 0), invalid, "to_section"),
      Case("move across to no row", call(BoardInterface.moveRow, 0, 0, 1, 1), invalid, "to_row"),
      Case("greatest rows", call(BoardInterface.moveRow, 0, .max, 0, .max), invalid, "from_row"),
      Case(
        "move items to no row", call(BoardInterface.moveItems, [fixture.items[0]], 0, 3), invalid,
        "row"),
      Case(
        "move items to no section", call(BoardInterface.moveItems, [fixture.items[0]], 2, 0),
        invalid, "section"),
      Case(
        "move items before -1", call(BoardInterface.moveItems, [fixture.items[0]], 0, -2), invalid,
        "row"),
      Case("move no items nowhere", call(BoardInterface.moveItems, [], 0, 9), invalid, "row"),
      Case("delete no row", call(BoardInterface.deleteRow, 0, 3), invalid, "row"),
      Case("delete in an empty section", call(BoardInterface.deleteRow, 1, 0), invalid, "row"),
      Case("delete in no section", call(BoardInterface.deleteRow, 2, 0), invalid, "section"),
      Case("read from behind the end", call(BoardInterface.getRows, 0, 4, 1), invalid, "first"),
      Case("read of no section", call(BoardInterface.getTexts, 2, 0, 1), invalid, "section"),
      Case(
        "section behind the end", call(BoardInterface.insertSection, "x", 3), invalid, "section"),
      Case("section before -1", call(BoardInterface.insertSection, "x", -2), invalid, "section"),
      Case("rename no section", call(BoardInterface.renameSection, 2, "x"), invalid, "section"),
      Case("move no section", call(BoardInterface.moveSection, 2, 0), invalid, "from_section"),
      Case("move section nowhere", call(BoardInterface.moveSection, 0, 2), invalid, "to_section"),
      Case("delete no section", call(BoardInterface.deleteSection, 2), invalid, "section"),
      Case("drag no row", call(DragSourceInterface.beginRowDrag, "", 0, 3), invalid, "row"),
      Case(
        "drag of no section", call(DragSourceInterface.beginRowDrag, "", 2, 0), invalid, "section"),
      Case(
        "drag in an empty section", call(DragSourceInterface.beginRowDrag, "", 1, 0), invalid, "row"
      ),
      Case(
        "propose behind the end", call(DropTargetInterface.proposeDrop, fixture.session, "", 0, 4),
        invalid, "row"),
      Case(
        "drop behind the end", call(DropTargetInterface.performDrop, fixture.session, "", 0, 4),
        invalid, "row"),
      Case(
        "drop before -1", call(DropTargetInterface.performDrop, fixture.session, "", 0, -2),
        invalid, "row"),
      Case(
        "drop on no section", call(DropTargetInterface.performDrop, fixture.session, "", 2, 0),
        invalid, "section"),
    ])
  }

  @Test("Ids and lists of ids")
  func ids() throws {
    let fixture = try Fixture()
    let (items, none) = (fixture.items, fixture.unknownItem)
    let noItem = ErrorName.noSuchItem
    try fixture.refuse([
      Case("no id", call(BoardInterface.getIndexPath, "nonsense"), noItem, "item", "nonsense"),
      Case("empty id", call(BoardInterface.getText, ""), noItem, "item"),
      Case("unknown id", call(BoardInterface.getTypes, none), noItem, "item", none),
      Case("upper-case id", call(BoardInterface.getText, items[0].uppercased()), noItem, "item"),
      Case("id in braces", call(BoardInterface.getText, "{\(items[0])}"), noItem, "item"),
      Case("long id", call(BoardInterface.getText, String(repeating: "a", count: 9_000)), noItem),
      Case("data of none", call(BoardInterface.getData, none, "text/plain"), noItem, "item"),
      Case("text for none", call(BoardInterface.setText, none, "x"), noItem, "item"),
      Case("gate of none", call(BoardInterface.setEditable, none, true), noItem, "item"),
      Case("other gate of none", call(BoardInterface.setMovable, none, true), noItem, "item"),
      Case(
        "move one and none", call(BoardInterface.moveItems, [items[0], none], 0, 0), noItem,
        "items", none),
      Case(
        "delete one and none", call(BoardInterface.deleteItems, [items[0], none]), noItem, "items",
        none),
      Case("drag none", call(DragSourceInterface.beginDrag, "", [none]), noItem, "items", none),
      Case(
        "move one twice", call(BoardInterface.moveItems, [items[0], items[1], items[0]], 0, 0),
        .invalidArgs, "items", items[0]),
      Case(
        "delete one twice", call(BoardInterface.deleteItems, [items[0], items[0]]), .invalidArgs,
        "items"),
      Case(
        "drag one twice", call(DragSourceInterface.beginDrag, "", [items[0], items[0]]),
        .invalidArgs, "items"),
      Case("drag nothing", call(DragSourceInterface.beginDrag, "", []), .invalidArgs, "items"),
    ])
  }

  @Test("Gates")
  func gates() throws {
    let fixture = try Fixture()
    let locked = fixture.items[2]
    try fixture.refuse([
      Case("change", call(BoardInterface.setText, locked, "x"), .notEditable, locked),
      Case("same text", call(BoardInterface.setText, locked, "c"), .notEditable, locked),
      Case("delete", call(BoardInterface.deleteRow, 0, 2), .notEditable, locked),
      Case(
        "delete among others", call(BoardInterface.deleteItems, fixture.items), .notEditable, locked
      ),
      Case("delete with its section", call(BoardInterface.deleteSection, 0), .notEditable, locked),
      Case("move", call(BoardInterface.moveRow, 0, 2, 0, 0), .notMovable, locked),
      Case("move to where it is", call(BoardInterface.moveRow, 0, 2, 0, 2), .notMovable, locked),
      Case(
        "move among others", call(BoardInterface.moveItems, fixture.items, 1, 0), .notMovable,
        locked),
    ])
  }

  @Test("Types, bytes and texts")
  func types() throws {
    let fixture = try Fixture()
    let (session, item) = (fixture.session, fixture.items[0])
    let long = "text/" + String(repeating: "x", count: 251)
    func data(_ type: String, _ bytes: [UInt8] = [1]) -> Message {
      call(BoardInterface.insertData, 0, 0, type, bytes)
    }
    func register(_ type: String, _ visibility: String = "all", _ bytes: [UInt8] = [1]) -> Message {
      call(DragSessionInterface.registerData, at: session, 0, type, visibility, bytes)
    }
    let invalid = ErrorName.invalidArgs
    try fixture.refuse([
      Case("no type", data(""), invalid, "type"),
      Case("no alias", data("text"), invalid, "type", "text"),
      Case("two slashes", data("a/b/c"), invalid, "type"),
      Case("pattern", data("image/*"), invalid, "type", "image/*"),
      Case("bad parameter", data("text/plain;charset"), invalid, "type"),
      Case("parameter twice", data("text/plain;a=b;a=c"), invalid, "type"),
      Case("long type", data(long), invalid, "type", "255"),
      Case("type with a space", data("text /plain"), invalid, "type"),
      Case("type that is not ASCII", data("text/plän"), invalid, "type"),
      Case(
        "broken UTF-8", data("text/plain;charset=utf-8", [0x61, 0xff]), invalid, "data", "UTF-8"),
      Case("cut UTF-8", data("UTF8_STRING", [0xe2, 0x82]), invalid, "data"),
      Case("surrogate", data("public.utf8-plain-text", [0xed, 0xa0, 0x80]), invalid, "data"),
      Case("overlong", data("text/plain;charset=UTF-8", [0xc0, 0x80]), invalid, "data"),
      Case(
        "broken UTF-8 in a drag", register("text/plain; charset=\"utf-8\"", "all", [0xff]), invalid,
        "data"),
      Case("bad type in a drag", register("nonsense"), invalid, "type"),
      Case("pattern in a drag", register("*/*"), invalid, "type"),
      Case("no visibility", register("image/png", ""), invalid, "visibility"),
      Case(
        "bad visibility", register("image/png", "everybody"), invalid, "visibility", "everybody"),
      Case(
        "type twice", register("TEXT/plain;Charset=UTF-8"), .duplicateRepresentation,
        "text/plain;charset=utf-8"),
      Case(
        "text twice", call(DragSessionInterface.registerText, at: session, 0, "x"),
        .duplicateRepresentation, "text/plain;charset=utf-8"),
      Case(
        "bad question", call(DragSessionInterface.canLoad, at: session, "nonsense"), invalid, "type"
      ),
      Case(
        "bad question of a row", call(BoardInterface.getData, item, "nonsense"), invalid, "type"),
      Case(
        "type that a row has not", call(BoardInterface.getData, item, "image/png"),
        .noSuchRepresentation, "image/png"),
      Case(
        "bad accepted type", call(BoardInterface.setAcceptedTypes, ["image/png", "x"]), invalid,
        "types"),
      Case("bad pattern", call(BoardInterface.setAcceptedTypes, ["*/png"]), invalid, "types"),
      Case(
        "size of what there is not",
        call(DragSessionInterface.setExpectedSize, at: session, 0, "image/png", 1),
        .noSuchRepresentation, "type"),
      Case(
        "size of what is there",
        call(DragSessionInterface.setExpectedSize, at: session, 0, "text/plain;charset=utf-8", 1),
        invalid, "type"),
    ])
  }

  @Test("Names")
  func names() throws {
    let fixture = try Fixture()
    let invalid = ErrorName.invalidArgs
    let (root, long) = (Dragboard.root, String(repeating: "ä", count: 65))
    var cases: [Case] = []
    for (what, name) in [
      ("no", ""), ("a long", long), ("a control in the", "a\nb"),
      ("a noncharacter in the", "a\u{FFFF}"), ("DEL in the", "\u{7F}"),
    ] {
      cases += [
        Case(
          "\(what) board name", call(ManagerInterface.createBoard, at: root, name), invalid, "name"),
        Case(
          "\(what) new name", call(ManagerInterface.renameBoard, at: root, "other", name), invalid,
          "new_name"),
        Case("\(what) section name", call(BoardInterface.insertSection, name, 0), invalid, "name"),
        Case(
          "\(what) new section name", call(BoardInterface.renameSection, 0, name), invalid, "name"),
      ]
    }
    cases += [
      Case(
        "board twice", call(ManagerInterface.createBoard, at: root, "other"), .boardExists, "name",
        "other"),
      Case(
        "default again", call(ManagerInterface.createBoard, at: root, "default"), .boardExists,
        "name"),
      Case(
        "name taken", call(ManagerInterface.renameBoard, at: root, "other", "default"),
        .boardExists, "new_name"),
      Case(
        "no board", call(ManagerInterface.getBoard, at: root, "none"), .noSuchBoard, "name", "none"),
      Case(
        "rename no board", call(ManagerInterface.renameBoard, at: root, "none", "x"), .noSuchBoard,
        "name"),
      Case(
        "delete no board", call(ManagerInterface.deleteBoard, at: root, ""), .noSuchBoard, "name"),
      Case(
        "rename default", call(ManagerInterface.renameBoard, at: root, "default", "x"), invalid,
        "default"),
      Case(
        "delete default", call(ManagerInterface.deleteBoard, at: root, "default"), invalid,
        "default"),
      Case("section twice", call(BoardInterface.insertSection, "main", 0), invalid, "main"),
      Case("section name taken", call(BoardInterface.renameSection, 1, "main"), invalid, "main"),
      Case(
        "control in a suggested name",
        call(DragSessionInterface.addItem, at: fixture.session, "a\tb"), invalid, "suggested_name"),
      Case(
        "long suggested name",
        call(DragSessionInterface.addItem, at: fixture.session, String(repeating: "x", count: 256)),
        invalid, "suggested_name", "255"),
    ]
    try fixture.refuse(cases)
  }

  @Test("Applications and sessions of others")
  func identity() throws {
    let fixture = try Fixture()
    let (root, denied, invalid) = (Dragboard.root, ErrorName.accessDenied, ErrorName.invalidArgs)
    var cases: [Case] = []
    for id in ["a..b", ".a", "a.", "a b", "ä", String(repeating: "a", count: 256)] {
      cases += [
        Case("'\(id)'", call(ManagerInterface.beginDrag, at: root, id), invalid, "application"),
        Case(
          "'\(id)', texts", call(ManagerInterface.beginTextDrag, at: root, id, ["x"]), invalid,
          "application"),
        Case(
          "'\(id)', rows", call(DragSourceInterface.beginDrag, id, fixture.items), invalid,
          "application"),
        Case(
          "'\(id)' proposes", call(DropTargetInterface.proposeDrop, fixture.session, id, 0, 0),
          invalid, "application"),
        Case(
          "'\(id)' drops", call(DropTargetInterface.performDrop, fixture.session, id, 0, 0),
          invalid, "application"),
        Case(
          "'\(id)' leaves", call(DropTargetInterface.exitDrop, fixture.session, id), invalid,
          "application"),
      ]
    }
    let other = fixture.observer.name
    cases += [
      Case(
        "another's name", call(ManagerInterface.beginDrag, at: root, other), denied, "application",
        other),
      Case(
        "another drops", call(DropTargetInterface.performDrop, fixture.session, other, 0, 0),
        denied, "application"),
      Case("text", call(DragSessionInterface.addText, at: fixture.own, "x"), denied, other),
      Case("item", call(DragSessionInterface.addItem, at: fixture.own, ""), denied),
      Case(
        "text of an item", call(DragSessionInterface.registerText, at: fixture.own, 0, "x"), denied),
      Case(
        "data",
        call(DragSessionInterface.registerData, at: fixture.own, 0, "image/png", "all", [1]), denied
      ),
      Case(
        "size", call(DragSessionInterface.setExpectedSize, at: fixture.own, 0, "image/png", 1),
        denied),
      Case("cancel", call(DragSessionInterface.cancel, at: fixture.own), denied),
      Case(
        "move",
        setting(DragSessionInterface.allowsMove, to: Variant(.boolean(false)), at: fixture.own),
        denied),
      Case(
        "restrict",
        setting(
          DragSessionInterface.restrictedToApplication, to: Variant(.boolean(true)), at: fixture.own
        ), denied),
    ]
    try fixture.refuse(cases)
  }

  @Test("Sessions that have ended, and that there are not")
  func sessions() throws {
    let fixture = try Fixture()
    let (ended, over) = (fixture.ended, ErrorName.sessionEnded)
    let none: ObjectPath = "/org/dragboard/Dragboard1/session/99999999"
    var cases: [Case] = [
      Case("text", call(DragSessionInterface.addText, at: ended, "x"), over, "session"),
      Case("item", call(DragSessionInterface.addItem, at: ended, ""), over),
      Case("text of an item", call(DragSessionInterface.registerText, at: ended, 0, "x"), over),
      Case(
        "data", call(DragSessionInterface.registerData, at: ended, 0, "image/png", "all", [1]), over
      ),
      Case("cancel", call(DragSessionInterface.cancel, at: ended), over),
      Case(
        "move", setting(DragSessionInterface.allowsMove, to: Variant(.boolean(false)), at: ended),
        over),
      Case("types", call(DragSessionInterface.getTypes, at: ended, 0), over),
      Case("question", call(DragSessionInterface.canLoad, at: ended, "*/*"), over),
      Case("name", call(DragSessionInterface.getSuggestedName, at: ended, 0), over),
      Case("size", call(DragSessionInterface.setExpectedSize, at: ended, 0, "image/png", 1), over),
      Case(
        "no item", call(DragSessionInterface.getTypes, at: fixture.session, 1), .noSuchItem, "item",
        "1"),
      Case(
        "greatest item", call(DragSessionInterface.registerText, at: fixture.session, .max, "x"),
        .noSuchItem, "item"),
      Case(
        "no item's name", call(DragSessionInterface.getSuggestedName, at: fixture.session, 7),
        .noSuchItem, "item"),
      Case(
        "no session's object", call(DragSessionInterface.cancel, at: none), .unknownObject,
        none.text),
    ]
    for (session, error) in [
      (ended, over), (none, .noSuchSession), ("/", .noSuchSession),
      (BusClient.board, .noSuchSession),
    ] {
      cases += [
        Case(
          "can handle \(session)", call(DropTargetInterface.canHandle, session), error, "session"),
        Case(
          "propose \(session)", call(DropTargetInterface.proposeDrop, session, "", 0, 0), error,
          "session"),
        Case("leave \(session)", call(DropTargetInterface.exitDrop, session, ""), error, "session"),
        Case(
          "drop \(session)", call(DropTargetInterface.performDrop, session, "", 0, 0), error,
          "session"),
      ]
    }
    try fixture.refuse(cases)
  }

  @Test("More than there may be")
  func limits() throws {
    let fixture = try Fixture()
    let (session, limit, root) = (fixture.session, ErrorName.limitsExceeded, Dragboard.root)
    let long = String(repeating: "x", count: 101)
    let bytes = [UInt8](repeating: 1, count: 90)
    _ = try fixture.client.call(
      DragSessionInterface.registerData, at: session, 0, "image/png", "all", bytes)
    _ = try fixture.client.call(
      DragSessionInterface.addText,
      at: fixture.client.call(ManagerInterface.beginDrag, at: root, "org.x"),
      String(repeating: "y", count: 100))
    _ = try fixture.client.call(ManagerInterface.createBoard, at: root, "third")
    _ = try fixture.client.call(BoardInterface.insertSection, "third", -1)
    _ = try fixture.client.call(ManagerInterface.beginDrag, at: root, "org.x")
    _ = (fixture.client.takeSignals(), fixture.observer.takeSignals())
    try fixture.refuse([
      Case(
        "rows", call(BoardInterface.insertTexts, 0, 0, ["1", "2", "3", "4"]), limit, "max-rows", "6"
      ),
      Case(
        "a long text", call(BoardInterface.insertText, 0, 0, long), limit, "text",
        "max-representation-bytes"),
      Case(
        "a long text among others", call(BoardInterface.insertTexts, 0, 0, ["x", long]), limit,
        "texts"),
      Case(
        "large data",
        call(BoardInterface.insertData, 0, 0, "image/png", [UInt8](repeating: 1, count: 101)),
        limit, "data"),
      Case("a long new text", call(BoardInterface.setText, fixture.items[0], long), limit, "text"),
      Case("sections", call(BoardInterface.insertSection, "fourth", 0), limit, "max-sections", "3"),
      Case(
        "boards", call(ManagerInterface.createBoard, at: root, "fourth"), limit, "max-boards", "3"),
      Case(
        "items", call(ManagerInterface.beginTextDrag, at: root, "", ["1", "2", "3", "4", "5"]),
        limit, "max-items", "4"),
      Case(
        "a long text of a drag", call(ManagerInterface.beginTextDrag, at: root, "", [long]), limit,
        "max-representation-bytes"),
      Case(
        "large data of a drag",
        call(
          DragSessionInterface.registerData, at: session, 0, "image/jpeg", "all",
          [UInt8](repeating: 1, count: 101)), limit, "max-representation-bytes"),
      Case(
        "a large session",
        call(DragSessionInterface.addText, at: session, String(repeating: "z", count: 70)), limit,
        "max-session-bytes", "150"),
      Case(
        "all sessions",
        call(ManagerInterface.beginTextDrag, at: root, "", [String(repeating: "z", count: 90)]),
        limit, "max-bytes", "250"),
      Case(
        "sessions of an application", call(ManagerInterface.beginDrag, at: root, "org.x"), limit,
        "max-sessions-per-application", "3"),
      Case(
        "accepted types", call(BoardInterface.setAcceptedTypes, (0...256).map { "x/y\($0)" }),
        limit, "types", "256"),
    ])
    _ = try fixture.client.call(ManagerInterface.beginDrag, at: root, "org.y")
    _ = fixture.observer.takeSignals()
    try fixture.refuse([
      Case(
        "sessions", call(ManagerInterface.beginDrag, at: root, "org.z"), limit, "max-sessions", "5"),
      Case(
        "sessions, with rows", call(DragSourceInterface.beginRowDrag, "org.z", 0, 0), limit,
        "max-sessions"),
    ])
  }

  @Test("Calls that fit no declaration")
  func calls() throws {
    let fixture = try Fixture()
    let (board, path) = (BoardInterface.name, BusClient.board)
    func raw<each A: BusValue>(
      _ member: MemberName, _ interface: InterfaceName?, at path: ObjectPath,
      _ arguments: repeat each A
    ) -> Message {
      let call = Message.call(member, of: interface, at: path, to: Dragboard.busName)
      call.append(repeat each arguments)
      return call
    }
    let (properties, invalid) = (PropertiesInterface.name, ErrorName.invalidArgs)
    try fixture.refuse([
      Case(
        "no arguments", raw("InsertText", board, at: path), invalid, "InsertText", "section: u",
        "row: i", "text: s"),
      Case("too many arguments", raw("Clear", board, at: path, "all"), invalid, "Clear"),
      Case(
        "signed for unsigned", raw("InsertText", board, at: path, Int32(0), Int32(0), "x"), invalid,
        "section: u"),
      Case(
        "text for an array", raw("DeleteItems", board, at: path, fixture.items[0]), invalid,
        "items: as"),
      Case(
        "text for a path",
        raw("CanHandle", DropTargetInterface.name, at: path, fixture.session.text), invalid,
        "session: o"),
      Case("no such method", raw("Explode", board, at: path), .unknownMethod, "Explode"),
      Case("a method of a later time", raw("Undo", board, at: path), .unknownMethod, "Undo"),
      Case("method without interface", raw("Explode", nil, at: path), .unknownMethod, "Explode"),
      Case(
        "no such interface", raw("Clear", "org.example.Other", at: path), .unknownInterface,
        "org.example.Other"),
      Case(
        "interface of another object", raw("Clear", board, at: Dragboard.root), .unknownInterface,
        board.text),
      Case(
        "no such object", raw("Clear", board, at: "/org/dragboard/Dragboard1/board/none"),
        .unknownObject, "board/none"),
      Case("no such object, no interface", raw("Clear", nil, at: "/none"), .unknownObject, "/none"),
      Case(
        "no such property", raw("Get", properties, at: path, board.text, "Colour"),
        .unknownProperty, "Colour"),
      Case(
        "property of no interface", raw("Get", properties, at: path, "org.example.Other", "Name"),
        .unknownInterface, "org.example.Other"),
      Case(
        "set no property",
        raw("Set", properties, at: path, board.text, "Colour", Variant(.string("red"))),
        .unknownProperty, "Colour"),
      Case(
        "set what is read",
        raw("Set", properties, at: path, board.text, "Name", Variant(.string("x"))),
        .propertyReadOnly, "Name"),
      Case(
        "set to another type", setting(BoardInterface.maxRows, to: Variant(.string("5"))), invalid,
        "MaxRows", "u"),
      Case(
        "set to a signed number", setting(BoardInterface.maxRows, to: Variant(.int32(5))), invalid,
        "MaxRows"),
      Case(
        "set a flag to a number",
        setting(BoardInterface.movesMultipleRows, to: Variant(.uint32(1))), invalid,
        "MovesMultipleRows"),
    ])
  }

  @Test(
    "U+0000 and noncharacters are text like any other, and come back as U+FFFD in strings, as they are in bytes"
  )
  func zero() throws {
    let fixture = try Fixture()
    let item = try fixture.client.call(
      BoardInterface.insertData, 0, 0, "text/plain;charset=utf-8", Array("a\0b\u{FFFE}".utf8))
    #expect(try fixture.client.call(BoardInterface.getText, item) == "a\u{FFFD}b\u{FFFD}")
    #expect(try fixture.client.call(BoardInterface.getTexts, 0, 0, 1) == ["a\u{FFFD}b\u{FFFD}"])
    #expect(
      try fixture.client.call(BoardInterface.getData, item, "text/plain")
        == Array("a\0b\u{FFFE}".utf8))
    let (_, rows) = try fixture.client.call(BoardInterface.getRows, 0, 0, 1)
    #expect(rows.first?.members.1 == "a\u{FFFD}b\u{FFFD}")
  }

  @Test("MaxRows holds for the board alone, and lowering it deletes nothing")
  func maxRows() throws {
    let fixture = try Fixture()
    try fixture.client.set(BoardInterface.maxRows, to: Variant(.uint32(2)))
    _ = fixture.observer.takeSignals()
    try fixture.refuse([
      Case("insert", call(BoardInterface.insertText, 0, 0, "x"), .limitsExceeded, "max-rows", "2")
    ])
    #expect(try fixture.client.get(BoardInterface.count) == 3)
  }
}
