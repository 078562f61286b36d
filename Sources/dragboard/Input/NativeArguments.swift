import Glibc
import Synchronization

/// The words of the command line, including file names that are not UTF-8.
///
/// Swift's strings are UTF-8. In a word's text, `\xE9` replaces each byte that is not part of a
/// UTF-8 character. `withBytes` returns the original bytes of a path.
enum NativeArguments {
  /// The words after the name of the program.
  static let words = CommandLine.arguments.indices.dropFirst().map { text(of: bytes(of: $0)) }

  /// The bytes of the words that are not UTF-8, by the texts of the words.
  ///
  /// The bytes of the value in `--option=value` are also stored by the text of the value.
  private static let foreign: [String: [CChar]] = {
    var foreign: [String: [CChar]] = [:]
    for number in CommandLine.arguments.indices.dropFirst() {
      let bytes = bytes(of: number)
      let start = bytes.starts(with: "--".utf8CString.dropLast()) ? value(of: bytes) : 0
      for bytes in [bytes, Array(bytes[start...])] where String(validating: bytes) == nil {
        foreign[text(of: bytes)] = bytes + [0]
      }
    }
    return foreign
  }()
  private static let paths = Mutex<Set<String>>([])

  /// Calls `body` with the original bytes of a path.
  static func withBytes<Result>(of path: String, _ body: (UnsafePointer<CChar>) -> Result) -> Result
  {
    guard let bytes = foreign[path] else { return path.withCString(body) }
    return bytes.withUnsafeBufferPointer { bytes in
      guard let start = bytes.baseAddress else { return path.withCString(body) }
      return body(start)
    }
  }

  /// Records that a word is a path, which need not be UTF-8.
  static func notePath(_ text: String) { paths.withLock { _ = $0.insert(text) } }

  /// Checks that all words except paths are UTF-8.
  ///
  /// Only paths are used with their original bytes, so a path may have any bytes.
  ///
  /// - Throws: `CommandError` with the number of a word that is not UTF-8.
  static func check() throws(CommandError) {
    let paths = paths.withLock(\.self)
    for (index, word) in words.enumerated() where String(validating: bytes(of: index + 1)) == nil {
      let isPath = paths.contains { word == $0 || word.hasPrefix("--") && word.hasSuffix("=\($0)") }
      // A path is found by its text. If two words have the same text, their bytes may differ, so
      // the path is ambiguous.
      guard isPath, words.count(where: { $0 == word }) == 1 else {
        throw CommandError(.usage, "argument \(index + 1): is not UTF-8: '\(word)'")
      }
    }
  }

  /// Returns the words for the parser: `--file=NAME` for each word after `--file --`, so that the
  /// names of files may begin with a hyphen.
  static func withNamedFiles(_ words: [String]) -> [String] {
    guard let end = words.firstIndex(of: "--"), end > words.startIndex,
      ["--file", "-f"].contains(words[end - 1])
    else { return words }
    return words[..<(end - 1)] + words[(end + 1)...].map { "--file=\($0)" }
  }

  private static func bytes(of number: Int) -> [CChar] {
    guard let word = CommandLine.unsafeArgv[number] else { return [] }
    return Array(UnsafeBufferPointer(start: word, count: strlen(word)))
  }

  /// Returns the index of the value in `--option=value`; 0 if there is no `=`.
  private static func value(of bytes: [CChar]) -> Int {
    bytes.firstIndex(of: CChar(bitPattern: UInt8(ascii: "="))).map { $0 + 1 } ?? 0
  }

  /// Returns the bytes as a text, with `\xE9` for each byte that is not part of a character.
  private static func text(of bytes: [CChar]) -> String {
    if let text = String(validating: bytes) { return text }
    var (text, rest) = ("", bytes.map { UInt8(bitPattern: $0) }[...])
    while let first = rest.first {
      let next = (1...4).lazy.compactMap { String(validating: rest.prefix($0), as: UTF8.self) }
        .first
      text += next ?? "\\x" + String(first, radix: 16, uppercase: true)
      rest = rest.dropFirst(next?.utf8.count ?? 1)
    }
    return text
  }
}

extension String {
  fileprivate init?(validating bytes: [CChar]) {
    self.init(validating: bytes.lazy.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
