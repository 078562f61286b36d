import BoardModel
import Testing

@Suite("Edit mode, selection and reselection")
struct ViewStateTests {
  /// Returns a board with the rows 1 to 5 and a view that selects one of them.
  private func scene(selecting row: UInt64 = 3) throws -> ViewScene {
    var scene = ViewScene(try Board(rows(1, 2, 3, 4, 5)))
    try scene.view.select([RowID(row)], on: scene.board)
    return scene
  }

  @Test(
    "A reselection selects the row, or the row at its former position",
    arguments: [
      (
        3, [.edits([.move(from: at(0, 2), to: at(0, 4)), .move(from: at(0, 3), to: at(0, 2))])], 3,
        4
      ),
      (3, [.edits([.deleteAt(at(0, 2))])], 4, 2),
      (5, [.edits([.deleteAt(at(0, 4))])], 4, 3),
      (3, [.edits([.insert(rows(9), at: at(0, 2), maxRows: 9)])], 3, 3),
      (3, [.editing(true), .editing(false)], 3, 2),
      (3, [.edits([.deleteAt(at(0, 0)), .deleteAt(at(0, 1))])], 4, 1),
    ] as [(UInt64, [ViewAction], UInt64, Int)])
  func table(selected: UInt64, actions: [ViewAction], row: UInt64, index: Int) throws {
    var scene = try scene(selecting: selected)
    for action in actions { try scene.perform(action) }
    #expect(try scene.view.reselect(on: scene.board) == RowID(row))
    #expect(scene.view.selection == rows(row))
    #expect(scene.board.indexPath(of: RowID(row)) == at(0, index))
  }

  @Test("Edits move the pending selection until it is committed")
  func pendingIsCarried() throws {
    var scene = try scene()
    try scene.perform(.editing(true))
    try scene.perform(.edits([.deleteAt(at(0, 2))]))
    #expect(scene.view.setReselect(on: scene.board) == RowID(4))
    try scene.perform(
      .edits([
        .move(from: at(0, 2), to: at(0, 3)), .insert(rows(9), at: at(0, 3), maxRows: 9),
      ]))
    try scene.perform(.editing(false))
    #expect(scene.view.selection.isEmpty)
    #expect(try scene.view.commit(on: scene.board) == RowID(4))
    #expect(scene.board.indexPath(of: RowID(4)) == at(0, 4))
    #expect(scene.view.selection == rows(4) && scene.view.pending(on: scene.board) == nil)
  }

  @Test("A row inserted at the position of the deleted row is before that position")
  func insertedJustThere() throws {
    var scene = try scene()
    try scene.perform(
      .edits([.deleteAt(at(0, 2)), .insert(rows(8, 9), at: at(0, 2), maxRows: 9)]))
    #expect(try scene.view.reselect(on: scene.board) == RowID(4))
  }

  @Test("In edit mode selecting, Commit and Reselect are refused, and change nothing")
  func editing() throws {
    var scene = try scene()
    try scene.perform(.editing(true))
    scene.view.setReselect(on: scene.board)
    let before = scene.view
    #expect(throws: ViewError.editing) { try scene.view.select(rows(1), on: scene.board) }
    #expect(throws: ViewError.editing) { try scene.view.select([], on: scene.board) }
    #expect(throws: ViewError.editing) { try scene.view.selectRow(at: at(0, 0), on: scene.board) }
    #expect(throws: ViewError.editing) { try scene.view.commit(on: scene.board) }
    #expect(throws: ViewError.editing) { try scene.view.reselect(on: scene.board) }
    try scene.perform(.editing(true))
    #expect(scene.view == before && scene.view.pending(on: scene.board) == RowID(3))
    #expect(!ViewError.editing.description.isEmpty)
  }

