import BoardModel
import SQLite
import TestSupport
import Testing

@testable import DragboardStore

@Suite("Boards in the store")
struct BoardStoreTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test("A board is read as it was saved, with its name, path and settings")
  func roundTrip() throws {
    let header = BoardHeader(
      pathElement: "B_c3_bcro", name: "Büro\u{1F4CE}", maxRows: 12, movesMultipleRows: true,
      acceptedTypes: ["text/*", "image/png"])
    var board = Board()
    do {
      let store = try folder.open()
      let id = try store.createBoard(header)
      try store.save(&board, as: id)
      _ = try store.append(["a", "b", "c"], to: &board, id)
      _ = try board.move(
        from: IndexPath(section: 0, row: 0), to: IndexPath(section: 0, row: 2))
      _ = try board.insertSection(named: "later", at: 0, maxSections: 256)
      _ = try board.setFlags(.isMovable, to: false, of: RowID(1))
      _ = try board.setFlags(.isPinned, to: true, of: RowID(1))
      try store.save(&board, as: id)
      try store.commit()
    }
    let found = try folder.open().boards()
    #expect(found.map(\.header) == [header])
    #expect(found.first?.board.snapshot() == board.snapshot())
    #expect(found.first?.board.flags(of: RowID(1)) == [.isEditable, .isPinned])
    #expect(found.first?.board.sectionNames == ["later", "main"])
  }

  @Test("A board that accepts no type is read as it was saved")
  func noAcceptedTypes() throws {
    let store = try folder.open()
    var header = BoardHeader.usual("one")
    header.acceptedTypes = []
    var (id, _) = try store.makeBoard(named: "one")
    try store.update(header, of: id)
    #expect(try store.boards().first?.header == header)
    id = BoardNumber(99)
    try store.update(.usual("two"), of: id)
    #expect(try store.boards().first?.header == header)
  }

  @Test("Boards are listed in the order of creation, even if they are renamed")
  func order() throws {
    let store = try folder.open()
    let (first, _) = try store.makeBoard(named: "z")
    _ = try store.makeBoard(named: "a")
    try store.rename(first, to: "y")
    let found = try store.boards()
    #expect(found.map(\.header.name) == ["y", "a"])
    #expect(found.map(\.header.pathElement) == ["z", "a"])
  }

  @Test("Deleting a board does not change other boards, and its number is not reused")
  func deleting() throws {
    let store = try folder.open()
    var (keptID, kept) = try store.makeBoard(named: "kept")
    var (id, board) = try store.makeBoard(named: "gone")
    let keptRows = try store.append(["k"], to: &kept, keptID)
    let rows = try store.append((0..<1_000).map { "\($0)" }, to: &board, id)
    try store.purgeBoard(id)
    try store.commit()

    #expect(try store.boards().map(\.header.name) == ["kept"])
    #expect(try store.makeBoard(named: "gone").id > id)
    #expect(try store.boards().last?.board.count == 0)
    while try store.purgeDiscarded(limit: 300) {}
    #expect(try store.summary(of: rows[0]) == nil)
    #expect(try store.summary(of: rows[999]) == nil)
    #expect(try store.text(of: keptRows[0]) == "k")
    #expect(try store.boards().first?.board.snapshot() == kept.snapshot())
  }

  @Test("One board is read without the others")
  func oneBoard() throws {
    let store = try folder.open()
    let (one, board) = try store.makeBoard(named: "one")
    var (other, second) = try store.makeBoard(named: "other")
    _ = try store.append(["a"], to: &second, other)
    try store.tables.transaction.database.execute("UPDATE block SET next = 9")
    #expect(throws: StoreError.self) { try store.boards() }
    #expect(throws: StoreError.self) { try store.board(other) }
    #expect(try store.board(one).snapshot() == board.snapshot())
    #expect(throws: StoreError.unreadable("the board is missing in the database")) {
      try store.board(BoardNumber(99))
    }
  }

  @Test("The revision is read as it was saved, whatever the last edit wrote")
  func revision() throws {
    let store = try folder.open()
    var (id, board) = try store.makeBoard(named: "one")
    let rows = try store.append(["a", "b"], to: &board, id)
    let edits: [(inout Board) throws -> Revision?] = [
      { try $0.reload(rows[0]) },
      { try $0.renameSection(0, to: "first") },
      { try $0.setFlags(.isEditable, to: false, of: rows[1]) },
      { try $0.setFlags(.isEditable, to: true, of: rows[1]) },
      { try $0.delete(rows) },
      { try $0.insertSection(named: "second", at: nil, maxSections: 9) },
      { try $0.deleteSection(0) },
    ]
    for edit in edits {
      let revision = try edit(&board)
      #expect(revision?.to == board.revision)
      try store.save(&board, as: id)
      #expect(try store.boards().first?.board.snapshot() == board.snapshot())
    }
    #expect(board.revision == 9)
  }

  @Test("An edit of one row on a board of 100,000 writes a handful of rows")
  func fewWrites() throws {
    let store = try folder.open()
    var (id, board) = try store.makeBoard(named: "large")
    let rows = try store.append((0..<100_000).map { "\($0)" }, to: &board, id)
    try store.commit()
    #expect(try store.reserveRows(1).count == 1)
    try store.commit()

    func writes(_ edit: () throws -> Void) throws -> Int64 {
      let before = store.tables.transaction.database.totalChanges
      try edit()
      try store.save(&board, as: id)
      try store.commit()
      return store.tables.transaction.database.totalChanges - before
    }
    let middle = IndexPath(section: 0, row: 50_000)
    #expect(
      try writes { _ = try board.move(from: IndexPath(section: 0, row: 99_000), to: middle) } <= 5)
    #expect(try writes { _ = try board.delete([rows[70_000]]) } <= 4)
    let row = try #require(try store.reserveRows(1).first)
    #expect(
      try writes {
        try store.put(.text("new"), of: row)
        _ = try board.insert([row], at: middle, maxRows: .max)
      } <= 4)
    #expect(try store.boards().first?.board.snapshot() == board.snapshot())
  }

  @Test("Inserting a text at the end of a board takes two writes: its content and its block")
  func insertIsTwoWrites() throws {
    let store = try folder.open()
    var (id, board) = try store.makeBoard(named: "one")
    _ = try store.append(["a"], to: &board, id)
    try store.commit()
    let before = store.tables.transaction.database.totalChanges
    _ = try store.append(["b"], to: &board, id)
    try store.commit()
    #expect(store.tables.transaction.database.totalChanges - before == 2)
  }
}
