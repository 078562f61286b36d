/// A JSON value that a test reads.
enum JSONValue: Decodable, Equatable {
  case null
  case boolean(Bool)
  case number(Double)
  case string(String)
  case array([JSONValue])
  case object([String: JSONValue])

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let flag = try? container.decode(Bool.self) {
      self = .boolean(flag)
    } else if let number = try? container.decode(Double.self) {
      self = .number(number)
    } else if let text = try? container.decode(String.self) {
      self = .string(text)
    } else if let elements = try? container.decode([JSONValue].self) {
      self = .array(elements)
    } else {
      self = .object(try container.decode([String: JSONValue].self))
    }
  }

  /// The member of an object; nil if the object has no such member.
  subscript(name: String) -> JSONValue? {
    if case .object(let members) = self { members[name] } else { nil }
  }

  /// The elements of an array; empty for another value.
  var elements: [JSONValue] { if case .array(let elements) = self { elements } else { [] } }
  /// The members of an object; empty for another value.
  var members: [String: JSONValue] { if case .object(let members) = self { members } else { [:] } }
  /// The text; nil for another value.
  var text: String? { if case .string(let text) = self { text } else { nil } }

  /// The name of the type in a JSON Schema.
  var typeNames: Set<String> {
    switch self {
    case .null: ["null"]
    case .boolean: ["boolean"]
    case .number(let number): number == number.rounded() ? ["number", "integer"] : ["number"]
    case .string: ["string"]
    case .array: ["array"]
    case .object: ["object"]
    }
  }
}
