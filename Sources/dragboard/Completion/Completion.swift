import ArgumentParser

/// The continuations of a command line.
enum Completion: Equatable {
  case words([Candidate])
  case files
  case folders

  /// Finds the continuations of a line.
  init(of line: ShellLine) {
    var rest = line.words.dropFirst()
    let isHelp = rest.first == "help"
    if isHelp { rest.removeFirst() }
    var node = CommandTree.root
    var path: [String] = []
    while let child = rest.first.flatMap(node.child(named:)) {
      rest.removeFirst()
      node = child
      path.append(child.name)
    }
    let isOption = line.current.hasPrefix("-")
    if rest.isEmpty, !isOption, isHelp || !node.children.isEmpty {
      self = .words(node.candidates(isHelp: isHelp))
    } else if isHelp {
      self = .words([])
    } else {
      path += node.defaultChild.map { [$0] } ?? []
      self.init(of: path, rest, line.current)
    }
  }

  /// Finds the continuations of the arguments of a subcommand.
  private init(of path: [String], _ words: some Sequence<String>, _ current: String) {
    let arguments = ArgumentInfo.all(of: path)
    let parts = CompletionRequest.divide(words, completing: current, arguments)
    let positionals = arguments.filter { $0.kind == .positional }
    if let option = parts.option {
      self.init(of: option, named: option.name, path, parts)
    } else if parts.allowsOptions, current.hasPrefix("-") {
      self = .words(Self.options(arguments, except: parts.used))
    } else if let last = positionals.indices.last,
      parts.request.positionals.count <= last || positionals[last].isRepeating
    {
      let index = min(parts.request.positionals.count, last)
      self.init(of: positionals[index], named: "positional@\(index)", path, parts)
    } else {
      self = .words(parts.allowsOptions ? Self.options(arguments, except: parts.used) : [])
    }
  }

  /// Finds the values of an argument.
  private init(
    of argument: ArgumentInfo, named name: String, _ path: [String],
    _ parts: CompletionRequest.Division
  ) {
    let values: [Candidate]
    switch argument.completionKind {
    case .file?:
      self = .files
      return
    case .directory?:
      self = .folders
      return
    case .list(let words)?: values = words.map { Candidate($0) }
    case .custom?:
      let words = parts.request.words
      let reply = DragboardCommand.reply(
        to: ["---completion"] + path + ["--", name, "\(words.count - 1)", "0"] + words)
      values = reply.split(separator: "\n").map(Candidate.init(line:))
    case nil: values = []
    }
    self = .words(values.map { Candidate(parts.prefix + $0.word, $0.description) })
  }

  /// The options and flags that the line can still get.
  private static func options(_ arguments: [ArgumentInfo], except used: Set<String>) -> [Candidate]
  {
    arguments.filter { $0.isRepeating || !used.contains($0.name) }.flatMap { argument in
      argument.shownNames.map { Candidate($0, argument.abstract ?? "") }
    }
  }
}

extension CommandTree {
  /// The subcommands, and `help` for the whole command.
  fileprivate func candidates(isHelp: Bool) -> [Candidate] {
    let shown = children.filter { !$0.isHidden }.map { Candidate($0.name, $0.abstract) }
    return shown + (name == Self.root.name && !isHelp ? [Candidate("help", "Show help.")] : [])
  }
}
