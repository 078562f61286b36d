import DragboardClient
import ShelfModel
import Testing

@Suite("Stacks") struct StackTests {
  /// Returns the stacks of rows with these numbers.
  private func stacks(_ names: [Int: String]) -> Stacks {
    var stacks = Stacks()
    _ = stacks.note(names.map { RowFacts(id: item($0), stack: $1) })
    return stacks
  }

  @Test("Adjacent rows of a section with the same stack are one line")
  func lines() {
    let stacks = stacks([1: "a", 2: "a", 3: "b", 4: "b", 5: "b", 6: "b", 8: "b"])
    let list = BoardList(board([1, 2, 3, 4, 5], [6, 7, 8]), stacks: stacks)
    #expect(
      list.entries == [
        .header("A"), .stack([1, 2].map(item)), .stack([3, 4, 5].map(item)), .header("B"),
        .row(item(6)), .row(item(7)), .row(item(8)),
      ])
    #expect(list.place(at: 2) == RowPosition(section: 0, row: 2))
    #expect(list.place(at: 5) == RowPosition(section: 1, row: 1))
    #expect(list.items(at: 1) == [1, 2].map(item) && list.item(at: 1) == item(1))
    #expect(list.index(of: item(4)) == 2)
    #expect(list.ordered([item(7), item(5), item(3)]) == [3, 5, 7].map(item))
    #expect(list.ordered([item(5)]) == [item(5)])
    #expect(list.range(from: item(1), to: item(6)) == [1, 2, 3, 4, 5, 6].map(item))
    #expect(list.whole([item(4), item(7)]) == Set([3, 4, 5, 7].map(item)))
    #expect(list.stack(at: 2) == [3, 4, 5].map(item) && list.stack(at: 4) == nil)
    #expect(!BoardList(board([1, 2]), stacks: stacks).isEmpty)
  }

  @Test("An open stack has a line for each row, and a search shows no stack")
  func open() {
    var stacks = stacks([2: "a", 3: "a", 4: "a"])
    #expect(BoardList(board([1, 2, 3, 4]), stacks: stacks).entries.count == 2)
    stacks.setOpen(true, item(3))
    let list = BoardList(board([1, 2, 3, 4, 5]), stacks: stacks)
    #expect(list.entries == (1...5).map { .row(item($0)) })
    #expect((0..<5).map { list.stack(at: $0)?.count } == [nil, 3, 3, 3, nil])
    #expect((0...5).map { list.place(at: $0)?.row } == [0, 1, 2, 3, 4, nil])
    // A drop between the rows of a stack joins the stack.
    #expect((0...5).filter { list.stack(aroundGap: $0) != nil } == [2, 3])
    #expect(list.whole([item(3)]) == [item(3)])
    stacks.forgetRows()
    _ = stacks.note([2, 3].map { RowFacts(id: item($0), stack: "a") })
    #expect(BoardList(board([2, 3]), stacks: stacks).entries.count == 2)
    stacks.setOpen(false, item(2))
    #expect(BoardList(board([2, 3]), stacks: stacks).entries.count == 1)
    let found = BoardList(board([2, 3]), showing: [item(2), item(3)], stacks: stacks)
    #expect(found.entries == [.row(item(2)), .row(item(3))])
  }

  @Test("A row whose stack changes is reported, and an unchanged row is not")
  func notes() {
    var stacks = stacks([1: "a", 2: "a"])
    let isSame = !stacks.note([RowFacts(id: item(1), stack: "a"), RowFacts(id: item(3))])
    let isOther = stacks.note([RowFacts(id: item(1))])
    #expect(isSame && isOther)
    #expect(stacks[item(1)] == nil && stacks[item(2)] == "a")
  }

  @Test(
    "A gap beside a closed stack is a position on the board",
    arguments: [(0, [], 0), (1, [], 1), (2, [], 4), (3, [], 5), (2, [2, 3, 4], 1), (3, [3], 4)])
  func gaps(gap: Int, moving: [Int], row: Int) {
    let list = BoardList(board([1, 2, 3, 4, 5]), stacks: stacks([2: "a", 3: "a", 4: "a"]))
    let place = list.destination(of: gap, moving: Set(moving.map(item)))
    #expect(place == RowPosition(section: 0, row: row))
  }

  @Test(
    "A drop on the middle of a closed stack joins it",
    arguments: [(10.0, nil), (24.0, nil), (30.0, 1), (36.0, nil), (50.0, nil)] as [(Double, Int?)])
  func joining(height: Double, index: Int?) {
    let list = BoardList(board([1, 2, 3, 4]), stacks: stacks([2: "a", 3: "a"]))
    let bands = (0..<3).map {
      BoardList.Band(index: $0, top: Double($0 * 20), bottom: Double($0 * 20 + 20))
    }
    #expect(list.stack(under: height, among: bands) == index)
  }

  @Test(
    "A step of rows leads past a whole stack, and a row of a stack moves within it",
    arguments: [
      ([1], true, 3), ([5], false, 1), ([6], false, 4), ([2, 3, 4], true, 2),
      ([2, 3, 4], false, 0), ([2], true, 2), ([4], false, 2), ([2], false, 0), ([4], true, 4),
    ])
  func steps(items: [Int], isDown: Bool, row: Int) {
    let stacks = stacks([2: "a", 3: "a", 4: "a"])
    let place = board([1, 2, 3, 4, 5, 6])
      .destination(ofMoving: Set(items.map(item)), down: isDown, stacks: stacks)
    #expect(place == RowPosition(section: 0, row: row))
  }

  @Test("Copies of a stack form a new stack, and a copy of a single row has no stack")
  func copies() {
    let stacks = stacks([1: "a", 2: "a", 3: "b", 4: "b"])
    let new = stacks.ofCopies([1, 2, 3, 5].map(item)) { "new" }
    #expect(new == ["new", "new", "", nil])
  }

  @Test(
    "A stack is described by the kind of its rows",
    arguments: [
      (["image/png"], nil, "3 pictures"),
      (["text/uri-list"], "image/jpeg", "3 pictures"),
      (["text/uri-list"], "application/pdf", "3 PDF documents"),
      (["text/uri-list"], "video/mp4", "3 videos"),
      (["text/uri-list"], "inode/directory", "3 folders"),
      (["text/uri-list"], "application/zip", "3 files"),
      (["text/uri-list"], nil, "3 links"),
      (["text/plain;charset=utf-8"], nil, "3 texts"),
      (["text/html"], nil, "3 texts"),
      (["application/x-thing"], nil, "3 items"),
    ] as [([ContentType], ContentType?, String)])
  func summaries(types: [ContentType], file: ContentType?, summary: String) {
    let kind = StackedKind(RowFacts(id: item(1), types: types), fileType: file)
    #expect(StackedKind.summary(of: 3, [kind, kind, kind]) == summary)
    #expect(StackedKind.summary(of: 3, [kind, kind, nil]) == "3 items")
    let other: StackedKind = kind == .file ? .pdf : .file
    #expect(StackedKind.summary(of: 3, [kind, other, kind]) == "3 items")
  }
}
