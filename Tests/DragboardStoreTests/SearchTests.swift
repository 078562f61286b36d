import BoardModel
import Foundation
import TestSupport
import Testing

import DragModel
@testable import DragboardStore

@Suite("Searching for words")
struct SearchTests {
  let folder: TemporaryFolder
  let store: BoardStore

  init() throws {
    folder = try TemporaryFolder()
    store = try folder.open()
  }

  private func insert(_ texts: String...) throws -> [RowID] {
    let rows = try store.insert(texts)
    try store.indexAll()
    return rows
  }

  /// Returns the texts that the query finds.
  private func found(_ query: String, among texts: String...) throws -> [String] {
    let rows = try store.insert(texts)
    try store.indexAll()
    let found = Set(try store.search(query))
    store.rollback()
    return zip(rows, texts).filter { found.contains($0.0) }.map(\.1)
  }

  // MARK: Words

  @Test("A row is found by all of its words; the last word of a query may be a prefix")
  func words() throws {
    let texts = ["milk and bread", "milkshake", "bread", "MILK\nBrEaDs"]
    let rows = try store.insert(texts)
    try store.indexAll()
    func numbers(_ query: String) throws -> [Int] {
      try store.search(query).map { Int($0.rawValue - rows[0].rawValue) }.sorted()
    }
    #expect(try numbers("milk") == [0, 1, 3])
    #expect(try numbers("milk bread") == [0, 3])
    #expect(try numbers("bread milk") == [0])
    #expect(try numbers("bread milks") == [])
    #expect(try numbers("brea milk") == [])
    #expect(try numbers("b") == [0, 2, 3])
    #expect(try numbers("  bread\t\n  mi\u{a0}") == [0])
    #expect(try numbers("milk milk milk") == [0, 3])
    #expect(try numbers("cheese") == [])
    #expect(try numbers("milk cheese") == [])
  }

  @Test(
    "Case and diacritics are ignored in the text and in the query",
    arguments: [
      ("zurich", "Zürich"), ("ZÜRICH", "zurich"), ("zu\u{308}rich", "Zürich"),
      ("Zürich", "zu\u{308}rich"), ("ΑΘΗΝΑ", "αθηνα"), ("ångström", "ANGSTROM"),
      ("москва", "МОСКВА"), ("tieng viet", "Tiếng Việt"), ("i\u{307}", "I"),
      ("παν", "πᾶν"), ("ἀρχή", "ΑΡΧΗ"), ("τῳ", "τω"), ("שלום", "שָׁלוֹם"), ("مُحَمَّد", "محمد"),
      ("ab", "a\u{305}b"),
    ])
  func folded(query: String, text: String) throws {
    #expect(try found(query, among: text, "other") == [text])
  }

  @Test(
    "A query is text without syntax",
    arguments: [
      ("\"", []), ("\"\"\"\"", []), ("*", []), ("-", []), ("^", []), ("a AND", []),
      ("milk AND cheese", []), ("milk OR cheese", []), ("milk NOT bread", []), ("NOT milk", []),
      ("NEAR(milk bread)", []), ("NEAR/2", []), ("text:milk", []), ("{text}:milk", []),
      ("-milk", ["milk and bread"]), ("^milk", ["milk and bread"]), ("milk*", ["milk and bread"]),
      ("\"milk", ["milk and bread"]), ("\"milk bread\"", ["milk and bread"]),
      ("mi\"lk", []), ("(milk", ["milk and bread"]), ("milk)", ["milk and bread"]),
      ("milk + bread", ["milk and bread"]), ("milk AND bread", ["milk and bread"]),
      ("'milk'; DROP TABLE search; --", []), ("milk --", ["milk and bread"]),
      ("\\milk", ["milk and bread"]), ("%", []), ("mi_k", []), ("milk\u{0}", ["milk and bread"]),
      ("🙂", []), ("milk 🙂", ["milk and bread"]), ("", []), (" \t\n\u{2003}", []),
      ("\u{200f}", []), ("\u{fffd}", []), ("\u{301}", []),
    ] as [(String, [String])])
  func syntax(query: String, texts: [String]) throws {
    #expect(try found(query, among: "milk and bread", "bread") == texts)
  }

  @Test("Characters after the last word of a query do not matter")
  func lastWord() throws {
    for query in ["mil", "mil ", "mil -", "mil 🙂 ...", "mil*", "\"mil\""] {
      #expect(try found(query, among: "milk", "other") == ["milk"], "\(query)")
    }
    #expect(try found("- bread mil .", among: "milk bread", "milk") == ["milk bread"])
  }

  @Test(
    "Every script has words",
    arguments: [
      ("日本", "日本語のテキスト"), ("日本語のテキスト", "日本語のテキスト"), ("שלום", "שלום עולם"),
      ("עולם שלום", "שלום עולם"), ("مرحبا", "مرحبا بالعالم"), ("กรุง", "กรุงเทพ"),
      ("नमस्ते", "नमस्ते दुनिया"), ("한국", "한국어 텍스트"), ("𝒜", "𝒜bc"), ("42", "42.5 %"),
      ("foo-bar", "a foo-bar b"), ("don't", "I don't"), ("a@example.org", "mail a@example.org!"),
    ])
  func scripts(query: String, text: String) throws {
    #expect(try found(query, among: text, "other words") == [text])
  }

