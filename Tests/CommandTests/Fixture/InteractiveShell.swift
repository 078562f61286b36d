import TestSupport
import Testing

/// A shell on a terminal, with the completion of `dragboard` loaded.
///
/// Entered commands print their arguments, each as `<argument>`, and do nothing else.
final class InteractiveShell {
  /// A shell with a completion script.
  enum Kind: String, CaseIterable, CustomTestStringConvertible {
    case bash, zsh, fish

    var testDescription: String { rawValue }
    var isMissing: Bool { !isInstalled(rawValue) }
  }

  /// The shells that are installed.
  static let installed = Kind.allCases.filter { !$0.isMissing }

  /// The kind of this shell.
  let kind: Kind
  private let terminal: Terminal
  private var steps = 0

  /// Starts a shell in the stage's folder and waits until it reads commands.
  init(_ kind: Kind, on stage: CommandStage) throws {
    self.kind = kind
    let start = Checkout.path("Tests/CommandTests/Shells/interactive.\(kind.rawValue)")
    let arguments =
      switch kind {
      case .bash: ["--noprofile", "--rcfile", start, "-i"]
      case .zsh: ["-f", "-i"]
      case .fish: ["--no-config", "-i", "-C", "source '\(start)'"]
      }
    terminal = try stage.terminal(running: kind.rawValue, arguments)
    if kind == .zsh { terminal.type("source '\(start)'\n") }
    enter("")
  }

  /// Types `line`, presses Tab, and then Enter twice; waits until the shell has read all keys.
  ///
  /// - Returns: everything that the terminal has shown since the shell started.
  @discardableResult
  func complete(
    _ line: String, tabs: Int = 2, sourceLocation: SourceLocation = #_sourceLocation
  ) -> String {
    terminal.type(line + String(repeating: "\t", count: tabs))
    return enter("\n", sourceLocation: sourceLocation)
  }

  /// Types keys and Enter, and waits until the shell reads the next command.
  @discardableResult
  private func enter(
    _ keys: String, sourceLocation: SourceLocation = #_sourceLocation
  ) -> String {
    steps += 1
    // The quotes make the echo of the typed line differ from the output for which the test waits.
    terminal.type("\(keys)\necho st''ep-\(steps)-\n")
    let shown = terminal.shown(until: "step-\(steps)-")
    #expect(shown != nil, sourceLocation: sourceLocation)
    return shown ?? ""
  }
}
