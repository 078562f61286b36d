/// Excerpts of long texts.
public enum ShownText {
  /// Returns the first lines of a text that are not blank, each truncated to 200 characters.
  public static func lines(of text: String, atMost count: Int = 3) -> String {
    text.split(whereSeparator: \.isNewline).lazy
      .filter { !$0.allSatisfy(\.isWhitespace) }.prefix(count).map { String($0.prefix(200)) }
      .joined(separator: "\n")
  }

  /// Returns the words of an HTML text without tags, styles, scripts and titles.
  public static func words(ofMarkup markup: String) -> String {
    var words = ""
    var hidden: Substring?
    for piece in markup.split(separator: "<", omittingEmptySubsequences: false).enumerated() {
      guard piece.offset > 0, let end = piece.element.firstIndex(of: ">") else {
        if piece.offset == 0 { words += piece.element }
        continue
      }
      let name = piece.element[..<end].lowercased()[...].prefix { $0 == "/" || $0.isLetter }
      if let opened = hidden {
        guard name == "/" + opened else { continue }
        hidden = nil
      }
      if unshown.contains(name) { hidden = name }
      if breaks.contains(name) { words += "\n" }
      if hidden == nil { words += piece.element[piece.element.index(after: end)...] }
    }
    for (name, character) in entities { words.replace(name, with: character) }
    return words
  }

  private static let unshown: Set<Substring> = ["style", "script", "title"]
  private static let breaks: Set<Substring> = ["br", "p", "/p", "div", "/div", "li", "tr"]
  private static let entities = [
    ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&nbsp;", " "), ("&amp;", "&"),
  ]
}
