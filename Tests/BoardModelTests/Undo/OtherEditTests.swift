import TestSupport
import Testing

@testable import BoardModel
import FuzzTargets

@Suite("Edits of others, and undo beside them")
struct OtherEditTests {
  @Test("Edits of others form one revision, which can be replayed")
  func revision() throws {
    var board = try Board(rows(1, 2, 3))
    let before = board.snapshot()
    let revision = try #require(
      try board.apply(
        [
          .insert(RowID(4), flags: [.isPinned], at: at(0, 1)), .delete(RowID(3)),
          .move(RowID(1), to: at(0, 2)), .insertSection("later", at: 1),
          .move(RowID(2), to: at(1, 0)), .setFlags([], changing: .isEditable, of: RowID(2)),
          .reload(RowID(4)), .renameSection(to: "soon", at: 1), .moveSection(from: 1, to: 0),
        ], maxRows: 10, maxSections: 10))
    var replica = before
    try replica.apply(revision)
    #expect(replica == board.snapshot())
    #expect(board.order == [rows(2), rows(4, 1)])
    #expect(board.flags(of: RowID(4)) == [.isPinned])
    #expect(board.flags(of: RowID(2)) == [.isMovable])
  }

  @Test(
    "A refused part changes nothing",
    arguments: [
      OtherEdit.delete(RowID(9)), .insert(RowID(1), flags: .initial, at: at(0, 0)),
      .insert(RowID(8), flags: .initial, at: at(0, 9)), .move(RowID(1), to: at(0, 5)),
      .deleteSection(at: 0), .insertSection("main", at: 0), .moveSection(from: 0, to: 9),
      .renameSection(to: "", at: 0), .reload(RowID(9)), .setFlags([], changing: .all, of: RowID(9)),
    ])
  func refusal(edit: OtherEdit) throws {
    var board = try Board(rows(1, 2, 3), rows(4))
    let before = board.snapshot()
    #expect(throws: OtherEditError.self) {
      try board.apply(
        [.delete(RowID(2)), .insert(RowID(5), flags: .initial, at: at(1, 0)), edit], maxRows: 10,
        maxSections: 10)
    }
    #expect(board.snapshot() == before)
    #expect(board.takeUndoStep() == nil)
  }

  @Test(
    "Edits that cancel each other out make no revision, and can be followed by others",
    arguments: [
      [.insert(RowID(9), flags: .initial, at: at(0, 0)), .reload(RowID(9)), .delete(RowID(9))],
      [.move(RowID(1), to: at(0, 2)), .move(RowID(1), to: at(0, 0))],
      [.move(RowID(1), to: at(0, 1)), .move(RowID(2), to: at(0, 1))],
      [
        .setFlags(.isPinned, changing: .isPinned, of: RowID(1)),
        .setFlags([], changing: .isPinned, of: RowID(1)),
      ],
      [.insertSection("x", at: 0), .deleteSection(at: 0)],
      [.renameSection(to: "x", at: 0), .renameSection(to: "main", at: 0)],
      [.moveSection(from: 0, to: 1), .moveSection(from: 1, to: 0)],
      [.reload(RowID(4)), .move(RowID(4), to: at(0, 0)), .move(RowID(4), to: at(1, 0))],
    ] as [[OtherEdit]])
  func cancelled(edits: [OtherEdit]) throws {
    var board = try Board(rows(1, 2, 3), rows(4))
    let before = board.snapshot()
    func apply(_ edits: [OtherEdit]) throws -> Revision? {
      try board.apply(edits, maxRows: 9, maxSections: 9, unchanged: [RowID(4)])
    }
    #expect(try apply(edits) == nil)
    #expect(board.snapshot() == before)
    #expect(board.takeUndoStep() == nil)
    let later = OtherEdit.move(RowID(3), to: at(0, 0))
    #expect(try apply(edits + [later])?.to == before.revision + 1)
    #expect(board.order == [rows(3, 1, 2), rows(4)])
  }

  @Test("A changed content is a change, although the row returns to its position")
  func changedContent() throws {
    var board = try Board(rows(1, 2))
    let edits: [OtherEdit] = [
      .move(RowID(1), to: at(0, 1)), .reload(RowID(1)), .move(RowID(1), to: at(0, 0)),
    ]
    #expect(try board.apply(edits, maxRows: 9, maxSections: 9) != nil)
  }

  @Test("An own deletion is undone beside the rows that others have inserted")
  func deletion() throws {
    var board = try History(try Board(rows(1, 2, 3)))
    try board.own { try $0.delete(at: at(0, 1)) }
    try board.others([.insert(RowID(9), flags: .initial, at: at(0, 0)), .delete(RowID(3))])
    try board.undo()
    #expect(board.board.order == [rows(9, 1, 2)])
  }

  @Test("An own flag is undone, and the flags of others stay")
  func flags() throws {
    var board = try History(try Board(rows(1)))
    try board.own { try $0.setFlags(.isPinned, to: true, of: RowID(1)) }
    try board.others([.setFlags([], changing: .isMovable, of: RowID(1))])
    try board.undo()
    #expect(board.board.flags(of: RowID(1)) == [.isEditable])
  }

  @Test("A step is stored with the edits of others")
  func encoding() throws {
    var board = try History(try Board(rows(1, 2)))
    try board.own { try $0.delete(at: at(0, 1)) }
    try board.others([.insert(RowID(9), flags: .initial, at: at(0, 0))])
    let step = try #require(board.steps.last)
    #expect(step.hasOthers)
    #expect(try UndoStep(bytes: step.bytes) == step)
  }

  @Test(
    "Undoing all own edits leaves exactly the edits of others", arguments: 0..<60 as Range<UInt64>)
  func random(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var history = try History(try Board(rows(0..<8)))
    var (ownRows, othersRows, deletedByOthers): (Set<RowID>, Set<RowID>, Set<RowID>) = ([], [], [])
    for number in 0..<40 as Range<UInt64> {
      let all = history.board.order[0]
      let position = Int.random(in: 0...all.count, using: &random)
      let row = all.randomElement(using: &random)
      let isOwn = Bool.random(using: &random)
      switch Int.random(in: 0..<3, using: &random) {
      case 0:
        let new = RowID(100 + number)
        if isOwn {
          ownRows.insert(new)
          try history.own { try $0.insert([new], at: at(0, position), maxRows: .max) }
        } else {
          othersRows.insert(new)
          try history.others([.insert(new, flags: .initial, at: at(0, position))])
        }
      case 1:
        guard let row else { continue }
        if isOwn {
          try history.own { try $0.delete([row]) }
        } else {
          deletedByOthers.insert(row)
          try history.others([.delete(row)])
        }
      default:
        guard let row, let path = history.board.indexPath(of: row) else { continue }
        let destination = at(0, min(position, all.count - 1))
        if isOwn {
          try history.own { try $0.move(from: path, to: destination) }
        } else {
          try history.others([.move(row, to: destination)])
        }
      }
    }
    while !history.steps.isEmpty { try history.undo() }
    let expected = Set(rows(0..<8)).union(othersRows).subtracting(deletedByOthers)
    #expect(Set(history.board.order[0]) == expected)
    #expect(history.isComplete)
  }
}

