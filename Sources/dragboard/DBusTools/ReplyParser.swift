/// A parser of the values that `dbus-send --print-reply` and `dbus-monitor` print.
///
/// A text, an object path or a signature becomes a string. A struct or an entry of a dictionary
/// becomes an array. The tools do not escape quoted texts, so a text of several lines cannot be
/// parsed.
/// Source: `tools/dbus-print-message.c` of the D-Bus reference implementation.
struct ReplyParser {
  /// The error for unexpected output.
  struct Unreadable: Error, Equatable {
    /// The unexpected line; nil if a line is missing.
    let line: String?
  }

  private var lines: ArraySlice<String>

  private init(_ lines: [String]) { self.lines = lines[...] }

  /// Parses the lines after the header of a message.
  static func values(in lines: [String]) throws(Unreadable) -> [JSON] {
    var parser = ReplyParser(lines)
    var values: [JSON] = []
    while !parser.lines.isEmpty { values.append(try parser.value()) }
    return values
  }

  private mutating func value() throws(Unreadable) -> JSON {
    guard let line = lines.popFirst() else { throw Unreadable(line: nil) }
    return try value(line.drop { $0 == " " })
  }

  private mutating func value(_ line: Substring) throws(Unreadable) -> JSON {
    switch line {
    case "array [": return .array(try values(until: "]"))
    case "struct {": return .array(try values(until: "}"))
    case "dict entry(": return .array(try values(until: ")"))
    case "boolean true": return .boolean(true)
    case "boolean false": return .boolean(false)
    default: break
    }
    if line.hasPrefix("variant ") { return try value(line.dropFirst(7).drop { $0 == " " }) }
    return try Self.basic(line)
  }

  private mutating func values(until end: String) throws(Unreadable) -> [JSON] {
    var values: [JSON] = []
    while let line = lines.first, line.drop(while: { $0 == " " }) != end {
      values.append(try value())
    }
    guard lines.popFirst() != nil else { throw Unreadable(line: nil) }
    return values
  }

  private static func basic(_ line: Substring) throws(Unreadable) -> JSON {
    for kind in ["string \"", "object path \"", "signature \""] where line.hasPrefix(kind) {
      let text = line.dropFirst(kind.count)
      guard text.last == "\"" else { break }
      return .string(String(text.dropLast()))
    }
    let words = line.split(separator: " ")
    if words.count == 2, numbers.contains(words[0]), let number = Int(words[1]) {
      return JSON(number)
    }
    throw Unreadable(line: String(line))
  }

  private static let numbers: Set<Substring> = [
    "byte", "int16", "uint16", "int32", "uint32", "int64", "uint64",
  ]
}

extension JSON {
  /// The text of a string; nil for another value.
  var text: String? { if case .string(let text) = self { text } else { nil } }
  /// The elements of an array; nil for another value.
  var elements: [JSON]? { if case .array(let elements) = self { elements } else { nil } }
}
