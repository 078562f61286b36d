import DBus
import DragboardInterface
import TestSupport
import Testing

extension WrongInputTests {
  @Test("Calls with an invalid type or invalid bytes are refused")
  func types() throws {
    let fixture = try Fixture()
    let (session, item) = (fixture.session, fixture.items[0])
    let long = "text/" + String(repeating: "x", count: 251)
    func data(_ type: String, _ bytes: [UInt8] = [1]) -> OutgoingMessage {
      call(BoardInterface.insertData, 0, 0, type, bytes)
    }
    func register(_ type: String, _ visibility: String = "all", _ bytes: [UInt8] = [1])
      -> OutgoingMessage
    {
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
        "size of a missing representation",
        call(DragSessionInterface.setExpectedSize, at: session, 0, "image/png", 1),
        .noSuchRepresentation, "type"),
      Case(
        "size of what is there",
        call(DragSessionInterface.setExpectedSize, at: session, 0, "text/plain;charset=utf-8", 1),
        invalid, "type"),
    ])
  }

  @Test("Calls with an invalid, taken or unknown name are refused")
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
        "discard no board", call(ManagerInterface.discardBoard, at: root, "none", 0), .noSuchBoard,
        "name"),
      Case(
        "discard default", call(ManagerInterface.discardBoard, at: root, "default", 0), invalid,
        "name", "default"),
      Case(
        "discard a future board", call(ManagerInterface.discardBoard, at: root, "other", .max),
        invalid, "base"),
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

  @Test("U+0000 and noncharacters are stored unchanged, and become U+FFFD in strings")
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
}
