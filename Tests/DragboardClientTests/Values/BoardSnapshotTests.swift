import Testing

@testable import DragboardClient

@Suite("A copy of a board")
struct BoardSnapshotTests {
  @Test("Each kind of change has the same effect on the copy as on the board")
  func kinds() throws {
    var copy = board(1, 1, 2, 3)
    try copy.apply(.insert(item(4), at: 3))
    try copy.apply(.move(item(1), from: 0, to: 2))
    #expect(copy.sections[0].items == [item(2), item(3), item(1), item(4)])
    try copy.apply(.delete(item(3), at: 1))
    try copy.apply(.reload(item(1), at: 1))
    try copy.apply(.insertSection("later", at: 0))
    try copy.apply(.move(item(2), from: RowPosition(section: 1, row: 0), to: 0))
    try copy.apply(.moveSection("later", from: 0, to: 1))
    try copy.apply(.renameSection(to: "done", at: 1))
    #expect(
      copy.sections == [
        BoardSnapshot.Section(name: "main", items: [item(1), item(4)]),
        BoardSnapshot.Section(name: "done", items: [item(2)]),
      ])
    try copy.apply(.delete(item(2), at: RowPosition(section: 1, row: 0)))
    try copy.apply(.deleteSection("done", at: 1))
    #expect(copy.sections.map(\.name) == ["main"])
  }

  static let misfits: [BoardChange] = [
    .insert(item(9), at: 4), .insert(item(9), at: RowPosition(section: 1, row: 0)),
    .delete(item(1), at: 1), .delete(item(1), at: 3), .move(item(1), from: 1, to: 0),
    .move(item(1), from: 0, to: 3), .move(item(1), from: 0, to: RowPosition(section: 1, row: 0)),
    .reload(item(2), at: 0), .insertSection("new", at: 2), .deleteSection("main", at: 0),
    .deleteSection("other", at: 0), .moveSection("main", from: 0, to: 1),
    .moveSection("other", from: 0, to: 0), .renameSection(to: "new", at: 1),
  ]

  @Test("A change that does not fit is refused, and the copy does not change", arguments: misfits)
  func misfit(change: BoardChange) {
    var copy = board(1, 1, 2, 3)
    #expect(throws: BoardSnapshot.Misfit(change: change)) { try copy.apply(change) }
    #expect(copy == board(1, 1, 2, 3))
  }

  @Test("A row is found by its position, and a position by its row; missing ones are nil")
  func finding() {
    let copy = board(1, 1, 2, 3)
    #expect(copy.position(of: item(3)) == 2)
    #expect(copy[2] == item(3))
    #expect(copy.position(of: item(4)) == nil)
    #expect(copy[3] == nil)
    #expect(copy[-1] == nil)
    #expect(copy[RowPosition(section: 1, row: 0)] == nil)
    #expect(copy.count == 3)
  }
}
