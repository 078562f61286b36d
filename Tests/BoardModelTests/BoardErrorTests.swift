import BoardModel
import Testing

@Suite("What a refusal says")
struct BoardErrorTests {
  @Test(
    "The argument is named as on the wire, and what would have been right",
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
      (.sectionExists("a"), "another section has the name \"a\""),
    ])
  func messages(error: BoardError, message: String) {
    #expect(error.description == message)
  }
}