  @Test("A missing row, a duplicate row, or one row too many is not selected")
  func refused() throws {
    var scene = try scene()
    let before = scene.view
    #expect(throws: ViewError.refused(.duplicateRow(RowID(9)))) {
      try scene.view.select(rows(9, 9), on: scene.board)
    }
    #expect(throws: ViewError.severalRows(2)) { try scene.view.select(rows(1, 9), on: scene.board) }
    #expect(throws: ViewError.refused(.noSuchRow(RowID(9)))) {
      try scene.view.select(rows(9), on: scene.board)
    }
    #expect(throws: ViewError.refused(.indexOutOfRange(.row, given: 5, valid: 0...4))) {
      try scene.view.selectRow(at: at(0, 5), on: scene.board)
    }
    #expect(throws: ViewError.refused(.indexOutOfRange(.section, given: 1, valid: 0...0))) {
      try scene.view.selectRow(at: at(1, 0), on: scene.board)
    }
    #expect(scene.view == before)
  }

  @Test("Selecting a row by its position makes the row the anchor")
  func selectRow() throws {
    var scene = try scene()
    try scene.view.selectRow(at: at(0, 4), on: scene.board)
    #expect(scene.view.selection == rows(5))
    try scene.perform(.edits([.move(from: at(0, 4), to: at(0, 0))]))
    #expect(try scene.view.reselect(on: scene.board) == RowID(5))
  }

  @Test("Deselecting, or selecting nothing, clears the anchor and the pending row")
  func forgetting() throws {
    for isList in [false, true] {
      var scene = try scene()
      scene.view.setReselect(on: scene.board)
      if isList {
        try scene.view.select([], on: scene.board)
      } else {
        scene.view.deselect()
      }
      #expect(scene.view.pending(on: scene.board) == nil)
      #expect(scene.view.setReselect(on: scene.board) == nil)
      #expect(try scene.view.reselect(on: scene.board) == nil)
      #expect(scene.view == ViewState())
    }
  }

  @Test("Selecting clears the pending row; Commit without one changes nothing")
  func droppingPending() throws {
    var scene = try scene()
    scene.view.setReselect(on: scene.board)
    try scene.view.select(rows(1), on: scene.board)
    #expect(scene.view.pending(on: scene.board) == nil)
    #expect(try scene.view.commit(on: scene.board) == nil)
    #expect(scene.view.selection == rows(1))
  }

  @Test("A deleted row leaves the selection, and stays the anchor until a row is selected")
  func deletedAnchor() throws {
    var scene = try scene()
    try scene.perform(.edits([.deleteAt(at(0, 2))]))
    #expect(scene.view.selection.isEmpty)
    try scene.view.select(rows(1), on: scene.board)
    #expect(try scene.view.reselect(on: scene.board) == RowID(1))
  }

  @Test("When undo restores the anchor's row, the row is selected again")
  func broughtBack() throws {
    var scene = try scene()
    try scene.perform(.edits([.deleteAt(at(0, 2)), .move(from: at(0, 3), to: at(0, 0))]))
    scene.view.setReselect(on: scene.board)
    #expect(scene.view.pending(on: scene.board) == RowID(4))
    try scene.undo()
    try scene.undo()
    #expect(scene.view.selection.isEmpty)
    #expect(scene.view.pending(on: scene.board) == RowID(4))
    #expect(try scene.view.reselect(on: scene.board) == RowID(3))
  }
}

// MARK: Several rows

extension ViewStateTests {
  private func multiple(_ numbers: UInt64...) throws -> ViewScene {
    var scene = ViewScene(try Board(rows(1, 2, 3, 4, 5), rows(6)))
    scene.view.setAllowsMultipleSelection(true, on: scene.board)
    try scene.view.select(numbers.map(RowID.init), on: scene.board)
    return scene
  }

  @Test("The topmost of several rows is the anchor, in whichever order they were given")
  func topmost() throws {
    var scene = try multiple(4, 2, 6)
    #expect(scene.view.selection == rows(4, 2, 6))
    #expect(scene.view.setReselect(on: scene.board) == RowID(2))
    try scene.perform(.edits([.move(from: at(0, 1), to: at(0, 4))]))
    #expect(scene.view.setReselect(on: scene.board) == RowID(4))
    try scene.perform(.edits([.moveSection(from: 1, to: 0)]))
    #expect(scene.view.setReselect(on: scene.board) == RowID(6))
    #expect(try scene.view.reselect(on: scene.board) == RowID(6))
    #expect(scene.view.selection == rows(6))
  }

  @Test("The topmost row stays the anchor after its deletion, even if others are selected")
  func topmostDeleted() throws {
    var scene = try multiple(4, 2)
    try scene.perform(.edits([.delete(rows(2))]))
    #expect(scene.view.selection == rows(4))
    try scene.perform(.edits([.move(from: at(0, 2), to: at(0, 0))]))
    #expect(try scene.view.reselect(on: scene.board) == RowID(3))
    scene = try multiple(4, 2)
    try scene.perform(.edits([.delete(rows(4))]))
    #expect(try scene.view.reselect(on: scene.board) == RowID(2))
  }

