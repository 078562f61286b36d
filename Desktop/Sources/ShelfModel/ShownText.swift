internal import Text

/// Texts of clients, as widgets show them.
///
/// A text of a client can have any length, and any number of combining marks on one letter. The
/// toolkit needs much time and memory for such texts, so a widget gets only a part. Scalars that
/// can deceive the user are replaced in the same way as in a terminal.
public enum ShownText {
  /// The maximum number of scalars of a text that a widget gets.
  public static let maxScalars = 4_096
  /// The maximum number of bytes of a content that are read for its text.
  public static let maxByteCount = 64 << 10
  /// The maximum number of scalars of a line: a name, a title or an address.
  static let maxLineScalars = 512
  /// The maximum number of marks and joiners after a letter.
  static let maxMarks = 8

  /// Returns a text on one line.
  ///
  /// A longer text is cut.
  public static func line(_ text: String) -> String {
    let (line, isCut) = line(text.unicodeScalars, atMost: maxLineScalars)
    return isCut ? line + "…" : line
  }

  private static func line(
    _ scalars: some Sequence<Unicode.Scalar>, atMost count: Int
  ) -> (text: String, isCut: Bool) {
    var shown = Shown()
    for scalar in scalars.prefix(maxByteCount) {
      guard shown.count < count else { return (shown.text, true) }
      shown.append(scalar)
    }
    return (shown.text, false)
  }

  /// Returns the first words of a text, on one line and without an ellipsis.
  public static func words(of text: String, atMost count: Int) -> String {
    let (line, isCut) = line(text.unicodeScalars.prefix { !$0.isLineEnd }, atMost: count)
    guard isCut, let end = line.lastIndex(where: \.isWhitespace) else { return line }
    return String(line[..<end])
  }

  /// Returns the beginning of a text with its lines.
  ///
  /// - Parameters:
  ///   - text: the text, or its first part.
  ///   - isCut: whether the text has more parts.
  /// - Returns: the text; if it is cut, it ends with `…`.
  public static func beginning(of text: String, isCut: Bool = false) -> String {
    var shown = Shown()
    for scalar in text.unicodeScalars {
      guard shown.count < maxScalars - 1 else { return shown.text + "…" }
      switch scalar {
      case "\n", "\t": shown.append(unchanged: scalar)
      case "\r": continue
      default: shown.append(scalar)
      }
    }
    return isCut ? shown.text + "…" : shown.text
  }

  /// Returns the first lines of a text that are not blank, each truncated to 200 scalars.
  public static func lines(of text: String, atMost count: Int = 3) -> String {
    text.unicodeScalars.split(whereSeparator: \.isLineEnd).lazy
      .filter { !$0.allSatisfy(\.properties.isWhitespace) }.prefix(count)
      .map { line($0, atMost: 200).text }.joined(separator: "\n")
  }

  /// Returns whether a text can be edited as a whole: it has at most `maxByteCount` bytes, no
  /// paragraph of more than `maxScalars` scalars, and no letter with too many marks.
  public static func isEditable(_ text: String) -> Bool {
    guard text.utf8.count <= maxByteCount else { return false }
    var (length, marks) = (0, 0)
    for scalar in text.unicodeScalars {
      length = scalar.isLineEnd ? 0 : length + 1
      marks = scalar.isMark ? marks + 1 : 0
      guard length <= maxScalars, marks <= maxMarks else { return false }
    }
    return true
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

extension ShownText {
  /// A text that is built from the scalars of a client's text.
  private struct Shown {
    private var scalars = String.UnicodeScalarView()
    private var marks = 0
    private(set) var count = 0

    var text: String { String(scalars) }

    mutating func append(_ scalar: Unicode.Scalar) {
      marks = scalar.isMark ? marks + 1 : 0
      if marks <= maxMarks { add(scalar.displayed) }
    }

    mutating func append(unchanged scalar: Unicode.Scalar) {
      marks = 0
      add(scalar)
    }

    private mutating func add(_ scalar: Unicode.Scalar) {
      scalars.append(scalar)
      count += 1
    }
  }
}

extension Unicode.Scalar {
  /// Whether the scalar ends a line.
  fileprivate var isLineEnd: Bool {
    switch value {
    case 0x0A...0x0D, 0x85, 0x2028, 0x2029: true
    default: false
    }
  }

  /// Whether the scalar is drawn on or joined to the letter before it.
  fileprivate var isMark: Bool {
    guard value >= 0x300 else { return false }
    switch properties.generalCategory {
    case .nonspacingMark, .spacingMark, .enclosingMark: return true
    default: return properties.isJoinControl
    }
  }
}
