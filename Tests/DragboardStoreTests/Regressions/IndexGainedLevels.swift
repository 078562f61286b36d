import TestSupport
import Testing

@testable import DragboardStore

/// Each erasure of traces added levels to the index of words.
///
/// After 1,000 erasures, SQLite 3.40 considered the database damaged.
@Suite("Regression: erasures added levels to the index of words without end")
struct IndexGainedLevels {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Opens a store whose index has several pages, because a merge of smaller indexes adds no level.
  private func open() throws -> BoardStore {
    let store = try folder.open()
    _ = try store.insert((0..<1_000).map { "kept \($0)" })
    return store
  }

  /// Inserts and deletes a row, and erases its traces; returns the number of levels.
  private func erase(_ store: BoardStore) throws -> Int {
    let row = try store.insert(["deleted"])
    try store.indexAll()
    try store.discard(row)
    try store.commitAndPurge()
    while try store.eraseTraces() { try store.commit() }
    return try store.tables.words.levelCount()
  }

  @Test("The index has few levels after many erasures, and all its words are found")
  func erasures() throws {
    let store = try open()
    let levels = try (0..<WordTable.maxLevels).map { _ in try erase(store) }
    let deepest = try #require(levels.max())
    // Later versions of SQLite add no more levels at their own limit.
    let isLimited = levels.suffix(WordTable.maxLevels / 4).allSatisfy { $0 == deepest }
    #expect(deepest > WordTable.maxLevels || isLimited)
    #expect(deepest <= WordTable.maxLevels + 2)
    #expect(try store.search("kept").count == 1_000)
    #expect(try store.search("deleted").isEmpty)
  }

  @Test("A renewal that is rolled back leaves the index complete")
  func rollback() throws {
    let store = try open()
    _ = try erase(store)
    try store.tables.words.renew()
    #expect(try store.isIndexBehind())
    store.rollback()
    #expect(try !store.isIndexBehind())
    #expect(try store.search("kept").count == 1_000)
    try store.indexAll()
    #expect(try store.search("kept").count == 1_000)
  }
}
