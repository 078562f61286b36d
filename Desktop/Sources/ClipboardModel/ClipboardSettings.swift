/// The settings of the bridge, which a file stores.
public struct ClipboardSettings: Hashable, Sendable {
  /// The copies that are not stored.
  public var exclusions: Exclusions
  /// Whether no copies are stored while the screen is locked.
  public var pausesWhileLocked: Bool
  /// The keys that paste in certain applications.
  public var pasteRules: [PasteRule]

  /// Whether selected text is stored, too.
  public var storesSelections: Bool

  /// Creates settings.
  public init(
    exclusions: Exclusions = .byDefault, pausesWhileLocked: Bool = false,
    storesSelections: Bool = false, pasteRules: [PasteRule] = []
  ) {
    (self.exclusions, self.pausesWhileLocked) = (exclusions, pausesWhileLocked)
    (self.storesSelections, self.pasteRules) = (storesSelections, pasteRules)
  }

  /// The lines of the file: `application PATTERN`, `window PATTERN`, `type PATTERN`,
  /// `pause-while-locked`, `store-selections`, `paste KEYS PATTERN`, and `defaults VERSION`.
  ///
  /// The last line says that the lists contain the default exclusions of this version, except those
  /// that the user has removed.
  public var lines: [String] {
    exclusions.applications.map { "application \($0)" }
      + exclusions.windows.map { "window \($0)" } + exclusions.types.map { "type \($0)" }
      + (pausesWhileLocked ? ["pause-while-locked"] : [])
      + (storesSelections ? ["store-selections"] : []) + pasteRules.map { "paste \($0.text)" }
      + ["defaults \(DefaultExclusions.version)"]
  }

  /// Reads the text of the file.
  ///
  /// A file without a line `defaults` is of an earlier release, or written by hand. It gets the default
  /// exclusions.
  ///
  /// - Parameter text: the lines; blank lines and lines that begin with `#` have no effect.
  /// - Returns: the settings, and the numbers of the lines that are invalid, from 1 on.
  public static func read(_ text: String) -> (settings: ClipboardSettings, invalidLines: [Int]) {
    var settings = ClipboardSettings(exclusions: Exclusions())
    var version = 0
    var invalidLines: [Int] = []
    // Split at scalars, because Swift treats a carriage return and a line feed as one character.
    let lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() {
      let line = String(Substring(line.last == "\r" ? line.dropLast() : line))
      if line.isEmpty || line.hasPrefix("#") { continue }
      let words = line.split(separator: " ", maxSplits: 1)
      switch (words.first, words.count) {
      case ("application", 2): settings.exclusions.applications.append(String(words[1]))
      case ("window", 2): settings.exclusions.windows.append(String(words[1]))
      case ("type", 2): settings.exclusions.types.append(String(words[1]))
      case ("pause-while-locked", 1): settings.pausesWhileLocked = true
      case ("store-selections", 1): settings.storesSelections = true
      case ("defaults", 2) where Int(words[1]) != nil: version = Int(words[1]) ?? 0
      case ("paste", 2):
        guard let rule = PasteRule(String(words[1])) else { fallthrough }
        settings.pasteRules.append(rule)
      default: invalidLines.append(index + 1)
      }
    }
    if version < DefaultExclusions.version { settings.exclusions.addDefaults() }
    return (settings, invalidLines)
  }
}
