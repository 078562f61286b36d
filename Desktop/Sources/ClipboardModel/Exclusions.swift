/// The copies that must not be stored: copies by certain applications, from certain windows, and
/// copies with certain types.
public struct Exclusions: Hashable, Sendable {
  /// Patterns for the names of programs; a `*` matches any characters.
  public var applications: [String]
  /// Patterns for types; a `*` matches any characters.
  public var types: [String]
  /// Patterns for the titles of windows; a `*` matches any characters.
  public var windows: [String]

  /// Creates exclusions.
  public init(applications: [String] = [], types: [String] = [], windows: [String] = []) {
    self.applications = applications
    self.types = types
    self.windows = windows
  }

  /// The exclusions of a user who has changed nothing.
  public static let byDefault = Exclusions(
    applications: DefaultExclusions.applications, windows: DefaultExclusions.windows)

  /// Adds the default exclusions that are missing.
  mutating func addDefaults() {
    applications += DefaultExclusions.applications.filter { !applications.contains($0) }
    windows += DefaultExclusions.windows.filter { !windows.contains($0) }
  }

  /// Returns whether a copy is excluded.
  ///
  /// - Parameters:
  ///   - program: the names of the program that has made the copy.
  ///   - offered: the names that the program offers.
  /// - Returns: whether a pattern matches.
  public func match(_ program: ProgramNames, types offered: [String]) -> Bool {
    applications.contains { pattern in program.all.contains { Self.glob(pattern, matches: $0) } }
      || types.contains { pattern in offered.contains { Self.glob(pattern, matches: $0) } }
  }

  /// Returns whether a copy is excluded that one of these windows can have made.
  public func match(_ candidates: [FocusedWindow]) -> Bool {
    candidates.contains { window in
      let names = ProgramNames(applicationID: window.application).all
      return applications.contains { pattern in
        names.contains { Self.glob(pattern, matches: $0) }
      } || windows.contains { !window.title.isEmpty && Self.glob($0, matches: window.title) }
    }
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
