import DragModel
import Testing

@Suite("Conformance")
struct TypeQueryTests {
  static let types = [
    "text/plain;charset=utf-8", "text/plain", "text/plain;charset=iso-8859-1",
    "text/plain;charset=utf-8;format=flowed", "text/html", "textual/plain", "image/png",
    "application/octet-stream",
  ]

  @Test(
    "A type conforms to itself, to less specific types and to patterns, and to no sibling",
    arguments: [
      ("text/plain;charset=utf-8", [0, 3]),
      ("TEXT/plain; CHARSET=\"UTF-8\"", [0, 3]),
      ("UTF8_STRING", [0, 3]),
      ("text/plain", [0, 1, 2, 3]),
      ("public.plain-text", [0, 1, 2, 3]),
      ("text/plain;format=flowed", [3]),
      ("text/plain;format=flowed;charset=utf-8", [3]),
      ("text/plain;format=fixed;charset=utf-8", []),
      ("text/*", [0, 1, 2, 3, 4]),
      ("Text/*", [0, 1, 2, 3, 4]),
      ("*/*", [0, 1, 2, 3, 4, 5, 6, 7]),
      ("public.data", [0, 1, 2, 3, 4, 5, 6, 7]),
      ("PUBLIC.DATA", [0, 1, 2, 3, 4, 5, 6, 7]),
      ("application/octet-stream", [7]),
      ("text/html;charset=utf-8", []),
      ("text/plai", []),
      ("image/*", [6]),
      ("public.png", [6]),
    ])
  func matrix(question: String, conforming: [Int]) throws {
    let query = try TypeQuery(parsing: question)
    let matching = try Self.types.indices.filter {
      query.matches(try ContentType(parsing: Self.types[$0]))
    }
    #expect(matching == conforming)
  }

  @Test(
    "The MIME form of a question asks the same",
    arguments: [
      ("public.data", "*/*"), ("*/*", "*/*"), ("Text/*", "text/*"), ("public.html", "text/html"),
      ("text/plain; a=b", "text/plain;a=b"),
      ("application/octet-stream", "application/octet-stream"),
    ])
  func description(text: String, mime: String) throws {
    let query = try TypeQuery(parsing: text)
    #expect(query.description == mime)
    #expect(try TypeQuery(parsing: mime) == query)
  }

  @Test(
    "Only */* and type/*, without parameters, are patterns",
    arguments: [
      ("*", .unknownAlias("*")),
      ("*/plain", .malformedPattern("*/plain")),
      ("text/*;charset=utf-8", .malformedPattern("text/*;charset=utf-8")),
      ("*/*;q=0.8", .malformedPattern("*/*;q=0.8")),
      ("text/**", .malformedName("text/**")),
      ("te*/plain", .malformedName("te*/plain")),
      ("", .empty),
      ("text/plain;", .malformedParameter("text/plain;")),
    ] as [(String, ContentTypeError)])
  func refused(text: String, error: ContentTypeError) {
    #expect(throws: error) { try TypeQuery(parsing: text) }
  }

  @Test("Of several questions one is enough")
  func accept() throws {
    let accepted = [try TypeQuery(parsing: "image/*"), .plainText]
    #expect(accepted.accept(.png))
    #expect(accepted.accept(.plainText))
    #expect(!accepted.accept(.html))
    #expect(![TypeQuery]().accept(.plainText))
  }

  @Test("Conformance is transitive")
  func transitive() throws {
    let types = try Self.types.map { try ContentType(parsing: $0) }
    for one in types {
      for two in types where TypeQuery(two).matches(one) {
        for three in types where TypeQuery(three).matches(two) {
          #expect(TypeQuery(three).matches(one))
        }
      }
    }
  }
}
