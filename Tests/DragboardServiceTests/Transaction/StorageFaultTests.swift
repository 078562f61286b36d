import DBus
import DragboardInterface
import TestSupport
import Testing

@Suite("Batches that the disk refuses")
struct StorageFaultTests {
  @Test(
    "Every edit of a failed batch gets IOError and no signal, and the next edit works",
    arguments: [FaultyStore.Step.put, .save, .commit])
  func edits(step: FaultyStore.Step) throws {
    let fixture = try Fixture()
    let errors = fixture.batch(
      failing: step,
      [
        call(BoardInterface.insertText, 0, 1, "x"), call(BoardInterface.moveRow, 0, 0, 0, 2),
        call(BoardInterface.deleteItems, [fixture.items[1]]),
        call(BoardInterface.setText, fixture.items[2], "C"),
        call(BoardInterface.setEditable, fixture.items[0], false),
        call(BoardInterface.insertSection, "later", -1), call(BoardInterface.clear),
        setting(BoardInterface.maxRows, to: Variant(.uint32(7))),
        call(BoardInterface.setAcceptedTypes, ["image/*"]),
      ])
    #expect(errors == [String](repeating: "IOError", count: 9))
    #expect(fixture.signals() == [])
    #expect(try fixture.client.state() == fixture.before)

    _ = try fixture.client.call(BoardInterface.insertText, 0, 1, "y")
    #expect(fixture.signals() == ["Changed"])
    #expect(try fixture.client.call(BoardInterface.getTexts, 0, 0, 9) == ["a", "y", "b", "c"])
    #expect(try fixture.client.get(BoardInterface.revision) == fixture.before.revision + 1)
  }

  @Test("A call that reads the board in a failed batch gets IOError, other calls get their answer")
  func reads() throws {
    let fixture = try Fixture()
    let other = try fixture.client.call(ManagerInterface.createBoard, at: Dragboard.root, "other")
    let errors = fixture.batch(
      failing: .commit,
      [
        call(BoardInterface.insertText, 0, -1, "x"), call(BoardInterface.getSnapshot),
        call(BoardInterface.getTexts, 0, 0, 9), call(BoardInterface.getText, fixture.items[0]),
        call(BoardInterface.moveRow, 0, 9, 0, 0), call(BoardInterface.insertText, 9, 0, "nowhere"),
        getting(BoardInterface.count), getting(BoardInterface.maxRows),
        call(BoardInterface.getSnapshot, at: other),
        call(BoardInterface.moveRow, at: other, 0, 9, 0, 0),
        call(ManagerInterface.getBoard, at: Dragboard.root, "other"),
      ])
    #expect(errors.prefix(8) == ArraySlice([String](repeating: "IOError", count: 8)))
    #expect(errors.dropFirst(8) == ["", "InvalidArgs", ""])
    #expect(try fixture.client.state() == fixture.before)
  }

  @Test("A failed batch of two boards changes neither")
  func twoBoards() throws {
    let fixture = try Fixture()
    let other = try fixture.client.call(ManagerInterface.createBoard, at: Dragboard.root, "other")
    let errors = fixture.batch(
      failing: .commit,
      [
        call(BoardInterface.insertText, 0, -1, "x"),
        call(BoardInterface.insertText, at: other, 0, -1, "x"),
      ])
    #expect(errors == ["IOError", "IOError"])
    #expect(try fixture.client.state() == fixture.before)
    #expect(try fixture.client.get(BoardInterface.count, at: other) == 0)
  }

  /// A step that fails, and a call of the manager that needs it.
  struct BoardFault: Sendable, CustomTestStringConvertible {
    let step: FaultyStore.Step
    let edit: BoardEdit
    var testDescription: String { "\(edit), \(step) fails" }

    init(_ step: FaultyStore.Step, _ edit: BoardEdit) {
      (self.step, self.edit) = (step, edit)
    }
  }

  /// An edit of the list of boards, which contains the board "other".
  enum BoardEdit: Sendable {
    case create, rename, delete

    var call: OutgoingMessage {
      let root = Dragboard.root
      return switch self {
      case .create: DragboardServiceTests.call(ManagerInterface.createBoard, at: root, "new")
      case .rename:
        DragboardServiceTests.call(ManagerInterface.renameBoard, at: root, "other", "new")
      case .delete: DragboardServiceTests.call(ManagerInterface.deleteBoard, at: root, "other")
      }
    }
  }

  @Test(
    "A failed creation leaves no board; a failed deletion or rename leaves the board",
    arguments: [
      BoardFault(.createBoard, .create), BoardFault(.commit, .create),
      BoardFault(.update, .rename), BoardFault(.commit, .rename),
      BoardFault(.deleteBoard, .delete), BoardFault(.commit, .delete),
    ])
  func boards(fault: BoardFault) throws {
    let fixture = try Fixture()
    let other = try fixture.client.call(ManagerInterface.createBoard, at: Dragboard.root, "other")
    _ = try fixture.client.call(BoardInterface.insertText, at: other, 0, 0, "kept")
    _ = fixture.signals()
    let edit = call(BoardInterface.insertText, at: other, 0, 0, "lost")
    #expect(
      fixture.batch(failing: fault.step, [edit, fault.edit.call]) == ["IOError", "IOError"])
    #expect(fixture.signals() == [])
    let boards = { try fixture.client.get(ManagerInterface.boards, at: Dragboard.root) }
    #expect(try boards() == [BusClient.board, other])
    #expect(try fixture.client.call(BoardInterface.getTexts, at: other, 0, 0, 9) == ["kept"])
    #expect(try fixture.client.get(BoardInterface.boardName, at: other) == "other")

