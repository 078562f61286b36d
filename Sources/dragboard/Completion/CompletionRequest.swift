/// The word to complete, and the arguments of the subcommand before it.
struct CompletionRequest {
  /// The word to complete; in `--board=wo`, the part after the `=`.
  let current: String
  /// The option whose value is the word to complete.
  let option: ArgumentInfo?
  /// The beginning of the word that names the option: `--board=`.
  let prefix: String
  /// The last value of each option, by the option's long name.
  private(set) var values: [String: String] = [:]
  /// The words except options and the values of options.
  private(set) var positionals: [String] = []
  /// The long names of the options and flags on the line.
  private(set) var used: Set<String> = []
  /// Whether the word to complete can be an option.
  let allowsOptions: Bool

  /// The request that is served now.
  ///
  /// ArgumentParser calls the function of a `CompletionKind` only with words.
  @TaskLocal static var current: CompletionRequest?

  /// Divides words into options, values and positional arguments.
  init(_ words: some Sequence<String>, completing word: String, _ arguments: [ArgumentInfo]) {
    var option: ArgumentInfo?
    var isTerminated = false
    for word in words {
      let (name, value) = Self.split(word)
      if isTerminated || option == nil && !word.hasPrefix("-") {
        positionals.append(word)
      } else if let some = option, !some.hasManyValues || !word.hasPrefix("-") {
        values[some.name] = word
        option = some.hasManyValues ? some : nil
      } else if word == "--" {
        isTerminated = true
        option = nil
      } else {
        let found = arguments.first { $0.allNames.contains(name) }
        if let found { used.insert(found.name) }
        if let found, let value { values[found.name] = value }
        option = found?.kind == .option && value == nil ? found : nil
      }
    }
    allowsOptions = !isTerminated
    guard allowsOptions, word.hasPrefix("-"), option?.hasManyValues != false else {
      (current, self.option, prefix) = (word, option, "")
      return
    }
    // The word is an option, perhaps with a value behind its `=`.
    let (name, value) = Self.split(word)
    self.option = arguments.first {
      value != nil && $0.kind == .option && $0.allNames.contains(name)
    }
    current = self.option == nil ? word : value ?? ""
    prefix = self.option == nil ? "" : name + "="
  }

  /// Splits `--option=value`.
  private static func split(_ word: String) -> (name: String, value: String?) {
    guard word.hasPrefix("--"), let equals = word.firstIndex(of: "=") else { return (word, nil) }
    return (String(word[..<equals]), String(word[word.index(after: equals)...]))
  }
}
