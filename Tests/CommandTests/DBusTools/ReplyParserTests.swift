import Testing

@testable import dragboard

@Suite("The output of dbus-send")
struct ReplyParserTests {
  @Test("Every basic type is parsed")
  func basicTypes() throws {
    let lines = [
      "   string \"a \"quoted\" text\"", "   string \"\"", "   object path \"/a\"",
      "   signature \"as\"", "   boolean true", "   boolean false", "   int32 -1",
      "   uint64 1795235960574411", "   byte 7",
    ]
    #expect(
      try ReplyParser.values(in: lines) == [
        "a \"quoted\" text", "", "/a", "as", .boolean(true), .boolean(false), -1,
        1_795_235_960_574_411, 7,
      ])
  }

  @Test("Nested and empty containers are parsed")
  func containers() throws {
    let lines = [
      "   array [", "      struct {", "         string \"id\"", "         array [", "         ]",
      "         array [", "            dict entry(", "               string \"size\"",
      "               variant                   uint64 5", "            )", "         ]",
      "      }", "   ]", "   array [", "   ]",
    ]
    #expect(try ReplyParser.values(in: lines) == [[["id", [], [["size", 5]]]], []])
  }

  @Test("No lines have no values")
  func nothing() throws {
    #expect(try ReplyParser.values(in: []) == [])
  }

  @Test(
    "A line that dbus-send does not print is refused",
    arguments: ["", "string", "string \"open", "uint32 many", "uint32 1 2", "double 0.5", "]"])
  func unreadable(line: String) {
    #expect(throws: ReplyParser.Unreadable(line: line)) { try ReplyParser.values(in: [line]) }
  }

  @Test("A container without its end is refused")
  func unended() {
    #expect(throws: ReplyParser.Unreadable(line: nil)) {
      try ReplyParser.values(in: ["array [", "   int32 1"])
    }
  }
}
