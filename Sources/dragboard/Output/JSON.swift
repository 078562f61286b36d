import Text

/// A JSON value to print.
///
/// Scalars that can deceive a reader are escaped, both in a pipe and on a terminal.
/// Source: RFC 8259.
indirect enum JSON: Equatable, Sendable {
  case string(String)
  case integer(Int64)
  case fraction(Double)
  case boolean(Bool)
  case null
  case array([JSON])
  /// The members, in the order in which they are printed.
  case object([Member])

  struct Member: Equatable, Sendable {
    let name: String
    let value: JSON
  }
}

extension JSON: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral,
  ExpressibleByNilLiteral
{
  init(stringLiteral text: String) { self = .string(text) }
  init(integerLiteral number: Int64) { self = .integer(number) }
  init(booleanLiteral flag: Bool) { self = .boolean(flag) }
  init(arrayLiteral elements: JSON...) { self = .array(elements) }
  init(nilLiteral: ()) { self = .null }
  init(dictionaryLiteral members: (String, JSON)...) {
    self = .object(members.map { Member(name: $0, value: $1) })
  }

  static func + (left: JSON, right: JSON) -> JSON { .object(left.members + right.members) }

  init(_ number: some BinaryInteger) { self = .integer(Int64(clamping: number)) }
  init(texts: some Sequence<some CustomStringConvertible>) {
    self = .array(texts.map { .string($0.description) })
  }
  init(text: (some CustomStringConvertible)?) {
    self = text.map { .string($0.description) } ?? .null
  }
}

extension JSON {
  var members: [Member] { if case .object(let members) = self { members } else { [] } }

  /// The value as text for a person: a string without quotes, any other value as JSON.
  var words: String { if case .string(let text) = self { text } else { description } }
}

extension JSON: CustomStringConvertible {
  var description: String {
    switch self {
    case .string(let text): Self.quoted(text)
    case .integer(let number): "\(number)"
    case .fraction(let number): number.isFinite ? "\(number)" : "null"
    case .boolean(let flag): "\(flag)"
    case .null: "null"
    case .array(let elements): "[" + elements.map(\.description).joined(separator: ",") + "]"
    case .object(let members):
      "{" + members.map { "\(Self.quoted($0.name)):\($0.value)" }.joined(separator: ",") + "}"
    }
  }

  private static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": quoted += "\\\""
      case "\\": quoted += "\\\\"
      case "\n": quoted += "\\n"
      case "\t": quoted += "\\t"
      case "\r": quoted += "\\r"
      case _ where scalar.isDeceptive: quoted += scalar.jsonEscapes
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }
}
