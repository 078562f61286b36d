import BoardModel
import Foundation
import TestSupport
import Testing

import DragModel
@testable import DragboardStore

@Suite("The stored history of a board")
struct HistoryTests {
  let folder: TemporaryFolder
  let store: BoardStore
  let (one, two): (BoardNumber, BoardNumber)

  init() throws {
    folder = try TemporaryFolder()
    store = try folder.open()
    one = try store.makeBoard(named: "one").id
    two = try store.makeBoard(named: "two").id
    try store.commit()
  }

  // MARK: Changes

  @Test(
    "The changes after a revision are read in order, separately for each board")
  func log() throws {
    #expect(try store.firstLoggedRevision(of: one) == nil)
    try store.history.log([1], 2...2, of: one)
    try store.history.log([9], 2...7, of: two)
    try store.history.log([2], 3...5, of: one)
    try store.history.log([3], 6...6, of: one)
    try store.history.log([9, 9], 8...8, of: two)
    #expect(try store.loggedChanges(after: 1, of: one) == [[1], [2], [3]])
    #expect(try store.loggedChanges(after: 2, of: one) == [[2], [3]])
    // A batch is returned as a whole even if only a part of it was requested.
    #expect(try store.loggedChanges(after: 4, of: one) == [[2], [3]])
    #expect(try store.loggedChanges(after: 5, of: one) == [[3]])
    #expect(try store.loggedChanges(after: 6, of: one) == [])
    #expect(try store.loggedChanges(after: 1, of: two) == [[9], [9, 9]])
    #expect(try store.firstLoggedRevision(of: one) == 1)
    #expect(try store.firstLoggedRevision(of: two) == 1)
    #expect(try store.loggedChanges(after: 1, of: one, limit: 3) == [[1], [2], [3]])
    #expect(try store.loggedChanges(after: 1, of: one, limit: 2) == nil)
    #expect(try store.loggedChanges(after: 2, of: one, limit: 2) == [[2], [3]])
  }

  @Test("Batches up to a revision are deleted; the log then starts before the next batch")
  func forget() throws {
    for last in stride(from: 4 as UInt64, through: 40, by: 4) {
      try store.history.log([UInt8(last)], last - 3...last, of: one)
      try store.history.log([UInt8(last)], last - 3...last, of: two)
    }
    try store.history.forgetLog(upTo: 19, of: one)
    #expect(try store.firstLoggedRevision(of: one) == 16)
    #expect(try store.loggedChanges(after: 0, of: one)?.first == [20])
    try store.history.forgetLog(upTo: 20, of: one)
    #expect(try store.firstLoggedRevision(of: one) == 20)
    try store.history.forgetLog(upTo: 40, of: one)
    #expect(try store.firstLoggedRevision(of: one) == nil)
    #expect(try store.loggedChanges(after: 0, of: one) == [])
    #expect(try store.loggedChanges(after: 0, of: two)?.count == 10)
  }

  // MARK: Steps

  @Test("Steps are read by number as they were saved last, for each board")
  func steps() throws {
    let steps = [
      StepInfo(number: 3, isUndone: false, byteCount: 5),
      StepInfo(number: 4, isUndone: true, byteCount: 1 << 40),
      StepInfo(number: 70_000, isUndone: true, byteCount: 0),
    ]
    for step in steps.reversed() { try store.history.save(step, [1, 2], keeping: [], of: one) }
    try store.history.save(steps[0], [7], keeping: [RowID(1 << 54 - 1), RowID(2)], of: two)
    #expect(try store.steps(of: one) == steps)
    #expect(try store.steps(of: two) == [steps[0]])
    let stored = try #require(try store.operations(ofStep: 3, of: two))
    #expect(stored.operations == [7])
    #expect(stored.kept == [RowID(1 << 54 - 1), RowID(2)])

    let undone = StepInfo(number: 3, isUndone: true, byteCount: 6)
    try store.history.save(undone, [8], keeping: [RowID(5)], of: two)
    #expect(try store.steps(of: two) == [undone])
    #expect(try store.operations(ofStep: 3, of: two)?.operations == [8])
    #expect(try store.operations(ofStep: 3, of: two)?.kept == [RowID(5)])

    try store.history.deleteSteps(4...4, of: one)
    try store.history.deleteSteps(4...4, of: two)
    #expect(try store.steps(of: one).map(\.number) == [3, 70_000])
    #expect(try store.operations(ofStep: 4, of: one) == nil)
  }

