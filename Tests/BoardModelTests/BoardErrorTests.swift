import BoardModel
import Testing

@Suite("Error messages of a board")
struct BoardErrorTests {
  @Test(
    "A message has the argument's name on the bus, and the valid values",
    arguments: [
      (
        BoardError.indexOutOfRange(.toSection, given: 7, valid: 0...2),
        "to_section: 7 is out of range (0…2)"
      ),
      (
        .indexOutOfRange(.row, given: 0, valid: nil),
        "row: 0 is out of range (the section has no rows)"
      ),
      (.limitExceeded(.rows, limit: 5), "max-rows is 5, and the board would exceed it"),
      (
        .sectionExists("a"),
        "another section has the name \"a\" (expected a name that no section has)"
      ),
    ])
  func messages(error: BoardError, message: String) {
    #expect(error.description == message)
  }
}