    let new = try fixture.client.call(ManagerInterface.createBoard, at: Dragboard.root, "new")
    _ = try fixture.client.call(ManagerInterface.deleteBoard, at: Dragboard.root, "other")
    #expect(try boards() == [BusClient.board, new])
  }

  @Test(
    "After a failed restoration the board is still deleted, and can be restored",
    arguments: [FaultyStore.Step.readBoard, .restoreBoard, .commit])
  func restoration(step: FaultyStore.Step) throws {
    let fixture = try Fixture()
    let other = try fixture.client.board("other")
    try fixture.client.insert(["kept"], on: other)
    try fixture.client.deleteBoard("other")
    _ = fixture.signals()
    let restore = call(ManagerInterface.restoreBoard, at: Dragboard.root, "other")
    #expect(fixture.batch(failing: step, [restore]) == ["IOError"])
    #expect(fixture.signals() == [])
    #expect(try fixture.client.get(ManagerInterface.boards, at: Dragboard.root).count == 1)
    expect(.unknownObject) { _ = try fixture.client.texts(of: other) }
    #expect(try fixture.client.deletedBoards() == ["other 1"])

    #expect(try fixture.client.restoreBoard("other") == other)
    #expect(try fixture.client.texts(of: other) == ["kept"])
    #expect(try fixture.client.deletedBoards() == [])
  }

  @Test("If a deleted board cannot be read, its restoration fails, and no other edit")
  func unreadableDeletedBoard() throws {
    let fixture = try Fixture()
    _ = try fixture.client.board("other")
    try fixture.client.deleteBoard("other")
    let calls = [
      call(BoardInterface.insertText, 0, -1, "x"),
      call(ManagerInterface.restoreBoard, at: Dragboard.root, "other"),
    ]
    #expect(fixture.batch(failing: .readBoard, calls) == ["", "IOError"])
    #expect(try fixture.client.texts() == ["a", "b", "c", "x"])
  }

  @Test("A failed purge of boards fails the deletion that caused it, as a whole")
  func purge() throws {
    let fixture = try Fixture()
    _ = try fixture.client.board("other")
    try fixture.client.deleteBoard("other")
    for _ in 0..<15 {
      _ = try fixture.client.board("more")
      try fixture.client.deleteBoard("more")
    }
    _ = try fixture.client.board("last")
    let delete = call(ManagerInterface.deleteBoard, at: Dragboard.root, "last")
    #expect(fixture.batch(failing: .purgeBoard, [delete]) == ["IOError"])
    #expect(try fixture.client.get(ManagerInterface.boards, at: Dragboard.root).count == 2)
    #expect(try fixture.client.deletedBoards().last == "other 0")
    try fixture.client.deleteBoard("last")
    #expect(try fixture.client.deletedBoards().first == "last 0")
    #expect(try fixture.client.deletedBoards().last == "more 0")
  }

  @Test("Calls after the creation or deletion of a board form a separate batch")
  func boardsAreConcludedAtOnce() throws {
    let fixture = try Fixture()
    let errors = fixture.batch(
      failing: .commit,
      [
        call(ManagerInterface.createBoard, at: Dragboard.root, "new"),
        call(ManagerInterface.getBoard, at: Dragboard.root, "new"),
        call(ManagerInterface.createBoard, at: Dragboard.root, "new"),
        call(ManagerInterface.createBoard, at: Dragboard.root, "new"),
      ])
    #expect(errors == ["IOError", "NoSuchBoard", "", "BoardExists"])
  }

  @Test("While a board cannot be read back, no client sees it; later it is unchanged")
  func unreadable() throws {
    let fixture = try Fixture()
    fixture.service.orders.fail(.readBoard, times: 2)
    let errors = fixture.batch(failing: .commit, [call(BoardInterface.insertText, 0, -1, "x")])
    #expect(errors == ["IOError"])
    #expect(fixture.client.send([call(BoardInterface.getSnapshot)]).errors() == ["IOError"])
    #expect(try fixture.client.state() == fixture.before)
  }

  @Test("Calls that arrive together are committed together")
  func together() throws {
    let fixture = try Fixture()
    let before = fixture.service.orders.commits
    let calls = (0..<16).map { call(BoardInterface.insertText, 0, -1, "\($0)") }
    #expect(fixture.batch(failing: nil, calls) == [String](repeating: "", count: 16))
    #expect(fixture.service.orders.commits == before + 1)
  }
}
