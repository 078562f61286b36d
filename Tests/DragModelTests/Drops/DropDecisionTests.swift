import BoardModel
import DragModel
import TestSupport
import Testing

@Suite("The decision about a drop on a board")
struct DropDecisionTests {
  let notes: Application
  let other: Application
  var board = SampleBoard(sections: [[1, 2, 3, 4], [5, 6]])

  init() throws {
    notes = try .named("org.gnome.Notes")
    other = try .named("org.gnome.Other")
  }

  // MARK: The table, row by row

  @Test("A restricted drag is forbidden to all clients except its source, before any other rule")
  func restricted() throws {
    var foreign = try Self.texts(1, by: notes)
    try foreign.setRestrictedToApplication(true)
    #expect(try operation(foreign, by: other) == .forbidden)
    #expect(try operation(foreign, by: notes) == .copy)
    var local = try board.drag([1], by: notes)
    try local.setRestrictedToApplication(true)
    #expect(try operation(local, by: notes) == .move)
    #expect(try operation(local, by: other) == .forbidden)
    // for a drag of several rows, the next rule would cancel
    var several = try board.drag([1, 2], by: notes)
    try several.setRestrictedToApplication(true)
    #expect(try operation(several, by: other) == .forbidden)
  }

  @Test("If the board does not move multiple rows, a local drag of several rows is cancelled")
  mutating func multiple() throws {
    let session = try board.drag([1, 2], by: notes)
    #expect(try operation(session, by: notes) == .cancel)
    board.movesMultipleRows = true
    #expect(try operation(session, by: notes) == .move)
  }

  @Test("A drop of several items, one of which is not a row, is cancelled, not forbidden")
  mutating func multipleFirst() throws {
    var session = try board.drag([1], by: notes)
    try session.add(.text())
    #expect(try operation(session, by: notes) == .cancel)
    board.movesMultipleRows = true
    #expect(try operation(session, by: notes) == .forbidden)
  }

  @Test(
    "A local drag that may not move is cancelled, even if a deleted row would make it forbidden")
  mutating func moveNotAllowed() throws {
    var session = try board.drag([1], by: notes)
    try session.setAllowsMove(false)
    #expect(try operation(session, by: notes) == .cancel)
    board.sections = [[2]]
    #expect(try operation(session, by: notes) == .cancel)
  }

  @Test("A local drag is forbidden if an item is not a row, is a deleted row, or is not movable")
  mutating func notMovable() throws {
    board.movesMultipleRows = true
    let session = try board.drag([1, 5], by: notes)
    #expect(try operation(session, by: notes) == .move)
    var locked = board
    locked.locked = [5]
    #expect(try operation(session, on: locked, by: notes) == .forbidden)
    var shrunk = board
    shrunk.sections = [[1, 2, 3, 4], [6]]
    #expect(try operation(session, on: shrunk, by: notes) == .forbidden)
    var mixed = session
    try mixed.add(.text())
    #expect(try operation(mixed, by: notes) == .forbidden)
  }

  @Test("A local drag moves even if the board is full and accepts none of its types")
  mutating func move() throws {
    board.maxRows = 6
    board.acceptedTypes = []
    #expect(try operation(board.drag([1], by: notes), by: notes) == .move)
  }

  @Test("Rows that another application drags, or rows of another board, are copied")
  func notLocal() throws {
    #expect(try operation(board.drag([1, 2], by: notes), by: other) == .copy)
    var elsewhere = board
    elsewhere.key = BoardKey(2)
    #expect(try operation(elsewhere.drag([1, 2], by: notes), by: notes) == .copy)
    var still = try board.drag([1], by: notes)
    try still.setAllowsMove(false)
    #expect(try operation(still, by: other) == .copy)
  }

  @Test("A unique name and an id are different applications")
  func uniqueName() throws {
    let session = try board.drag([1], by: .uniqueName(":1.1"))
    #expect(try operation(session, by: .uniqueName(":1.1")) == .move)
    #expect(try operation(session, by: .uniqueName(":1.2")) == .copy)
    #expect(try operation(session, by: notes) == .copy)
  }

