import BoardModel
import Foundation
import SQLite
import TestSupport
import Testing

@testable import DragboardStore

@Suite("Unneeded files are removed")
struct ContentRemovalTests {
  let folder: TemporaryFolder
  let store: BoardStore

  init() throws {
    folder = try TemporaryFolder()
    store = try folder.open()
  }

  @Test("The file of a replaced content is removed after the commit, not before")
  func replaced() throws {
    try store.put(.bytes(largeBytes(1)), of: RowID(1))
    try store.commitAndPurge()
    #expect(!store.hasGarbage)
    try store.replaceContent(of: RowID(1), with: .text("small"))
    #expect(try !store.purgeDiscarded(limit: 10))
    #expect(folder.contentNames().count == 1)
    try store.commit()
    #expect(store.hasGarbage)
    #expect(folder.contentNames().count == 1)
    #expect(try !store.purgeDiscarded(limit: 10))
    #expect(folder.contentNames().isEmpty)
    #expect(!store.hasGarbage)
    #expect(!store.hasUncommittedWrites)
  }

  @Test("A content remains as long as one row has it, in any representation")
  func shared() throws {
    let bytes = largeBytes(1)
    do {
      let file = try store.contents.write(bytes)
      try store.put(.file(file), of: RowID(1))
      let copy = RowContent.Representation(type: mime("a/b"), bytes: .file(file), preview: "")
      try store.put(
        RowContent(
          created: 0, source: "", preview: "", representations: [.text("a"), copy]),
        of: RowID(2))
    }
    try store.commit()
    try store.replaceContent(of: RowID(1), with: .text("b"))
    try store.commitAndPurge()
    #expect(try store.data(of: RowID(2), at: 1) == bytes)
    try store.replaceContent(of: RowID(2), with: .text("c"))
    try store.commitAndPurge()
    #expect(folder.contentNames().isEmpty)
  }

  @Test("The contents of deleted rows are removed, some bytes in each step")
  func discardedRows() throws {
    var (id, board) = try store.makeBoard(named: "one")
    let rows = try store.append((0..<6).map { "\($0)" }, to: &board, id)
    for (number, row) in rows.enumerated() {
      try store.replaceContent(of: row, with: .bytes(largeBytes(UInt8(number), count: 100_000)))
    }
    try store.commitAndPurge()
    #expect(folder.contentNames().count == 6)
    _ = try board.delete(Array(rows[1...]))
    try store.save(&board, as: id)
    try store.commit()
    #expect(folder.contentNames().count == 6)
    #expect(try store.purgeDiscarded(limit: 10, byteLimit: 200_000))
    try store.commit()
    var counts: [Int] = []
    while try store.purgeDiscarded(limit: 10, byteLimit: 200_000) {
      counts.append(folder.contentNames().count)
    }
    #expect(counts == [4, 2])
    #expect(folder.contentNames().count == 1)
    #expect(try store.data(of: rows[0], at: 0) == largeBytes(0, count: 100_000))
  }

  @Test("A purge without a commit in between ends")
  func uncommitted() throws {
    var (id, board) = try store.makeBoard(named: "one")
    let rows = try store.append(["a", "b"], to: &board, id)
    try store.replaceContent(of: rows[0], with: .bytes(largeBytes(1)))
    try store.commitAndPurge()
    _ = try board.delete(rows)
    try store.save(&board, as: id)
    while try store.purgeDiscarded(limit: 1) {}
    #expect(folder.contentNames().count == 1)
    store.rollback()
    #expect(try store.data(of: rows[0], at: 0) == largeBytes(1))
  }

  @Test("A rollback restores the replaced content and removes the new one")
  func rollback() throws {
    try store.put(.bytes(largeBytes(1)), of: RowID(1))
    try store.commitAndPurge()
    let names = folder.contentNames()
    try store.replaceContent(of: RowID(1), with: .bytes(largeBytes(2)))
    try store.put(.bytes(largeBytes(3)), of: RowID(2))
    #expect(folder.contentNames().count == 3)
    store.rollback()
    #expect(store.hasGarbage)
    while try store.purgeDiscarded(limit: 10) {}
    #expect(folder.contentNames() == names)
    #expect(try store.data(of: RowID(1), at: 0) == largeBytes(1))
  }

  @Test("A content that was deleted and inserted again in one transaction remains")
  func backAgain() throws {
    try store.put(.bytes(largeBytes(1)), of: RowID(1))
    try store.commitAndPurge()
    try store.replaceContent(of: RowID(1), with: .text("a"))
    try store.put(.bytes(largeBytes(1)), of: RowID(2))
    try store.commitAndPurge()
    #expect(try store.data(of: RowID(2), at: 0) == largeBytes(1))
  }

  @Test("A handle retains the bytes of a deleted row until the last handle is gone")
  func handles() throws {
    try store.put(.bytes(largeBytes(1)), of: RowID(1))
    try store.commit()
    do {
      let content = try store.content(of: RowID(1), at: 0)
      let again = try store.content(of: RowID(1), at: 0)
      try store.replaceContent(of: RowID(1), with: .text("small"))
      try store.commitAndPurge()
      guard let file = content.file else { throw StoreError.badItem("the content has no file") }
      #expect(try file.readAll() == largeBytes(1))
      withExtendedLifetime(again) {}
    }
    #expect(folder.contentNames().count == 1)
    #expect(store.hasGarbage)
    #expect(try !store.purgeDiscarded(limit: 10))
    #expect(folder.contentNames().isEmpty)
  }

