/// The arguments of a subcommand before the word to complete.
struct CompletionRequest: Equatable {
  /// The last value of each option, by the option's long name.
  private(set) var values: [String: String] = [:]
  /// The words except options and the values of options.
  private(set) var positionals: [String] = []
  /// The word to complete; in `--board=wo`, the part after the `=`.
  let current: String
}

extension CompletionRequest {
  /// The result of the division of words into arguments.
  struct Division {
    let request: CompletionRequest
    /// The option whose value is the word to complete.
    let option: ArgumentInfo?
    /// The beginning of the word to complete that names the option: `--board=`.
    let prefix: String
    /// The long names of the options and flags before the word to complete.
    let used: Set<String>
    /// Whether the word to complete can be an option.
    let allowsOptions: Bool
  }

  /// Divides words into options, values and positional arguments.
  static func divide(
    _ words: some Sequence<String>, completing current: String, _ arguments: [ArgumentInfo]
  ) -> Division {
    var (values, positionals, used) = ([String: String](), [String](), Set<String>())
    var option: ArgumentInfo?
    var isTerminated = false
    for word in words {
      if isTerminated {
        positionals.append(word)
      } else if let some = option, !some.hasManyValues || !word.hasPrefix("-") {
        values[some.name] = word
        option = some.hasManyValues ? some : nil
      } else if word == "--" {
        isTerminated = true
        option = nil
      } else if word.hasPrefix("-") {
        let (name, value) = split(word)
        let found = arguments.first { $0.isNamed(name) }
        if let found { used.insert(found.name) }
        if let found, let value { values[found.name] = value }
        option = found?.kind == .option && value == nil ? found : nil
      } else {
        positionals.append(word)
      }
    }
    let (name, value) = split(current)
    let isOption = current.hasPrefix("-") && !isTerminated && option?.hasManyValues != false
    if isOption {
      option = value == nil ? nil : arguments.first { $0.kind == .option && $0.isNamed(name) }
    }
    let isValue = isOption && option != nil
    return Division(
      request: CompletionRequest(
        values: values, positionals: positionals, current: isValue ? value ?? "" : current),
      option: option, prefix: isValue ? name + "=" : "", used: used,
      allowsOptions: !isTerminated)
  }

  /// Splits `--option=value`.
  private static func split(_ word: String) -> (name: String, value: String?) {
    guard word.hasPrefix("--"), let equals = word.firstIndex(of: "=") else { return (word, nil) }
    return (String(word[..<equals]), String(word[word.index(after: equals)...]))
  }
}

extension CompletionRequest {
  /// The request as words, which ArgumentParser passes to the function of a `CompletionKind`.
  var words: [String] {
    values.map { "\($0.key)=\($0.value)" } + ["--"] + positionals + [current]
  }

  /// Creates a request from its words.
  init(words: [String]) {
    let end = words.firstIndex(of: "--") ?? words.endIndex
    for word in words[..<end] {
      let (name, value) = Self.split(word)
      values[name] = value
    }
    positionals = Array(words[end...].dropFirst().dropLast())
    current = words.last ?? ""
  }
}
