import BoardModel
import DragModel
import TestSupport
import Testing

@testable import DragboardStore

@Suite("The contents of rows")
struct ItemTests {
  let folder: TemporaryFolder
  let store: BoardStore
  let row = RowID(7)

  init() throws {
    folder = try TemporaryFolder()
    store = try folder.open()
  }

  @Test("An item is read with all of its parts, in order of fidelity")
  func roundTrip() throws {
    let item = RowContent(
      created: 1_763_697_600_123_456, source: "org.gnome.Notes",
      attributes: ItemAttributes(
        name: try Label("Nötiz"), modified: 7, application: try Label("Notes")),
      preview: "Hello",
      representations: [
        .bytes("text/html", Array("<b>Hello</b>".utf8)), .text("Hello"),
        .bytes("image/png", [0x89, 0, 0xff]),
      ])
    try store.put(item, of: row)
    let found = try #require(try store.summary(of: row))
    #expect(found.origin == item.origin)
    #expect(found.source == "org.gnome.Notes")
    #expect(found.attributes == item.attributes)
    #expect(found.preview == "Hello")
    #expect(
      found.types == [
        .init(type: mime("text/html"), byteCount: 12), .init(type: .plainText, byteCount: 5),
        .init(type: mime("image/png"), byteCount: 3),
      ])
    #expect(try store.data(of: row, at: 0) == Array("<b>Hello</b>".utf8))
    #expect(try store.text(of: row) == "Hello")
    #expect(try store.data(of: row, at: 2) == [0x89, 0, 0xff])
    #expect(try store.data(of: row, at: 3) == nil)
    #expect(try store.data(of: row, at: -1) == nil)
  }

  @Test(
    "Texts are read byte by byte as they were stored, with the given preview",
    arguments: [
      ("", ""), ("a", "a"), ("a\0b", "a\0b"), ("  a\nb", "a"), ("ab", "cd"),
      ("x\u{FFFE}", "x\u{FFFE}"),
      ("e\u{301}", "\u{e9}"), ("\u{1F469}\u{200D}\u{1F680}", "\u{1F469}\u{200D}\u{1F680}"),
    ])
  func texts(text: String, preview: String) throws {
    try store.put(.text(text, preview: preview), of: row)
    let found = try #require(try store.text(of: row))
    #expect(Array(found.utf8) == Array(text.utf8))
    #expect(try store.summary(of: row).map { Array($0.preview.utf8) } == Array(preview.utf8))
    #expect(try store.summary(of: row)?.types.first?.byteCount == text.utf8.count)
    #expect(try store.summary(of: row)?.attributes.name.text == "")
  }

  @Test("A preview that equals the bytes of a picture is kept, and so is an empty preview")
  func previewOfBytes() throws {
    func picture(preview: String) -> RowContent {
      RowContent(
        created: 0, source: "", preview: preview,
        representations: [.bytes("image/png", [65])])
    }
    try store.put(picture(preview: ""), of: row)
    #expect(try store.summary(of: row)?.preview == "")
    try store.replaceContent(of: row, with: picture(preview: "A"))
    #expect(try store.summary(of: row)?.preview == "A")
    #expect(try store.text(of: row) == nil)
  }

  @Test("A missing row has no content, although its neighbors exist")
  func missing() throws {
    try store.put(.text("below"), of: RowID(6))
    try store.put(.text("above"), of: RowID(8))
    #expect(try store.summary(of: row) == nil)
    #expect(try store.text(of: row) == nil)
    #expect(try store.data(of: row, at: 0) == nil)
    #expect(try store.data(of: row, at: 256) == nil)
  }

  @Test("The highest row number and the last position can be used")
  func highest() throws {
    let last = RowID((1 << 54) - 1)
    let representations = (0..<256).map { RowContent.Representation.bytes("a/b\($0)", [UInt8($0)]) }
    try store.put(
      RowContent(created: 1, source: "", preview: "", representations: representations),
      of: last)
    #expect(try store.data(of: last, at: 255) == [255])
    #expect(try store.summary(of: last)?.types.count == 256)
  }

  @Test("An item without representations, or with too many, is refused without side effects")
  func badItems() throws {
    try store.put(.text("one"), of: RowID(1))
    for count in [0, 257] {
      let item = RowContent(
        created: 0, source: "", preview: "",
        representations: (0..<count).map { .bytes("a/b\($0)", []) })
      let error = try #require(throws: StoreError.self) { try store.put(item, of: row) }
      #expect("\(error)".contains("\(count) representations (expected 1 to 256)"))
    }
    try store.commit()
    #expect(try store.text(of: RowID(1)) == "one")
  }

  @Test("Replacing a content leaves nothing of the old one")
  func replacing() throws {
    try store.put(
      RowContent(
        created: 1, source: "a", attributes: ItemAttributes(name: try Label("n")), preview: "p",
        representations: [.bytes("text/html", [1]), .text("old")]), of: row)
    try store.replaceContent(of: row, with: .text("new", source: "b"))
    let found = try #require(try store.summary(of: row))
    #expect(found.types == [.init(type: .plainText, byteCount: 3)])
    #expect(found.source == "b")
    #expect(found.attributes.name.text == "")
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
    try store.put(.text(text), of: row)
    #expect(try store.text(of: row, limit: limit) == cut)
  }

  @Test("Bytes in the database are read as stored, and their size and beginning separately")
  func inline() throws {
    var random = SplitMix64(seed: 1)
    let bytes = (0..<60_000).map { _ in UInt8.random(in: 32..<127, using: &random) }
    try store.put(
      RowContent(
        created: 0, source: "", preview: "large",
        representations: [.bytes(MIMEType.plainText.mime, bytes)]), of: row)
    try store.commit()
    #expect(try store.data(of: row, at: 0) == bytes)
    #expect(try store.text(of: row, limit: 1_000)?.utf8.elementsEqual(bytes.prefix(1_000)) == true)
    #expect(try store.summary(of: row)?.types.first?.byteCount == 60_000)
  }

  @Test("A row that is already stored cannot be inserted, and nothing of the batch is stored")
  func insertedTwice() throws {
    try store.put(.text("before"), of: RowID(1))
    try store.commit()
    try store.put(.text("with it"), of: RowID(2))
    #expect(throws: StoreError.self) { try store.put(.text("again"), of: RowID(1)) }
    #expect(throws: StoreError.self) { try store.put(.text("after"), of: RowID(3)) }
    #expect(throws: StoreError.self) { try store.commit() }
    #expect(!store.hasUncommittedWrites)
    #expect(try store.text(of: RowID(1)) == "before")
    #expect(try store.summary(of: RowID(2)) == nil)
    try store.put(.text("later"), of: RowID(3))
    try store.commit()
    #expect(try store.text(of: RowID(3)) == "later")
  }
}