  @Test("The topmost of thousands of rows is the anchor")
  func topmostOfMany() throws {
    var scene = ViewScene(try Board(rows(0..<10), rows(10..<3_000)))
    scene.view.setAllowsMultipleSelection(true, on: scene.board)
    try scene.view.select(rows(5..<2_500).reversed(), on: scene.board)
    #expect(scene.view.setReselect(on: scene.board) == RowID(5))
    try scene.perform(.edits([.move(from: at(1, 600), to: at(0, 5))]))
    #expect(scene.view.setReselect(on: scene.board) == RowID(610))
    try scene.perform(.edits([.delete(rows(610))]))
    #expect(scene.view.selection.count == 2_494 && !scene.view.selection.contains(RowID(610)))
    #expect(try scene.view.reselect(on: scene.board) == RowID(5))
  }

  @Test("If multiple selection is switched off, the topmost row stays selected")
  func turnedOff() throws {
    var scene = try multiple(4, 2, 6)
    scene.view.setReselect(on: scene.board)
    scene.view.setAllowsMultipleSelection(false, on: scene.board)
    #expect(scene.view.selection == rows(2) && !scene.view.allowsMultipleSelection)
    #expect(scene.view.pending(on: scene.board) == RowID(2))
    #expect(throws: ViewError.severalRows(2)) { try scene.view.select(rows(1, 2), on: scene.board) }
  }
}

// MARK: Borders

extension ViewStateTests {
  @Test(
    "Without a row at its position, the nearest row before or after is selected",
    arguments: [
      ([rows(1, 2), rows(3)], 2, [.delete(rows(2))], 1),
      ([rows(1), rows(2), rows(3)], 2, [.delete(rows(2))], 3),
      ([rows(1), rows(2), [], rows(3)], 2, [.delete(rows(2))], 3),
      ([rows(4, 1), [], rows(2), []], 2, [.delete(rows(2))], 1),
      ([rows(1), rows(2), rows(3)], 2, [.deleteSection(1)], 3),
      ([rows(4, 1), rows(2), []], 2, [.deleteSection(1)], 1),
      ([rows(1), rows(2), rows(3)], 2, [.deleteSection(1), .moveSection(from: 1, to: 0)], 1),
      (
        [rows(1), rows(2), rows(3)], 2,
        [
          .deleteSection(1), .insertSection("n", at: 1, maxSections: 9),
          .insert(rows(9), at: at(1, 0), maxRows: 9),
        ], 3
      ),
      ([rows(1), rows(2)], 2, [.moveSection(from: 1, to: 0), .delete(rows(2))], 1),
      ([rows(2), rows(1)], 2, [.clear], nil),
      ([rows(2), rows(1)], 2, [.clear, .insert(rows(7, 8), at: at(1, 0), maxRows: 9)], 7),
      ([rows(1, 2, 3), []], 2, [.arrange([SnapshotSection(name: "s1", rows: rows(3, 2))])], 2),
      ([rows(1, 2), rows(3)], 2, [.arrange([SnapshotSection(name: "s1", rows: rows(3, 1))])], 3),
    ] as [([[RowID]], UInt64, [Edit], UInt64?)])
  func borders(sections: [[RowID]], selected: UInt64, edits: [Edit], row: UInt64?) throws {
    var board = Board()
    for (index, rows) in sections.enumerated() {
      if index > 0 { _ = try board.insertSection(named: "s\(index)", at: nil, maxSections: 9) }
      _ = try board.insert(rows, at: at(index, 0), maxRows: 9)
    }
    var scene = ViewScene(board)
    try scene.view.select([RowID(selected)], on: scene.board)
    try scene.perform(.edits(edits))
    #expect(try scene.view.reselect(on: scene.board) == row.map(RowID.init))
  }

  @Test("After a reset the remaining rows are found; a position keeps its indexes")
  func reset() throws {
    let many = rows(0..<10_002)
    var scene = ViewScene(try Board(many))
    scene.view.setAllowsMultipleSelection(true, on: scene.board)
    try scene.view.select(rows(10_001, 300, 5), on: scene.board)
    try scene.perform(.edits([.arrangeSection(0, many.reversed())]))
    #expect(scene.view.selection == rows(10_001, 300, 5))
    #expect(scene.view.setReselect(on: scene.board) == RowID(10_001))
    try scene.perform(.edits([.clear]))
    #expect(scene.view.selection.isEmpty && scene.view.pending(on: scene.board) == nil)
    #expect(try scene.view.reselect(on: scene.board) == nil)
    try scene.undo()
    #expect(try scene.view.reselect(on: scene.board) == RowID(10_001))
  }
}
