import BoardModel
import Glibc
import SQLite
import TestSupport
import Testing

import DragModel
@testable import DragboardStore

@Suite("Rows with large contents")
struct LargeContentTests {
  let folder: TemporaryFolder
  let store: BoardStore
  let row = RowID(7)

  init() throws {
    folder = try TemporaryFolder()
    store = try folder.open()
  }

  @Test(
    "A content is in a file if it exceeds the limit by at least one byte, or was prepared in one",
    arguments: [0, 1])
  func limit(excess: Int) throws {
    let bytes = largeBytes(3, count: Payload.inlineLimit + excess)
    let text = String(repeating: "x", count: Payload.inlineLimit + excess)
    try store.put(.bytes(bytes), of: RowID(1))
    try store.put(.text(text), of: RowID(2))
    try store.put(.file(store.contents.write(bytes)), of: RowID(3))
    #expect(folder.contentNames().count == 2 * excess + 1)
    try store.commit()
    for row in [RowID(1), RowID(3)] {
      #expect(try store.data(of: row, at: 0) == bytes)
      #expect(try store.summary(of: row)?.types.first?.byteCount == bytes.count)
      guard let file = try store.content(of: row, at: 0).file else {
        #expect(try store.content(of: row, at: 0).inMemory == bytes)
        continue
      }
      #expect(excess == 1 || row == RowID(3))
      #expect(file.byteCount == bytes.count)
      #expect(try file.readAll() == bytes)
    }
    #expect(try store.text(of: RowID(2)) == text)
  }

  @Test("An item of small and large contents is read as stored, even after a power cut")
  func roundTrip() throws {
    let html = largeBytes(9)
    let text = String(repeating: "häß\0", count: 40_000)
    let item = RowContent(
      created: 5, source: "a.b", attributes: ItemAttributes(name: try Label("n")), preview: "p",
      representations: [
        .bytes("text/html", html), .text(text), .bytes("image/png", [1, 2]),
      ])
    try store.put(item, of: row)
    try store.commit()
    let after = try folder.afterPowerCut()
    let found = try after.open()
    let info = try #require(try found.summary(of: row))
    #expect(info.preview == "p")
    #expect(info.attributes.name.text == "n")
    #expect(info.created == 5)
    #expect(info.types.map(\.byteCount) == [html.count, text.utf8.count, 2])
    #expect(try found.data(of: row, at: 0) == html)
    #expect(try found.data(of: row, at: 1) == Array(text.utf8))
    #expect(try found.data(of: row, at: 2) == [1, 2])
    for place in [3, -1] {
      #expect(throws: StoreError.self) { try found.content(of: row, at: place) }
    }
    #expect(try found.text(of: row) == text)
  }

  @Test("A preview is stored as given, even if it is empty or as long as the text")
  func previews() throws {
    let text = String(repeating: "long", count: 20_000)
    try store.put(.text(text), of: row)
    #expect(try store.summary(of: row)?.preview == text)
    try store.replaceContent(of: row, with: .bytes(largeBytes()))
    #expect(try store.summary(of: row)?.preview == "")
  }

  @Test(
    "The beginning of a large text is cut between characters",
    arguments: [(0, ""), (1, ""), (2, "ä"), (3, "ä"), (5, "ä→"), (8, "ä→"), (9, "ä→😀")])
  func cutting(limit: Int, cut: String) throws {
    try store.put(.text("ä→😀" + String(repeating: "x", count: Payload.inlineLimit)), of: row)
    #expect(try store.text(of: row, limit: limit) == cut)
  }

  @Test("Plain text with parameters is found among large contents, and invalid UTF-8 is repaired")
  func otherText() throws {
    let bytes = Array("abc".utf8) + largeBytes(0xC3)
    func content(_ type: String) -> RowContent {
      RowContent(
        created: 0, source: "", preview: "",
        representations: [.bytes("text/html", largeBytes(2)), .bytes(type, bytes)])
    }
    try store.put(content("text/plain;charset=us-ascii"), of: row)
    #expect(try store.text(of: row) == nil)
    try store.replaceContent(of: row, with: content("text/plain;charset=utf-8;format=flowed"))
    #expect(try store.text(of: row) == String(decoding: bytes, as: UTF8.self))
  }

