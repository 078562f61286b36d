import DragModel
import TestSupport
import Testing

@Suite("Content types")
struct MIMETypeTests {
  @Test(
    "A text that is neither a MIME type nor an alias is refused, and the error has the reason",
    arguments: [
      ("", .empty),
      ("text", .unknownAlias("text")),
      ("STRING", .unknownAlias("STRING")),
      ("public.foo", .unknownAlias("public.foo")),
      ("text/", .malformedName("text/")),
      ("/plain", .malformedName("/plain")),
      ("text/plain/x", .malformedName("text/plain/x")),
      ("text /plain", .malformedName("text /plain")),
      ("te(x)t/plain", .malformedName("te(x)t/plain")),
      ("text/pl\u{E4}in", .malformedName("text/pl\u{E4}in")),
      ("text/plain\0", .malformedName("text/plain\0")),
      ("text/pla*", .malformedName("text/pla*")),
      ("text/{a}", .malformedName("text/{a}")),
      ("text/plain charset=utf-8", .malformedName("text/plain charset=utf-8")),
      ("text/plain\u{37E}charset=utf-8", .malformedName("text/plain\u{37E}charset=utf-8")),
      ("text/plain;", .malformedParameter("text/plain;")),
      ("text/plain;;a=b", .malformedParameter("text/plain;;a=b")),
      ("text/plain;charset", .malformedParameter("text/plain;charset")),
      ("text/plain;charset=", .malformedParameter("text/plain;charset=")),
      ("text/plain;=utf-8", .malformedParameter("text/plain;=utf-8")),
      ("text/plain;a=b c", .malformedParameter("text/plain;a=b c")),
      ("text/plain;a=b/c", .malformedParameter("text/plain;a=b/c")),
      ("text/plain;a=\"b", .malformedParameter("text/plain;a=\"b")),
      ("text/plain;a=\"b\\", .malformedParameter("text/plain;a=\"b\\")),
      ("text/plain;a=\"b\\\"", .malformedParameter("text/plain;a=\"b\\\"")),
      ("text/plain;a=\"\n\"", .malformedParameter("text/plain;a=\"\n\"")),
      ("text/plain;a=\"b\"c", .malformedParameter("text/plain;a=\"b\"c")),
      ("text/plain;a=1;A=1", .repeatedParameter("text/plain;a=1;A=1", name: "a")),
      ("text/*", .pattern("text/*")),
      ("*/*", .pattern("*/*")),
      ("*/plain", .pattern("*/plain")),
    ] as [(String, MIMETypeError)])
  func refused(text: String, error: MIMETypeError) {
    #expect(throws: error) { try MIMEType(parsing: text) }
    #expect(error.description.hasPrefix("type: "))
  }

  @Test("A type has at most 255 bytes")
  func length() throws {
    let longest = "text/x;a=" + String(repeating: "x", count: 246)
    #expect(try MIMEType(parsing: longest).mime == longest)
    #expect(throws: MIMETypeError.tooLong(byteCount: 256)) {
      try MIMEType(parsing: longest + "x")
    }
    #expect(throws: MIMETypeError.tooLong(byteCount: 266)) {
      try TypeQuery(parsing: longest + ";charset=é")
    }
  }

  @Test("A message quotes only the beginning of a text, without characters that D-Bus forbids")
  func message() {
    let text = "\0\u{FFFE}" + String(repeating: "x", count: 100)
    let message = MIMETypeError.unknownAlias(text).description
    #expect(message.contains("\"\u{FFFD}\u{FFFD}xxx"))
    #expect(message.contains("xxx…\""))
    #expect(!message.contains(String(repeating: "x", count: 60)))
  }

  @Test("A type whose charset is UTF-8 is plain text, whatever its other parameters")
  func isPlainText() throws {
    #expect(try MIMEType(parsing: "text/plain;charset=UTF-8;format=flowed").isPlainText)
    #expect(try !MIMEType(parsing: "text/plain").isPlainText)
    #expect(try !MIMEType(parsing: "text/html;charset=utf-8").isPlainText)
    #expect(try !MIMEType(parsing: "text/plain;charset=iso-8859-1").isPlainText)
  }

  @Test("Parsing a normal form returns it unchanged", arguments: 1...4)
  func idempotent(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let pieces = [
      "text", "TEXT", "/", "/", "plain", ";", ";", "charset", "a", "B", "=", "=", "\"", "\\", " ",
      "utf-8", "*", "x y", "é", "\t", "(", "\0",
    ]
    var read = 0
    for _ in 0..<4_000 {
      let tail = (0..<Int.random(in: 0...9, using: &random))
        .map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
      let text = Bool.random(using: &random) ? tail : "text/x;a=\"" + tail
      guard let type = try? MIMEType(parsing: text) else { continue }
      read += 1
      #expect((try? MIMEType(parsing: type.description)) == type, "\(text.debugDescription)")
      #expect(type.mime.utf8.count <= MIMEType.maxLength)
    }
    #expect(read > 20)
  }

  @Test("The order of parameters, quotes and case do not distinguish types", arguments: 1...4)
  func spellings(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    for _ in 0..<500 {
      let parameters = (0..<Int.random(in: 0...5, using: &random)).map { ("p\($0)", "v\($0)") }
      let one = try MIMEType(parsing: spell(parameters, &random))
      let other = try MIMEType(parsing: spell(parameters.shuffled(using: &random), &random))
      #expect(one == other)
      #expect(one.hashValue == other.hashValue)
    }
  }

  private func spell(_ parameters: [(String, String)], _ random: inout SplitMix64) -> String {
    parameters.reduce("Text/X") { text, parameter in
      let space = ["", " ", "\t"].randomElement(using: &random) ?? ""
      let name = Bool.random(using: &random) ? parameter.0 : parameter.0.uppercased()
      let value = Bool.random(using: &random) ? parameter.1 : "\"\(parameter.1)\""
      return "\(text)\(space);\(space)\(name)\(space)=\(space)\(value)"
    }
  }
}
