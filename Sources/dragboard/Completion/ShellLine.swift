/// A command line that a shell completes.
struct ShellLine: Equatable {
  /// The words of the line except the word to complete, without quotes.
  ///
  /// `--board=work` is two words.
  let words: [String]
  /// The word to complete, up to the cursor; in `--board=wo`, the part after the `=`.
  let current: String
  /// The beginning of `current` that the shell does not replace: in `errands:3`, bash replaces only
  /// the `3`.
  let kept: String

  /// - Parameters:
  ///   - pieces: the words from the shell, with quotes. The first word is the program's name.
  ///   - index: the index of the word to complete.
  ///   - isBash: whether the shell is bash, which splits words not only at spaces, but also at each
  ///     `:`, `=` and `@`.
  init(_ pieces: [String], completing index: Int, isBash: Bool) {
    var places: [[Int]] = []
    for place in pieces.indices {
      if isBash, place > 1, Self.isCut(pieces[place - 1], pieces[place]) {
        places[places.count - 1].append(place)
      } else {
        places.append([place])
      }
    }
    func word(_ places: some Sequence<Int>) -> String {
      ShellWord.unquoted(places.map { pieces[$0] }.joined())
    }
    let typed = places.first { $0.contains(index) }?.filter { $0 <= index } ?? []
    let last = typed.last.map { Self.isBreak(pieces[$0]) ? "" : word([$0]) } ?? ""
    current = Self.parts(word(typed)).last ?? ""
    kept = isBash ? String(current.dropLast(last.count)) : ""
    words = places.filter { !$0.contains(index) }.flatMap { Self.parts(word($0)) }
  }

  /// Returns whether bash has split one word into these two words.
  private static func isCut(_ left: String, _ right: String) -> Bool {
    isBreak(right) || isBreak(left) && !right.hasPrefix("-")
  }

  private static func isBreak(_ piece: String) -> Bool {
    !piece.isEmpty && piece.allSatisfy { ":=@".contains($0) }
  }

  /// Splits `--option=value` into two words.
  private static func parts(_ word: String) -> [String] {
    guard word.hasPrefix("--"), let equals = word.firstIndex(of: "=") else { return [word] }
    return [String(word[..<equals]), String(word[word.index(after: equals)...])]
  }
}

extension ShellLine {
  /// Returns the value of an option; nil if the option is not on the line.
  func value(of names: String...) -> String? {
    guard let place = words.lastIndex(where: names.contains), place + 1 < words.count else {
      return nil
    }
    return words[place + 1]
  }

  /// The words except the program's name, options and the values of options.
  var positionals: [String] {
    var positionals: [String] = []
    var isValue = true
    for word in words {
      if isValue {
        isValue = false
      } else if word.hasPrefix("-") {
        isValue = Self.valued.contains(word)
      } else {
        positionals.append(word)
      }
    }
    return positionals
  }

  /// The options of all subcommands that have a value.
  static let valued: Set = [
    "--accept", "--add-to", "--address", "--also", "--application", "--as", "--at", "--board", "-b",
    "--by", "--ca", "--count", "--data", "--exec", "--file", "-f", "--from", "--into", "--max-rows",
    "--name", "--onto", "--output", "-o", "--password-file", "--retain-for", "--retain-rows",
    "--row", "--section", "--session", "--text", "--to", "--type", "-t", "--user", "--visibility",
    "--with",
  ]
}
