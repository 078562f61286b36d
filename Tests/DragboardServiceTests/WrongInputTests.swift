import DBus
import DragboardInterface
import TestSupport
import Testing

@Suite("Invalid input is refused by name, and changes nothing")
struct WrongInputTests {
  @Test("Calls that match no declaration are refused")
  func calls() throws {
    let fixture = try Fixture()
    let (board, path) = (BoardInterface.name, BusClient.board)
    func raw<each A: BusValue>(
      _ member: MemberName, _ interface: InterfaceName?, at path: ObjectPath,
      _ arguments: repeat each A
    ) -> OutgoingMessage {
      let call = OutgoingMessage.call(member, of: interface, at: path, to: Dragboard.busName)
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

  @Test("Calls that exceed a limit are refused")
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

  @Test("MaxRows applies only to its board, and lowering it deletes no rows")
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
