import DBus
import DragboardInterface
import TestSupport
import Testing

extension WrongInputTests {
  @Test("Malformed edits of other copies are refused")
  func otherEdits() throws {
    let fixture = try Fixture()
    let (items, invalid) = (fixture.items, ErrorName.invalidArgs)
    let reserved = try fixture.client.call(BoardInterface.reserveItems, 1)[0]
    func edit(
      _ kind: String, _ item: String = "", _ section: UInt32 = 0, _ row: UInt32 = 0,
      _ attributes: [String: Variant] = [:], _ contents: [BoardInterface.Representation] = []
    ) -> OutgoingMessage {
      let edit = BoardInterface.Edit(kind, item, section, row, attributes, contents)
      return call(BoardInterface.applyEdits, 0, [edit])
    }
    let text = [BoardInterface.Representation("text/plain;charset=utf-8", .text("x"))]
    try fixture.refuse([
      Case("reserve none", call(BoardInterface.reserveItems, 0), invalid, "count", "0"),
      Case("reserve too many", call(BoardInterface.reserveItems, .max), invalid, "count"),
      Case("future base", call(BoardInterface.applyEdits, .max, []), invalid, "base"),
      Case("no kind", edit("explode"), invalid, "edits: edit 0", "explode"),
      Case("no id", edit("delete", "nonsense"), invalid, "edits: edit 0", "nonsense"),
      Case("not reserved", edit("insert", items[0], 0, 0, [:], text), invalid, "edits: edit 0"),
      Case("reserved, no row", edit("delete", reserved), .noSuchItem, "edits: edit 0", reserved),
      Case("no content", edit("insert", reserved), invalid, "edits: edit 0", "representations"),
      Case("behind the end", edit("insert", reserved, 0, 9, [:], text), invalid, "row", "9"),
      Case("in no section", edit("insert", reserved, 9, 0, [:], text), invalid, "section", "9"),
      Case("move to no row", edit("move", items[0], 0, 9), invalid, "row", "9"),
      Case("set nothing", edit("set", items[0]), invalid, "set"),
      Case(
        "set both", edit("set", items[0], 0, 0, ["pinned": Variant(.boolean(true))], text), invalid,
        "set", "flags"),
      Case(
        "flag of another type", edit("set", items[0], 0, 0, ["pinned": Variant(.uint32(1))]),
        invalid, "pinned"),
      Case(
        "time of another type",
        edit("insert", reserved, 0, 0, ["created": Variant(.boolean(true))], text), invalid,
        "created"),
      Case(
        "unknown attribute",
        edit("insert", reserved, 0, 0, ["colour": Variant(.boolean(true))], text), invalid,
        "colour"),
      Case("name of a section", edit("insert-section", "a\nb"), invalid, "name"),
      Case("section with rows", edit("delete-section"), invalid, "row"),
      Case("no such section", edit("rename-section", "x", 9), invalid, "section", "9"),
      Case("section to nowhere", edit("move-section", "", 0, 9), invalid, "row", "9"),
    ])
  }

  @Test("Calls with an index out of range are refused")
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

  @Test("Calls with unknown, malformed or duplicate ids are refused")
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
      Case(
        "replaced text for none", call(BoardInterface.replaceText, 0, none, "x"), noItem, "item"),
      Case("gate of none", call(BoardInterface.setEditable, none, true), noItem, "item"),
      Case("other gate of none", call(BoardInterface.setMovable, none, true), noItem, "item"),
      Case("pin of none", call(BoardInterface.setPinned, none, true), noItem, "item"),
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

  @Test("Changes and moves of a locked row are refused")
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
}