  @Test(
    "A copy needs a representation that all clients see and the board accepts",
    arguments: [
      ("text/plain;charset=utf-8", .all, "text/plain", .copy),
      ("text/plain;charset=utf-8", .team, "text/plain", .forbidden),
      ("text/plain;charset=utf-8", .group, "*/*", .forbidden),
      ("text/plain;charset=utf-8", .ownProcess, "*/*", .forbidden),
      ("text/plain", .all, "text/plain;charset=utf-8", .forbidden),
      ("text/html", .all, "text/plain", .forbidden),
      ("text/html", .all, "text/*", .copy),
      ("image/png", .all, "public.data", .copy),
    ] as [(String, Visibility, String, DropOperation)])
  func acceptance(
    type: String, visibility: Visibility, accepted: String, expected: DropOperation
  ) throws {
    var item = ItemProvider()
    try item.register(.sample(type, visibility))
    var session = DragSession(source: notes, limits: SessionLimits())
    try session.add([ItemProvider(), item])
    var board = board
    board.acceptedTypes = [TypeQuery(.tiff), try TypeQuery(parsing: accepted)]
    // the source itself gets no more than others, because everybody can read a board
    for application in [notes, other] {
      #expect(try operation(session, on: board, by: application) == expected)
    }
    #expect(session.canBeHandled(by: board) == (expected == .copy))
  }

  @Test("A drag without items, or a board that accepts nothing, is forbidden")
  mutating func nothing() throws {
    #expect(try operation(Self.texts(0, by: notes), by: other) == .forbidden)
    board.acceptedTypes = []
    #expect(try operation(Self.texts(1, by: notes), by: other) == .forbidden)
  }

  @Test("A copy is forbidden if the board has no room for the rows that it would insert")
  mutating func room() throws {
    board.maxRows = 8
    #expect(try operation(Self.texts(2, by: notes), by: other) == .copy)
    #expect(try operation(Self.texts(3, by: notes), by: other) == .forbidden)
    var session = try Self.texts(2, by: notes)
    try session.add([ItemProvider(), ItemProvider()])
    #expect(try operation(session, by: other) == .copy)
    // a lower limit deletes no rows, so a board can have more rows than its limit
    board.maxRows = 2
    #expect(try operation(Self.texts(1, by: notes), by: other) == .forbidden)
  }

  // MARK: Places

  @Test("A copy is inserted at 0 to n, and without a row at the end", arguments: 0...1)
  func copyPlaces(section: Int) throws {
    let count = [4, 2][section]
    let session = try Self.texts(2, by: notes)
    try checkPlaces(session, by: other, section: section, operation: .copy, end: count)
  }

  @Test("A move is inserted at 0 to n, not counting rows that leave the section")
  mutating func movePlaces() throws {
    board.movesMultipleRows = true
    let session = try board.drag([2, 5, 4], by: notes)
    try checkPlaces(session, by: notes, section: 0, operation: .move, end: 2)
    try checkPlaces(session, by: notes, section: 1, operation: .move, end: 1)
    board.sections.append([])
    try checkPlaces(session, by: notes, section: 2, operation: .move, end: 0)
  }

  @Test("A drop that is cancelled or forbidden has a position from 0 to n")
  mutating func refusedPlaces() throws {
    let several = try board.drag([1, 2], by: notes)
    try checkPlaces(several, by: notes, section: 0, operation: .cancel, end: 4)
    board.acceptedTypes = []
    let foreign = try Self.texts(1, by: notes)
    try checkPlaces(foreign, by: other, section: 1, operation: .forbidden, end: 2)
  }

