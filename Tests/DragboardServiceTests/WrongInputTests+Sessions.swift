import DBus
import DragboardInterface
import TestSupport
import Testing

extension WrongInputTests {
  @Test("Calls with another's application or session are refused")
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
      Case(
        "machine",
        setting(DragSessionInterface.machine, to: Variant(.string("a")), at: fixture.own), denied),
    ]
    try fixture.refuse(cases)
  }

  @Test("Calls for ended and missing sessions are refused")
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
      Case("sizes", call(DragSessionInterface.getSizes, at: ended, 0), over),
      Case(
        "no item's sizes", call(DragSessionInterface.getSizes, at: fixture.session, 1),
        .noSuchItem, "item", "1"),
      Case("public types", call(DragSessionInterface.getPublicTypes, at: ended, 0), over),
      Case(
        "lists", call(DragSessionInterface.finishItems, at: ended, [UInt32](), [UInt32]()), over),
      Case(
        "machine", setting(DragSessionInterface.machine, to: Variant(.string("a")), at: ended), over
      ),
      Case(
        "long machine",
        setting(
          DragSessionInterface.machine, to: Variant(.string(String(repeating: "a", count: 256))),
          at: fixture.session), .invalidArgs, "Machine"),
      Case(
        "no item's public types", call(DragSessionInterface.getPublicTypes, at: fixture.session, 1),
        .noSuchItem, "item", "1"),
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
}
