import ArgumentParser

/// What a shell sources to complete the command: ArgumentParser's script, and what that leaves out.
struct CompletionScript {
  /// The script.
  let text: String

  /// The script for that shell.
  init(for shell: CompletionCommand.Shell) {
    var text: String
    switch shell {
    case .bash: text = DragboardCommand.completionScript(for: .bash)
    case .zsh: text = DragboardCommand.completionScript(for: .zsh)
    case .fish: text = DragboardCommand.completionScript(for: .fish)
    }
    for amendment in Self.amendments(for: shell) {
      text = Self.replace(amendment.line, by: amendment.lines, in: text)
    }
    self.text = text.hasSuffix("\n") ? text : text + "\n"
  }

  /// A line of the script, and what stands in its place.
  private struct Amendment {
    let line: String
    let lines: String
  }

  private static func amendments(for shell: CompletionCommand.Shell) -> [Amendment] {
    switch shell {
    case .bash: bash
    case .zsh: zsh
    case .fish: fish
    }
  }

  private static func replace(_ line: String, by lines: String, in text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0.drop { $0 == " " } == line ? lines : String($0) }
      .joined(separator: "\n")
  }

  private static let bash = [
    // It is sourced, and never run.
    Amendment(line: "#!/bin/bash", lines: "# Completes dragboard in bash."),
    Amendment(
      line: #""${COMP_WORDS[0]}" "${@}" "${words[@]}""#,
      lines: #"    "${COMP_WORDS[0]}" "${@}" "${words[@]}" 2>/dev/null"#),
    // A trap on RETURN outlives its function: it would undo what any file sets that is sourced later.
    Amendment(
      line: #"trap "${state//$'\n'/;}" RETURN"#,
      lines: #"    trap "${state//$'\n'/;};trap - RETURN" RETURN"#),
    // `--board=work` comes as three words.
    Amendment(
      line: #"local -r prev="${3}""#,
      lines: """
            local prev="${3}"
            [[ "${prev}" != '=' ]] || prev="${COMP_WORDS[COMP_CWORD - 2]}"
        """),
    // What is no file gets no slash where a folder happens to bear its name; quoting comes with the same option.
    Amendment(
      line: "complete -o filenames -F _dragboard dragboard",
      lines: "complete -F _dragboard dragboard"),
    Amendment(
      line: "local completion",
      lines: """
            local completion
            [[ "${1}" = -W ]] || compopt -o filenames 2>/dev/null
        """),
    Amendment(
      line: #"COMPREPLY+=("${completion}")"#,
      lines: """
                COMPREPLY+=("${completion}")
                [[ "${completion}" != *[!a-zA-Z0-9_./,+-]* ]] || compopt -o filenames 2>/dev/null
        """),
    Amendment(
      line: #"local -r subcommand="${unparsed_words[0]}""#,
      lines: """
            local subcommand="${unparsed_words[0]}"
            case "${subcommand}" in
        \(aliases.map { "    \($0.alias)) subcommand=\($0.name) ;;" }.joined(separator: "\n"))
            esac
        """),
  ]

  private static let zsh = [
    Amendment(
      line: #"completions=("${(@f)"$("${command_name}" "${@}" "${command_line[@]}")"}")"#,
      lines:
        #"    completions=("${(@f)"$("${command_name}" "${@}" "${command_line[@]}" 2>/dev/null)"}")"#
    ),
    Amendment(
      line: #"case "${words[1]}" in"#,
      lines: """
                case "${words[1]}" in
        \(aliases.map { "        \($0.alias)) words[1]=\($0.name) ;;" }.joined(separator: "\n"))
                esac
                case "${words[1]}" in
        """),
  ]

  private static let fish = [
    Amendment(
      line: "command $tokens[1] $argv $tokens",
      lines: "    command $tokens[1] $argv $tokens 2>/dev/null"),
    // fish 3 says where the cursor is to nobody but who is at the keyboard, and not in the same breath as the tokens.
    Amendment(
      line: "commandline -o $argv",
      lines: """
                if test "$argv" = -tC
                    string length -- "$(commandline -ct)"
                else
                    commandline -o $argv
                end
        """),
    Amendment(
      line: "set -l unparsed_tokens (__dragboard_tokens -pc)",
      lines: """
            set -l unparsed_tokens (__dragboard_tokens -pc)
            for place in 2 3
                switch "$unparsed_tokens[$place]"
        \(aliases.map { "            case \($0.alias)\n                set unparsed_tokens[$place] \($0.name)" }.joined(separator: "\n"))
                end
            end
        """),
  ]

  /// The other names of subcommands, which ArgumentParser's scripts do not know; each means the same everywhere.
  static let aliases = [
    (alias: "ls", name: "list"), (alias: "mv", name: "move"), (alias: "rm", name: "remove"),
  ]
}
