import BoardModel
import Foundation
import SQLite
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

  private func insert(_ texts: String...) throws -> [RowID] { try insert(contentsOf: texts) }

  private func insert(contentsOf texts: [String]) throws -> [RowID] {
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
  func count(query: String, words: Int) throws {
    #expect(try store.wordCount(of: query) == words)
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

  // MARK: Parts

  /// Returns the rows that FTS5 finds in one step.
  private func foundByFTS5(_ expression: String) throws -> Set<RowID> {
    let statement = Statement(
      store.tables.transaction.database, "SELECT rowid FROM search WHERE search MATCH ?")
    var rows: Set<RowID> = []
    try statement.forEach(expression) { rows.insert(RowID(UInt64($0.integer(0)))) }
    return rows
  }

  @Test("A search in parts finds the rows that FTS5 finds in one step")
  func sameAsFTS5() throws {
    var random = SplitMix64(seed: 41)
    let words = (0..<60).map { _ in
      (0..<Int.random(in: 1...4, using: &random)).map { _ in
        ["a", "b", "c"].randomElement(using: &random)!
      }.joined()
    }
    func phrase(_ count: ClosedRange<Int>) -> [String] {
      (0..<Int.random(in: count, using: &random)).map { _ in words.randomElement(using: &random)! }
    }
    // Rows far apart are in different ranges of the search.
    for _ in 0..<4 {
      _ = try store.reserveRows(Int.random(in: 0...100_000, using: &random))
      _ = try store.insert((0..<1_500).map { _ in phrase(0...8).joined(separator: " ") })
    }
    try store.indexAll()
    try store.commit()
    var isEmpty = [true: 0, false: 0]
    for _ in 0..<300 {
      let query = (0..<Int.random(in: 1...3, using: &random)).map { _ in phrase(1...3) }
      let rows = try store.search(query.map { $0.joined(separator: "-") }.joined(separator: " "))
      let expected = try foundByFTS5(
        query.map { "\"\($0.joined(separator: " "))\"" }.joined(separator: " ") + "*")
      #expect(Set(rows) == expected, "\(query)")
      #expect(rows.count == expected.count, "a row is returned once: \(query)")
      isEmpty[rows.isEmpty]! += 1
    }
    #expect(isEmpty[true]! > 30 && isEmpty[false]! > 30, "\(isEmpty)")
  }

  @Test("Each part of a search is short, however many words begin with a prefix")
  func shortParts() throws {
    _ = try insert(
      contentsOf: (0..<200).map { text in
        (0..<2_000).map { "x\(String(text * 2_000 + $0, radix: 36))" }.joined(separator: " ")
      } + ["x needle"])
    try store.commit()
    let search = try store.beginSearch("x")
    var (parts, rows) = (0, 0)
    while let found = try search.nextPart() {
      #expect(found.count <= 1_024)
      parts += 1
      rows += found.count
    }
    #expect(rows == 201)
    #expect(parts >= 400_000 / 1_024, "\(parts)")
  }

  @Test("The store may be changed between the parts of a search, and its log may be emptied")
  func editsBetween() throws {
    let rows = try insert(contentsOf: (0..<5_000).map { "word\($0 % 7) text" })
    try store.commit()
    let search = try store.beginSearch("word")
    var found: Set<RowID> = []
    var removed: Set<RowID> = []
    var isFirst = true
    while let part = try search.nextPart() {
      found.formUnion(part)
      // The last rows of each word disappear, and other words and rows are indexed.
      if isFirst {
        removed = Set(rows.suffix(500)).subtracting(found)
        try store.discard(Array(removed))
      }
      isFirst = false
      _ = try insert(contentsOf: ["aaa", "zzz"])
      try store.commitAndPurge()
      try store.tables.transaction.database.emptyLog()
    }
    #expect(found.isSuperset(of: Set(rows).subtracting(removed)))
    #expect(try Set(store.search("word")) == Set(rows).subtracting(removed))
  }

  @Test("A sandbox finds its rows among many rows of others")
  func ofSource() throws {
    let rows = try store.reserveRows(3_000)
    for (number, row) in rows.enumerated() {
      try store.put(
        RowContent(
          origin: RowOrigin(created: 1, source: number % 100 == 0 ? "own" : "other"),
          representations: [.text("word a-b\(number)")]),
        of: row)
    }
    try store.indexAll()
    try store.commit()
    let own = Set(stride(from: 0, to: 3_000, by: 100).map { rows[$0] })
    #expect(Set(try store.search("wo", source: "own")) == own)
    #expect(Set(try store.search("word a-b", source: "own")) == own)
    #expect(Set(try store.search("a-b10", source: "own")) == [rows[100], rows[1_000]])
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
