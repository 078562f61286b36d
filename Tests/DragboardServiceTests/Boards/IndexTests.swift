import DBus
import DragboardInterface
import TestSupport
import Testing

/// Each test has a board with the sections "main" with a, b, c, d, and "late" with e.
@Suite("Indexes")
struct IndexTests {
  let daemon: Daemon
  let client: BusClient
  let rows: [String: String]

  init() throws {
    daemon = try Daemon()
    client = try daemon.client()
    _ = try client.call(BoardInterface.insertSection, "late", -1)
    let names = ["a", "b", "c", "d", "e"]
    let ids = try client.insert(Array(names[..<4])) + client.insert(["e"], section: 1)
    rows = Dictionary(uniqueKeysWithValues: zip(names, ids))
  }

  /// The texts of the board: `a b c d / e`.
  private var board: String {
    get throws {
      try client.contents().texts.map { $0.joined(separator: " ") }.joined(separator: " / ")
    }
  }

  private func ids(_ names: String) -> [String] {
    names.split(separator: " ").map { rows[String($0)] ?? "" }
  }

  @Test(
    "MoveRow deletes the row, then inserts it",
    arguments: [
      ("0.0", "0.2", "b c a d / e"), ("0.0", "0.3", "b c d a / e"), ("0.3", "0.0", "d a b c / e"),
      ("0.1", "0.1", "a b c d / e"), ("0.1", "1.0", "a c d / b e"), ("0.1", "1.1", "a c d / e b"),
      ("1.0", "0.4", "a b c d e / "), ("1.0", "0.0", "e a b c d / "),
    ])
  func moveRow(from: String, to: String, result: String) throws {
    let (from, to) = (path(from), path(to))
    let before = try client.get(BoardInterface.revision)
    let row = try client.rows(from.0)[Int(from.1)].id
    let revision = try client.call(BoardInterface.moveRow, from.0, from.1, to.0, to.1)
    #expect(try board == result)
    #expect(try client.call(BoardInterface.getIndexPath, row) == to)
    #expect(revision == (from == to ? before : before + 1))
  }

  private func path(_ text: String) -> (UInt32, UInt32) {
    let parts = text.split(separator: ".").compactMap { UInt32($0) }
    return (parts[0], parts[1])
  }

  @Test("MoveRow refuses an index out of range and names the argument; nothing changes")
  func moveRowOutside() throws {
    let bad: [((UInt32, UInt32, UInt32, UInt32), String)] = [
      ((0, 4, 0, 0), "from_row"), ((1, 1, 0, 0), "from_row"), ((2, 0, 0, 0), "from_section"),
      ((.max, 0, 0, 0), "from_section"), ((0, .max, 0, 0), "from_row"), ((0, 0, 0, 4), "to_row"),
      ((0, 0, 1, 2), "to_row"), ((0, 0, 2, 0), "to_section"), ((0, 0, 0, .max), "to_row"),
    ]
    let before = try client.contents()
    for (move, argument) in bad {
      expect(.invalidArgs, naming: argument, "out of range (0…") {
        _ = try client.call(BoardInterface.moveRow, move.0, move.1, move.2, move.3)
      }
    }
    #expect(try client.contents() == before)
  }

  @Test(
    "MoveItems puts the items together; the position does not count them",
    arguments: [
      ("a", 0, 2, "b c a d / e"), ("d b", 0, 0, "d b a c / e"), ("d b", 0, 2, "a c d b / e"),
      ("d b", 0, -1, "a c d b / e"), ("a b", 0, 0, "a b c d / e"), ("e a", 1, 0, "b c d / e a"),
      ("e a", 0, 1, "b e a c d / "), ("a b c d e", 1, 0, " / a b c d e"),
      ("c a b d", 0, -1, "c a b d / e"), ("", 0, 0, "a b c d / e"),
    ])
  func moveItems(items: String, section: UInt32, row: Int32, result: String) throws {
    let before = try client.get(BoardInterface.revision)
    let isSame = try board == result
    let revision = try client.call(BoardInterface.moveItems, ids(items), section, row)
    #expect(try board == result)
    #expect(revision == (isSame ? before : before + 1))
  }

  @Test("MoveItems refuses invalid positions, ids and duplicates by name; nothing changes")
  func moveItemsOutside() throws {
    let before = try client.contents()
    for (items, section, row, argument) in [
      ("a", 0, 4, "row"), ("a b", 0, 3, "row"), ("e", 1, 1, "row"), ("a", 1, 2, "row"),
      ("a", 2, 0, "section"), ("a", 0, -2, "row"), ("a b a", 0, 0, "items"),
    ] as [(String, UInt32, Int32, String)] {
      expect(.invalidArgs, naming: argument) {
        _ = try client.call(BoardInterface.moveItems, ids(items), section, row)
      }
    }
    for unknown in [
      "", "no id", "00000000-0000-8000-8000-000000000000", (rows["a"] ?? "").uppercased(),
    ] {
      expect(.noSuchItem, naming: "items", "UUID") {
        _ = try client.call(BoardInterface.moveItems, ids("a") + [unknown], 0, 0)
      }
    }
    #expect(try client.contents() == before)
  }

