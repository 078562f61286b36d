import DBus
import DragboardInterface
import TestSupport
import Testing

extension StorageFaultTests {
  @Test(
    "A failed batch does not change the board, its undo and redo steps, and its changes",
    arguments: [FaultyStore.Step.save, .moveItem, .log, .saveStep, .commit])
  func history(step: FaultyStore.Step) throws {
    let fixture = try Fixture()
    let (client, items) = (fixture.client, fixture.items)
    _ = try client.call(BoardInterface.setText, items[0], "A")
    _ = try client.call(BoardInterface.setText, items[1], "B")
    _ = try client.call(BoardInterface.moveRow, 0, 0, 0, 2)
    try client.undo(2)
    let (before, since) = (try client.whole(), try client.get(BoardInterface.revision) - 3)
    let changes = words(of: try client.call(BoardInterface.getChanges, since).1)
    _ = (client.takeSignals(), fixture.observer.takeSignals())

    let errors = fixture.batch(
      failing: step,
      [
        call(BoardInterface.undo), call(BoardInterface.redo), call(BoardInterface.redo),
        call(BoardInterface.getChanges, since), call(BoardInterface.redo),
        call(BoardInterface.setText, items[0], "lost"), call(BoardInterface.redo),
        call(BoardInterface.applyOrder, 0, 0, [items[2], items[0], items[1]]),
        call(BoardInterface.applySnapshot, 0, [BoardInterface.Section("lost", [items[1]])]),
        call(BoardInterface.undo), call(BoardInterface.search, "lost", 0),
      ])
    // The search has waited until the rows of the batch were indexed, or until their edits had
    // failed.
    #expect(errors == [String](repeating: "IOError", count: 10) + [""])
    #expect(fixture.signals() == [])
    #expect(try client.whole() == before)
    #expect(words(of: try client.call(BoardInterface.getChanges, since).1) == changes)
    #expect(try client.call(BoardInterface.search, "lost", 0) == [])
    #expect(try client.call(BoardInterface.search, "A", 0) == [items[0]])

    try client.redo(2)
    #expect(try client.texts() == ["B", "c", "A"])
    expect(.nothingToRedo) { try client.redo() }
    try client.undo(3)
    #expect(try client.texts() == ["a", "b", "c"])
    #expect(try client.call(BoardInterface.search, "A", 0) == [items[0]])
    #expect(try client.call(BoardInterface.search, "B", 0) == [items[1]])
  }

  @Test("A search that depends on a failed batch gets IOError")
  func search() throws {
    let fixture = try Fixture()
    #expect(try fixture.client.call(BoardInterface.search, "b", 0) == [fixture.items[1]])
    let errors = fixture.batch(
      failing: .commit,
      [call(BoardInterface.moveRow, 0, 0, 0, 2), call(BoardInterface.search, "b", 0)])
    #expect(errors == ["IOError", "IOError"])
    #expect(try fixture.client.call(BoardInterface.search, "b", 0) == [fixture.items[1]])
  }

  @Test("If words cannot be indexed, a search is refused, and the next search finds them")
  func index() throws {
    let fixture = try Fixture()
    let errors = fixture.service.whilePaused {
      fixture.service.orders.fail(.index)
      return fixture.client.send([
        call(BoardInterface.insertText, 0, -1, "new"), call(BoardInterface.search, "new", 0),
      ])
    }.errors()
    #expect(errors == ["", "IOError"])
    #expect(try fixture.client.call(BoardInterface.search, "new", 0).count == 1)
    #expect(try fixture.client.call(BoardInterface.search, "b", 0) == [fixture.items[1]])
  }
}
