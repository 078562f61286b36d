import DBus
import DragboardInterface
import TestSupport
import Testing

@Suite("Search")
struct SearchTests {
  /// Returns the texts of the rows that the search finds.
  private func find(_ query: String, limit: UInt32 = 0, _ client: BusClient) throws -> [String] {
    try client.call(BoardInterface.search, query, limit).map { item in
      try client.call(BoardInterface.getText, item)
    }
  }

  @Test("Rows are found in the order of the board, within the limit")
  func order() throws {
    let daemon = try Daemon()
    let client = try daemon.client()
    _ = try client.call(BoardInterface.insertSection, "first", 0)
    _ = try client.insert(["x 1", "other", "x 2", "x 3"], section: 1)
    _ = try client.insert(["x 4"], section: 0)
    _ = try client.call(BoardInterface.moveRow, 1, 3, 1, 0)
    #expect(try find("X", client) == ["x 4", "x 3", "x 1", "x 2"])
    #expect(try find("X", limit: 2, client) == ["x 4", "x 3"])
    #expect(try find("X", limit: .max, client).count == 4)
    _ = try client.call(BoardInterface.moveSection, 0, 1)
    #expect(try find("x", limit: 3, client) == ["x 3", "x 1", "x 2"])
  }

  @Test("Without a limit up to 10,000 are found")
  func mostFound() throws {
    let daemon = try Daemon()
    let client = try daemon.client()
    let items = try client.insert((0..<10_002).map { "x \($0)" })
    #expect(try client.call(BoardInterface.search, "x", 0) == Array(items.prefix(10_000)))
    #expect(try client.call(BoardInterface.search, "x", 10_001).count == 10_001)
    #expect(try client.call(BoardInterface.search, "10001", 0) == [items[10_001]])
  }

  @Test(
    "A query is text without syntax, and has at most 64 words; without words it finds nothing"
  )
  func query() throws {
    let daemon = try Daemon()
    let client = try daemon.client()
    _ = try client.insert(["Crème brûlée \"2\"", "other"])
    for query in ["creme", "BRULEE cr", "\"2\"", "brûlée\" *", "creme\u{301}"] {
      #expect(try find(query, client).count == 1, "\(query)")
    }
    for query in ["", " ", "\"", "*", "a AND b", "NEAR(", "creme OR other", "creme NOT x", "🙂"] {
      #expect(try find(query, client) == [], "\(query)")
    }
    let words = [String](repeating: "creme", count: 64).joined(separator: " ")
    #expect(try find(words, client).count == 1)
    expect(.limitsExceeded, naming: "query") { _ = try find(words + " x", client) }
  }

  @Test(
    "Words are letters and digits; case and diacritics do not matter, other variants do",
    arguments: [
      ("known well", "well-known", true), ("well-known", "well known", true),
      ("well-known", "known well", false), ("wel known", "well known", false),
      ("mail", "e-mail", true), ("mail", "hotmail", false),
      ("don", "don't", true), ("dont", "don't", false), ("bar", "foo_bar", true),
      ("東京", "東京都庁", true), ("都庁", "東京都庁", false), ("都庁", "東京 都庁", true),
      ("zurich", "Zürich", true), ("σισυφοσ", "ΣΊΣΥΦΟΣ", true), ("קוד", "קוֹד", true),
      ("strasse", "Straße", false), ("STRAßE", "straße", true), ("fine", "ﬁne", false),
      ("x2", "x²", false), ("1.2", "v1.2", false), ("v1", "v1.2", true),
    ])
  func words(query: String, text: String, isFound: Bool) throws {
    let daemon = try Daemon()
    let client = try daemon.client()
    _ = try client.insert(["other", text])
    #expect(try find(query, client) == (isFound ? [text] : []))
  }

  @Test("A search reads the name and the first plain text, but no other type and no attribute")
  func searched() throws {
    let daemon = try Daemon()
    let client = try daemon.client()
    let texts: [(String, WireContent)] = [
      ("text/html", .data(Array("html".utf8))), ("text/plain", .data(Array("latin".utf8))),
      ("text/plain;charset=utf-8", .text("first")),
      ("text/plain;charset=utf-8;format=flowed", .text("second")),
    ]
    let attributes = ["name": "name.png", "application": "maker", "stack": "pile"]
    let item = try client.call(
      BoardInterface.insertItem, 0, 0, attributes.mapValues { Variant(.string($0)) },
      texts.map { BoardInterface.Representation($0.0, $0.1) })
    for word in ["name", "png first"] {
      #expect(try client.call(BoardInterface.search, word, 0) == [item], "\(word)")
    }
    for word in ["html", "latin", "second", "maker", "pile"] {
      #expect(try client.call(BoardInterface.search, word, 0) == [], "\(word)")
    }
  }

  @Test("A search finds the current contents: after changes, undos, deletions and restarts")
  func edits() throws {
    let daemon = try Daemon()
    var client = try daemon.client()
    let items = try client.insert(["alpha", "alpha beta"])
    let other = try client.board("other")
    _ = try client.insert(["alpha elsewhere"], on: other)
    func check(_ alpha: [Int], _ gamma: [Int], at location: SourceLocation = #_sourceLocation)
      throws
    {
      for _ in 0..<2 {
        let found = try ["alpha", "gamma"].map { try client.call(BoardInterface.search, $0, 0) }
        #expect(found == [alpha, gamma].map { $0.map { items[$0] } }, sourceLocation: location)
        daemon.kill()
        try daemon.start()
        client = try daemon.client()
      }
    }
    try check([0, 1], [])
    _ = try client.call(BoardInterface.setText, items[0], "gamma")
    try check([1], [0])
    try client.undo()
    try check([0, 1], [])
    try client.redo()
    _ = try client.call(BoardInterface.deleteItems, items)
    try check([], [])
    try client.undo()
    try check([1], [0])
    try client.undo()
    try check([0, 1], [])
    _ = try client.call(ManagerInterface.deleteBoard, at: Dragboard.root, "other")
    try check([0, 1], [])
  }

  @Test("Rows without text are found as soon as they get a text")
  func dataThatBecomesText() throws {
    let daemon = try Daemon()
    let client = try daemon.client()
    _ = try client.insert(["before"])
    let item = try client.call(BoardInterface.insertData, 0, 0, "image/png", [1])
    #expect(try find("before", client) == ["before"])
    _ = try client.call(BoardInterface.setText, item, "after")
    #expect(try find("after", client) == ["after"])
    try client.undo()
    #expect(try find("after", client) == [])
    try client.redo()
    #expect(try find("after", client) == ["after"])
  }

  @Test("Rows of the same batch are found, and other calls are answered meanwhile")
  func atOnce() throws {
    let daemon = try Daemon()
    let (client, other) = (try daemon.client(), try daemon.client())
    let texts = (0..<3_000).map { "row \($0) of many" }
    let answers = client.answers(to: [
      call(BoardInterface.insertTexts, 0, 0, texts), call(BoardInterface.search, "many row", 0),
      call(BoardInterface.insertText, 0, 0, "one more of many rows"),
      call(BoardInterface.search, "many more", 0),
    ])
    let found = try [1, 3].map { try answers[$0].get().arguments(as: [String].self) }
    #expect(found[0].count == 3_000 || found[0].count == 3_001)
    #expect(found[1].count == 1)
    #expect(try other.get(BoardInterface.count) == 3_001)
  }
}
