import DragboardClient
import ShelfModel
import Testing

@Suite("Selecting rows by keys") struct WalkingTests {
  private let list = BoardList(board([1, 2], [3]))

  @Test("A step skips headers, and stops at both ends")
  func steps() {
    #expect(list.index(.rows(1), from: item(2)) == 4)
    #expect(list.index(.rows(-1), from: item(3)) == 2)
    #expect(list.index(.rows(-5), from: item(3)) == 1)
    #expect(list.index(.rows(1), from: item(3)) == 4)
    #expect(list.index(.first, from: nil) == 1)
    #expect(list.index(.last, from: item(1)) == 4)
  }

  @Test("Without a selected row, Down selects the first row and Up the last one")
  func noStart() {
    #expect(list.index(.rows(1), from: nil) == 1)
    #expect(list.index(.rows(-1), from: item(9)) == 4)
    #expect(BoardList().index(.rows(1), from: nil) == nil)
  }

  @Test("A range has the rows of both ends, in either direction")
  func ranges() {
    #expect(list.range(from: item(3), to: item(2)) == [item(2), item(3)])
    #expect(list.range(from: item(1), to: item(9)) == [])
  }

  @Test(
    "Rows are moved together by one step, and from section to section",
    arguments: [
      ([1], true, [0, 1]), ([2], true, [0, 2]), ([3], true, [1, 0]), ([4], true, nil),
      ([1], false, nil), ([2], false, [0, 0]), ([4], false, [0, 3]), ([1, 3], true, [1, 0]),
      ([2, 3], false, [0, 0]), ([1, 2], true, [0, 1]),
    ] as [([Int], Bool, [Int]?)])
  func moves(items: [Int], isDown: Bool, expected: [Int]?) {
    let place = board([1, 2, 3], [4]).destination(ofMoving: Set(items.map(item)), down: isDown)
    #expect(place.map { [$0.section, $0.row] } == expected)
  }
}
