import BoardModel
import Foundation
import TestSupport
import Testing

@testable import DragboardStore

@Suite("The file of the write-ahead log")
struct LogFileTests {
  private static let step = 128 << 10

  private func logSize(in data: String) throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: data + "/boards.db-wal")
    return try #require(attributes[.size] as? Int)
  }

  @Test("It grows by whole steps, and most commits leave its size as it was")
  func steps() throws {
    let folder = try TemporaryFolder()
    let store = try folder.open()
    var sizes: [Int] = []
    for number in 0..<100 {
      _ = try store.insert(["\(number)"])
      try store.commit()
      sizes.append(try logSize(in: folder.data))
    }
    #expect(sizes.allSatisfy { $0 % Self.step == 0 })
    #expect(sizes == sizes.sorted() && Set(sizes).count < 20)
    #expect(try #require(sizes.last) > #require(sizes.first))
  }

  @Test("A transaction larger than a log is ever kept takes no more than its pages")
  func largeTransaction() throws {
    let folder = try TemporaryFolder()
    let store = try folder.open()
    _ = try store.insert((0..<100).map { _ in String(repeating: "x", count: 60_000) })
    try store.commit()
    let size = try logSize(in: folder.data)
    #expect(size > 4 << 20)
    #expect((size - 32) % (24 + 4_096) == 0)
  }

  @Test("After a crash all is there that was committed, and nothing else, however commits fall")
  func crashes() throws {
    var random = SplitMix64(seed: 20)
    let folder = try TemporaryFolder()
    let store = try folder.open()
    try store.database.execute("PRAGMA cache_size = 10")
    var committed: [RowID: String] = [:]
    var all: [RowID] = []
    for _ in 0..<60 {
      // What is more than SQLite keeps in memory is written before it is committed, read again, and written once more.
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
        try store.replaceItem(rows[place], with: .text(texts[place]))
      }
      if Int.random(in: 0..<4, using: &random) == 0 {
        store.rollback()
      } else {
        try store.commit()
        committed.merge(zip(rows, texts)) { $1 }
      }
      if Int.random(in: 0..<10, using: &random) == 0 { try store.database.emptyLog() }
      let copy = try folder.afterPowerCut()
      let found = try copy.open()
      for row in all { #expect(try found.text(of: row) == committed[row]) }
    }
  }

  @Test(
    "Where the disk has no room for a step it grows by what is written, and takes no more",
    .enabled(if: SmallDisk.isPossible, "this process may not mount a file system"))
  func fullDisk() throws {
    let disk = try SmallDisk()
    let data = disk.path + "/data"
    let store = try BoardStore(directory: data)
    let room = Data(repeating: 1, count: Self.step / 2)
    let spare = URL(filePath: disk.path + "/spare")
    var row: RowID?
    try whileNothingStarts {
      try room.write(to: spare)
      try store.database.emptyLog()
      disk.fill()
      try FileManager.default.removeItem(at: spare)
      row = try store.insert(["kept"]).first
      try store.commit()
      #expect(try 1..<room.count / 2 ~= logSize(in: data))
      try room.prefix(room.count / 2).write(to: spare)
      disk.makeRoom()
    }
    #expect(try store.text(of: try #require(row)) == "kept")
  }

  @Test(
    "A transaction can be read while the disk is full, and is whole or taken back",
    .enabled(if: SmallDisk.isPossible, "this process may not mount a file system"))
  func fullWithinTransaction() throws {
    let disk = try SmallDisk()
    let database = try BoardStore(directory: disk.path + "/data").database
    // With few pages in memory most of them are written before the commit, and read again.
    try database.execute("PRAGMA cache_size = 10; CREATE TABLE t(x)")
    var reads = 0
    for count in 40..<80 {
      try whileNothingStarts {
        try database.execute(
          """
          BEGIN;
          WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < \(count))
          INSERT INTO t SELECT randomblob(3000) FROM c
          """)
        disk.fill()
        // Some reads need what is taken by pages that are not written yet, and there is no room for more of them.
        if let size = try? database.integer("SELECT sum(length(x)) FROM t") {
          #expect(size == Int64(count) * 3_000)
          reads += 1
        }
        disk.makeRoom()
      }
      let isCommitted = (try? database.execute("COMMIT")) != nil
      let found = try database.integer("SELECT count(*) FROM t")
      #expect(found == (isCommitted ? Int64(count) : 0))
      #expect(try database.integer("SELECT count(*) FROM pragma_integrity_check('t')") == 1)
      try database.execute("DELETE FROM t")
      try database.emptyLog()
    }
    #expect(reads > 0)
  }
}