  @Test("A content that only a handle retains can be inserted again")
  func insertedAgain() throws {
    let file = try store.contents.write(largeBytes(1))
    try store.put(.file(file), of: RowID(1))
    store.rollback()
    while try store.purgeDiscarded(limit: 10) {}
    #expect(try file.readAll() == largeBytes(1))
    try store.put(.file(file), of: RowID(2))
    try store.commitAndPurge()
    #expect(try store.data(of: RowID(2), at: 0) == largeBytes(1))
  }

  @Test("If an item is refused half-way, no file remains, and the transaction continues")
  func refusedHalfWay() throws {
    try store.put(.text("kept"), of: RowID(1))
    try store.commitAndPurge()
    let blocked = try store.contents.write(largeBytes(2))
    let (place, elsewhere) = (folder.contents + "/\(blocked.id)", folder.path + "/elsewhere")
    try FileManager.default.moveItem(atPath: place, toPath: elsewhere)
    try store.put(.text("with it"), of: RowID(2))
    #expect(throws: StoreError.self) {
      try store.put(
        RowContent(
          created: 0, source: "", preview: "",
          representations: [
            .bytes("a/b", largeBytes(1)),
            RowContent.Representation(type: mime("a/c"), bytes: .file(blocked), preview: ""),
          ]), of: RowID(3))
    }
    try FileManager.default.moveItem(atPath: elsewhere, toPath: place)
    try store.commitAndPurge()
    #expect(try store.text(of: RowID(2)) == "with it")
    #expect(try store.summary(of: RowID(3)) == nil)
    #expect(try blocked.readAll() == largeBytes(2))
    #expect(folder.contentNames() == ["\(blocked.id)"])
  }

  @Test("The files of a killed process are removed in steps, except those still needed")
  func leftovers() throws {
    try store.put(.bytes(largeBytes(1)), of: RowID(1))
    try store.commit()
    try store.put(.bytes(largeBytes(2)), of: RowID(2))
    let unfinished = try store.contents.makeWriter()
    try unfinished.append([1])
    let handle = try store.contents.write(largeBytes(3))
    let after = try folder.afterPowerCut()
    withExtendedLifetime((unfinished, handle)) {}

    let found = try after.open()
    #expect(found.hasGarbage)
    #expect(after.contentNames().count == 4)
    let mine = try found.contents.write(largeBytes(4))
    var steps = 0
    while try found.purgeDiscarded(limit: 1) { steps += 1 }
    #expect(steps >= 4)
    #expect(!found.hasUncommittedWrites)
    #expect(!found.hasGarbage)
    #expect(after.contentNames().count == 2)
    #expect(try found.data(of: RowID(1), at: 0) == largeBytes(1))
    #expect(try mine.readAll() == largeBytes(4))
  }

  @Test(
    "The first purge keeps contents with a handle, and contents whose deletion is not committed")
  func leftoversInUse() throws {
    try store.put(.bytes(largeBytes(1)), of: RowID(1))
    try store.put(.bytes(largeBytes(2)), of: RowID(2))
    try store.commit()
    let after = try folder.afterPowerCut()
    let found = try after.open()
    do {
      let content = try found.content(of: RowID(2), at: 0)
      try found.replaceContent(of: RowID(2), with: .text("small"))
      try found.commit()
      try found.replaceContent(of: RowID(1), with: .text("small"))
      while try found.purgeDiscarded(limit: 10) {}
      #expect(after.contentNames().count == 2)
      withExtendedLifetime(content) {}
    }
    found.rollback()
    try found.commitAndPurge()
    #expect(try found.data(of: RowID(1), at: 0) == largeBytes(1))
    #expect(after.contentNames().count == 1)
  }

  @Test("Directories, links and files with other names are left alone")
  func foreign() throws {
    let id = String(repeating: "0", count: 64)
    try FileManager.default.createDirectory(
      atPath: folder.contents + "/" + id, withIntermediateDirectories: true)
    let link = String(repeating: "1", count: 64)
    try #require(symlink("/dev/null", folder.contents + "/" + link) == 0)
    let others = [
      "README", ".hidden", id + "0", String(id.dropLast()), id.dropLast() + "g",
      String(repeating: "A", count: 64),
    ]
    for name in others { try Directory.touch(folder.contents + "/" + name) }
    try Directory.touch(folder.contents + "/" + String(repeating: "2", count: 64))
    while try store.purgeDiscarded(limit: 3) {}
    #expect(folder.contentNames() == (others + [id, link]).sorted())
  }

  @Test("A missing directory of contents is created again")
  func folderGone() throws {
    try store.put(.bytes(largeBytes(1)), of: RowID(1))
    try store.commitAndPurge()
    try FileManager.default.removeItem(atPath: folder.contents)
    try store.put(.bytes(largeBytes(2)), of: RowID(2))
    try store.commitAndPurge()
    #expect(try store.data(of: RowID(2), at: 0) == largeBytes(2))
  }

  @Test("The row of a content is found without reading the table")
  func plans() throws {
    func plan(_ sql: String) throws -> [String] {
      var steps: [String] = []
      try Statement(store.tables.transaction.database, "EXPLAIN QUERY PLAN " + sql).forEach {
        steps.append($0.text(3) ?? "")
      }
      return steps
    }
    let holder = try plan(
      "SELECT 1 FROM representation WHERE data = ? AND file NOT NULL LIMIT 1")
    #expect(holder.count == 1)
    #expect(holder.first?.contains("INDEX representation_file (data=?)") == true)
    let text = try plan(
      "SELECT CASE WHEN file NOT NULL THEN data END FROM representation WHERE id BETWEEN ? AND ?")
    #expect(text.first?.contains("USING INTEGER PRIMARY KEY") == true)
  }
}
