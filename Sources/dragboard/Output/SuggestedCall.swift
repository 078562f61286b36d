import Synchronization

/// A call of `dragboard` in a message, which the user can copy to a shell.
///
/// It has the options `--board` and `--address` of the running command, so that it refers to the same
/// board and the same bus.
struct SuggestedCall: Equatable {
  /// An option with its value, or a flag.
  struct Option: Equatable {
    let name: String
    let value: String?

    init(_ name: String, _ value: String? = nil) { (self.name, self.value) = (name, value) }

    /// The option as one word or two words of a shell.
    fileprivate var words: [String] {
      guard let value else { return [name] }
      // A value that begins with a hyphen would be read as another option.
      return value.hasPrefix("-")
        ? [ShellWord.quoted("\(name)=\(value)")] : [name, ShellWord.quoted(value)]
    }
  }

  private static let shared = Mutex<[Option]>([])

  private let command: String
  private let arguments: [String]
  private let options: [Option]

  /// Creates a call.
  ///
  /// - Parameters:
  ///   - command: the subcommand, such as `board set`.
  ///   - arguments: the arguments that are not options.
  ///   - options: the options.
  ///   - hasBoard: whether the call gets the option `--board` of the running command.
  init(
    _ command: String, _ arguments: [String] = [], _ options: [Option] = [], hasBoard: Bool = true
  ) {
    self.command = command
    self.arguments = arguments
    self.options =
      options + Self.shared.withLock { $0 }.filter { hasBoard || $0.name != "--board" }
  }

  /// A call that changes a setting of a board.
  static func boardSetting(_ board: String, _ name: String, _ value: String) -> SuggestedCall {
    SuggestedCall("board set", [board], [Option(name, value)], hasBoard: false)
  }

  /// Records an option of the running command that suggested calls repeat.
  static func repeatOption(_ name: String, _ value: String) {
    shared.withLock { $0 = $0.filter { $0.name != name } + [Option(name, value)] }
  }
}

extension SuggestedCall.Option: ExpressibleByStringLiteral {
  init(stringLiteral name: String) { self.init(name) }
}

extension SuggestedCall: CustomStringConvertible {
  var description: String {
    let options = options.flatMap(\.words)
    let arguments = arguments.map(ShellWord.quoted)
    let needsEnd = self.arguments.contains { $0.hasPrefix("-") }
    let words = needsEnd ? options + ["--"] + arguments : arguments + options
    return (["dragboard", command] + words).joined(separator: " ")
  }
}
