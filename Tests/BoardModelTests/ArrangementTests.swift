import BoardModel
import Testing

@Suite("Arrangements: refusals and changes")
struct ArrangementTests {
  private static func section(_ name: String, _ rows: [RowID] = []) -> SnapshotSection {
    SnapshotSection(name: name, rows: rows)
  }

  @Test(
    "An arrangement without a section, or with a duplicate name, is refused on any board",
    arguments: [
      ([], .noSections),
      ([section("a"), section("a")], .sectionTwice("a")),
      ([section("a"), section("")], .invalidName(.empty)),
      ([section("a", rows(1, 2)), section("b", rows(1))], .rowTwice(RowID(1))),
      ([section("a", rows(100, 3, 100))], .rowTwice(RowID(100))),
    ] as [([SnapshotSection], ArrangementError)])
  func form(sections: [SnapshotSection], error: ArrangementError) {
    #expect(throws: error) { try Arrangement(sections) }
    #expect(!error.description.isEmpty)
  }

  @Test("An order that names a row twice is refused")
  func orderTwice() {
    #expect(throws: ArrangementError.rowTwice(RowID(2))) {
      try Arrangement(ofSection: 7, rows: rows(1, 2, 2))
    }
  }

  private static let board: Board = {
    var board = Board()
    _ = try? board.insert(rows(1, 2, 3, 4), at: at(0, 0), maxRows: 9)
    _ = try? board.insertSection(named: "s1", at: nil, maxSections: 9)
    _ = try? board.insert(rows(5, 6), at: at(1, 0), maxRows: 9)
    _ = try? board.setFlags(.isMovable, to: false, of: RowID(2))
    _ = try? board.setFlags(.isMovable, to: false, of: RowID(3))
    _ = try? board.setFlags(.isEditable, to: false, of: RowID(5))
    return board
  }()

  @Test(
    "Unknown rows are reported before flags, and flags before limits",
    arguments: [
      ([section("main", rows(3, 2, 9)), section("s1")], .noSuchRow(RowID(9))),
      ([section("main", rows(3, 2, 1, 4, 6)), section("s1")], .notEditable(RowID(5))),
      ([section("main", rows(1, 2, 3, 4))], .notEditable(RowID(5))),
      ([section("main", rows(3, 2, 5))], .notMovable(RowID(3))),
      ([section("main", rows(3)), section("s1", rows(5, 2))], .notMovable(RowID(2))),
      ([section("new", rows(1, 2, 3)), section("s1", rows(5))], .notMovable(RowID(2))),
      (
        [section("main", rows(2, 3, 5)), section("a"), section("b")],
        .limitExceeded(.sections, limit: 2)
      ),
    ] as [([SnapshotSection], BoardError)])
  func refused(sections: [SnapshotSection], error: BoardError) throws {
    var board = Self.board
    let arrangement = try Arrangement(sections)
    #expect(throws: ArrangementError.refused(error)) {
      try board.apply(arrangement, maxSections: 2)
    }
    #expect(board.snapshot() == Self.board.snapshot())
  }

  @Test(
    "An order names the rows of its section, and all of them",
    arguments: [
      (0, rows(1, 2, 3, 4, 9), .refused(.noSuchRow(RowID(9)))),
      (0, rows(1, 2, 3, 4, 5), .rowElsewhere(RowID(5), section: 0)),
      (0, rows(1, 3, 2), .rowMissing(RowID(4), section: 0)),
      (0, rows(1, 3, 2, 4), .refused(.notMovable(RowID(3)))),
      (2, [], .refused(.indexOutOfRange(.section, given: 2, valid: 0...1))),
    ] as [(Int, [RowID], ArrangementError)])
  func orderRefused(section: Int, rows: [RowID], error: ArrangementError) throws {
    var board = Self.board
    let arrangement = try Arrangement(ofSection: section, rows: rows)
    #expect(throws: error) { try board.apply(arrangement, maxSections: 2) }
    #expect(board.snapshot() == Self.board.snapshot())
  }

  @Test("Existing sections may exceed the limit")
  func sectionLimit() throws {
    var board = Self.board
    let wanted = [Self.section("s1", rows(5)), Self.section("main", rows(1, 2, 3, 4))]
    _ = try board.apply(Arrangement(wanted), maxSections: 1)
    #expect(board.snapshot().sections == wanted)
  }

  @Test("An arrangement that changes nothing makes no revision")
  func nothing() throws {
    var board = Self.board
    #expect(try board.apply(Arrangement(board.snapshot().sections), maxSections: 2) == nil)
    #expect(try board.apply(Arrangement(ofSection: 1, rows: rows(5, 6)), maxSections: 2) == nil)
    #expect(board.revision == Self.board.revision)
  }

  @Test(
    "Rows are deleted, sections inserted and moved, rows moved, and sections deleted in this order")
  func told() throws {
    var board = try Board(rows(1, 2, 3), rows(4, 5), rows(6))
    let wanted = [
      Self.section("s2", rows(6, 3)), Self.section("new", rows(5)),
      Self.section("main", rows(2, 1)),
    ]
    let revision = try board.apply(Arrangement(wanted), maxSections: 9)
    #expect(
      revision?.changes == [
        .delete(RowID(4), at: at(1, 0)), .moveSection("s2", from: 2, to: 0),
        .insertSection("new", at: 1), .move(RowID(2), from: at(2, 1), to: at(2, 0)),
        .move(RowID(3), from: at(2, 2), to: at(0, 1)),
        .move(RowID(5), from: at(3, 0), to: at(1, 0)), .deleteSection("s1", at: 3),
      ])
    #expect(board.snapshot().sections == wanted)
  }

  @Test("The move of one row is one change, on a board of any size")
  func oneMove() throws {
    var board = try Board(rows(0..<5_000))
    _ = board.takeUnsavedChanges()
    var order = rows(0..<5_000)
    order.insert(order.remove(at: 10), at: 4_000)
    let revision = try board.apply(Arrangement(ofSection: 0, rows: order), maxSections: 1)
    #expect(revision?.changes == [.move(RowID(10), from: at(0, 10), to: at(0, 4_000))])
    #expect(board.order == [order])
    #expect(board.takeUnsavedChanges().blocks.count <= 3)
  }

  @Test("Other rows move around a row that is not movable, even if this needs more moves")
  func aroundLocked() throws {
    var board = try Board(rows(1, 2, 3, 4))
    _ = try board.setFlags(.isMovable, to: false, of: RowID(1))
    let revision = try board.apply(
      Arrangement(ofSection: 0, rows: rows(2, 3, 4, 1)), maxSections: 1)
    #expect(revision?.changes.count == 3)
    #expect(board.order == [rows(2, 3, 4, 1)])
  }

  @Test("More than 10,000 changes are reported as a reset")
  func reset() throws {
    let many = rows(0..<10_002)
    var board = try Board(many, rows(20_000))
    let before = board
    let reversed = Array(many.reversed())
    let order = try Arrangement(ofSection: 0, rows: reversed)
    #expect(try board.apply(order, maxSections: 2)?.changes == [.reset])
    #expect(board.order == [reversed, rows(20_000)])
    board = before
    let empty = try Arrangement([Self.section("s1", rows(20_000, 7))])
    #expect(try board.apply(empty, maxSections: 2)?.changes == [.reset])
    #expect(board.order == [rows(20_000, 7)])
    #expect(board.sectionNames == ["s1"])
    board = before
    let nearly = Array(many.dropLast().reversed()) + [many[10_001]]
    let told = try board.apply(Arrangement(ofSection: 0, rows: nearly), maxSections: 2)
    #expect(told?.changes.count == 10_000)
  }
}