/// A board with the steps that undo its own edits, as the service keeps them.
private struct History {
  var board: Board
  var steps: [UndoStep] = []
  /// Whether no step was forgotten.
  var isComplete = true

  init(_ board: Board) throws {
    self.board = board
    _ = self.board.takeUndoStep()
  }

  mutating func own(_ edit: (inout Board) throws -> Revision?) throws {
    if try edit(&board) != nil { steps.append(try board.latestStep()) }
  }

  mutating func others(_ edits: [OtherEdit]) throws {
    guard try board.apply(edits, maxRows: .max, maxSections: .max) != nil else { return }
    if let step = board.takeUndoStep() { precede(by: step) }
  }

  private mutating func precede(by step: UndoStep) {
    guard let last = steps.popLast() else { return }
    if let preceded = last.preceded(byOthers: step) {
      steps.append(preceded)
    } else {
      (steps, isComplete) = ([], false)
    }
  }

  /// Undoes the last step.
  mutating func undo() throws {
    guard let last = steps.popLast() else { return }
    let (step, unrecorded) = try last.withoutOthers(on: board)
    if let step { _ = try board.apply(step) }
    switch unrecorded {
    case .evicted(let others), .others(let others): precede(by: others)
    case .unknown: if !steps.isEmpty { (steps, isComplete) = ([], false) }
    case nil: break
    }
  }
}
