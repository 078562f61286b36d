import BoardModel
import TestSupport
import Testing

@testable import DragboardStore

@Suite("What rows hold")
struct ItemTests {
  let folder: TemporaryFolder
  let store: BoardStore
  let row = RowID(7)

  init() throws {
    folder = try TemporaryFolder()
    store = try folder.open()
  }

  @Test("An item comes back with all that belongs to it, in order of fidelity")
  func roundTrip() throws {
    let item = StoredItem(
      created: 1_763_697_600_123_456, source: "org.gnome.Notes", name: "Nötiz", preview: "Hello",
      representations: [
        .bytes("text/html", Array("<b>Hello</b>".utf8)), .text("Hello"),
        .bytes("image/png", [0x89, 0, 0xff]),
      ])
    try store.insert(row, item)
    let found = try #require(try store.item(row))
    #expect(found.created == item.created)
    #expect(found.source == "org.gnome.Notes")
    #expect(found.name == "Nötiz")
    #expect(found.preview == "Hello")
    #expect(
      found.representations == [
        .init(type: "text/html", byteCount: 12),
        .init(type: "text/plain;charset=utf-8", byteCount: 5),
        .init(type: "image/png", byteCount: 3),
      ])
    #expect(try store.data(of: row, at: 0) == Array("<b>Hello</b>".utf8))
    #expect(try store.text(of: row) == "Hello")
    #expect(try store.data(of: row, at: 2) == [0x89, 0, 0xff])
    #expect(try store.data(of: row, at: 3) == nil)
    #expect(try store.data(of: row, at: -1) == nil)
  }

  @Test(
    "Texts come back byte by byte, with the preview that was given",
    arguments: [
      ("", ""), ("a", "a"), ("a\0b", "a\0b"), ("  a\nb", "a"), ("ab", "cd"),
      ("x\u{FFFE}", "x\u{FFFE}"),
      ("e\u{301}", "\u{e9}"), ("\u{1F469}\u{200D}\u{1F680}", "\u{1F469}\u{200D}\u{1F680}"),
    ])
  func texts(text: String, preview: String) throws {
    var item = StoredItem.text(text)
    item.preview = preview
    try store.insert(row, item)
    let found = try #require(try store.text(of: row))
    #expect(Array(found.utf8) == Array(text.utf8))
    #expect(try store.item(row).map { Array($0.preview.utf8) } == Array(preview.utf8))
    #expect(try store.item(row)?.representations.first?.byteCount == text.utf8.count)
    #expect(try store.item(row)?.name == nil)
  }

  @Test("A preview like the bytes of a picture is theirs, one that is empty is empty")
  func previewOfBytes() throws {
    var item = StoredItem(
      created: 0, source: "", preview: "", representations: [.bytes("image/png", [65])])
    try store.insert(row, item)
    #expect(try store.item(row)?.preview == "")
    item.preview = "A"
    try store.replaceItem(row, with: item)
    #expect(try store.item(row)?.preview == "A")
    #expect(try store.text(of: row) == nil)
  }

  @Test("A row that is not stored holds nothing, however near its neighbours")
  func missing() throws {
    try store.insert(RowID(6), .text("below"))
    try store.insert(RowID(8), .text("above"))
    #expect(try store.item(row) == nil)
    #expect(try store.text(of: row) == nil)
    #expect(try store.data(of: row, at: 0) == nil)
    #expect(try store.data(of: row, at: 256) == nil)
  }

  @Test("The highest row number and the last place there is can be used")
  func highest() throws {
    let last = RowID((1 << 54) - 1)
    let representations = (0..<256).map { StoredRepresentation.bytes("a/b\($0)", [UInt8($0)]) }
    try store.insert(
      last, StoredItem(created: 1, source: "", preview: "", representations: representations))
    #expect(try store.data(of: last, at: 255) == [255])
    #expect(try store.item(last)?.representations.count == 256)
  }

  @Test("An item without representations, or with too many, is refused and spoils nothing")
  func badItems() throws {
    try store.insert(RowID(1), .text("one"))
    for count in [0, 257] {
      let item = StoredItem(
        created: 0, source: "", preview: "",
        representations: (0..<count).map { .bytes("a/b\($0)", []) })
      let error = try #require(throws: StoreError.self) { try store.insert(row, item) }
      #expect("\(error)".contains("\(count) representations; right is 1 to 256"))
    }
    try store.commit()
    #expect(try store.text(of: RowID(1)) == "one")
  }

  @Test("Replacing leaves nothing of what the row held")
  func replacing() throws {
    try store.insert(
      row,
      StoredItem(
        created: 1, source: "a", name: "n", preview: "p",
        representations: [.bytes("text/html", [1]), .text("old")]))
    try store.replaceItem(row, with: .text("new", source: "b"))
    let found = try #require(try store.item(row))
    #expect(found.representations == [.init(type: "text/plain;charset=utf-8", byteCount: 3)])
    #expect(found.source == "b")
    #expect(found.name == nil)
    #expect(try store.text(of: row) == "new")
  }

  @Test(
    "A text is cut between characters",
    arguments: [
      ("abc", 3, "abc"), ("abc", 2, "ab"), ("abc", 0, ""), ("äö", 3, "ä"), ("äö", 2, "ä"),
      ("äö", 1, ""),
      ("a→b", 3, "a"), ("a→b", 4, "a→"), ("😀😀", 7, "😀"), ("😀😀", 3, ""), ("😀", 4, "😀"), ("", 0, ""),
    ])
  func cutting(text: String, limit: Int, cut: String) throws {
    try store.insert(row, .text(text))
    #expect(try store.text(of: row, limit: limit) == cut)
  }

  @Test("Bytes in the database come back, and their size and beginning without them")
  func inline() throws {
    var random = SplitMix64(seed: 1)
    let bytes = (0..<60_000).map { _ in UInt8.random(in: 32..<127, using: &random) }
    try store.insert(
      row,
      StoredItem(
        created: 0, source: "", preview: "large",
        representations: [.bytes(StoredRepresentation.plainText, bytes)]))
    try store.commit()
    #expect(try store.data(of: row, at: 0) == bytes)
    #expect(try store.text(of: row, limit: 1_000)?.utf8.elementsEqual(bytes.prefix(1_000)) == true)
    #expect(try store.item(row)?.representations.first?.byteCount == 60_000)
  }

  @Test("A row that is stored already cannot be inserted, and nothing of the batch is kept")
  func insertedTwice() throws {
    try store.insert(RowID(1), .text("before"))
    try store.commit()
    try store.insert(RowID(2), .text("with it"))
    #expect(throws: StoreError.self) { try store.insert(RowID(1), .text("again")) }
    #expect(throws: StoreError.self) { try store.insert(RowID(3), .text("after")) }
    #expect(throws: StoreError.self) { try store.commit() }
    #expect(!store.hasUncommittedWrites)
    #expect(try store.text(of: RowID(1)) == "before")
    #expect(try store.item(RowID(2)) == nil)
    try store.insert(RowID(3), .text("later"))
    try store.commit()
    #expect(try store.text(of: RowID(3)) == "later")
  }
}
