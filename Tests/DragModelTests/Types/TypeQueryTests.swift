import DragModel
import TestSupport
import Testing

@Suite("Conformance")
struct TypeQueryTests {
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
    ] as [(String, MIMETypeError)])
  func refused(text: String, error: MIMETypeError) {
    #expect(throws: error) { try TypeQuery(parsing: text) }
  }

  @Test("A type conforms to several queries if it conforms to one")
  func accept() throws {
    let accepted = [try TypeQuery(parsing: "image/*"), .plainText]
    #expect(accepted.accept(.png))
    #expect(accepted.accept(.plainText))
    #expect(!accepted.accept(.html))
    #expect(![TypeQuery]().accept(.plainText))
  }

  @Test("Conformance is transitive")
  func transitive() throws {
    let types = try TypeTable.types.map { try MIMEType(parsing: $0.type) }
    for one in types {
      for two in types where TypeQuery(two).matches(one) {
        for three in types where TypeQuery(three).matches(two) {
          #expect(TypeQuery(three).matches(one))
        }
      }
    }
  }
}
