@testable import DBus

/// The names that two services gave to the same objects: ids of rows, paths of sessions and views.
///
/// Two messages match if they differ in such names only, and each name of one service always stands
/// for the same name of the other.
struct Pairing {
  /// A name, by service.
  typealias Pair = [String]

  private(set) var items: [Pair] = []
  private(set) var sessions: [Pair] = []
  private(set) var views: [Pair] = []
  private var partners: [[String: String]] = [[:], [:]]

  /// Compares two lists of values; pairs ids and paths that are new on both sides.
  mutating func match(_ left: [Value], _ right: [Value]) -> Bool {
    guard left.count == right.count else { return false }
    for (left, right) in zip(left, right) where !match(left, right) { return false }
    return true
  }

  /// Compares two texts that may be names.
  mutating func match(_ left: String, _ right: String) -> Bool {
    guard let kind = Kind(left) else { return left == right }
    guard kind == Kind(right) else { return false }
    switch (partners[0][left], partners[1][right]) {
    case (right, left): return true
    case (nil, nil): break
    default: return false
    }
    partners[0][left] = right
    partners[1][right] = left
    switch kind {
    case .item: items.append([left, right])
    case .session: sessions.append([left, right])
    case .view: views.append([left, right])
    }
    return true
  }

  private mutating func match(_ left: Value, _ right: Value) -> Bool {
    switch (left, right) {
    case (.string(let left), .string(let right)): return match(left, right)
    case (.objectPath(let left), .objectPath(let right)): return match(left.text, right.text)
    case (.variant(let left), .variant(let right)): return match(left, right)
    case (.structure(let left), .structure(let right)): return match(left, right)
    case (.array(let type, let left), .array(let other, let right)):
      return type == other && match(left, right)
    case (.dictionary(_, _, let left), .dictionary(_, _, let right)): return match(left, right)
    default: return left == right
    }
  }

  /// Compares dictionaries, whose order means nothing; names among the keys must be known.
  private mutating func match(_ left: [Value.Entry], _ right: [Value.Entry]) -> Bool {
    guard left.count == right.count else { return false }
    for entry in left {
      guard let key = Self.text(of: entry.key),
        let other = right.first(where: {
          Self.text(of: $0.key) == (Kind(key) == nil ? key : partners[0][key])
        }), match(entry.value, other.value)
      else { return false }
    }
    return true
  }

  private static func text(of key: Value) -> String? {
    switch key {
    case .string(let text): text
    case .objectPath(let path): path.text
    default: nil
    }
  }

  private enum Kind {
    case item, session, view

    init?(_ text: String) {
      if text.contains("/session/") {
        self = .session
      } else if text.contains("/view/") {
        self = .view
      } else if text.utf8.count == 36, text.split(separator: "-").count == 5 {
        self = .item
      } else {
        return nil
      }
    }
  }
}

extension Message {
  /// The arguments, whatever their types.
  var values: [Value] {
    var (reader, values) = (MessageReader(self), [Value]())
    while !reader.isAtEnd, let value = try? Value.read(from: &reader) { values.append(value) }
    return values
  }
}
