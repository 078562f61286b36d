import DragModel
import TestSupport
import Testing

@Suite("Types, compared with the table")
struct TypeTableTests {
  @Test(
    "A type has one normal form, which is parsed as the same type",
    arguments: TypeTable.spellings.map { [$0.text, $0.mime] })
  func spelling(row: [String]) throws {
    let type = try MIMEType(parsing: row[0])
    #expect(type.mime == row[1])
    #expect(type.description == row[1])
    #expect(try MIMEType(parsing: row[1]) == type)
    #expect(try TypeQuery(parsing: row[0]) == TypeQuery(type))
  }

  @Test(
    "Identifiers and target names are aliases, in any case",
    arguments: TypeTable.aliases.map { [$0.text, $0.mime] })
  func alias(row: [String]) throws {
    for text in [row[0], row[0].lowercased(), row[0].uppercased()] {
      #expect(try MIMEType(parsing: text).mime == row[1])
    }
  }

  @Test("The table contains every alias")
  func onlyAliases() {
    #expect(
      Set(MIMEType.aliases.keys) == Set(TypeTable.aliases.map { $0.text.lowercased() }))
  }

  @Test(
    "A malformed text is neither a type nor a query",
    arguments: TypeTable.malformed + TypeTable.malformedPatterns)
  func malformed(text: String) {
    for error in [
      #expect(throws: MIMETypeError.self) { try MIMEType(parsing: text) },
      #expect(throws: MIMETypeError.self) { try TypeQuery(parsing: text) },
    ] { #expect(error?.description.hasPrefix("type: ") == true) }
  }

  @Test(
    "A name that RFC 6838 does not allow is accepted only from the store",
    arguments: TypeTable.unregistered)
  func unregistered(text: String) throws {
    let refusal = MIMETypeError.malformedName(text)
    #expect(throws: refusal) { try MIMEType(parsing: text) }
    #expect(throws: refusal) { try TypeQuery(parsing: text) }
    let stored = try MIMEType(stored: text)
    #expect(stored.mime == text)
    #expect(try TypeQuery(stored: text).matches(stored))
    #expect(TypeQuery.any.matches(stored))
  }

  @Test(
    "A type that no release has stored is not read from the store", arguments: TypeTable.malformed)
  func neverStored(text: String) {
    #expect(throws: MIMETypeError.self) { try MIMEType(stored: text) }
    #expect(throws: MIMETypeError.self) { try TypeQuery(stored: text) }
  }

  @Test("A pattern is a query, not a type", arguments: TypeTable.patterns)
  func pattern(text: String) {
    #expect(throws: MIMETypeError.pattern(text)) { try MIMEType(parsing: text) }
    #expect(throws: Never.self) { try TypeQuery(parsing: text) }
  }

  @Test(
    "A query finds exactly the conforming types",
    arguments: TypeTable.questions.map { [$0.text, $0.mime, $0.conforming] })
  func question(row: [String]) throws {
    let query = try TypeQuery(parsing: row[0])
    #expect(query.description == row[1])
    #expect(try TypeQuery(parsing: row[1]) == query)
    let conforming = try TypeTable.types.filter { try query.matches(MIMEType(parsing: $0.type)) }
    #expect(conforming.map(\.name).joined(separator: " ") == row[2])
  }
}
