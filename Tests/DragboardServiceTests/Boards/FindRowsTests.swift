import DBus
import DragboardInterface
import Foundation
import TestSupport
import Testing

@Suite("FindRows", .timeLimit(.minutes(20)))
struct FindRowsTests {
  private let daemon: Daemon
  private let client: BusClient

  init() throws {
    daemon = try Daemon()
    client = try daemon.client()
  }

  /// Returns the previews of found rows.
  private func find(
    _ query: String, _ offset: UInt32 = 0, _ limit: UInt32 = 0,
    at board: ObjectPath = BusClient.board
  ) throws -> [String] {
    try client.call(BoardInterface.findRows, at: board, query, offset, limit).1.map(\.members.3)
  }

  // MARK: Order

  @Test(
    "Whole words come first, then beginnings, then parts of words; newer rows before older ones")
  func ranks() throws {
    _ = try client.insert([
      "a gar", "pregarage", "garage", "Gar", "garden call", "call gar", "recall hangar", "other",
    ])
    #expect(
      try find("gar")
        == ["call gar", "Gar", "a gar", "garden call", "garage", "recall hangar", "pregarage"])
    #expect(try find("call gar") == ["call gar", "garden call", "recall hangar"])
    #expect(try find("gar call") == ["call gar", "recall hangar", "garden call"])
    #expect(try find("ll ar") == ["recall hangar", "call gar", "garden call"])
    #expect(try find("nothing") == [])
  }

  @Test("Without words all rows are found, in the order of the board, with their positions")
  func all() throws {
    _ = try client.call(BoardInterface.insertSection, "first", 0)
    _ = try client.insert(["c", "d", "e"], section: 1)
    _ = try client.insert(["a", "b"], section: 0)
    for query in ["", " \t\n\u{a0}"] {
      #expect(try find(query) == ["a", "b", "c", "d", "e"])
      #expect(try find(query, 1, 3) == ["b", "c", "d"])
    }
    let (revision, rows, more) = try client.call(BoardInterface.findRows, "", 1, 2)
    #expect(revision == (try client.get(BoardInterface.revision)))
    #expect(rows.map(\.members.0) == [0, 1])
    #expect(rows.map(\.members.1) == [1, 0])
    #expect(more)
    #expect(try !client.call(BoardInterface.findRows, "", 3, 2).2)
    #expect(try client.call(BoardInterface.findRows, "", .max, .max).1.isEmpty)
    #expect(try !client.call(BoardInterface.findRows, "", 5, 1).2)
  }

  @Test("A row has the same content as in GetRows")
  func contents() throws {
    let item = try client.call(
      BoardInterface.insertItem, 0, 0,
      ["name": Variant(.string("picture.png")), "application": Variant(.string("org.example.A"))],
      [BoardInterface.Representation("image/png", .data([1, 2, 3]))])
    _ = try client.call(BoardInterface.setPinned, item, true)
    let row = try #require(try client.call(BoardInterface.getRows, 0, 0, 1).1.first).members
    for query in ["", "PICT", "cture.p"] {
      let found = try #require(try client.call(BoardInterface.findRows, query, 0, 0).1.first)
        .members
      #expect(found.2 == row.0)
      #expect(found.3 == row.1)
      #expect(found.4 == row.2)
      #expect(found.5 == row.3)
    }
  }

  @Test(
    "Parts of words are found without case and diacritics, with all other characters",
    arguments: [
      ("ürich", "Zürich", true), ("URI", "Zu\u{308}rich", true),
      ("://", "https://example.org", true),
      ("x://e", "https://example.org", false), ("都庁", "東京都庁", true), ("🙂", "a 🙂", true),
      ("ΊΣΥ", "Σίσυφος", true), ("a-b", "xa-by", true), ("a-b", "xa by", false),
      ("100%", "100% x", true),
      ("\"", "say \"x\"", true), ("*", "say", false), ("ın", "kapının", true),
      ("ß", "Straße", true),
    ])
  func parts(query: String, text: String, isFound: Bool) throws {
    _ = try client.insert(["other", text])
    #expect(try find(query) == (isFound ? [text] : []))
  }

  @Test("A row that a duplicate renewed is as new as its renewal")
  func renewal() throws {
    try client.set(BoardInterface.movesDuplicates, to: true)
    _ = try client.insert(["word 1", "word 2", "word 3", "subword 1", "subword 2"])
    _ = try client.insert(["word 1"], at: -1)
    _ = try client.insert(["subword 1"], at: -1)
    #expect(try find("word") == ["word 1", "word 3", "word 2", "subword 1", "subword 2"])
    #expect(try find("word", 0, 1) == ["word 1"])
  }

  @Test("A query has at most 64 words and 4,096 bytes")
  func limits() throws {
    _ = try client.insert(["word"])
    let words = [String](repeating: "word", count: 64).joined(separator: " ")
    #expect(try find(words) == ["word"])
    for query in [words + " x", String(repeating: "x", count: 4_097)] {
      expect(.limitsExceeded, naming: "query") { _ = try find(query) }
    }
    #expect(try find(String(repeating: " ", count: 4_096)) == ["word"])
  }

  // MARK: Pages

  @Test("Pages continue each other, and the last page says so")
  func pages() throws {
    _ = try client.insert((0..<2_500).map { "word \($0)" })
    var (found, offset, more) = ([String](), 0, true)
    while more {
      let page = try client.call(BoardInterface.findRows, "wor", UInt32(offset), 0)
      found += page.1.map(\.members.3)
      (offset, more) = (offset + page.1.count, page.2)
      #expect(page.1.count == (more ? 1_000 : 500))
    }
    #expect(found == (0..<2_500).reversed().map { "word \($0)" })
    #expect(try find("word", 2_499, 1) == ["word 0"])
    #expect(try client.call(BoardInterface.findRows, "word", 0, 2_000).1.count == 1_000)
    #expect(try client.call(BoardInterface.findRows, "word", 2_500, 1).1.isEmpty)
  }

  @Test("Words are found on the whole board, parts of words among the newest 10,000 rows")
  func newest() throws {
    _ = try client.insert(["oldword", "worded", "word"])
    _ = try client.insert((0..<9_998).map { "other \($0)" })
    #expect(try find("word") == ["word", "worded"])
    _ = try client.call(BoardInterface.deleteRow, 0, 10_000)
    #expect(try find("word") == ["word", "worded", "oldword"])
    _ = try client.insert(["new"])
    #expect(try find("ldword") == [])
  }

  @Test("A search finds at most 10,000 rows, the newest of equal ones")
  func most() throws {
    let items = try client.insert((0..<10_100).map { "word \($0)" })
    let last = try client.call(BoardInterface.findRows, "word", 9_900, 0)
    #expect(last.1.map(\.members.2) == items[100..<200].reversed())
    #expect(!last.2)
    #expect(try client.call(BoardInterface.findRows, "word", 10_000, 1).1.isEmpty)
    #expect(try client.call(BoardInterface.findRows, "word", .max, .max).1.isEmpty)
    #expect(try find("", 10_050, 1) == ["word 10050"])
  }

  @Test("Large texts are searched within 16 MiB of the newest rows")
  func largeTexts() throws {
    let padding = String(repeating: "x", count: 1 << 20 - 16)
    _ = try client.insert(["oldpart", "old word"])
    for number in 0..<17 { _ = try client.insert(["\(number) \(padding)"]) }
    _ = try client.insert(["newpart"])
    #expect(try find("part") == ["newpart"])
    #expect(try find("word") == ["old word"])
  }

  @Test("A reply has about 8 MiB, and more rows follow")
  func largeReply() throws {
    let types = (0..<255).map { "x/\(String(repeating: "t", count: 110))\($0)" }
    for _ in 0..<300 {
      _ = try client.call(
        BoardInterface.insertItem, 0, 0, ["name": Variant(.string("large"))],
        types.map { BoardInterface.Representation($0, .data([1])) })
    }
    for query in ["", "large"] {
      let page = try client.call(BoardInterface.findRows, query, 0, 0)
      #expect(150..<300 ~= page.1.count)
      #expect(page.2)
      let next = try client.call(BoardInterface.findRows, query, UInt32(page.1.count), 0)
      #expect(page.1.count + next.1.count == 300)
      #expect(!next.2)
    }
  }

  // MARK: Random queries

  @Test("Random queries find the rows that a simple search finds", arguments: [1, 2, 3])
  func random(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let other = try client.board("other")
    for board in [BusClient.board, other] {
      try client.set(BoardInterface.movesDuplicates, to: true, at: board)
    }
    var oracle: [ObjectPath: [FoundText]] = [BusClient.board: [], other: []]
    func word() -> String {
      String(
        (0..<Int.random(in: 1...3, using: &random)).map { _ in "abAc".randomElement(using: &random)!
        })
    }
    func text() -> String {
      (0..<Int.random(in: 1...4, using: &random)).map { _ in word() }
        .joined(separator: ["-", " ", "  "].randomElement(using: &random)!)
    }
    for _ in 0..<60 {
      for _ in 0..<Int.random(in: 1...40, using: &random) {
        let board = Bool.random(using: &random) ? BusClient.board : other
        let new = text()
        _ = try client.insert([new], at: Bool.random(using: &random) ? 0 : -1, on: board)
        oracle[board, default: []].removeAll { $0.text == new }
        oracle[board, default: []].append(FoundText(text: new))
      }
      for _ in 0..<8 {
        let query = Bool.random(using: &random) ? text() : word()
        for board in [BusClient.board, other] {
          let expected = FoundText.found(query, among: oracle[board] ?? [])
          let (offset, limit) = (
            Int.random(in: 0...40, using: &random), Int.random(in: 1...60, using: &random)
          )
          let page = try client.call(
            BoardInterface.findRows, at: board, query, UInt32(offset), UInt32(limit))
          try #require(
            page.1.map(\.members.3) == Array(expected.dropFirst(offset).prefix(limit)),
            "\(query.debugDescription) from \(offset), \(limit) rows")
          try #require(page.2 == (expected.count > offset + limit))
        }
      }
    }
  }

  /// A row of the simple search, which compares all words of all rows.
  private struct FoundText {
    let text: String

    private static func words(_ text: String) -> [String] {
      text.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init)
    }

    private func rank(_ query: String) -> Int? {
      let words = Self.words(text)
      let phrases = query.split(separator: " ").map { Self.words(String($0)) }
      func has(_ phrase: [String], asBeginning: Bool) -> Bool {
        words.indices.contains { start in
          guard words.count - start >= phrase.count else { return false }
          let found = words[start..<start + phrase.count]
          guard asBeginning else { return Array(found) == phrase }
          return Array(found.dropLast()) == phrase.dropLast()
            && found.last?.hasPrefix(phrase.last ?? "") == true
        }
      }
      if let last = phrases.last, phrases.dropLast().allSatisfy({ has($0, asBeginning: false) }) {
        if has(last, asBeginning: false) { return 0 }
        if has(last, asBeginning: true) { return 1 }
      }
      let parts = query.lowercased().split(separator: " ")
      return parts.allSatisfy { text.lowercased().contains($0) } ? 2 : nil
    }

    /// Returns the found texts in the order of their ranks; `rows` are ordered by age, the newest last.
    static func found(_ query: String, among rows: [FoundText]) -> [String] {
      let ranked = rows.reversed().compactMap { row in row.rank(query).map { ($0, row.text) } }
      return (0...2).flatMap { rank in ranked.filter { $0.0 == rank }.map(\.1) }
    }
  }

  // MARK: Other clients

  @Test("Edits during a search show in its reply, and other clients are served")
  func edits() throws {
    let other = try daemon.client()
    let items = try other.insert((0..<5_000).map { "subword \($0)" })
    #expect(try find("word", 0, 1).count == 1)
    daemon.signal(SIGSTOP)
    let found = client.send([call(BoardInterface.findRows, "word", 0, 2)])
    let edits = other.send([
      call(BoardInterface.deleteItems, [items[4_999]]),
      call(BoardInterface.moveItems, [items[4_998]], 0, 0),
    ])
    daemon.signal(SIGCONT)
    #expect(edits.errors() == ["", ""])
    let reply = try found.all()[0].get().arguments(
      as: UInt64.self, [BoardInterface.FoundRow].self, Bool.self)
    let rows = reply.1.map(\.members)
    // The deletion comes before the end of the search, which compares all rows. The second edit waits for
    // the disk, so it may come later; the revision shows which edits the reply includes.
    #expect(rows.map(\.2) == [items[4_998], items[4_997]])
    let isMoved = try reply.0 == other.get(BoardInterface.revision)
    #expect(rows.first?.1 == (isMoved ? 0 : 4_998))
  }

  @Test("The deletion of the board during a search is an error of the call")
  func deletedBoard() throws {
    let other = try daemon.client()
    let board = try other.call(ManagerInterface.createBoard, at: Dragboard.root, "b")
    _ = try other.insert((0..<5_000).map { "subword \($0)" }, on: board)
    daemon.signal(SIGSTOP)
    let found = client.send([call(BoardInterface.findRows, at: board, "word", 0, 0)])
    let deletion = other.send([call(ManagerInterface.deleteBoard, at: Dragboard.root, "b")])
    daemon.signal(SIGCONT)
    #expect(deletion.errors() == [""])
    #expect(Set(found.errors()).isSubset(of: ["NoSuchBoard", "UnknownObject"]))
  }

  @Test("A client that leaves during its searches does not keep the daemon from others' searches")
  func leaving() throws {
    _ = try client.insert((0..<5_000).map { "subword \($0)" })
    let leaver = try daemon.client()
    for _ in 0..<64 {
      leaver.connection.send(call(BoardInterface.findRows, "wor", 5_000, 1_000)) { _ in }
    }
    leaver.connection.flush()
    leaver.connection.close()
    #expect(try find("word", 0, 1) == ["subword 4999"])
    #expect(try client.get(BoardInterface.count) == 5_000)
  }
}
