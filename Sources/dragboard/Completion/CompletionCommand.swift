import ArgumentParser

struct CompletionCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "completion", abstract: "Print what lets a shell complete this command.",
    discussion: """
      Boards, rows, sections, drags, views and types are completed by asking the daemon.

      EXAMPLES:
        source <(dragboard completion bash)
        dragboard completion zsh > ~/.zfunc/_dragboard
        dragboard completion fish > ~/.config/fish/completions/dragboard.fish
      """)

  /// The shells with a script.
  enum Shell: String, ExpressibleByArgument, CaseIterable {
    case bash, zsh, fish
  }

  @Argument(help: "bash, zsh or fish.")
  var shell: Shell

  func run() throws {
    try Console.write(CompletionScript(for: shell).text)
  }
}
