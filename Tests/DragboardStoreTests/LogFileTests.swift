import BoardModel
import Foundation
import SQLite
import TestSupport
import Testing

@testable import DragboardStore

@Suite("The file of the write-ahead log")
struct LogFileTests {
  private func logSize(in data: String) throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: data + "/boards.db-wal")
    return try #require(attributes[.size] as? Int)
  }

  @Test("The log stops growing, because later commits overwrite checkpointed pages")
  func reuse() throws {
    let folder = try TemporaryFolder()
    let store = try folder.open()
    // A checkpoint follows when the log has 1,000 pages; 600 of these transactions need at least
    // 3,000.
    let text = String(repeating: "x", count: 20_000)
    let sizes = try (0..<600).map { _ in
      _ = try store.insert([text])
      try store.commit()
      return try logSize(in: folder.data)
    }
    #expect(try #require(sizes.last) <= 5 << 20)
    // 100 appended transactions would have 500 pages.
    let late = sizes.suffix(100)
    #expect(try #require(late.max()) - (try #require(late.min())) < 20 * (24 + 4_096))
  }

  @Test("A transaction larger than the maximum log takes only the space of its pages")
  func largeTransaction() throws {
    let folder = try TemporaryFolder()
    let store = try folder.open()
    _ = try store.insert((0..<100).map { _ in String(repeating: "x", count: 60_000) })
    try store.commit()
    let size = try logSize(in: folder.data)
    #expect(size > 4 << 20)
    #expect((size - 32) % (24 + 4_096) == 0)
  }

  @Test("After a crash exactly the committed edits remain, at any position in the log")
  func crashes() throws {
    var random = SplitMix64(seed: 20)
    let folder = try TemporaryFolder()
    let store = try folder.open()
    try store.tables.transaction.database.execute("PRAGMA cache_size = 10")
    var committed: [RowID: String] = [:]
    var all: [RowID] = []
    for _ in 0..<60 {
      // Pages beyond SQLite's cache are written before the commit, read again, and written once
      // more.
      let padding = String(
        repeating: "x", count: Int.random(in: 0..<4, using: &random) == 0 ? 60_000 : 0)
      var texts = (0..<Int.random(in: 1...60, using: &random)).map { "\($0)" + padding }
      let rows = try store.insert(texts)
      all += rows
      for place in rows.indices.shuffled(using: &random).prefix(
        Int.random(in: 0...60, using: &random))
      {
        #expect(try store.text(of: rows[place]) == texts[place])
        texts[place] += "!"
        try store.replaceContent(of: rows[place], with: .text(texts[place]))
      }
      if Int.random(in: 0..<4, using: &random) == 0 {
        store.rollback()
      } else {
        try store.commit()
        committed.merge(zip(rows, texts)) { $1 }
      }
      if Int.random(in: 0..<10, using: &random) == 0 {
        try store.tables.transaction.database.emptyLog()
      }
      let copy = try folder.afterPowerCut()
      let found = try copy.open()
      for row in all { #expect(try found.text(of: row) == committed[row]) }
    }
  }
}
