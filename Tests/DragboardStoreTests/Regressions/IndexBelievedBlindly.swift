import BoardModel
import DragboardRecovery
import Foundation
import SQLite
import Synchronization
import TestSupport
import Testing

@testable import DragboardStore

/// With a wrong index of contents, the sweep after the start removed every content.
@Suite("Regression: contents were removed because of a wrong index")
struct IndexBelievedBlindly {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    let store = try folder.open()
    for number in 1...3 as ClosedRange<UInt8> {
      try store.put(.bytes(largeBytes(number)), of: RowID(UInt64(number)))
    }
    try store.commitAndPurge()
    store.conclude()
  }

  /// Makes the index wrong: its entries then refer to other contents.
  private func spoilIndex(_ sql: String) throws {
    let database = try Database(path: folder.database, holding: StoreLock(directory: folder.path))
    try database.execute("PRAGMA writable_schema = ON; \(sql)")
  }

  /// SQL that removes all rows of the index, or some.
  static let damage = [
    """
    UPDATE sqlite_schema SET sql = 'CREATE INDEX representation_file ON representation(data) WHERE file = -1'
      WHERE name = 'representation_file';
    PRAGMA writable_schema = RESET; REINDEX representation_file; PRAGMA writable_schema = ON;
    UPDATE sqlite_schema SET sql = 'CREATE INDEX representation_file ON representation(data) WHERE file NOT NULL'
      WHERE name = 'representation_file'
    """,
    """
    UPDATE sqlite_schema SET sql = 'CREATE INDEX representation_file ON representation(data) WHERE id > 400'
      WHERE name = 'representation_file';
    PRAGMA writable_schema = RESET; REINDEX representation_file; PRAGMA writable_schema = ON;
    UPDATE sqlite_schema SET sql = 'CREATE INDEX representation_file ON representation(data) WHERE file NOT NULL'
      WHERE name = 'representation_file'
    """,
  ]

  private func expectContents(_ store: BoardStore) throws {
    for number in 1...3 as ClosedRange<UInt8> {
      #expect(try store.data(of: RowID(UInt64(number)), at: 0) == largeBytes(number))
    }
  }

  @Test("The sweep after the start removes no content that a row has", arguments: damage)
  func sweep(sql: String) throws {
    try spoilIndex(sql)
    let leftover = folder.contents + "/" + String(repeating: "a", count: 64)
    try Data(count: 100).write(to: URL(fileURLWithPath: leftover))
    let events = Mutex<[StoreEvent]>([])
    do {
      let store = try BoardStore.open(in: folder.data) { event in
        events.withLock { $0.append(event) }
      }
      try store.commitAndPurge()
      try expectContents(store)
      #expect(!FileManager.default.fileExists(atPath: leftover))
      #expect(events.withLock { $0.filter { $0 == .rebuiltIndex }.count } == 1)
      store.conclude()
    }
    let store = try folder.open()
    #expect(
      try store.tables.transaction.database.integer(
        "SELECT count(*) FROM pragma_integrity_check WHERE integrity_check <> 'ok'") == 0)
    try store.commitAndPurge()
    try expectContents(store)
  }

  @Test("Deleting a row does not remove a content that another row has")
  func shared() throws {
    do {
      let store = try folder.open()
      guard let file = try store.content(of: RowID(1), at: 0).file else {
        throw StoreError.badItem("the content has no file")
      }
      try store.put(.file(file), of: RowID(9))
      try store.commit()
      store.conclude()
    }
    try spoilIndex(Self.damage[1])
    let store = try folder.open()
    try store.replaceContent(of: RowID(9), with: .text("small"))
    try store.commitAndPurge()
    try expectContents(store)
    try store.replaceContent(of: RowID(3), with: .text("small"))
    try store.commitAndPurge()
    #expect(folder.contentNames().count == 2)
  }

  @Test("A rebuilt index is not trusted before the commit", arguments: damage)
  func rollback(sql: String) throws {
    try spoilIndex(sql)
    let store = try folder.open()
    try store.put(.bytes(largeBytes(8)), of: RowID(8))
    try store.commit()
    try store.replaceContent(of: RowID(8), with: .text("small"))
    try store.commit()
    for _ in 0..<2 { _ = try store.purgeDiscarded(limit: 100) }
    store.rollback()
    try store.commitAndPurge()
    try expectContents(store)
    #expect(folder.contentNames().count == 3)
  }

  @Test("Many rows are compared in steps")
  func steps() throws {
    let store = try folder.open()
    for number in 10..<9_000 as Range<UInt64> {
      try store.put(.text("\(number)"), of: RowID(number))
    }
    try store.replaceContent(of: RowID(3), with: .text("small"))
    try store.commit()
    var steps = 0
    while try store.purgeDiscarded(limit: 100) { steps += 1 }
    #expect(steps == 2)
    #expect(folder.contentNames().count == 2)
    #expect(!store.hasUncommittedWrites)
  }
}
