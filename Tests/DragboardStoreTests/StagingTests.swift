import BoardModel
import SQLite
import TestSupport
import Testing

@testable import DragboardStore

@Suite("Contents of rows that are not on a board yet")
struct StagingTests {
  let folder: TemporaryFolder
  let store: BoardStore

  init() throws {
    folder = try TemporaryFolder()
    store = try folder.open()
  }

  private func texts(of rows: [RowID], in store: BoardStore) throws -> [String?] {
    try rows.map { try store.text(of: $0) }
  }

  private func purge(_ store: BoardStore) throws {
    while try store.purgeDiscarded(limit: 100) { try store.commit() }
    try store.commit()
  }

  /// Stages two rows, and stores a text for each in a separate commit.
  private func stageTwo() throws -> StagedRows {
    let staged = try store.stageRows(2)
    for (row, text) in zip(staged.rows, ["a", "b"]) {
      try store.put(.text(text), of: row)
      try store.commit()
    }
    return staged
  }

  @Test("Staged rows survive a purge, and adopted rows stay")
  func adopted() throws {
    let rows: [RowID]
    do {
      let staged = try stageTwo()
      rows = staged.rows
      try purge(store)
      #expect(try texts(of: rows, in: store) == ["a", "b"])
      #expect(staged.isWhole)
      try staged.adopt()
      try store.commit()
    }
    try purge(store)
    let after = try folder.afterPowerCut().open()
    try purge(after)
    #expect(try texts(of: rows, in: after) == ["a", "b"])
  }

  @Test("Only rows that were not adopted are purged, among other staged rows")
  func givenUp() throws {
    var first: StagedRows? = try stageTwo()
    let second = try stageTwo()
    let rows = try #require(first).rows
    first = nil
    try purge(store)
    #expect(try texts(of: rows, in: store) == [nil, nil])
    #expect(try texts(of: second.rows, in: store) == ["a", "b"])
    #expect(try store.tables.transaction.database.integer("SELECT count(*) FROM discarded") == 1)
  }

  @Test("After a power cut staged rows are purged, with their files")
  func powerCut() throws {
    let staged = try stageTwo()
    try store.replaceContent(of: staged.rows[0], with: .bytes(largeBytes(1)))
    try store.commit()
    let folder = try folder.afterPowerCut()
    let after = try folder.open()
    #expect(folder.contentNames().count == 1)
    try purge(after)
    #expect(try texts(of: staged.rows, in: after) == [nil, nil])
    #expect(folder.contentNames().isEmpty)
  }

  @Test("Any rollback invalidates the staged rows, but not rows staged later")
  func rolledBack() throws {
    let staged = try store.stageRows(2)
    try store.put(.text("a"), of: staged.rows[0])
    store.rollback()
    #expect(!staged.isWhole)
    #expect(try store.stageRows(1).isWhole)
  }

  @Test("If an adoption is rolled back, the rows are purged")
  func adoptionRolledBack() throws {
    do {
      let staged = try stageTwo()
      try staged.adopt()
      store.rollback()
      try purge(store)
      #expect(try texts(of: staged.rows, in: store) == [nil, nil])
    }
    #expect(store.tables.discards.staged.isEmpty)
  }
}
