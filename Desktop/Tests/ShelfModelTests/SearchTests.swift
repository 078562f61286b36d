import DragboardClient
import ShelfModel
import Testing

@Suite("The search") struct SearchTests {
  private func index(_ texts: String...) -> SearchIndex {
    var index = SearchIndex { $0.lowercased() }
    for (number, text) in texts.enumerated() { index.set(text, for: item(number)) }
    return index
  }

  @Test("A row is found if it contains all words of the query, in any order")
  func words() {
    let index = index("Quarterly report.pdf", "a report of Ada", "aab")
    #expect(index.rows(with: "port") == [item(0), item(1)])
    #expect(index.rows(with: "ADA  report") == [item(1)])
    #expect(index.rows(with: "ab") == [item(2)])
    #expect(index.rows(with: "reports") == [])
    #expect(index.rows(with: " ") == [])
  }

  @Test("A changed row is read again")
  func change() {
    var index = index("one", "two")
    index.remove(item(0))
    #expect(!index.contains(item(0)))
    #expect(index.contains(item(1)))
    #expect(index.rows(with: "one") == [])
  }

  @Test("Only the first 65,536 scalars of a text are found")
  func longText() {
    let text = "first " + String(repeating: "e\u{301}\u{325}", count: 30_000) + " last"
    let index = index(text)
    #expect(index.rows(with: "first") == [item(0)])
    #expect(index.rows(with: "last") == [])
    #expect(SearchIndex.folded(text) { $0 }.count == 6 + 65_530 / 3 * 5 + 1)
  }

  @Test("10,000 rows are searched in less than 50 ms")
  func duration() {
    var index = SearchIndex { $0.lowercased() }
    for number in 0..<10_000 {
      index.set(
        "row \(number) with a text of some sixty characters, as a note has", for: item(number))
    }
    let start = ContinuousClock.now
    #expect(index.rows(with: "9999 note").count == 1)
    let time = ContinuousClock.now - start
    print("A search in 10,000 rows took \(time).")
    #expect(time < .milliseconds(50))
  }
}

@Suite("The order of previews") struct PreviewQueueTests {
  private func row(_ number: Int) -> RowFacts { RowFacts(id: item(number), types: [.uriList]) }

  @Test("Rows are read in the order of the list, not of the requests")
  func order() {
    var queue = PreviewQueue()
    for number in 0..<200 { queue.add(row(number)) }
    let visible = (0..<200).map(item)
    #expect(queue.next(in: visible) == row(0))
    #expect(queue.next(in: visible) == row(1))
    #expect(queue.next(in: [item(150), item(151)] + visible) == row(150))
  }

  @Test("Rows that are no longer in the list are not read")
  func forgetting() {
    var queue = PreviewQueue()
    for number in 0..<3 { queue.add(row(number)) }
    #expect(queue.next(in: [item(2)]) == row(2))
    #expect(queue.next(in: [item(0), item(1)]) == nil)
  }
}
