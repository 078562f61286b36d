import DragboardClient
import ShelfModel
import Testing

@Suite("The cache of rows") struct RowCacheTests {
  private let page = RowPosition(section: 1, row: 70)

  @Test("A page is requested only once until it has arrived or failed")
  func asking() throws {
    var cache = RowCache()
    let asked = cache.need(page)
    let need = try #require(asked)
    #expect((need.section, need.first) == (1, 64))
    let again = cache.need(RowPosition(section: 1, row: 127))
    #expect(again == nil)
    cache.fail(need)
    expectNeed(&cache, need)
    expectNews(&cache, [], [], at: 1, for: need)
    expectNeed(&cache, need)
  }

  @Test("Facts that were read before a change are dropped after the change")
  func stale() throws {
    var cache = RowCache()
    let asked = cache.need(page)
    let need = try #require(asked)
    cache.didChange(item(1), at: 8)
    expectNews(&cache, [], [RowFacts(id: item(1), preview: "old")], at: 7, for: need)
    #expect(cache[item(1)] == nil)
    expectNews(&cache, [item(1)], [RowFacts(id: item(1), preview: "new")], at: 8, for: need)
    #expect(cache[item(1)]?.preview == "new")
    // Facts that have not changed are not reported.
    expectNews(&cache, [], [RowFacts(id: item(1), preview: "new")], at: 9, for: need)
  }

  private func expectNeed(_ cache: inout RowCache, _ expected: RowCache.Page) {
    let need = cache.need(page)
    #expect(need == expected)
  }

  private func expectNews(
    _ cache: inout RowCache, _ expected: Set<ItemID>, _ rows: [RowFacts], at revision: UInt64,
    for page: RowCache.Page
  ) {
    let news = cache.receive(rows, at: revision, for: page)
    #expect(news == expected)
  }
}
