import Glibc

/// The configuration file: lines of the form `key = value`.
///
/// The format is a subset of TOML 1.0. It has comments, numbers, booleans and texts in quotes, but
/// no tables.
enum ConfigurationFile {
  /// A line that is neither empty nor a comment.
  struct Entry: Equatable {
    /// The file and the line, for messages.
    let place: String
    let key: String
    /// The value without quotes; a number has no underscores between its digits.
    let value: String
    let isQuoted: Bool
  }

  /// Reads the file; a missing file has no entries.
  static func read(_ path: String) throws(Configuration.Fault) -> [Entry] {
    guard let file = fopen(path, "re") else {
      if errno == ENOENT || errno == ENOTDIR { return [] }
      throw fault(path)
    }
    defer { fclose(file) }
    var entries: [Entry] = []
    var number = 0
    while let line = readLine(file) {
      number += 1
      if let entry = try entry(line, in: "\(path), line \(number)") { entries.append(entry) }
    }
    guard ferror(file) == 0 else { throw fault(path) }
    return entries
  }

  private static func fault(_ path: String) -> Configuration.Fault {
    Configuration.Fault(path, String(cString: strerror(errno)))
  }

  private static func readLine(_ file: UnsafeMutablePointer<FILE>) -> String? {
    var line: UnsafeMutablePointer<CChar>?
    var size = 0
    defer { free(line) }
    guard getline(&line, &size, file) > 0, let line else { return nil }
    return String(cString: line)
  }

  private static func entry(
    _ line: String, in place: String
  ) throws(Configuration.Fault) -> Entry? {
    let line = line.trimmed
    guard !line.isEmpty, !line.hasPrefix("#") else { return nil }
    let parts = line.split(separator: "=", maxSplits: 1).map(\.trimmed)
    guard parts.count == 2, let first = parts[1].first, first != "#" else {
      throw Configuration.Fault(place, "'\(line)' is not a setting (expected: key = value)")
    }
    guard first == "\"" || first == "'" else {
      let number = parts[1].prefix { $0 != "#" }.trimmed.filter { $0 != "_" }
      return Entry(place: place, key: parts[0], value: number, isQuoted: false)
    }
    guard let text = unquoted(parts[1], first) else {
      throw Configuration.Fault(
        place, "\(parts[1]) is not a text in quotes (only a comment may follow)")
    }
    return Entry(place: place, key: parts[0], value: text, isQuoted: true)
  }

  /// Returns the text between quotes; nil if it is malformed.
  ///
  /// In double quotes, `\"` and `\\` are escapes.
  private static func unquoted(_ value: String, _ quote: Character) -> String? {
    var rest = value.dropFirst()
    var text = ""
    while let character = rest.popFirst() {
      if character == quote {
        let behind = String(rest).trimmed
        return behind.isEmpty || behind.hasPrefix("#") ? text : nil
      }
      guard character == "\\", quote == "\"" else {
        text.append(character)
        continue
      }
      guard let escaped = rest.popFirst(), "\"\\".contains(escaped) else { return nil }
      text.append(escaped)
    }
    return nil
  }
}

extension StringProtocol {
  fileprivate var trimmed: String {
    String(drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
  }
}
