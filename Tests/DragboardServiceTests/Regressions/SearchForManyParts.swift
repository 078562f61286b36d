import DBus
import DragboardInterface
import TestSupport
import Testing

@Suite(
  "Regression: a search for one word of thousands of parts took gigabytes"
)
struct SearchForManyParts {
  @Test("Parts of a word count toward the 64 words and 4,096 bytes of a query")
  func parts() throws {
    let daemon = try Daemon()
    let client = try daemon.client()
    func word(of parts: Int) -> String {
      [String](repeating: "a", count: parts).joined(separator: ".")
    }
    let item = try client.insert([word(of: 10_000)])[0]
    func found(_ query: String) throws -> [String] {
      try client.call(BoardInterface.search, query, 0)
    }
    #expect(try found(word(of: 64)) == [item])
    for query in [word(of: 65), word(of: 32) + " " + word(of: 33), word(of: 2_000)] {
      expect(.limitsExceeded, naming: "query", "64") { _ = try found(query) }
    }
    #expect(try found(String(repeating: "a", count: 4_096)) == [])
    for character in ["a", ".", "é", "\u{301}"] {
      let query = String(
        String.UnicodeScalarView(repeatElement(character.unicodeScalars, count: 4_097).joined()))
      expect(.limitsExceeded, naming: "query", "4096") { _ = try found(query) }
    }
  }
}
