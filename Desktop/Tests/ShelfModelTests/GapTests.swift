import DragboardClient
import ShelfModel
import Testing

@Suite("The position of a drop") struct GapTests {
  /// A list of a header, two rows, a header and a row.
  ///
  /// Each line is 20 pixels high.
  private let list = BoardList(board([1, 2], [3]))
  private let bands = (0..<5).map {
    BoardList.Band(index: $0, top: Double($0 * 20), bottom: Double($0 * 20 + 20))
  }

  @Test(
    "The position is at the nearer edge of the line under the pointer",
    arguments: [
      (25.0, 1, 20.0), (35, 2, 40), (45, 2, 40), (55, 3, 60), (65, 3, 60), (75, 4, 80),
      (95, 5, 100), (400, 5, 100), (-5, 1, 20), (5, 1, 20),
    ])
  func gaps(height: Double, index: Int, line: Double) {
    #expect(list.gap(at: height, among: bands) == BoardList.Gap(index: index, height: line))
  }

  @Test("An empty list has one position")
  func empty() {
    #expect(BoardList().gap(at: 50, among: []) == BoardList.Gap(index: 0, height: 0))
    #expect(BoardList().destination(of: 0) == RowPosition(section: 0, row: 0))
  }

  @Test(
    "A gap between lines is a position on the board",
    arguments: [(1, 0, 0), (2, 0, 1), (3, 0, 2), (4, 1, 0), (5, 1, 1)])
  func destinations(gap: Int, section: Int, row: Int) {
    #expect(list.destination(of: gap) == RowPosition(section: section, row: row))
  }

  @Test("For dragged rows of the board, the position does not count these rows")
  func moving() {
    #expect(
      list.destination(of: 3, moving: [item(1)]) == RowPosition(section: 0, row: 1))
    #expect(
      list.destination(of: 2, moving: [item(2)]) == RowPosition(section: 0, row: 1))
    #expect(
      list.destination(of: 5, moving: [item(1), item(3)]) == RowPosition(section: 1, row: 0))
  }
}
