import DBus
import DragboardInterface
import TestSupport
import Testing

/// Each test has a board with the sections "main" with a and b, "late" with c, and "done" without
/// rows.
@Suite("Sections")
struct SectionTests {
  let daemon: Daemon
  let client: BusClient

  init() throws {
    daemon = try Daemon("--max-sections", "4")
    client = try daemon.client()
    try client.insert(["a", "b"])
    _ = try client.call(BoardInterface.insertSection, "late", -1)
    _ = try client.call(BoardInterface.insertSection, "done", 2)
    try client.insert(["c"], section: 1)
    _ = client.takeSignals()
  }

  /// The names of the sections and the texts of the rows: `main: a b / late: c / done:`.
  private var board: String {
    get throws {
      let state = try client.contents()
      return zip(state.sections, state.texts).map { name, texts in
        ([name + ":"] + texts).joined(separator: " ")
      }.joined(separator: " / ")
    }
  }

  @Test(
    "A section is inserted at 0 to n, and -1 is the end",
    arguments: [
      (0, "new: / main: a b / late: c / done:"), (1, "main: a b / new: / late: c / done:"),
      (3, "main: a b / late: c / done: / new:"), (-1, "main: a b / late: c / done: / new:"),
    ])
  func insert(index: Int32, result: String) throws {
    _ = try client.call(BoardInterface.insertSection, "new", index)
    #expect(try board == result)
    expect(.limitsExceeded, naming: "max-sections") {
      _ = try client.call(BoardInterface.insertSection, "fifth", -1)
    }
  }

  @Test(
    "A section moves with its rows",
    arguments: [
      (0, 1, "late: c / main: a b / done:"), (0, 2, "late: c / done: / main: a b"),
      (2, 0, "done: / main: a b / late: c"), (1, 1, "main: a b / late: c / done:"),
    ])
  func move(from: UInt32, to: UInt32, result: String) throws {
    let before = try client.get(BoardInterface.revision)
    let revision = try client.call(BoardInterface.moveSection, from, to)
    #expect(try board == result)
    #expect(revision == (from == to ? before : before + 1))
  }

  @Test("A section is deleted with its rows, except the last one and one with a locked row")
  func delete() throws {
    let row = try client.rows(1)[0].id
    _ = try client.call(BoardInterface.setEditable, row, false)
    expect(.notEditable, naming: row) { _ = try client.call(BoardInterface.deleteSection, 1) }
    _ = try client.call(BoardInterface.setEditable, row, true)
    _ = try client.call(BoardInterface.deleteSection, 1)
    #expect(try board == "main: a b / done:")
    _ = try client.call(BoardInterface.deleteSection, 0)
    #expect(try board == "done:")
    expect(.invalidArgs, naming: "last") { _ = try client.call(BoardInterface.deleteSection, 0) }
    #expect(try board == "done:")
  }

  @Test("Indexes out of range are refused by name; nothing changes")
  func outside() throws {
    let before = try client.contents()
    for index in [4, -2, .max] as [Int32] {
      expect(.invalidArgs, naming: "section") {
        _ = try client.call(BoardInterface.insertSection, "new", index)
      }
    }
    for index in [3, .max] as [UInt32] {
      expect(.invalidArgs, naming: "section") {
        _ = try client.call(BoardInterface.deleteSection, index)
      }
      expect(.invalidArgs, naming: "section") {
        _ = try client.call(BoardInterface.renameSection, index, "new")
      }
      expect(.invalidArgs, naming: "from_section") {
        _ = try client.call(BoardInterface.moveSection, index, 0)
      }
      expect(.invalidArgs, naming: "to_section") {
        _ = try client.call(BoardInterface.moveSection, 0, index)
      }
    }
    #expect(try client.contents() == before)
  }

  @Test(
    "A name is unique, and has 1 to 64 scalars without controls and noncharacters",
    arguments: ["", "late", "two\nlines", "\u{7F}", String(repeating: "é", count: 65)])
  func badNames(name: String) throws {
    let before = try client.contents()
    expect(.invalidArgs, naming: "name") {
      _ = try client.call(BoardInterface.insertSection, name, -1)
    }
    expect(.invalidArgs, naming: "name") {
      _ = try client.call(BoardInterface.renameSection, 0, name)
    }
    #expect(try client.contents() == before)
  }

  @Test("A section gets any valid name; its own name makes no revision")
  func rename() throws {
    let before = try client.get(BoardInterface.revision)
    #expect(try client.call(BoardInterface.renameSection, 0, "main") == before)
    let long = String(repeating: "é", count: 64)
    #expect(try client.call(BoardInterface.renameSection, 0, long) == before + 1)
    #expect(try client.get(BoardInterface.sections) == [long, "late", "done"])
  }

  @Test("PropertiesChanged reports Sections if an edit changed them, and only then")
  func told() throws {
    try client.insert(["x"])
    #expect(try client.takeChanges(of: "Sections", at: BusClient.board) == [])
    _ = try client.call(BoardInterface.moveSection, 2, 0)
    let names = try client.takeChanges(of: "Sections", at: BusClient.board)
    #expect(names == [.array(of: "s", ["done", "main", "late"].map { .string($0) })])
  }
}
