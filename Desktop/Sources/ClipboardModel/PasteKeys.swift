/// The keys that paste in an application.
public enum PasteKeys: String, Hashable, Sendable, CaseIterable {
  /// Most programs paste the clipboard with these keys, and terminals the primary selection.
  case shiftInsert = "shift+insert"
  case controlV = "control+v"
  case controlShiftV = "control+shift+v"

  /// Whether Shift is one of the keys.
  public var hasShift: Bool { self != .controlV }
  /// Whether Control is one of the keys.
  public var hasControl: Bool { self != .shiftInsert }
}

/// The keys that paste in the applications that a pattern matches.
public struct PasteRule: Hashable, Sendable {
  /// The keys.
  public let keys: PasteKeys
  /// A pattern for the names of programs; a `*` matches any characters.
  public let pattern: String

  /// Creates a rule.
  public init(_ keys: PasteKeys, in pattern: String) { (self.keys, self.pattern) = (keys, pattern) }

  /// Reads a rule from its text; nil if the text is invalid.
  public init?(_ text: String) {
    let words = text.split(separator: " ", maxSplits: 1)
    guard words.count == 2, let keys = PasteKeys(rawValue: String(words[0])) else { return nil }
    self.init(keys, in: String(words[1]))
  }

  /// The text of the rule, such as `control+v blender`.
  public var text: String { "\(keys.rawValue) \(pattern)" }

  /// The rules for applications that do not paste with Shift+Insert, or not everything.
  ///
  /// The drawing programs and the file managers of GTK paste pictures and files only with Control+V.
  private static let known = [
    "blender", "caja", "gimp*", "inkscape", "nautilus", "nemo", "pcmanfm*", "thunar",
  ].map { PasteRule(.controlV, in: $0) }

  /// Patterns for the programs of KDE, which paste by an action with a shortcut.
  private static let actionPatterns = ["org.kde.*", "kate", "konsole", "kwrite", "yakuake"]

  /// Returns whether a program is known to paste by an action with a shortcut, and not by a key of the
  /// widget with the focus.
  public static func isAction(in program: ProgramNames) -> Bool {
    program.all.contains { name in
      actionPatterns.contains { Exclusions.glob($0, matches: name) }
    }
  }

  /// Returns the keys that paste in a program.
  ///
  /// - Parameters:
  ///   - program: the names of the program.
  ///   - rules: the user's rules, which come before the built-in ones; the first match counts.
  /// - Returns: the keys.
  public static func keys(for program: ProgramNames, _ rules: [PasteRule]) -> PasteKeys {
    let rule = (rules + known).first { rule in
      program.all.contains { Exclusions.glob(rule.pattern, matches: $0) }
    }
    return rule?.keys ?? .shiftInsert
  }
}
