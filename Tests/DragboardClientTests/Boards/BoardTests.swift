import TestSupport
import Testing

@testable import DragboardClient

@Suite("Boards, with the client library")
struct BoardTests {
  @Test("Rows are read as they were inserted, page by page")
  func pages() async throws {
    let stage = try await Stage()
    let items = try await stage.board.insert(["one", "two", "three"])
    let page = try await stage.board.page(from: 1, count: 10)
    #expect(page.rows.map(\.id) == Array(items[1...]))
    #expect(page.rows.map(\.preview) == ["two", "three"])
    #expect(page.rows[0].types == [.plainText])
    #expect(page.rows[0].byteCount == 3)
    #expect(page.rows[0].isEditable && page.rows[0].isMovable && !page.rows[0].isPinned)
    #expect(page.rows[0].created > .seconds(1_500_000_000))
    #expect(try await stage.board.texts(count: 2) == ["one", "two"])
    #expect(try await stage.board.row(at: 2).id == items[2])
    #expect(try await stage.board.position(of: items[1]) == 1)
    let info = try await stage.board.info()
    #expect((info.name, info.count, info.sections) == ("default", 3, ["main"]))
    #expect(info.revision == page.revision)
  }

  @Test("Bytes of any type are read unchanged")
  func bytes() async throws {
    let stage = try await Stage()
    let bytes: [UInt8] = [0, 255, 10, 0]
    let item = try await stage.board.insert(bytes, as: "image/png")
    #expect(try await stage.board.data(of: item) == bytes)
    #expect(try await stage.board.types(of: item) == [.png])
    await expect(.noSuchRepresentation) { _ = try await stage.board.text(of: item) }
    await expect(.noSuchRepresentation) {
      _ = try await stage.board.data(of: item, as: .plainText)
    }
  }

  @Test("Rows and sections are edited, and each edit returns its revision")
  func edits() async throws {
    let stage = try await Stage()
    let board = stage.board
    let items = try await board.insert(["a", "b", "c", "d"])
    let revision = try await board.info().revision
    #expect(try await board.move(from: 0, to: 2) == revision + 1)
    #expect(try await board.sections.insert(named: "later") == revision + 2)
    #expect(try await board.move([items[3], items[0]], toSection: 1) == revision + 3)
    #expect(try await board.setText(of: items[1], to: "B") == revision + 4)
    #expect(try await board.sections.move(from: 1, to: 0) == revision + 5)
    #expect(try await board.sections.rename(at: 0, to: "soon") == revision + 6)
    #expect(
      try await board.snapshot().sections == [
        BoardSnapshot.Section(name: "soon", items: [items[3], items[0]]),
        BoardSnapshot.Section(name: "main", items: [items[1], items[2]]),
      ])
    try await board.delete([items[3]])
    try await board.sections.delete(at: 0)
    #expect(try await board.texts(count: 9) == ["B", "c"])
    try await board.clear()
    #expect(try await board.info().count == 0)
  }

  @Test("Edits of a locked row are refused, and the error names the flag")
  func gates() async throws {
    let stage = try await Stage()
    let item = try await stage.board.insert(["a", "b"])[0]
    try await stage.board.setEditable(false, of: item)
    try await stage.board.setMovable(false, of: item)
    await expect(.notEditable) { try await stage.board.delete([item]) }
    await expect(.notMovable) { try await stage.board.move(from: 0, to: 1) }
    let row = try await stage.board.row(at: 0)
    #expect(!row.isEditable && !row.isMovable)
  }

  @Test("A pinned row stays when the board is cleared, until it is unpinned")
  func pinned() async throws {
    let stage = try await Stage()
    let board = stage.board
    let items = try await board.insert(["a", "b"])
    try await board.setPinned(true, of: items[1])
    try await board.clear()
    let row = try await board.row(at: 0)
    #expect(row.id == items[1] && row.isPinned)
    try await board.setPinned(false, of: items[1])
    try await board.clear()
    #expect(try await board.info().count == 0)
  }

  @Test("A missing object is refused with its reason")
  func refusals() async throws {
    let stage = try await Stage()
    await expect(.noSuchItem) { _ = try await stage.board.text(of: item(1)) }
    await expect(.noSuchItem) { _ = try await stage.board.row(at: 0) }
    await expect(.noSuchItem) {
      _ = try await stage.board.row(at: RowPosition(section: 7, row: 0))
    }
    await expect(.invalidArguments) { try await stage.board.insert(["a"], at: -5) }
    await expect(.invalidArguments) { try await stage.board.insert(["a"], at: 1) }
    await expect(.noSuchBoard) { _ = try await stage.dragboard.board(named: "none") }
    await expect(.invalidArguments) {
      try await stage.dragboard.deleteBoard(named: DragboardConnection.defaultBoard)
    }
  }

  @Test("Boards are created, found, renamed and deleted, and calls of a deleted board fail")
  func boards() async throws {
    let stage = try await Stage()
    let board = try await stage.dragboard.createBoard(named: "zoo")
    await expect(.boardExists) { _ = try await stage.dragboard.createBoard(named: "zoo") }
    try await stage.dragboard.renameBoard(named: "zoo", to: "attic")
    #expect(try await stage.dragboard.board(named: "attic").id == board.id)
    #expect(try await stage.dragboard.boards().map(\.info.name) == ["attic", "default"])
    try await stage.dragboard.deleteBoard(named: "attic")
    await expect(.noSuchBoard) { _ = try await board.info() }
    #expect(try await stage.dragboard.boards().map(\.board.id) == [stage.board.id])
  }

  @Test("A deleted board is listed and restored, with its rows")
  func restoredBoard() async throws {
    let stage = try await Stage()
    let board = try await stage.dragboard.createBoard(named: "zoo")
    let items = try await board.insert(["lion"])
    try await stage.dragboard.deleteBoard(named: "zoo")
    let deleted = try await stage.dragboard.deletedBoards()
    #expect(deleted.map(\.name) == ["zoo"])
    #expect(deleted.map(\.count) == [1])
    #expect(try #require(deleted.first).deleted > .seconds(1_000_000_000))
    #expect(try await stage.dragboard.restoreBoard(named: "zoo").id == board.id)
    #expect(try await board.text(of: items[0]) == "lion")
    #expect(try await stage.dragboard.deletedBoards() == [])
    await expect(.noSuchBoard) { _ = try await stage.dragboard.restoreBoard(named: "zoo") }
  }

  @Test("Settings are stored")
  func settings() async throws {
    let stage = try await Stage()
    try await stage.board.settings.setAcceptedTypes(["text/*", "public.png"])
    try await stage.board.settings.setMaxRows(5)
    try await stage.board.settings.setMovesMultipleRows(true)
    try await stage.board.settings.setRetainedRows(7)
    try await stage.board.settings.setRetainedTime(.seconds(86_400))
    try await stage.board.settings.setMovesDuplicates(true)
    let info = try await stage.board.info()
    #expect(info.acceptedTypes == ["text/*", .png])
    #expect((info.maxRows, info.movesMultipleRows) == (5, true))
    #expect((info.retainedRows, info.retainedTime) == (7, .seconds(86_400)))
    #expect(info.movesDuplicates)
  }
}
