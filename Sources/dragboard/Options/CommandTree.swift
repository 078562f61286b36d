import ArgumentParser

/// A command with its subcommands.
struct CommandTree: Sendable {
  let name: String
  let aliases: [String]
  /// The purpose of the command in one sentence.
  let abstract: String
  /// Whether the help leaves the command out.
  let isHidden: Bool
  /// The subcommand that runs if none is named; nil if there is none.
  let defaultChild: String?
  /// The subcommands, in the order of the help text.
  let children: [CommandTree]

  /// The tree of the whole command.
  static let root = CommandTree(DragboardCommand.self)

  private init(_ command: any ParsableCommand.Type) {
    let configuration = command.configuration
    name = configuration.commandName ?? ""
    aliases = configuration.aliases
    abstract = configuration.abstract
    isHidden = !configuration.shouldDisplay
    defaultChild = configuration.defaultSubcommand?.configuration.commandName
    children = configuration.subcommands.map { CommandTree($0) }
  }

  /// Returns the subcommand with a name or alias; nil if there is none.
  func child(named word: String) -> CommandTree? {
    children.first { $0.name == word || $0.aliases.contains(word) }
  }
}

extension CommandTree {
  /// Checks the subcommands at the beginning of a command line.
  ///
  /// ArgumentParser reports a mistyped subcommand as an unexpected argument, and `help` ignores it.
  ///
  /// - Throws: `CommandError` if a word is not a subcommand.
  static func check(_ arguments: [String]) throws(CommandError) {
    let isHelp = arguments.first == "help"
    var node = root
    var path = ["dragboard"]
    for word in arguments.dropFirst(isHelp ? 1 : 0) {
      if word.hasPrefix("-") || node.children.isEmpty && !isHelp { return }
      guard let child = node.child(named: word) else {
        // The word may be an argument of the default subcommand.
        if node.defaultChild != nil, !isHelp, node.closestChild(to: word) == nil { return }
        throw node.refusal(of: word, path: path.joined(separator: " "))
      }
      node = child
      path.append(child.name)
    }
  }

  /// Words of other tools, each with the subcommand that has this effect.
  private static let synonyms = [
    "append": "add", "cat": "get", "cp": "copy", "create": "add", "del": "remove",
    "delete": "remove", "dir": "list", "erase": "remove", "find": "search", "grep": "search",
    "history": "changes", "insert": "add", "log": "changes", "mkdir": "add", "new": "add",
    "print": "get", "ps": "sessions", "put": "add", "read": "get", "reorder": "move",
    "rmdir": "remove", "select": "pick",
  ]

  private func closestChild(to word: String) -> String? {
    if let name = Self.synonyms[word], child(named: name) != nil { return name }
    let names = children.filter { !$0.isHidden }.flatMap { [$0.name] + $0.aliases }
    return Spelling.closest(to: word, among: names + (name == Self.root.name ? ["help"] : []))
  }

  private func refusal(of word: String, path: String) -> CommandError {
    let guess = closestChild(to: word).map { "; did you mean '\($0)'?" } ?? ""
    let remedy =
      children.isEmpty
      ? "'\(path) --help' shows its help." : "'\(path) --help' lists the subcommands."
    return CommandError(.usage, "\(word): is not a subcommand of '\(path)'\(guess)", remedy: remedy)
  }
}
