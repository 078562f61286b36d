import BoardModel
import LinkModel
import TestSupport
import Testing

/// The rules of edits on a shared board.
struct SharedBoardTests {
  private let row = SharedRow(
    representations: [.init(type: "text/plain;charset=utf-8", content: .inline([97]))])

  private func key(_ number: UInt64) -> RowKey { RowKey(0, number) }

  /// Returns a board with rows 1 to `count` in its first section.
  private func board(_ count: UInt64) -> SharedBoard {
    var board = SharedBoard()
    for number in 0..<count {
      let after = number == 0 ? nil : key(number)
      board.apply(.insert(key(number + 1), row, at: .init(in: .first, after: after)))
    }
    return board
  }

  private func rows(_ board: SharedBoard, _ section: Int = 0) -> [UInt64] {
    board.keys(inSection: section).map(\.low)
  }

  @Test
  func aRowIsInsertedBesideTheRowThatIsLeft() {
    var board = board(3)
    board.apply(.insert(key(9), row, at: .init(in: .first, after: key(1), before: key(2))))
    #expect(rows(board) == [1, 9, 2, 3])
    board.apply(.delete(key(1)))
    board.apply(.insert(key(8), row, at: .init(in: .first, after: key(1), before: key(2))))
    #expect(rows(board) == [9, 8, 2, 3])
    board.apply(.insert(key(7), row, at: .init(in: .first, after: key(1), before: key(1))))
    #expect(rows(board) == [9, 8, 2, 3, 7])
  }

  @Test
  func aRowMovesRelativeToOthers() {
    var board = board(4)
    #expect(board.apply(.move(key(1), to: .init(in: .first, after: key(3), before: key(4)))) == nil)
    #expect(rows(board) == [2, 3, 1, 4])
    board.apply(.move(key(4), to: .init(in: .first)))
    #expect(rows(board) == [4, 2, 3, 1])
    board.apply(.move(key(2), to: .init(in: .first, after: key(2))))
    #expect(rows(board) == [4, 2, 3, 1])
    #expect(board.apply(.move(key(9), to: .init(in: .first))) == .rowGone)
  }

  @Test
  func sectionsWithOneNameBecomeOne() {
    var board = board(1)
    let (one, other) = (SectionKey(1, 1), SectionKey(2, 2))
    board.apply(.insertSection(one, "later", after: .first))
    board.apply(.insert(key(5), row, at: .init(in: one)))
    board.apply(.insertSection(other, "later", after: .first))
    board.apply(.insert(key(6), row, at: .init(in: other, after: key(5))))
    #expect(board.sectionNames == ["main", "later"])
    #expect(rows(board, 1) == [5, 6])
    #expect(board.apply(.renameSection(other, "main")) == .nameTaken)
    #expect(board.apply(.deleteSection(one)) == .sectionNotEmpty)
    board.apply(.delete(key(5)))
    board.apply(.move(key(6), to: .init(in: .first)))
    #expect(board.apply(.deleteSection(other)) == nil)
    #expect(board.apply(.deleteSection(.first)) == .sectionNotEmpty)
    #expect(board.apply(.renameSection(one, "soon")) == .sectionGone)
    // A row that is inserted into a deleted section goes to the end of the first section.
    board.apply(.insert(key(7), row, at: .init(in: one)))
    #expect(rows(board) == [6, 1, 7])
  }

  @Test
  func changesOfARowAreIndependent() {
    var board = board(1)
    board.apply(.setFlags(key(1), [.isPinned], changing: [.isPinned]))
    board.apply(.setFlags(key(1), [], changing: [.isMovable]))
    board.apply(.setName(key(1), "a.txt"))
    #expect(board[key(1)]?.flags == [.isEditable, .isPinned])
    #expect(board[key(1)]?.name == "a.txt")
    for edit: SharedEdit in [.setName(key(2), ""), .setContents(key(2), row.representations)] {
      #expect(board.apply(edit) == .rowGone)
    }
    #expect(board.apply(.delete(key(2))) == nil)
  }

  @Test(
    "Rows of any size are inserted, changed and removed, and a copy keeps its rows",
    arguments: 0..<20)
  func rowsOfAnySize(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var (board, known) = (SharedBoard(), [RowKey: SharedRow]())
    var copies: [(board: SharedBoard, known: [RowKey: SharedRow])] = []
    for step in 0..<2_000 {
      let key = key(UInt64.random(in: 0..<300, using: &random))
      let count = Int.random(in: 0...300, using: &random)
      let text = SharedContent.inline([UInt8](repeating: UInt8(step % 256), count: count))
      let contents = [SharedRow.Representation(type: "text/html", content: text)]
      switch Int.random(in: 0..<8, using: &random) {
      case 0..<4:
        let row = SharedRow(created: UInt64(step), representations: contents)
        known[key] = known[key] ?? row
        board.apply(.insert(key, row, at: .init(in: .first)))
      case 4:
        known[key] = nil
        board.apply(.delete(key))
      default:
        known[key]?.representations = contents
        board.apply(.setContents(key, contents))
      }
      if step.isMultiple(of: 300) { copies.append((board, known)) }
    }
    copies.append((board, known))
    for (board, known) in copies {
      #expect(Set(board.keys(inSection: 0)) == Set(known.keys))
      for (key, row) in known { #expect(board[key] == row) }
    }
  }

  @Test("Any board is transformed into any other", arguments: 0..<200 as Range<UInt64>)
  func anyBoardIsTransformedIntoAnyOther(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var (one, touched) = (board(6), TouchedParts())
    var other = one
    for number in 0..<20 as Range<UInt64> {
      let isOne = Bool.random(using: &random)
      let edit = edit(number, of: isOne ? one : other, using: &random)
      touched.add(edit)
      if isOne { one.apply(edit) } else { other.apply(edit) }
    }
    var copy = one
    let edits = copy.transform(into: other, touched: touched)
    #expect(copy == other)
    for edit in edits { #expect(one.apply(edit) == nil) }
    #expect(one == other)
  }

  private func edit(
    _ number: UInt64, of board: SharedBoard, using random: inout SplitMix64
  ) -> SharedEdit {
    let section = Int.random(in: board.sections.indices, using: &random)
    let keys = board.keys(inSection: section)
    let place = SharedEdit.Place(
      in: board.sections[section], after: keys.randomElement(using: &random))
    let any = board.sections.indices.flatMap { board.keys(inSection: $0) }
    let key = any.randomElement(using: &random) ?? key(1)
    switch Int.random(in: 0..<8, using: &random) {
    case 0, 1: return .insert(self.key(100 + number), row, at: place)
    case 2, 3: return .move(key, to: place)
    case 4: return .delete(key)
    case 5: return .setName(key, "\(number)")
    case 6: return .insertSection(SectionKey(1, number), "s\(number % 4)", after: .first)
    default: return .renameSection(board.sections[section], "s\(number % 4)")
    }
  }
}
