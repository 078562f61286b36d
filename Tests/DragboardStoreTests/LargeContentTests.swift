import BoardModel
import Glibc
import Testing

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

  @Test("A content rests in a file from one byte more than the limit on", arguments: [0, 1])
  func limit(excess: Int) throws {
    let bytes = largeBytes(3, count: BoardStore.inlineLimit + excess)
    let text = String(repeating: "x", count: BoardStore.inlineLimit + excess)
    try store.insert(RowID(1), .bytes(bytes))
    try store.insert(RowID(2), .text(text))
    try store.insert(RowID(3), .file(store.contents.write(bytes)))
    #expect(folder.contentNames().count == 3 * excess)
    try store.commit()
    for row in [RowID(1), RowID(3)] {
      #expect(try store.data(of: row, at: 0) == bytes)
      #expect(try store.item(row)?.representations.first?.byteCount == bytes.count)
      guard case .file(let file)? = try store.content(of: row, at: 0) else {
        #expect(try store.content(of: row, at: 0) == .bytes(bytes))
        continue
      }
      #expect(excess == 1)
      #expect(file.byteCount == bytes.count)
      #expect(try file.readAll() == bytes)
    }
    #expect(try store.text(of: RowID(2)) == text)
  }

  @Test("An item of small and large contents comes back, after a power cut, too")
  func roundTrip() throws {
    let html = largeBytes(9)
    let text = String(repeating: "häß\0", count: 40_000)
    let item = StoredItem(
      created: 5, source: "a.b", name: "n", preview: "p",
      representations: [
        .bytes("text/html", html), .text(text), .bytes("image/png", [1, 2]),
      ])
    try store.insert(row, item)
    try store.commit()
    let after = try folder.afterPowerCut()
    let found = try after.open()
    let info = try #require(try found.item(row))
    #expect(info.preview == "p")
    #expect(info.name == "n")
    #expect(info.created == 5)
    #expect(info.representations.map(\.byteCount) == [html.count, text.utf8.count, 2])
    #expect(try found.data(of: row, at: 0) == html)
    #expect(try found.data(of: row, at: 1) == Array(text.utf8))
    #expect(try found.data(of: row, at: 2) == [1, 2])
    #expect(try found.content(of: row, at: 3) == nil)
    #expect(try found.content(of: row, at: -1) == nil)
    #expect(try found.text(of: row) == text)
  }

  @Test("A preview is what was given, though it is as long as the text, or empty")
  func previews() throws {
    let text = String(repeating: "long", count: 20_000)
    try store.insert(row, .text(text))
    #expect(try store.item(row)?.preview == text)
    try store.replaceItem(row, with: .bytes(largeBytes()))
    #expect(try store.item(row)?.preview == "")
  }

  @Test(
    "The beginning of a large text is cut between characters",
    arguments: [(0, ""), (1, ""), (2, "ä"), (3, "ä"), (5, "ä→"), (8, "ä→"), (9, "ä→😀")])
  func cutting(limit: Int, cut: String) throws {
    try store.insert(row, .text("ä→😀" + String(repeating: "x", count: BoardStore.inlineLimit)))
    #expect(try store.text(of: row, limit: limit) == cut)
  }

  @Test("Text of another charset is found among large contents, and broken text is repaired")
  func otherText() throws {
    let bytes = Array("abc".utf8) + largeBytes(0xC3)
    try store.insert(
      row,
      StoredItem(
        created: 0, source: "", preview: "",
        representations: [
          .bytes("text/html", largeBytes(2)), .bytes("text/plain;charset=us-ascii", bytes),
        ]))
    #expect(try store.text(of: row) == nil)
    store.isPlainText = { $0.hasSuffix("us-ascii") }
    let found = try store.text(of: row)
    #expect(found == String(decoding: bytes, as: UTF8.self))
  }

  @Test("A content rests once, whoever holds it; an equal one is another")
  func sharedContents() throws {
    let bytes = largeBytes(4)
    let file = try store.contents.write(bytes)
    let other = try store.contents.write(bytes)
    try store.insert(RowID(1), .file(file))
    try store.insert(RowID(2), .file(other))
    try store.insert(RowID(3), .file(file))
    #expect(folder.contentNames() == ["\(file.id)", "\(other.id)"].sorted())
    try store.commit()
    #expect(file != other)
    #expect(try store.content(of: RowID(3), at: 0) == .file(file))
    for row in 1...3 as ClosedRange<UInt64> {
      #expect(try store.data(of: RowID(row), at: 0) == bytes)
    }
    #expect(try file.readAll() == bytes)
    #expect(try other.readAll() == bytes)
  }

  @Test("What one row holds can be given to another")
  func copying() throws {
    try store.insert(RowID(1), .bytes(largeBytes(1)))
    try store.commit()
    let content = try #require(try store.content(of: RowID(1), at: 0))
    try store.insert(RowID(2), .content(content))
    try store.commit()
    #expect(try store.data(of: RowID(2), at: 0) == largeBytes(1))
    #expect(folder.contentNames().count == 1)
  }

  @Test("A file of another store is refused, and spoils nothing; a small one is copied")
  func foreignFile() throws {
    let other = try TemporaryFolder()
    let contents = try other.open().contents
    try store.insert(RowID(1), .text("kept"))
    let error = try #require(throws: StoreError.self) {
      try store.insert(row, .file(contents.write(largeBytes())))
    }
    #expect("\(error)".contains("another store"))
    try store.insert(row, .file(contents.write([1, 2])))
    try store.commit()
    #expect(try store.text(of: RowID(1)) == "kept")
    #expect(try store.data(of: row, at: 0) == [1, 2])
  }

  @Test("A content whose file is missing, or not as long as it was, is told; others are read")
  func lost() throws {
    let files = try (1...3).map { try store.contents.write(largeBytes($0)) }
    for (index, file) in files.enumerated() {
      try store.insert(RowID(UInt64(index)), .file(file))
    }
    try store.commit()
    let paths = files.map { folder.contents + "/\($0.id)" }
    try #require(unlink(paths[0]) == 0)
    try #require(truncate(paths[1], 10) == 0)
    let size = BoardStore.inlineLimit + 1
    #expect(throws: StoreError.lost(path: paths[0], byteCount: size, found: nil)) {
      try store.data(of: RowID(0), at: 0)
    }
    #expect(throws: StoreError.lost(path: paths[1], byteCount: size, found: 10)) {
      try store.data(of: RowID(1), at: 0)
    }
    #expect(try store.data(of: RowID(2), at: 0) == largeBytes(3))
    #expect(try store.item(RowID(0))?.representations.first?.byteCount == size)
    #expect(throws: StoreError.lost(path: paths[0], byteCount: size, found: nil)) {
      try store.insert(row, .file(files[0]))
    }
    try store.commit()
  }

  @Test("Large contents that rest in the database of an earlier release are read, and replaced")
  func earlierRelease() throws {
    let old = try TemporaryFolder()
    let bytes = largeBytes(8, count: 300_000)
    try old.makeVersion1(row, bytes)
    let store = try old.open()
    #expect(try store.database.integer("PRAGMA user_version") == Int64(Schema.version))
    #expect(store.salt == Array(0..<16))
    #expect(try store.content(of: row, at: 0) == .bytes(bytes))
    #expect(try store.item(row)?.representations.first?.byteCount == 300_000)
    #expect(try store.text(of: row, limit: 2) == String(decoding: bytes.prefix(2), as: UTF8.self))
    try store.replaceItem(row, with: .bytes(bytes))
    try store.commit()
    #expect(try store.data(of: row, at: 0) == bytes)
    #expect(old.contentNames().count == 1)
  }
}

extension TemporaryFolder {
  /// Makes a database as the first release made it, with one row of plain text.
  fileprivate func makeVersion1(_ row: RowID, _ bytes: [UInt8]) throws {
    try Folder.make(data)
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
