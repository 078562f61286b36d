/// The completion of `dragboard help`: the subcommands, which ArgumentParser's scripts leave out.
///
/// The words are constants of the program, so they need no protection from clients.
enum HelpCompletion {
  /// The commands with subcommands, each with the words after `help` that name it.
  private static let groups: [(path: String, children: [CommandTree])] =
    [("", CommandTree.root.children)]
    + CommandTree.root.children.filter { !$0.children.isEmpty }.map { ($0.name, $0.children) }

  /// The beginning of the bash function.
  static let bash = """
    _dragboard_help() {
        # The last word is the one to complete.
        local -a path=("${unparsed_words[@]}")
        ((${#path[@]} > 0)) && unset 'path[-1]'
        case "${path[*]}" in
    \(groups.map { "    '\($0.path)') __dragboard_add_words '\(names($0.children))' ;;" }
      .joined(separator: "\n"))
        esac
    """

  private static func names(_ commands: [CommandTree]) -> String {
    commands.map(\.name).joined(separator: "\n")
  }

  /// The zsh function that completes the arguments, and the beginning of its caller.
  static let zsh = """
    __dragboard_help_words() {
        case "${1}" in
    \(groups.map { "    '\($0.path)') __dragboard_complete \(described($0.children)) ;;" }
      .joined(separator: "\n"))
        esac
    }

    _dragboard_help() {
    """
  static let zshArgument = #"""
            '*:subcommand:{__dragboard_help_words "${(j: :)words[2,CURRENT-1]}"}'
    """#

  private static func described(_ commands: [CommandTree]) -> String {
    commands.map { "'\($0.name):\(quotable($0.abstract))'" }.joined(separator: " ")
  }

  /// The last lines of the fish script.
  static let fish =
    """
    function __dragboard_is_help_of
        set -l tokens (__dragboard_tokens -pc)
        test "$tokens[2..]" = "$(string join ' ' help $argv)"
    end


    """
    + groups.flatMap { path, children in
      children.map { child in
        "complete -c 'dragboard' -n '__dragboard_is_help_of \(path)' -fa '\(child.name)' "
          + "-d '\(quotable(child.abstract))'\n"
      }
    }.joined()

  /// Returns the text with typographic apostrophes, so that it can be put into single quotes.
  private static func quotable(_ text: String) -> String {
    text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "’")
  }
}