  @Test("A missing section is refused", arguments: [-1, 2, Int.max, Int.min])
  func sections(section: Int) throws {
    let session = try Self.texts(1, by: notes)
    let error = DropPositionError.noSuchSection(section, count: 2)
    #expect(throws: error) {
      try DropProposal.decide(session, application: other, board: board, section: section, row: nil)
    }
    #expect(error.description.hasPrefix("section: \(section)"))
  }

  @Test(
    "A move without a row is inserted at the end of the section",
    arguments: 1...4)
  func moveOracle(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    for _ in 0..<500 {
      let lengths = (0..<Int.random(in: 1...4, using: &random)).map { _ in
        Int.random(in: 0...6, using: &random)
      }
      var next: UInt64 = 0
      let sections = lengths.map { length in
        (0..<length).map { _ in
          next += 1; return next
        }
      }
      let board = SampleBoard(sections: sections, movesMultipleRows: true)
      let ids = sections.joined().shuffled(using: &random)
      let dragged = Array(ids.prefix(Int.random(in: 0...ids.count, using: &random)))
      guard !dragged.isEmpty else { continue }
      let session = try board.drag(dragged, by: notes)
      let section = Int.random(in: 0..<sections.count, using: &random)
      let left = sections[section].filter { !dragged.contains($0) }
      try checkPlaces(
        session, on: board, by: notes, section: section, operation: .move, end: left.count)
    }
  }

  // MARK: CanHandle, and the copied representations

  @Test("A board can handle its own rows, whatever their types")
  mutating func canHandle() throws {
    board.acceptedTypes = []
    let session = try board.drag([1], by: notes)
    #expect(session.canBeHandled(by: board))
    var elsewhere = board
    elsewhere.key = BoardKey(2)
    #expect(!session.canBeHandled(by: elsewhere))
    elsewhere.acceptedTypes = [.plainText]
    #expect(session.canBeHandled(by: elsewhere))
  }

  @Test(
    "A copy takes the representations that all clients see and the board accepts")
  func copyPlan() throws {
    var rich = ItemProvider(attributes: ItemAttributes(name: try Label("rich")))
    try rich.register(.sample("image/png"))
    try rich.register(.sample("text/html"))
    try rich.register(.sample("text/rtf", .team))
    try rich.register(.sample("text/plain;charset=utf-8"))
    var session = DragSession(source: notes, limits: SessionLimits())
    var secret = ItemProvider()
    try secret.register(.sample("text/plain", .ownProcess))
    try session.add([secret, rich, ItemProvider(), .text()])
    let plan = CopyPlan(session, accepting: [try TypeQuery(parsing: "text/*")])
    #expect(plan.items.map(\.index) == [1, 3])
    #expect(plan.items.map(\.attributes.name.text) == ["rich", ""])
    #expect(plan.items[0].representations.map(\.type) == [.html, .plainText])
    #expect(plan.items[1].representations.map(\.type) == [.plainText])
    #expect(CopyPlan(session, accepting: []).items.isEmpty)
  }

  @Test("A decision reports an insertion if it inserts, and nothing if it does nothing")
  func intents() {
    let place = IndexPath(section: 0, row: 0)
    let intents = DropOperation.allCases.map {
      DropProposal(operation: $0, destination: place).intent.rawValue
    }
    let insert = "insert-at-destination"
    #expect(intents == [insert, insert, "unspecified", "unspecified"])
    #expect(DropOperation.allCases.map(\.rawValue) == ["copy", "move", "cancel", "forbidden"])
  }
}

extension DropDecisionTests {
  private static func texts(_ count: Int, by source: Application) throws -> DragSession {
    var session = DragSession(source: source, limits: SessionLimits())
    try session.add((0..<count).map { _ in try .text() })
    return session
  }

  private func operation(
    _ session: DragSession, on board: SampleBoard? = nil, by application: Application
  ) throws -> DropOperation {
    try DropProposal.decide(
      session, application: application, board: board ?? self.board, section: 0, row: nil
    ).operation
  }

  /// Tries every row from -2 up to two positions after the end.
  private func checkPlaces(
    _ session: DragSession, on board: SampleBoard? = nil, by application: Application,
    section: Int, operation: DropOperation, end: Int
  ) throws {
    let board = board ?? self.board
    func decide(_ row: Int?) throws -> DropProposal {
      try DropProposal.decide(
        session, application: application, board: board, section: section, row: row)
    }
    for row in -2...end + 2 where !(0...end).contains(row) {
      let error = DropPositionError.noSuchRow(row, section: section, operation: operation, end: end)
      #expect(throws: error) { try decide(row) }
      #expect(error.description.hasPrefix("row: \(row)"))
    }
    for row in [nil] + Array(0...end) {
      let place = IndexPath(section: section, row: row ?? end)
      #expect(try decide(row) == DropProposal(operation: operation, destination: place))
    }
  }
}