  @Test("A query may have many words and very long words")
  func long() throws {
    let words = (0..<256).map { "word\($0)" }
    let text = words.joined(separator: " ")
    #expect(try found(text, among: text, "word0") == [text])
    #expect(try found(text + " more", among: text) == [])
    let word = String(repeating: "x", count: 100_000)
    #expect(try found(word, among: word, "x") == [word])
    #expect(try found(String(repeating: "\"", count: 10_000), among: "x") == [])
  }

  @Test(
    "The count of a query's words is the number of lookups; parts of a word count separately",
    arguments: [
      ("", 0), (" \t🙂 \"", 0), ("milk", 1), ("milk milk", 2), ("a-b_c.d", 4), ("Zu\u{308}rich", 1),
      ("שָׁלוֹם", 1), ("日本", 1), ("नमस्ते", 2), ("1.5", 2),
    ])
  func count(query: String, words: Int) {
    #expect(BoardStore.wordCount(of: query) == words)
  }

  @Test("No random text makes a query fail, and every text finds itself")
  func random() throws {
    var random = SplitMix64(seed: 8)
    let pieces = [
      "\"", "*", "a", "B", "é", "NEAR", "(", ")", "AND", "OR", "NOT", "^", "-", ":", "+", "{", "}",
      " ", "\t", "\u{0}", "'", "日", "ש", "🙂", "\u{301}", ",", "\\", "%", "\u{202e}", "text:",
    ]
    for _ in 0..<400 {
      let text = (0..<Int.random(in: 1...8, using: &random)).map { _ in
        pieces.randomElement(using: &random) ?? ""
      }.joined()
      let hasWord = text.unicodeScalars.contains { $0.properties.isAlphabetic }
      let isFound = try found(text, among: text) == [text]
      #expect(isFound == hasWord, "\(text.debugDescription)")
    }
  }

  // MARK: Rows and representations in the index

  @Test("Only the name and the first plain text of a row are searched, up to 1 MiB")
  func whatIsIndexed() throws {
    let limit = BoardStore.indexedByteLimit
    let padding = String(repeating: ".", count: limit - 6)
    let rows = try store.reserveRows(4)
    try store.put(.text("before" + padding + "after"), of: rows[0])
    try store.put(
      RowContent(
        created: 1, source: "source", attributes: ItemAttributes(name: try Label("name")),
        preview: "preview",
        representations: [.bytes("text/html", Array("html".utf8)), .text("plain"), .text("second")]),
      of: rows[1])
    try store.put(.bytes(Array("bytes".utf8)), of: rows[2])
    try store.put(.text("zero\u{0}zéro"), of: rows[3])
    while try store.indexSome(limit: 1) {}
    #expect(try store.search("before") == [rows[0]])
    #expect(try store.search("after") == [])
    #expect(try store.search("plain") == [rows[1]])
    #expect(try store.search("zero") == [rows[3]])
    #expect(try store.search("name") == [rows[1]])
    for word in ["source", "preview", "html", "second", "bytes"] {
      #expect(try store.search(word) == [], "\(word)")
    }
  }

  @Test("The first 32 KiB of a text of a sandbox are searched, also after changes of the row")
  func sandboxed() throws {
    let limit = BoardStore.sandboxedIndexedByteLimit
    let padding = String(repeating: ".", count: limit - 6)
    func content(_ first: String, of sandbox: String?) -> RowContent {
      RowContent(
        origin: RowOrigin(created: 1, source: "x", sandbox: sandbox),
        representations: [.text(first + padding + "after")])
    }
    let rows = try store.reserveRows(3)
    try store.put(content("before", of: "x"), of: rows[0])
    try store.put(content("before", of: nil), of: rows[1])
    while try store.indexSome(limit: 1) {}
    #expect(Set(try store.search("before")) == Set(rows.prefix(2)))
    #expect(try store.search("after") == [rows[1]])
    try store.replaceContent(of: rows[0], with: content("second", of: nil))
    try store.replaceContent(of: rows[1], with: content("second", of: "x"))
    #expect(try store.search("before") == [])
    #expect(try store.search("after") == [rows[0]])
    try store.moveItem(from: rows[0], to: rows[2])
    while try store.indexSome(limit: 1) {}
    #expect(try store.search("after") == [rows[2]])
    try store.replaceContent(of: rows[2], with: content("third", of: "x"))
    #expect(try store.search("after") == [])
    #expect(try store.search("second") == [rows[1]])
  }

  @Test("A text in a file is searched like any other text; a lost text has no words")
  func files() throws {
    let text = "needle " + String(repeating: "hay ", count: Payload.inlineLimit)
    let rows = try insert(text, text + "stack")
    try store.commit()
    #expect(try store.search("stack") == [rows[1]])
    #expect(Set(try store.search("needle hay")) == Set(rows))
    for name in folder.contentNames() {
      try FileManager.default.removeItem(atPath: folder.contents + "/" + name)
    }
    let more = try insert("needle")
    #expect(try store.search("needle").contains(more[0]))
    try store.discard(rows)
    try store.commitAndPurge()
    #expect(try store.summary(of: rows[0]) == nil)
  }
}
