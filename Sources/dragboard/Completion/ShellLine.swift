/// A command line that a shell wants completed.
struct ShellLine: Equatable {
  /// The other words of the line, without quotes; `--board=work` is two words.
  let words: [String]
  /// The word that is completed, up to the cursor; of `--board=wo` the part after the `=`.
  let current: String
  /// The part of `current` that the shell does not replace: of `later:3` bash replaces the `3`.
  let kept: String

  /// - Parameters:
  ///   - pieces: the words as the shell has them, quotes included, the program's name first.
  ///   - index: which of them is completed.
  ///   - isBash: whether they are cut as bash cuts them: at each `:`, `=` and `@`, too.
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

  /// Whether bash has split a word there.
  private static func isCut(_ left: String, _ right: String) -> Bool {
    isBreak(right) || isBreak(left) && !right.hasPrefix("-")
  }

  private static func isBreak(_ piece: String) -> Bool {
    !piece.isEmpty && piece.allSatisfy { ":=@".contains($0) }
  }

  /// An option and its value in one word are two.
  private static func parts(_ word: String) -> [String] {
    guard word.hasPrefix("--"), let equals = word.firstIndex(of: "=") else { return [word] }
    return [String(word[..<equals]), String(word[word.index(after: equals)...])]
  }
}

extension ShellLine {
  /// The value of an option; nil if the option is not on the line.
  func value(of names: String...) -> String? {
    guard let place = words.lastIndex(where: names.contains), place + 1 < words.count else {
      return nil
    }
    return words[place + 1]
  }

  /// The words that are neither the program's name, nor options, nor their values.
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

  /// The options that take a value, of any subcommand.
  static let valued: Set = [
    "--accept", "--add-to", "--address", "--also", "--as", "--at", "--board", "-b", "--by",
    "--count", "--data", "--exec", "--file", "-f", "--from", "--into", "--max-rows", "--name",
    "--output", "-o", "--retain-for", "--retain-rows", "--row", "--section", "--session", "--text",
    "--to",
    "--type", "-t", "--visibility", "--with",
  ]
}
