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
    let request = CompletionRequest(words, completing: current, arguments)
    let positionals = arguments.filter { $0.kind == .positional }
    let index = min(request.positionals.count, positionals.count - 1)
    if let option = request.option {
      self.init(of: option, named: option.name, path, request)
    } else if index >= 0, index == request.positionals.count || positionals[index].isRepeating,
      !request.allowsOptions || !current.hasPrefix("-")
    {
      self.init(of: positionals[index], named: "positional@\(index)", path, request)
    } else {
      let options = arguments.filter {
        request.allowsOptions && ($0.isRepeating || !request.used.contains($0.name))
      }
      self = .words(
        options.flatMap { option in
          option.allNames.map { Candidate($0, option.abstract ?? "") }
        })
    }
  }

  /// Finds the values of an argument.
  private init(
    of argument: ArgumentInfo, named name: String, _ path: [String], _ request: CompletionRequest
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
      let reply = CompletionRequest.$current.withValue(request) {
        DragboardCommand.reply(to: ["---completion"] + path + ["--", name, "0", "0"])
      }
      values = reply.split(separator: "\n").map(Candidate.init(line:))
    case nil: values = []
    }
    self = .words(values.map { Candidate(request.prefix + $0.word, $0.description) })
  }
}

extension CommandTree {
  /// The subcommands, and `help` for the whole command.
  fileprivate func candidates(isHelp: Bool) -> [Candidate] {
    let shown = children.filter { !$0.isHidden }.map { Candidate($0.name, $0.abstract) }
    return shown + (name == Self.root.name && !isHelp ? [Candidate("help", "Show help.")] : [])
  }
}
