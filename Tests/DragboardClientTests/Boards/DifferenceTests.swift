import TestSupport
import Testing

@testable import DragboardClient

@Suite("Snapshots, undo, search and views, with the client library")
struct DifferenceTests {
  @Test("A rearranged snapshot becomes the board, and a stale one is refused")
  func applying() async throws {
    let stage = try await Stage()
    let items = try await stage.board.insert(["a", "b", "c"])
    let old = try await stage.board.snapshot()
    var wanted = old
    wanted.sections[0].items = [items[2], items[0]]
    wanted.sections.append(BoardSnapshot.Section(name: "later"))
    let (revision, changes) = try await stage.board.apply(wanted)
    #expect(revision == old.revision + 1)
    var copy = old
    for change in try #require(changes) { try copy.apply(change) }
    #expect(copy.sections == wanted.sections)
    #expect(try await stage.board.snapshot().sections == wanted.sections)
    await expect(.staleRevision) { _ = try await stage.board.apply(old) }
    await expect(.staleRevision) {
      try await stage.board.apply(order: items, base: old.revision)
    }
    await expect(.invalidArguments) { _ = try await stage.board.apply(old, isForced: true) }
    try await stage.board.apply(order: [items[0], items[2]], base: revision)
    #expect(try await stage.board.texts(count: 9) == ["a", "c"])
  }

  @Test("The changes since a revision update a copy")
  func changes() async throws {
    let stage = try await Stage()
    try await stage.board.insert(["a", "b", "c"])
    var copy = try await stage.board.snapshot()
    try await stage.board.move(from: 0, to: 2)
    try await stage.board.insert(["d"], at: 1)
    let changes = try await stage.board.history.changes(since: copy.revision)
    for change in changes.changes { try copy.apply(change) }
    copy.revision = changes.revision
    #expect(copy == (try await stage.board.snapshot()))
    #expect(try await stage.board.history.changes(since: copy.revision).changes.isEmpty)
    await expect(.invalidArguments) { _ = try await stage.board.history.changes(since: 99) }
  }

  @Test("Edits are undone and redone")
  func undo() async throws {
    let stage = try await Stage()
    await expect(.nothingToUndo) { try await stage.board.history.undo() }
    let items = try await stage.board.insert(["a", "b"])
    try await stage.board.delete(items)
    try await stage.board.history.undo()
    #expect(try await stage.board.snapshot().sections[0].items == items)
    try await stage.board.history.redo()
    #expect(try await stage.board.info().count == 0)
    await expect(.nothingToRedo) { try await stage.board.history.redo() }
  }

  @Test("Rows are found by their words")
  func search() async throws {
    let stage = try await Stage()
    let items = try await stage.board.insert(["call the garage", "buy stamps", "Garage sale"])
    #expect(try await stage.board.search("gara") == [items[0], items[2]])
    #expect(try await stage.board.search("gara", limit: 1) == [items[0]])
    #expect(try await stage.board.search("nothing").isEmpty)
  }

  @Test("A view clears its selection in edit mode, and reselects the row afterwards")
  func view() async throws {
    let stage = try await Stage()
    let items = try await stage.board.insert(["a", "b", "c"])
    let view = try await stage.board.openView()
    try await view.select(1)
    try await view.setEditing(true)
    await expect(.editing) { try await view.select([items[0]]) }
    try await stage.board.delete([items[1]])
    #expect(try await view.prepareReselection() == items[2])
    try await view.setEditing(false)
    #expect(try await view.commitReselection() == items[2])
    let info = try await view.info()
    #expect((info.selection, info.isEditing, info.pending) == ([items[2]], false, nil))
    #expect(info.board == stage.board.id)
    #expect(info.application == stage.dragboard.uniqueName)
    try await view.deselect()
    #expect(try await view.reselect() == nil)
    let other = BoardView(view.id, on: try await stage.another())
    await expect(.accessDenied) { try await other.deselect() }
    try await view.setAllowsMultipleSelection(true)
    try await view.select([items[0], items[2]])
    #expect(try await view.info().selection == [items[0], items[2]])
    try await view.close()
    await expect(.noSuchView) { _ = try await view.info() }
  }
}