  @Test(
    "Inserts go to 0 to n, and -1 is the end",
    arguments: [
      (0, 0, "x a b c d / e"), (0, 2, "a b x c d / e"), (0, 4, "a b c d x / e"),
      (0, -1, "a b c d x / e"), (1, 0, "a b c d / x e"), (1, 1, "a b c d / e x"),
      (1, -1, "a b c d / e x"),
    ])
  func insert(section: UInt32, row: Int32, result: String) throws {
    let item = try client.call(BoardInterface.insertText, section, row, "x")
    #expect(try board == result)
    _ = try client.call(BoardInterface.deleteItems, [item])
    let data = try client.call(
      BoardInterface.insertData, section, row, "UTF8_STRING", Array("x".utf8))
    #expect(try board == result)
    _ = try client.call(BoardInterface.deleteItems, [data])
    try client.insert(["x", "y"], section: section, at: row)
    #expect(try board == result.replacing("x", with: "x y"))
  }

  @Test("Inserts at invalid positions are refused; nothing changes")
  func insertOutside() throws {
    let before = try client.contents()
    for (section, row, argument) in [
      (0, 5, "row"), (1, 2, "row"), (2, 0, "section"), (2, -1, "section"), (0, -2, "row"),
      (0, .max, "row"), (.max, 0, "section"),
    ] as [(UInt32, Int32, String)] {
      expect(.invalidArgs, naming: argument) {
        _ = try client.call(BoardInterface.insertText, section, row, "x")
      }
      expect(.invalidArgs, naming: argument) { try client.insert(["x"], section: section, at: row) }
      expect(.invalidArgs, naming: argument) { try client.insert([], section: section, at: row) }
      expect(.invalidArgs, naming: argument) {
        _ = try client.call(BoardInterface.insertData, section, row, "text/html", [60])
      }
    }
    #expect(try client.contents() == before)
  }

  @Test("An empty list is inserted without a revision")
  func insertNothing() throws {
    let before = try client.contents()
    #expect(try client.insert([]) == [])
    #expect(try client.contents() == before)
  }

  @Test("DeleteRow deletes a row; an index out of range is refused")
  func deleteRow() throws {
    _ = try client.call(BoardInterface.deleteRow, 0, 1)
    #expect(try board == "a c d / e")
    _ = try client.call(BoardInterface.deleteRow, 1, 0)
    #expect(try board == "a c d / ")
    let before = try client.contents()
    for (section, row, argument) in [(0, 3, "row"), (1, 0, "row"), (2, 0, "section")]
      as [(UInt32, UInt32, String)]
    {
      expect(.invalidArgs, naming: argument) {
        _ = try client.call(BoardInterface.deleteRow, section, row)
      }
    }
    #expect(try client.contents() == before)
    expect(.noSuchItem, naming: "item") {
      _ = try client.call(BoardInterface.getIndexPath, rows["b"] ?? "")
    }
  }

  @Test(
    "A drag of a missing index path is refused", arguments: [(0, 4), (1, 1), (2, 0)])
  func beginRowDrag(section: UInt32, row: UInt32) throws {
    expect(.invalidArgs, naming: section == 2 ? "section" : "row") {
      _ = try client.call(DragSourceInterface.beginRowDrag, "org.x", section, row)
    }
    #expect(try client.get(ManagerInterface.sessions, at: Dragboard.root) == [])
  }

  @Test("A page begins at 0 to n, and ends with the section")
  func pages() throws {
    #expect(try client.call(BoardInterface.getTexts, 0, 1, 2) == ["b", "c"])
    #expect(try client.call(BoardInterface.getTexts, 0, 3, .max) == ["d"])
    #expect(try client.call(BoardInterface.getTexts, 0, 4, 1) == [])
    #expect(try client.call(BoardInterface.getTexts, 0, 0, 0) == [])
    for (section, first, argument) in [(0, 5, "first"), (0, .max, "first"), (2, 0, "section")]
      as [(UInt32, UInt32, String)]
    {
      expect(.invalidArgs, naming: argument) {
        _ = try client.call(BoardInterface.getTexts, section, first, 1)
      }
      expect(.invalidArgs, naming: argument) {
        _ = try client.call(BoardInterface.getRows, section, first, 1)
      }
    }
  }
}
