/// The copies that must not be stored: copies by certain applications, and copies with certain
/// types.
public struct Exclusions: Hashable, Sendable {
  /// Patterns for the names of applications; a `*` matches any characters.
  public var applications: [String]
  /// Patterns for types; a `*` matches any characters.
  public var types: [String]

  /// Creates exclusions.
  public init(applications: [String] = [], types: [String] = []) {
    self.applications = applications
    self.types = types
  }

  /// Returns whether a copy is excluded.
  ///
  /// - Parameters:
  ///   - application: the name of the application; "" if it is unknown.
  ///   - offered: the names that the application offers.
  /// - Returns: whether a pattern matches.
  public func match(application: String, types offered: [String]) -> Bool {
    !application.isEmpty && applications.contains { Self.glob($0, matches: application) }
      || types.contains { pattern in offered.contains { Self.glob(pattern, matches: $0) } }
  }

  /// Returns whether a text matches a pattern, ignoring case.
  ///
  /// O(length of the pattern × length of the text).
  static func glob(_ pattern: String, matches text: String) -> Bool {
    let (pattern, text) = (Array(pattern.lowercased().utf8), Array(text.lowercased().utf8))
    var (place, position) = (0, 0)
    var star: (place: Int, position: Int)?
    while position < text.count {
      if place < pattern.count, pattern[place] == UInt8(ascii: "*") {
        star = (place, position)
        place += 1
      } else if place < pattern.count, pattern[place] == text[position] {
        place += 1
        position += 1
      } else if let last = star {
        star = (last.place, last.position + 1)
        place = last.place + 1
        position = last.position + 1
      } else {
        return false
      }
    }
    return pattern[place...].allSatisfy { $0 == UInt8(ascii: "*") }
  }
}
