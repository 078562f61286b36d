import DBus
import DragboardInterface
import TestSupport
import Testing

@Suite("Possible positions of a drop")
struct DropPlaceTests {
  /// A drag over a board whose section 0 contains a, b and c, and whose section 1 contains d.
  enum Drag: String, CaseIterable {
    case copy, move, cancel, forbidden

    func begin(_ client: BusClient) throws -> ObjectPath {
      let rows = try client.insert(["a", "b", "c"])
      _ = try client.call(BoardInterface.insertSection, "late", -1)
      try client.insert(["d"], section: 1)
      let session = try client.drag(rows: self == .cancel ? Array(rows[..<2]) : [rows[0]])
      if self == .forbidden { _ = try client.call(BoardInterface.setMovable, rows[0], false) }
      return session
    }

    var application: String { self == .copy ? "org.target" : "org.source" }

    /// The last valid row of each section; for a move, the moved rows are not counted.
    var ends: [Int32] { self == .move ? [2, 1] : [3, 1] }
  }

  @Test("Every row up to the end of the section is a valid position", arguments: Drag.allCases)
  func places(_ drag: Drag) throws {
    let daemon = try Daemon()
    let client = try daemon.client()
    let session = try drag.begin(client)
    for (section, end) in [(UInt32(0), drag.ends[0]), (1, drag.ends[1])] {
      for row in 0...end {
        let proposal = try client.propose(
          session, as: drag.application, section: section, row: row)
        #expect(proposal.operation == drag.rawValue)
        #expect((proposal.section, proposal.row) == (section, UInt32(row)))
      }
      let proposal = try client.propose(session, as: drag.application, section: section, row: -1)
      #expect((proposal.section, proposal.row) == (section, UInt32(end)))
    }
  }

  @Test(
    "An invalid index is refused with the argument's name, and the session stays active",
    arguments: Drag.allCases)
  func badIndexes(_ drag: Drag) throws {
    let daemon = try Daemon()
    let client = try daemon.client()
    let session = try drag.begin(client)
    let bad: [(section: UInt32, row: Int32, argument: String)] = [
      (0, drag.ends[0] + 1, "row"), (1, drag.ends[1] + 1, "row"), (0, -2, "row"),
      (0, .min, "row"), (0, .max, "row"), (2, 0, "section"), (2, -1, "section"),
      (.max, 0, "section"),
    ]
    let before = try client.contents()
    for (section, row, argument) in bad {
      expect(.invalidArgs, naming: argument) {
        _ = try client.propose(session, as: drag.application, section: section, row: row)
      }
      expect(.invalidArgs, naming: argument) {
        try client.drop(session, as: drag.application, section: section, row: row)
      }
      #expect(try client.standing(of: session) == "active ")
    }
    #expect(try client.contents() == before)
    #expect(try client.drop(session, as: drag.application).operation == drag.rawValue)
  }

  @Test("A row moves to another section, at the given index")
  func otherSection() throws {
    let daemon = try Daemon()
    let client = try daemon.client()
    let session = try Drag.move.begin(client)
    try client.drop(session, as: "org.source", section: 1, row: 1)
    #expect(try client.contents().texts == [["b", "c"], ["d", "a"]])
  }

  @Test("Rows of several sections move together, in the order of the session")
  func severalSections() throws {
    let daemon = try Daemon()
    let client = try daemon.client()
    try client.set(BoardInterface.movesMultipleRows, to: true)
    let rows = try client.insert(["a", "b", "c"])
    _ = try client.call(BoardInterface.insertSection, "late", -1)
    let late = try client.insert(["d", "e"], section: 1)
    let session = try client.drag(rows: [late[1], rows[1], rows[0]])
    #expect(try client.propose(session, as: "org.source", row: -1).row == 1)
    let result = try client.drop(session, as: "org.source", row: 1)
    #expect(result.items == [late[1], rows[1], rows[0]])
    #expect(try client.contents().texts == [["c", "e", "b", "a"], ["d"]])
  }
}