  @Test("History is as durable as its edits, and is rolled back with them")
  func durability() throws {
    let step = StepInfo(number: 1, isUndone: false, byteCount: 9)
    try store.history.log([1], 2...2, of: one)
    try store.history.save(step, [1], keeping: [], of: one)
    try store.commit()
    try store.history.log([2], 3...3, of: one)
    try store.history.save(
      StepInfo(number: 1, isUndone: true, byteCount: 3), [2], keeping: [], of: one)
    try store.history.save(
      StepInfo(number: 2, isUndone: false, byteCount: 3), [2], keeping: [], of: one)
    try store.history.forgetLog(upTo: 2, of: one)

    let found = try folder.afterPowerCut().open()
    store.rollback()
    for store in [store, found] {
      #expect(try store.steps(of: one) == [step])
      #expect(try store.operations(ofStep: 1, of: one)?.operations == [1])
      #expect(try store.loggedChanges(after: 0, of: one) == [[1]])
    }
  }

  // MARK: Contents of rows in steps

  /// A row of several representations, one of them in a file.
  private func insertMixed(_ row: RowID) throws -> [UInt8] {
    let large = largeBytes(7)
    try store.put(
      RowContent(
        created: 5, source: "org.x", attributes: ItemAttributes(name: try Label("n")), preview: "p",
        representations: [.text("p"), .bytes("image/png", [1, 2, 3]), .bytes("x/y", large)]),
      of: row)
    return large
  }

  @Test("The content of a row moves to another row unchanged, and the first row has none")
  func moveItem() throws {
    let rows = try store.reserveRows(4)
    let large = try insertMixed(rows[0])
    try store.put(.text("next"), of: rows[1])
    try store.put(.text("last"), of: rows[3])
    try store.commit()
    let item = try #require(try store.summary(of: rows[0]))
    for (source, destination) in [(rows[0], rows[2]), (rows[2], rows[0]), (rows[0], rows[2])] {
      try store.moveItem(from: source, to: destination)
      #expect(try store.summary(of: source) == nil)
      let moved = try #require(try store.summary(of: destination))
      #expect(moved.types == item.types)
      #expect((moved.created, moved.source, moved.attributes.name.text) == (5, "org.x", "n"))
      #expect(try store.data(of: destination, at: 1) == [1, 2, 3])
      #expect(try store.data(of: destination, at: 2) == large)
    }
    try store.commitAndPurge()
    #expect(folder.contentNames().count == 1)
    #expect(try store.text(of: rows[1]) == "next")
    #expect(try store.text(of: rows[3]) == "last")
  }

  @Test("The size of rows counts all representations, including files, and ignores missing rows")
  func sizes() throws {
    let rows = try store.reserveRows(3)
    let large = try insertMixed(rows[0])
    try store.put(.text("äö"), of: rows[1])
    #expect(try store.byteCount(of: [rows[0]]) == 1 + 3 + large.count)
    #expect(try store.byteCount(of: rows) == 1 + 3 + large.count + 4)
    #expect(try store.byteCount(of: []) == 0)
  }

  @Test("Deleting a board deletes the contents that only its history retains, not another board's")
  func boardGoes() throws {
    var board = Board()
    let rows = try store.append(["stays", "deleted", "changed"], to: &board, one)
    _ = board.takeUndoStep()
    _ = try board.delete([rows[1]])
    let recorded = board.takeUndoStep()
    let step = try #require(recorded)
    try store.save(&board, as: one)
    let kept = try store.reserveRows(2)
    for row in kept { _ = try insertMixed(row) }
    let info = StepInfo(number: 1, isUndone: false, byteCount: 0)
    try store.history.save(info, step.bytes, keeping: [kept[0]], of: one)
    try store.history.save(info, step.bytes, keeping: [kept[1]], of: two)
    try store.history.log([1], 2...4, of: one)
    try store.history.log([2], 2...4, of: two)
    try store.commit()

    try store.purgeBoard(one)
    try store.commitAndPurge()
    #expect(try store.steps(of: one) == [])
    #expect(try store.loggedChanges(after: 0, of: one) == [])
    for row in rows + [kept[0]] { #expect(try store.summary(of: row) == nil, "\(row)") }
    #expect(try store.summary(of: kept[1]) != nil)
    #expect(try store.steps(of: two) == [info])
    #expect(try store.loggedChanges(after: 0, of: two) == [[2]])
  }

  @Test("A board with a damaged step can be deleted")
  func damagedStep() throws {
    let row = try store.reserveRows(1)[0]
    _ = try insertMixed(row)
    try store.history.save(
      StepInfo(number: 1, isUndone: false, byteCount: 0), [0xff], keeping: [row], of: one)
    try store.purgeBoard(one)
    try store.commitAndPurge()
    #expect(try store.boards().map(\.header.name) == ["two"])
    #expect(try store.summary(of: row) == nil)
    #expect(folder.contentNames() == [])
  }
}
