extension Exclusions {
  /// The lines of a file with these exclusions: `application PATTERN` or `type PATTERN`.
  public var lines: [String] {
    applications.map { "application \($0)" } + types.map { "type \($0)" }
  }

  /// Reads the lines of a file.
  ///
  /// - Parameter lines: the lines; blank lines and comments after `#` have no effect.
  /// - Returns: the exclusions, and the numbers of the lines that are neither, from 1 on.
  public static func read(_ lines: [String]) -> (exclusions: Exclusions, invalidLines: [Int]) {
    var exclusions = Exclusions()
    var invalidLines: [Int] = []
    for (index, line) in lines.enumerated() where !line.isEmpty && !line.hasPrefix("#") {
      let words = line.split(separator: " ", maxSplits: 1)
      switch (words.first, words.count) {
      case ("application", 2): exclusions.applications.append(String(words[1]))
      case ("type", 2): exclusions.types.append(String(words[1]))
      default: invalidLines.append(index + 1)
      }
    }
    return (exclusions, invalidLines)
  }
}
