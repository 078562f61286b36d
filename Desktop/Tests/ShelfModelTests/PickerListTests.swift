import DragboardClient
import Testing

@testable import ShelfModel

@Suite("The list of the picker")
struct PickerListTests {
  private var list = PickerList()

  private func rows(_ numbers: some Sequence<Int>) -> [RowFacts] {
    numbers.map { RowFacts(id: item($0), preview: "row \($0)") }
  }

  private mutating func receive(
    _ numbers: some Sequence<Int>, more: Bool = false, to request: PickerList.Request?
  ) throws -> PickerList.Request? {
    list.receive((rows(numbers), more), to: try #require(request))
  }

  @Test("The first page of all rows is requested, and the first row is selected")
  mutating func open() throws {
    let request = list.open()
    #expect(request == PickerList.Request(query: "", offset: 0, count: PickerList.pageSize))
    #expect(!list.isCurrent)
    #expect(try receive(0..<30, more: true, to: request) == nil)
    #expect(list.rows == rows(0..<30))
    #expect(list.selected == 0)
    #expect(list.isCurrent && list.hasMore)
  }

  @Test("A key typed during a request replaces the query, and the older reply is never shown")
  mutating func typing() throws {
    let first = list.open()
    #expect(list.type("a") == nil)
    #expect(list.type("ab") == nil)
    let next = try receive(0..<30, to: first)
    #expect(next == PickerList.Request(query: "ab", offset: 0, count: PickerList.pageSize))
    #expect(list.rows.isEmpty)
    #expect(try receive([7, 8], to: next) == nil)
    #expect(list.rows == rows([7, 8]))
    // A reply that nobody waits for is ignored.
    #expect(try receive(0..<3, to: first) == nil)
    #expect(list.rows == rows([7, 8]))
    #expect(list.type("ab") == nil)
  }

  @Test("The next page is requested before its rows are visible, once")
  mutating func pages() throws {
    _ = try receive(0..<30, more: true, to: list.open())
    #expect(list.show(10) == nil)
    let next = list.show(20)
    #expect(next == PickerList.Request(query: "", offset: 30, count: PickerList.pageSize))
    #expect(list.show(31) == nil)
    #expect(try receive(29..<40, to: next) == nil)
    #expect(list.rows == rows(0..<40), "a row that moved to the next page is shown once")
    #expect(list.show(39) == nil)
  }

  @Test("After an edit, all shown rows are read again, and the selection stays on its row")
  mutating func refresh() throws {
    _ = try receive(0..<30, more: true, to: list.open())
    _ = try receive(30..<60, to: list.show(20))
    list.move(.rows(3))
    let request = list.refresh()
    #expect(request == PickerList.Request(query: "", offset: 0, count: 60))
    #expect(list.refresh() == nil)
    let again = try receive([60] + Array(0..<30), to: request)
    #expect(again == PickerList.Request(query: "", offset: 0, count: 31))
    #expect(list.selectedRow == rows([3])[0])
    #expect(list.selected == 4)
    _ = try receive([60, 0, 1, 2, 4, 5], to: again)
    #expect(list.selectedRow == rows([4])[0], "the row after a deleted row is selected")
    let last = list.refresh()
    _ = try receive([60], to: last)
    #expect(list.selected == 0)
    _ = try receive([], to: list.refresh())
    #expect(list.selected == nil)
    #expect(list.selectedRow == nil)
  }

  @Test("The selection stays within the known rows")
  mutating func moves() throws {
    list.move(.rows(1))
    #expect(list.selected == nil)
    _ = try receive(0..<5, to: list.open())
    for (step, index) in [
      (BoardList.KeyboardStep.rows(1), 1), (.rows(9), 4), (.rows(-2), 2), (.first, 0),
      (.rows(-1), 0),
      (.last, 4),
    ] {
      list.move(step)
      #expect(list.selected == index)
    }
    list.select(2)
    list.select(5)
    #expect(list.selected == 2)
  }

  @Test("After a failed request, the next query is sent")
  mutating func failure() throws {
    let opened = list.open()
    let first = try #require(opened)
    _ = list.type("a")
    let after = list.fail(first)
    let next = try #require(after)
    #expect(next.query == "a")
    #expect(list.fail(first) == nil)
    #expect(list.fail(next) == nil)
    #expect(list.rows.isEmpty && list.isCurrent)
    #expect(list.type("") == PickerList.Request(query: "", offset: 0, count: PickerList.pageSize))
  }
}

@Suite("The keys of the picker")
struct PickerKeyTests {
  private static let empty = PickerKey.Search(isBegun: false, isAtEnd: true)
  private static let begun = PickerKey.Search(isBegun: true, isAtEnd: true)
  private static let inside = PickerKey.Search(isBegun: true, isAtEnd: false)

  @Test(
    "Digits, spaces and Delete belong to the search as soon as it has text",
    arguments: [
      (PickerKey.Key.digit(3), PickerKey?.some(.pasteNumber(3)), PickerKey?.none, PickerKey?.none),
      (.space, .preview, nil, nil), (.slash, .search, nil, nil), (.delete, .delete, .delete, nil),
      (.home, .move(.first), nil, nil), (.up, .move(.rows(-1)), .move(.rows(-1)), .move(.rows(-1))),
      (.enter, .paste(isPlain: false), .paste(isPlain: false), .paste(isPlain: false)),
      (.tab, .board(1), .board(1), .board(1)), (.escape, .close, .close, .close),
    ])
  func plain(key: PickerKey.Key, empty: PickerKey?, begun: PickerKey?, inside: PickerKey?) {
    #expect(PickerKey(key, [], in: Self.empty) == empty)
    #expect(PickerKey(key, [], in: Self.begun) == begun)
    #expect(PickerKey(key, [], in: Self.inside) == inside)
  }

  @Test("With Alt, Control or Shift, the keys have the same meaning in every search")
  func held() {
    for search in [Self.empty, Self.begun, Self.inside] {
      #expect(PickerKey(.digit(9), .alt, in: search) == .pasteNumber(9))
      #expect(PickerKey(.space, .control, in: search) == .preview)
      #expect(PickerKey(.delete, .shift, in: search) == .delete)
      #expect(PickerKey(.enter, .control, in: search) == .paste(isPlain: true))
      #expect(PickerKey(.tab, .shift, in: search) == .board(-1))
      #expect(PickerKey(.letter("f"), .control, in: search) == .search)
      #expect(PickerKey(.end, .control, in: search) == .move(.last))
      #expect(PickerKey(.letter("f"), [], in: search) == nil)
      #expect(PickerKey(.letter("z"), [.control, .shift], in: search) == nil)
    }
    #expect(PickerKey(.letter("z"), .control, in: Self.empty) == .undo)
    #expect(PickerKey(.letter("z"), .control, in: Self.begun) == nil)
  }
}
