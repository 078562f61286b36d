/// The meaning that the shelf recognizes in a plain text.
public enum Recognition: Hashable, Sendable {
  /// The text is a web address.
  case link
  /// The text is the address of a mailbox.
  case mailbox
  /// The text is source code, markup or commands of a shell.
  case code

  /// The readable name.
  public var name: String {
    switch self {
    case .link: localized("Link")
    case .mailbox: localized("Email address")
    case .code: localized("Code")
    }
  }
}

extension Recognition {
  /// Returns whether a text is the address of a mailbox: name, `@` and a domain with a dot.
  static func isMailbox(_ text: String) -> Bool {
    let parts = text.split(separator: "@", omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty, text.utf8.count <= 254 else { return false }
    let labels = parts[1].split(separator: ".", omittingEmptySubsequences: false)
    return parts[0].unicodeScalars.allSatisfy {
      isNamePart($0) || "+%'".unicodeScalars.contains($0)
    }
      && labels.count >= 2 && (labels.last?.count ?? 0) >= 2
      && labels.allSatisfy { !$0.isEmpty && $0.unicodeScalars.allSatisfy(isDomainPart) }
  }

  private static func isNamePart(_ scalar: Unicode.Scalar) -> Bool {
    isDomainPart(scalar) || scalar == "." || scalar == "_"
  }

  private static func isDomainPart(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "-" || scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
  }

  /// Returns whether the first lines of a text look like code.
  ///
  /// At least half of the lines must have a form that prose does not have.
  public static func isCode(_ text: String) -> Bool {
    let lines = text.split(whereSeparator: \.isNewline).prefix(8)
      .map { $0.trimmingPrefix(while: \.isWhitespace).trimmingEnd }
      .filter { !$0.isEmpty }
    let count = lines.count { isCode(line: $0) }
    return count > 0 && 2 * count >= lines.count
  }

  private static func isCode(line: Substring) -> Bool {
    hasCodeEnd(line) || hasKeyword(line) || isMarkup(line) || isCommand(line) || isQuery(line)
      || isAssignment(line)
      || ["#include", "#!/", "#define ", "@import "].contains { line.hasPrefix($0) }
  }

  /// A statement or the beginning of a block: `total += 1;`, `while (true) {`.
  private static func hasCodeEnd(_ line: Substring) -> Bool {
    if ["}", "{", "};", "});", "})", "]);", "],", "},"].contains(line) { return true }
    guard let last = line.last, ";{".contains(last) else { return false }
    return line.contains { "()=[]<>$".contains($0) }
  }

  private static let keywords: Set<Substring> = [
    "def", "func", "fn", "function", "class", "struct", "enum", "interface", "let", "var", "val",
    "const", "public", "private", "static", "export", "async", "if", "for", "while", "elif",
    "except", "switch", "case", "import", "from", "package", "using", "type", "impl", "return",
  ]

  /// A line that begins with a keyword, and has the punctuation of code: `def run(self):`.
  private static func hasKeyword(_ line: Substring) -> Bool {
    let words = line.split(separator: " ")
    guard let first = words.first, keywords.contains(first), let last = line.last else {
      return false
    }
    switch first {
    case "import", "package", "using": return words.count == 2 && isIdentifier(words[1])
    case "from": return words.count >= 4 && words[2] == "import"
    default: break
    }
    // Prose has a space before a parenthesis, but not between a keyword and a parenthesis.
    let hasCall =
      line.contains(")") && (words.dropFirst().first?.first == "(" || line.contains(/\w\(/))
    return ":{;".contains(last) && (hasCall || line.contains("=="))
      || line.contains(" = ") || hasCall && line.contains("->")
      || ["func", "fn", "def", "function"].contains(first) && hasCall
  }

  private static func isIdentifier(_ word: Substring) -> Bool {
    word.unicodeScalars.allSatisfy { isNamePart($0) || ";:*/{}\"'<>".unicodeScalars.contains($0) }
  }

  /// A tag: `<p class="x">`, `</div>`; or a pair of JSON: `"name": 1,`.
  private static func isMarkup(_ line: Substring) -> Bool {
    if line.hasPrefix("{\"") || line.hasPrefix("[{") { return true }
    if line.hasPrefix("\""), line.contains("\":") { return true }
    guard line.first == "<", line.contains(">"), let second = line.dropFirst().first else {
      return false
    }
    return second.isLetter || "/!?".contains(second)
  }

  private static let commands: Set<Substring> = [
    "sudo", "git", "apt", "apt-get", "cd", "curl", "wget", "npm", "pip", "docker", "ssh", "make",
    "cargo", "swift", "python3", "systemctl", "grep", "rsync", "tar", "chmod", "dragboard",
  ]

  /// A command of a shell with an option, a path or a pipe: `git commit -m x`.
  private static func isCommand(_ line: Substring) -> Bool {
    if line.hasPrefix("$ ") { return true }
    let words = line.split(separator: " ")
    guard let first = words.first, commands.contains(first), words.count > 1 else { return false }
    return words.dropFirst().contains { word in
      (word.hasPrefix("-") && word.count > 1 && !word.hasPrefix("–")) || word.contains("/")
        || ["|", "&&", ">"].contains(word)
    } || first == "sudo"
  }

  /// A statement of SQL.
  private static func isQuery(_ line: Substring) -> Bool {
    line.hasPrefix("SELECT ") && (line.contains(" FROM ") || line.hasSuffix(","))
      || line.hasPrefix("INSERT INTO ") || line.hasPrefix("CREATE TABLE ")
      || line.hasPrefix("UPDATE ") && line.contains(" SET ")
  }

  /// An assignment or a call: `self.total = 0`, `print(x)`.
  private static func isAssignment(_ line: Substring) -> Bool {
    let name = line.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || "._[]$".contains($0)) }
    guard let first = name.first, first.isLetter || "_$".contains(first) else { return false }
    let rest = line[name.endIndex...]
    if [" = ", " += ", " -= ", " := ", "="].contains(where: { rest.hasPrefix($0) }) {
      return rest.split(separator: " ").count <= 8
    }
    return rest.hasPrefix("(") && (rest.hasSuffix(")") || rest.hasSuffix(");"))
      && !rest.hasPrefix("(s)")
  }
}

extension Substring {
  fileprivate var trimmingEnd: Substring {
    guard let last = lastIndex(where: { !$0.isWhitespace }) else { return self[..<startIndex] }
    return self[...last]
  }
}