  @Test("Rows share the file of a content; an equal content has a separate file")
  func sharedContents() throws {
    let bytes = largeBytes(4)
    let file = try store.contents.write(bytes)
    let other = try store.contents.write(bytes)
    try store.put(.file(file), of: RowID(1))
    try store.put(.file(other), of: RowID(2))
    try store.put(.file(file), of: RowID(3))
    #expect(folder.contentNames() == ["\(file.id)", "\(other.id)"].sorted())
    try store.commit()
    #expect(file != other)
    #expect(try store.content(of: RowID(3), at: 0).file == file)
    for row in 1...3 as ClosedRange<UInt64> {
      #expect(try store.data(of: RowID(row), at: 0) == bytes)
    }
    #expect(try file.readAll() == bytes)
    #expect(try other.readAll() == bytes)
  }

  @Test("The content of one row can be given to another row")
  func copying() throws {
    try store.put(.bytes(largeBytes(1)), of: RowID(1))
    try store.commit()
    let content = try store.content(of: RowID(1), at: 0)
    try store.put(.content(content), of: RowID(2))
    try store.commit()
    #expect(try store.data(of: RowID(2), at: 0) == largeBytes(1))
    #expect(folder.contentNames().count == 1)
  }

  @Test("A file of another store is refused without side effects; a small file is copied")
  func foreignFile() throws {
    let other = try TemporaryFolder()
    let contents = try other.open().contents
    try store.put(.text("kept"), of: RowID(1))
    let error = try #require(throws: StoreError.self) {
      try store.put(.file(contents.write(largeBytes())), of: row)
    }
    #expect("\(error)".contains("another store"))
    try store.put(.file(contents.write([1, 2])), of: row)
    try store.commit()
    #expect(try store.text(of: RowID(1)) == "kept")
    #expect(try store.data(of: row, at: 0) == [1, 2])
  }

  @Test("A content whose file is missing or has another length is reported; others are read")
  func lost() throws {
    let files = try (1...3).map { try store.contents.write(largeBytes($0)) }
    for (index, file) in files.enumerated() {
      try store.put(.file(file), of: RowID(UInt64(index)))
    }
    try store.commit()
    let paths = files.map { folder.contents + "/\($0.id)" }
    try #require(unlink(paths[0]) == 0)
    try #require(truncate(paths[1], 10) == 0)
    let size = Payload.inlineLimit + 1
    #expect(throws: StoreError.lost(path: paths[0], byteCount: size, found: nil)) {
      try store.data(of: RowID(0), at: 0)
    }
    #expect(throws: StoreError.lost(path: paths[1], byteCount: size, found: 10)) {
      try store.data(of: RowID(1), at: 0)
    }
    #expect(try store.data(of: RowID(2), at: 0) == largeBytes(3))
    #expect(try store.summary(of: RowID(0))?.types.first?.byteCount == size)
    #expect(throws: StoreError.lost(path: paths[0], byteCount: size, found: nil)) {
      try store.put(.file(files[0]), of: row)
    }
    try store.commit()
  }

  @Test("Large contents in the database of an earlier release are read, and can be replaced")
  func earlierRelease() throws {
    let old = try TemporaryFolder()
    let bytes = largeBytes(8, count: 300_000)
    try old.makeVersion1(row, bytes)
    let store = try old.open()
    #expect(
      try store.tables.transaction.database.integer("PRAGMA user_version") == Int64(Schema.version))
    #expect(store.salt == Array(0..<16))
    #expect(try store.content(of: row, at: 0).inMemory == bytes)
    #expect(try store.summary(of: row)?.types.first?.byteCount == 300_000)
    #expect(try store.text(of: row, limit: 2) == String(decoding: bytes.prefix(2), as: UTF8.self))
    try store.replaceContent(of: row, with: .bytes(bytes))
    try store.commit()
    #expect(try store.data(of: row, at: 0) == bytes)
    #expect(old.contentNames().count == 1)
  }
}

extension TemporaryFolder {
  /// Makes a database as the first release made it, with one row of plain text.
  fileprivate func makeVersion1(_ row: RowID, _ bytes: [UInt8]) throws {
    try Directory.make(data)
    let database = try Database(path: self.database, holding: StoreLock(directory: data))
    try database.execute(Schema.steps[0])
    try database.execute(
      """
      PRAGMA application_id = \(Schema.applicationID); PRAGMA user_version = 1;
      INSERT INTO identity VALUES (x'000102030405060708090a0b0c0d0e0f');
      """)
    let insert = Statement(
      database,
      "INSERT INTO representation(id, created, source, preview, data) VALUES (?, 1, '', 'p', ?)")
    try bytes.withUnsafeBytes { try insert.run(RepresentationKey.of(row, at: 0), $0) }
  }
}
