import DragboardClient

/// Messages of the daemon in the words of the command line.
///
/// The daemon speaks to programs: its messages name methods, arguments and object paths.
enum DaemonWords {
  /// Returns the message without hints at methods, and with the names that the user knows.
  ///
  /// Clients can choose quoted text, which stays as it is.
  static func translated(_ message: String) -> String {
    let (plain, quoted) = separated(message)
    var words = withoutMethods(plain)
    for (theirs, ours) in phrases { words = words.replacing(theirs, with: ours) }
    words = withoutPaths(words)
    var next = quoted[...]
    return words.reduce(into: "") { $0 += $1 == mark ? next.popFirst() ?? "" : String($1) }
  }

  /// The character that stands for a quoted text.
  private static let mark: Character = "\u{FFFC}"

  /// Returns the message with a mark in place of each quoted text, and the quoted texts.
  private static func separated(_ message: String) -> (plain: String, quoted: [String]) {
    var (plain, quoted) = ("", [String]())
    var (isQuoted, isEscaped) = (false, false)
    for character in message {
      let isEnd = character == "\"" && !isEscaped
      isEscaped = isQuoted && character == "\\" && !isEscaped
      switch (isQuoted, isEnd) {
      case (false, true):
        plain.append(mark)
        quoted.append("\"")
      case (false, false): plain.append(character == mark ? "\u{FFFD}" : character)
      case (true, _): quoted[quoted.count - 1].append(character)
      }
      if isEnd { isQuoted.toggle() }
    }
    return (plain, quoted)
  }

  private static let phrases = [
    ("items: board \(mark) has no item", "the board \(mark) has no row"),
    ("item: board \(mark) has no item", "the board \(mark) has no row"),
    ("items: \(mark)", "rows: \(mark)"), ("item: \(mark)", "row: \(mark)"),
    ("session: there is no session at", "there is no"),
    ("name: there is no board", "there is no board"), ("to_section: ", "section: "),
    ("representations: ", ""), ("is not the board's revision", "is no longer the revision"),
    (" (take a new snapshot, or use base 0)", ""), ("base: ", "the board has been edited: "),
    (" (Clear empties it)", ""), ("since: ", "revision: "), ("new_name: ", "name: "),
    ("fd: ", ""), ("caller: ", ""),
  ]

  /// Removes hints at methods: `x (use GetRows)`, `x; GetTypes returns its types`.
  private static func withoutMethods(_ message: String) -> String {
    guard namesMethod(message) else { return message }
    var kept = ""
    var rest = message[...]
    while let start = rest.firstRange(of: " ("),
      let end = rest[start.upperBound...].firstIndex(of: ")")
    {
      kept += rest[..<start.lowerBound]
      let group = rest[start.lowerBound...end]
      if !namesMethod(group) { kept += group }
      rest = rest[rest.index(after: end)...]
    }
    kept += rest
    return kept.split(separator: "; ").filter { !namesMethod($0) }.joined(separator: "; ")
  }

  /// Returns whether a text has a word such as `GetRows`.
  private static func namesMethod(_ text: some StringProtocol) -> Bool {
    text.split { !$0.isLetter }.contains { word in
      word.first?.isUppercase == true && word.dropFirst().contains(where: \.isUppercase)
        && word.contains(where: \.isLowercase) && !units.contains(String(word))
    }
  }

  private static let units: Set = ["KiB", "MiB", "GiB", "TiB"]

  /// Replaces object paths: `drag 3`, `view 1`, `board default`.
  private static func withoutPaths(_ message: String) -> String {
    let root = "/org/dragboard/Dragboard1/"
    guard message.contains(root) else { return message }
    return message.replacing(root + "session/", with: "drag ")
      .replacing(root + "view/", with: "view ").replacing(root + "board/", with: "board ")
  }
}
