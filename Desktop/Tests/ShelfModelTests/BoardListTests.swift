import DragboardClient
import ShelfModel
import Testing

@Suite("A board as a list") struct BoardListTests {
  @Test("A single section has no header; each of several sections has one")
  func headers() {
    #expect(BoardList(board([1, 2])).entries == [.row(item(1)), .row(item(2))])
    #expect(
      BoardList(board([1], [], [2])).entries
        == [.header("A"), .row(item(1)), .header("B"), .header("C"), .row(item(2))])
    #expect(BoardList(board([], [])).isEmpty)
    #expect(!BoardList(board([], [1])).isEmpty)
  }

  @Test("Each line of the list has its position on the board")
  func places() {
    let list = BoardList(board([1, 2], [3]))
    #expect(list.place(at: 2) == RowPosition(section: 0, row: 1))
    #expect(list.place(at: 4) == RowPosition(section: 1, row: 0))
    #expect(list.place(at: 5) == nil)
    #expect(list.item(at: 3) == nil)
    #expect(list.index(of: item(3)) == 4)
  }

  @Test("Rows are returned in the order of the list, without missing rows")
  func order() {
    let list = BoardList(board([2, 1], [3]))
    #expect(list.ordered([item(3), item(1), item(4)]) == [item(1), item(3)])
    #expect(list.ordered([item(3)]) == [item(3)])
    #expect(list.ordered([item(4)]).isEmpty)
    #expect(list.ordered([]).isEmpty)
  }

  @Test("A search shows the found rows with their positions on the whole board")
  func search() {
    let list = BoardList(board([1, 2], [3], [4]), showing: [item(2), item(4)])
    #expect(list.entries == [.header("A"), .row(item(2)), .header("C"), .row(item(4))])
    #expect(list.place(at: 1) == RowPosition(section: 0, row: 1))
  }

  @Test(
    "A splice replaces the shortest range that differs",
    arguments: [
      ([1, 2, 3], [1, 2, 3], nil),
      ([1, 2, 3], [1, 4, 2, 3], [1, 0, 1]),
      ([1, 2, 3], [1, 3], [1, 1, 0]),
      ([1, 2, 3], [1, 3, 2], [1, 2, 2]),
      ([], [1, 2], [0, 0, 2]),
      ([1, 1, 1], [1, 1], [2, 1, 0]),
    ])
  func splices(old: [Int], new: [Int], expected: [Int]?) {
    let splice = BoardList(board(new)).splice(from: BoardList(board(old)))
    #expect(splice.map { [$0.index, $0.removed, $0.added] } == expected)
  }

  @Test("For any two lists, the splice changes the old one to the new one")
  func randomSplices() {
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<500 {
      let lists = (0..<2).map { _ in
        BoardList(
          board(
            (0..<Int.random(in: 0..<6, using: &generator)).map { _ in
              Int.random(in: 0..<4, using: &generator)
            }))
      }
      var entries = lists[0].entries
      if let splice = lists[1].splice(from: lists[0]) {
        entries.replaceSubrange(
          splice.index..<splice.index + splice.removed,
          with: lists[1].entries[splice.index..<splice.index + splice.added])
      }
      #expect(entries == lists[1].entries)
    }
  }
}
