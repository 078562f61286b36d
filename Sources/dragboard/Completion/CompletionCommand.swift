import ArgumentParser

struct CompletionCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "completion", abstract: "Print a shell's completion script for this command.",
    discussion: """
      The script asks the daemon for boards, rows, sections, drags, views and types.

      EXAMPLES:
        source <(dragboard completion bash)
        dragboard completion zsh > ~/.zfunc/_dragboard
        dragboard completion fish > ~/.config/fish/completions/dragboard.fish
      """)

  /// The shells for which there is a script.
  enum Shell: String, ExpressibleByArgument, CaseIterable {
    case bash, zsh, fish
  }

  @Argument(help: "bash, zsh or fish.")
  var shell: Shell

  func run() throws {
    try Console.write(CompletionScript.text(for: shell))
  }
}
