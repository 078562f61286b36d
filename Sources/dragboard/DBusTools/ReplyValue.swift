/// What dbus-send printed, as a value: types that a person does not tell apart are one case.
enum ReplyValue: Hashable {
  /// A string, an object path or a signature.
  case text(String)
  /// An integer.
  case number(Int)
  /// A boolean.
  case boolean(Bool)
  /// An array, a struct, or an entry of a dictionary.
  case list([ReplyValue])
}

extension ReplyValue {
  /// The text, where it is one.
  var text: String? { if case .text(let text) = self { text } else { nil } }
  /// The number, where it is one.
  var number: Int? { if case .number(let number) = self { number } else { nil } }
  /// The members, where it has some.
  var list: [ReplyValue]? { if case .list(let list) = self { list } else { nil } }
}

extension ReplyValue: CustomStringConvertible {
  /// The value as it would stand in a line of text.
  var description: String {
    switch self {
    case .text(let text): "\"\(text)\""
    case .number(let number): "\(number)"
    case .boolean(let flag): "\(flag)"
    case .list(let list): "[\(list.map(\.description).joined(separator: ", "))]"
    }
  }
}

extension ReplyValue: Encodable {
  /// A string, a number, a boolean, or an array.
  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .text(let text): try container.encode(text)
    case .number(let number): try container.encode(number)
    case .boolean(let flag): try container.encode(flag)
    case .list(let list): try container.encode(list)
    }
  }
}

extension ReplyValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByArrayLiteral
{
  /// A text.
  init(stringLiteral text: String) { self = .text(text) }
  /// A number.
  init(integerLiteral number: Int) { self = .number(number) }
  /// A list.
  init(arrayLiteral list: ReplyValue...) { self = .list(list) }
}
