import DBus
import DragboardInterface
import TestSupport
import Testing

@Suite("When the disk refuses, a batch has not been")
struct StorageFaultTests {
  @Test(
    "Every edit of a failed batch gets IOError and no signal, and the next edit works",
    arguments: [FaultyRepository.Step.put, .save, .commit])
  func edits(step: FaultyRepository.Step) throws {
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

  @Test("Both boards of a failed batch are as they were")
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

  @Test("A failed creation leaves no board; a failed deletion or rename leaves the board")
  func boards() throws {
    let fixture = try Fixture()
    let other = try fixture.client.call(ManagerInterface.createBoard, at: Dragboard.root, "other")
    _ = try fixture.client.call(BoardInterface.insertText, at: other, 0, 0, "kept")
    _ = fixture.signals()
    let cases: [(FaultyRepository.Step, OutgoingMessage)] = [
      (.createBoard, call(ManagerInterface.createBoard, at: Dragboard.root, "new")),
      (.commit, call(ManagerInterface.createBoard, at: Dragboard.root, "new")),
      (.update, call(ManagerInterface.renameBoard, at: Dragboard.root, "other", "new")),
      (.commit, call(ManagerInterface.renameBoard, at: Dragboard.root, "other", "new")),
      (.deleteBoard, call(ManagerInterface.deleteBoard, at: Dragboard.root, "other")),
      (.commit, call(ManagerInterface.deleteBoard, at: Dragboard.root, "other")),
    ]
    for (step, call) in cases {
      let edit = DragboardServiceTests.call(BoardInterface.insertText, at: other, 0, 0, "lost")
      #expect(fixture.batch(failing: step, [edit, call]) == ["IOError", "IOError"])
      #expect(fixture.signals() == [], "\(step)")
      #expect(
        try fixture.client.get(ManagerInterface.boards, at: Dragboard.root)
          == [BusClient.board, other])
      #expect(try fixture.client.call(BoardInterface.getTexts, at: other, 0, 0, 9) == ["kept"])
      #expect(try fixture.client.get(BoardInterface.boardName, at: other) == "other")
    }
    let new = try fixture.client.call(ManagerInterface.createBoard, at: Dragboard.root, "new")
    _ = try fixture.client.call(ManagerInterface.deleteBoard, at: Dragboard.root, "other")
    #expect(
      try fixture.client.get(ManagerInterface.boards, at: Dragboard.root)
        == [BusClient.board, new])
  }

  @Test("Calls after the creation or deletion of a board are a batch of their own")
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

  @Test("While a board cannot be read back nobody sees it; then it is as it was")
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
    // No client waits for its quantum with these few calls, whichever client has called before.
    let calls = (0..<16).map { call(BoardInterface.insertText, 0, -1, "\($0)") }
    #expect(fixture.batch(failing: nil, calls) == [String](repeating: "", count: 16))
    #expect(fixture.service.orders.commits == before + 1)
  }
}
