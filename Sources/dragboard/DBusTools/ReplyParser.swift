/// Reads what `dbus-send --print-reply` and `dbus-monitor` print, one value to a line or to several.
///
/// They quote texts and escape nothing: a text of several lines cannot be read back.
/// Source: `tools/dbus-print-message.c` of the D-Bus reference implementation.
struct ReplyParser {
  /// A line that is none of theirs.
  struct Unreadable: Error, Equatable {
    /// The line; nil where there should have been one more.
    let line: String?
  }

  private var lines: ArraySlice<String>

  private init(_ lines: [String]) { self.lines = lines[...] }

  /// All values of the lines, whose first, the header of the message, is left out by the caller.
  static func values(in lines: [String]) throws(Unreadable) -> [ReplyValue] {
    var parser = ReplyParser(lines)
    var values: [ReplyValue] = []
    while !parser.lines.isEmpty { values.append(try parser.value()) }
    return values
  }

  private mutating func value() throws(Unreadable) -> ReplyValue {
    guard let line = lines.popFirst() else { throw Unreadable(line: nil) }
    return try value(line.drop { $0 == " " })
  }

  private mutating func value(_ line: Substring) throws(Unreadable) -> ReplyValue {
    switch line {
    case "array [": return .list(try values(until: "]"))
    case "struct {": return .list(try values(until: "}"))
    case "dict entry(": return .list(try values(until: ")"))
    case "boolean true": return .boolean(true)
    case "boolean false": return .boolean(false)
    default: break
    }
    if line.hasPrefix("variant ") { return try value(line.dropFirst(7).drop { $0 == " " }) }
    return try Self.basic(line)
  }

  private mutating func values(until end: String) throws(Unreadable) -> [ReplyValue] {
    var values: [ReplyValue] = []
    while let line = lines.first, line.drop(while: { $0 == " " }) != end {
      values.append(try value())
    }
    guard lines.popFirst() != nil else { throw Unreadable(line: nil) }
    return values
  }

  private static func basic(_ line: Substring) throws(Unreadable) -> ReplyValue {
    for kind in ["string \"", "object path \"", "signature \""] where line.hasPrefix(kind) {
      let text = line.dropFirst(kind.count)
      guard text.last == "\"" else { break }
      return .text(String(text.dropLast()))
    }
    let words = line.split(separator: " ")
    if words.count == 2, numbers.contains(words[0]), let number = Int(words[1]) {
      return .number(number)
    }
    throw Unreadable(line: String(line))
  }

  private static let numbers: Set<Substring> = [
    "byte", "int16", "uint16", "int32", "uint32", "int64", "uint64",
  ]
}
