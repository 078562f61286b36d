import BoardModel
import TestSupport
import Testing

@testable import DragboardStore

@Suite("Rows that are given what they hold before a board has them")
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

  /// Stages two rows, and gives each a text, in a commit of its own.
  private func stageTwo() throws -> StagedRows {
    let staged = try store.stageRows(2)
    for (row, text) in zip(staged.rows, ["a", "b"]) {
      try store.put(.text(text), of: row)
      try store.commit()
    }
    return staged
  }

  @Test("They keep it while they are staged, whatever is purged; adopted they keep it for good")
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

  @Test("What nobody adopts is purged, among others that are staged")
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

  @Test("After a power cut they are purged, with their files")
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

  @Test("A rollback, by whatever, spoils them; those of later do not mind")
  func rolledBack() throws {
    let staged = try store.stageRows(2)
    try store.put(.text("a"), of: staged.rows[0])
    store.rollback()
    #expect(!staged.isWhole)
    #expect(try store.stageRows(1).isWhole)
  }

  @Test("An adoption that is rolled back leaves them to be purged")
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
