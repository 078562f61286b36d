import DragboardClient

/// Messages of the daemon in the words of the command line.
///
/// The daemon speaks to programs: its messages name methods, arguments and object paths.
enum DaemonWords {
  /// Returns the message without hints at methods, and with the names that the user knows.
  static func translated(_ message: String) -> String {
    var words = withoutMethods(message)
    for (theirs, ours) in phrases { words = words.replacing(theirs, with: ours) }
    return withoutPaths(words)
  }

  /// The methods that messages suggest.
  private static let methods = [
    "GetTypes", "GetRows", "GetFile", "LoadFile", "SetEditable", "SetMovable", "SetPinned",
    "RegisterPromise", "GetSnapshot", "GetChanges", "GetDeletedBoards",
  ]

  private static let phrases = [
    ("item: \"", "row: \""), ("is not the board's revision", "is no longer the revision"),
    ("base: ", "the board has been edited: "),
  ]

  /// Removes hints at methods: `x (use GetRows)`, `x; GetTypes returns its types`.
  private static func withoutMethods(_ message: String) -> String {
    func isHint(_ text: some StringProtocol) -> Bool { methods.contains { text.contains($0) } }
    guard isHint(message) else { return message }
    var kept = ""
    var rest = message[...]
    while let start = rest.firstRange(of: " ("),
      let end = rest[start.upperBound...].firstIndex(of: ")")
    {
      kept += rest[..<start.lowerBound]
      let group = rest[start.lowerBound...end]
      if !isHint(group) { kept += group }
      rest = rest[rest.index(after: end)...]
    }
    kept += rest
    return kept.split(separator: "; ").filter { !isHint($0) }.joined(separator: "; ")
  }

  /// Replaces object paths: `drag 3`, `view 1`, `board default`.
  private static func withoutPaths(_ message: String) -> String {
    let root = "/org/dragboard/Dragboard1/"
    guard message.contains(root) else { return message }
    return message.replacing(root + "session/", with: "drag ")
      .replacing(root + "view/", with: "view ").replacing(root + "board/", with: "board ")
  }
}
