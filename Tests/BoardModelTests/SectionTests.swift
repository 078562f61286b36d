import BoardModel
import Testing

@Suite("Sections")
struct SectionTests {
  @Test("A section with a unique name is inserted at 0…n or at the end")
  func insert() throws {
    var board = Board()
    #expect(
      try board.insertSection(named: "b", at: nil, maxSections: 3)?.changes == [
        .insertSection("b", at: 1)
      ])
    _ = try board.insertSection(named: "a", at: 0, maxSections: 3)
    #expect(board.sectionNames == ["a", "main", "b"])
    #expect(throws: BoardError.sectionExists("b")) {
      try board.insertSection(named: "b", at: nil, maxSections: 3)
    }
    #expect(throws: BoardError.limitExceeded(.sections, limit: 3)) {
      try board.insertSection(named: "c", at: nil, maxSections: 3)
    }
    #expect(throws: BoardError.indexOutOfRange(.section, given: 4, valid: 0...3)) {
      try board.insertSection(named: "b", at: 4, maxSections: 3)
    }
    #expect(throws: BoardError.invalidName(.empty)) {
      try board.insertSection(named: "", at: 9, maxSections: 3)
    }
    #expect(board.revision == 3)
  }

  @Test("A rename has the new name; a rename to the same name changes nothing")
  func rename() throws {
    var board = try Board([], [])
    #expect(try board.renameSection(1, to: "new")?.changes == [.renameSection(to: "new", at: 1)])
    #expect(try board.renameSection(1, to: "new") == nil)
    #expect(throws: BoardError.sectionExists("main")) { try board.renameSection(1, to: "main") }
    #expect(throws: BoardError.indexOutOfRange(.section, given: 2, valid: 0...1)) {
      try board.renameSection(2, to: "main")
    }
    #expect(throws: BoardError.invalidName(.control("\n"))) {
      try board.renameSection(2, to: "a\nb")
    }
    #expect(board.sectionNames == ["main", "new"])
  }

  @Test("A section moves with its rows, whatever their flags")
  func move() throws {
    var board = try Board(rows(1), rows(2), rows(3))
    _ = try board.setFlags(.all, to: false, of: RowID(1))
    #expect(
      try board.moveSection(from: 0, to: 2)?.changes == [.moveSection("main", from: 0, to: 2)])
    #expect(board.order == [rows(2), rows(3), rows(1)])
    #expect(board.indexPath(of: RowID(1)) == at(2, 0))
    #expect(try board.moveSection(from: 1, to: 1) == nil)
    #expect(throws: BoardError.indexOutOfRange(.fromSection, given: 3, valid: 0...2)) {
      try board.moveSection(from: 3, to: 4)
    }
    #expect(throws: BoardError.indexOutOfRange(.toSection, given: 3, valid: 0...2)) {
      try board.moveSection(from: 0, to: 3)
    }
  }

  @Test("The rows of a deleted section are reported as deletes before it")
  func delete() throws {
    var board = try Board(rows(1), rows(2, 3))
    #expect(
      try board.deleteSection(1)?.changes == [
        .delete(RowID(3), at: at(1, 1)), .delete(RowID(2), at: at(1, 0)),
        .deleteSection("s1", at: 1),
      ])
    #expect(board.order == [rows(1)])
    #expect(!board.contains(RowID(2)))
    #expect(throws: BoardError.lastSection) { try board.deleteSection(0) }
    #expect(throws: BoardError.indexOutOfRange(.section, given: 1, valid: 0...0)) {
      try board.deleteSection(1)
    }
  }

  @Test("A section with a row that is not editable stays")
  func locked() throws {
    var board = try Board(rows(1), rows(2, 3))
    _ = try board.setFlags(.isEditable, to: false, of: RowID(3))
    #expect(throws: BoardError.notEditable(RowID(3))) { try board.deleteSection(1) }
    #expect(board.count == 3)
  }

  @Test(
    "A name has 1 to 64 Unicode scalars",
    arguments: ["a", "main", "Zürich 🏔", String(repeating: "é", count: 64), "a\u{200D}b"])
  func names(text: String) throws {
    #expect(try Name(text).text == text)
  }

  @Test(
    "An invalid name is refused with the reason",
    arguments: [
      ("", NameFault.empty), (String(repeating: "é", count: 65), .tooLong),
      ("a\u{0}", .control("\u{0}")), ("\u{85}", .control("\u{85}")),
      ("\u{FFFF}", .noncharacter("\u{FFFF}")), ("\u{10FFFE}", .noncharacter("\u{10FFFE}")),
    ])
  func faults(text: String, fault: NameFault) {
    #expect(throws: fault) { try Name(text) }
  }

  @Test("The noncharacters in the middle of the basic plane are refused too")
  func middleNoncharacters() throws {
    for value in UInt32(0xFDD0)...0xFDEF {
      let scalar = try #require(Unicode.Scalar(value))
      #expect(throws: NameFault.noncharacter(scalar)) { try Name(String(scalar)) }
    }
    #expect(NameFault.noncharacter("\u{1FFFE}").description.contains("U+1FFFE"))
    #expect(NameFault.control("\n").description.contains("U+000A"))
  }
}
