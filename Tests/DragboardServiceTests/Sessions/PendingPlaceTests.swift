import DBus
import DragboardInterface
import TestSupport
import Testing

@Suite("The position of a pending drop")
struct PendingPlaceTests {
  /// Edits by other clients, and the resulting position of a drop at row 1 of "main".
  ///
  /// The board has the sections "main" with a, b, c, and "late" with x, y.
  struct Case: CustomTestStringConvertible, Sendable {
    let name: String
    let edits: @Sendable (_ rows: [String]) -> [OutgoingMessage]
    let place: String
    /// The final texts by section; + is the dropped row.
    let texts: [String]
    var testDescription: String { name }
  }

  private static let rowEdits = [
    Case(
      name: "an insert before it",
      edits: { _ in [call(BoardInterface.insertTexts, 0, 0, ["1", "2"])] }, place: "0.3",
      texts: ["12a+bc", "xy"]),
    Case(
      name: "an insert just there", edits: { _ in [call(BoardInterface.insertText, 0, 1, "1")] },
      place: "0.2", texts: ["a1+bc", "xy"]),
    Case(
      name: "two inserts just there, one after the other",
      edits: { _ in
        [call(BoardInterface.insertText, 0, 1, "1"), call(BoardInterface.insertText, 0, 2, "2")]
      }, place: "0.3", texts: ["a12+bc", "xy"]),
    Case(
      name: "inserts behind it",
      edits: { _ in
        [call(BoardInterface.insertText, 0, 2, "1"), call(BoardInterface.insertText, 1, 0, "2")]
      }, place: "0.1", texts: ["a+b1c", "2xy"]),
    Case(
      name: "a delete before it", edits: { _ in [call(BoardInterface.deleteRow, 0, 0)] },
      place: "0.0", texts: ["+bc", "xy"]),
    Case(
      name: "deletes just there and behind it",
      edits: { rows in [call(BoardInterface.deleteItems, [rows[1], rows[2], rows[3]])] },
      place: "0.1", texts: ["a+", "y"]),
    Case(
      name: "a move from before it to behind it",
      edits: { _ in [call(BoardInterface.moveRow, 0, 0, 0, 2)] }, place: "0.0",
      texts: ["+bca", "xy"]),
    Case(
      name: "a move from behind it to before it",
      edits: { _ in [call(BoardInterface.moveRow, 0, 2, 0, 0)] }, place: "0.2",
      texts: ["ca+b", "xy"]),
    Case(
      name: "a move of rows from another section to just there",
      edits: { rows in [call(BoardInterface.moveItems, [rows[3], rows[4]], 0, 1)] },
      place: "0.3", texts: ["axy+bc", ""]),
    Case(
      name: "a clear", edits: { _ in [call(BoardInterface.clear)] }, place: "0.0",
      texts: ["+", ""]),
  ]

  private static let sectionEdits = [
    Case(
      name: "a section before it",
      edits: { _ in [call(BoardInterface.insertSection, "first", 0)] }, place: "1.1",
      texts: ["", "a+bc", "xy"]),
    Case(
      name: "a section behind it",
      edits: { _ in [call(BoardInterface.insertSection, "last", -1)] }, place: "0.1",
      texts: ["a+bc", "xy", ""]),
    Case(
      name: "its section moved", edits: { _ in [call(BoardInterface.moveSection, 0, 1)] },
      place: "1.1", texts: ["xy", "a+bc"]),
    Case(
      name: "another section moved before it",
      edits: { _ in [call(BoardInterface.moveSection, 1, 0)] }, place: "1.1",
      texts: ["xy", "a+bc"]),
    Case(
      name: "its section deleted", edits: { _ in [call(BoardInterface.deleteSection, 0)] },
      place: "0.2", texts: ["xy+"]),
    Case(
      name: "its section deleted, another inserted in its place",
      edits: { _ in
        [call(BoardInterface.deleteSection, 0), call(BoardInterface.insertSection, "new", 0)]
      }, place: "1.2", texts: ["", "xy+"]),
    Case(
      name: "the other section deleted, its own renamed",
      edits: { _ in
        [call(BoardInterface.deleteSection, 1), call(BoardInterface.renameSection, 0, "new")]
      }, place: "0.1", texts: ["a+bc"]),
  ]

  @Test(
    "The position of a pending drop follows the edits of others", arguments: rowEdits + sectionEdits
  )
  func follows(_ edit: Case) throws {
    let fixture = try PromiseFixture()
    let client = fixture.client
    let rows = try client.insert(["a", "b", "c"])
    _ = try client.call(BoardInterface.insertSection, "late", -1)
    let late = try client.insert(["x", "y"], section: 1)
    let session = try fixture.source.drag([.gives("+", after: "go")])
    let drop = fixture.dropper.beginDrop(session, row: 1)
    #expect(try client.nextPending().place == "0.1")
    for answer in client.answers(to: edit.edits(rows + late)) { _ = try answer.get() }
    if edit.place != "0.1" { _ = try client.nextPending { $0.place == edit.place } }
    fixture.log.open("go")
    _ = try drop.dropResult()
    #expect(try client.takeSignals().pending.last?.place == edit.place)
    let sections = try client.get(BoardInterface.sections).indices
    #expect(try sections.map { try client.texts(UInt32($0)).joined() } == edit.texts)
  }

  @Test("The position of a pending drop follows a drop that arrives there before it")
  func otherDrop() throws {
    let fixture = try PromiseFixture()
    try fixture.client.insert(["a", "b"])
    let first = try fixture.source.drag([.gives("1", after: "first")])
    let second = try fixture.source.drag([.gives("2"), .gives("3", after: "second")])
    let drops = [
      fixture.dropper.beginDrop(first, row: 1), fixture.dropper.beginDrop(second, row: 1),
    ]
    #expect(fixture.log.waitForLoads(3))
    fixture.log.open("second")
    _ = try drops[1].dropResult()
    fixture.log.open("first")
    _ = try drops[0].dropResult()
    #expect(try fixture.client.texts() == ["a", "2", "3", "1", "b"])
  }

  @Test("A position at the end of a section is reported, too, if no row was given")
  func end() throws {
    let fixture = try PromiseFixture()
    try fixture.client.insert(["a", "b"])
    let session = try fixture.source.drag([.gives("+", after: "go")])
    let drop = fixture.dropper.beginDrop(session)
    #expect(try fixture.client.nextPending().place == "0.2")
    try fixture.client.insert(["c"])
    #expect(try fixture.client.nextPending().place == "0.3")
    fixture.log.open("go")
    _ = try drop.dropResult()
    #expect(try fixture.client.texts() == ["a", "b", "c", "+"])
  }
}
