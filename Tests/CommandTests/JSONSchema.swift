import Foundation

/// A JSON Schema; supports only the keywords that `docs/json-output.schema.json` uses.
struct JSONSchema {
  private let definitions: [String: JSONValue]

  /// Reads a schema with its `$defs`.
  init(_ text: String) throws {
    let schema = try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))
    definitions = schema["$defs"]?.members ?? [:]
  }

  /// The names of the definitions.
  var names: Set<String> { Set(definitions.keys) }

  /// Returns the first violation of a definition; nil if the value conforms.
  func violation(of value: JSONValue, by name: String) -> String? {
    guard let schema = definitions[name] else { return "there is no definition \(name)" }
    return violation(value, schema, name)
  }

  private func violation(_ value: JSONValue, _ schema: JSONValue, _ path: String) -> String? {
    if let name = schema["$ref"]?.text?.split(separator: "/").last {
      return violation(of: value, by: String(name))
    }
    if let choices = schema["oneOf"]?.elements {
      let matches = choices.filter { violation(value, $0, path) == nil }
      return matches.count == 1 ? nil : "\(path): \(matches.count) choices match \(value)"
    }
    if let constant = schema["const"], constant != value { return "\(path): not \(constant)" }
    if let values = schema["enum"]?.elements, !values.contains(value) {
      return "\(path): \(value) is none of \(values)"
    }
    if let pattern = schema["pattern"]?.text,
      value.text?.range(of: pattern, options: .regularExpression) == nil
    {
      return "\(path): \(value) does not match \(pattern)"
    }
    let types = schema["type"].map { $0.text.map { [$0] } ?? $0.elements.compactMap(\.text) } ?? []
    guard types.isEmpty || !value.typeNames.isDisjoint(with: types) else {
      return "\(path): \(value) is not \(types)"
    }
    return memberViolation(value, schema, path)
  }

  private func memberViolation(
    _ value: JSONValue, _ schema: JSONValue, _ path: String
  ) -> String? {
    if let items = schema["items"] {
      return value.elements.lazy.compactMap { violation($0, items, "\(path)[]") }.first
    }
    for name in schema["required"]?.elements.compactMap(\.text) ?? [] where value[name] == nil {
      return "\(path): \(name) is missing"
    }
    let others = schema["additionalProperties"].flatMap { $0["type"] == nil ? nil : $0 }
    guard schema["properties"] != nil || others != nil else { return nil }
    return value.members.lazy.compactMap { name, member in
      guard let property = schema["properties"]?[name] ?? others else {
        return "\(path): \(name) is not in the schema"
      }
      return violation(member, property, "\(path).\(name)")
    }.first
  }
}
