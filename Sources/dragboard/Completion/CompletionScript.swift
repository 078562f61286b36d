import ArgumentParser

/// The completion script of a shell: ArgumentParser's script with amendments.
struct CompletionScript {
  let text: String

  init(for shell: CompletionCommand.Shell) {
    var text: String
    switch shell {
    case .bash: text = DragboardCommand.completionScript(for: .bash)
    case .zsh: text = DragboardCommand.completionScript(for: .zsh)
    case .fish: text = DragboardCommand.completionScript(for: .fish)
    }
    for amendment in Self.amendments(for: shell) { text = amendment.applied(to: text) }
    text = text.hasSuffix("\n") ? text : text + "\n"
    self.text = shell == .fish ? text + HelpCompletion.fish : text
  }

  /// A line of the script, and its replacement; a nil replacement deletes the line.
  private struct Amendment {
    let line: String
    let lines: String?

    func applied(to text: String) -> String {
      text.split(separator: "\n", omittingEmptySubsequences: false)
        .compactMap { $0.drop { $0 == " " } == line ? lines : String($0) }
        .joined(separator: "\n")
    }
  }

  private static func amendments(for shell: CompletionCommand.Shell) -> [Amendment] {
    switch shell {
    case .bash: bash
    case .zsh: zsh
    case .fish: fish
    }
  }

  private static let bash = [
    Amendment(line: "_dragboard_help() {", lines: HelpCompletion.bash),
    // A shell sources the script, so the interpreter line is replaced by a comment.
    Amendment(line: "#!/bin/bash", lines: "# Completes dragboard in bash.\n\n" + wordsInBash),
    Amendment(
      line: #""${COMP_WORDS[0]}" "${@}" "${words[@]}""#,
      lines: #"    "${COMP_WORDS[0]}" "${@}" "${words[@]}" 2>/dev/null"#),
    // A trap on RETURN stays after its function has returned, and would change the settings when
    // other files are sourced. So the trap removes itself.
    Amendment(
      line: #"trap "${state//$'\n'/;}" RETURN"#,
      lines: #"    trap "${state//$'\n'/;};trap - RETURN" RETURN"#),
    // bash splits `errands:3` and `--board=work` into three words each, so the script joins them.
    Amendment(line: #"local -r prev="${3}""#, lines: nil),
    Amendment(
      line: #"local -a unparsed_words=("${COMP_WORDS[@]:1:${COMP_CWORD}}")"#, lines: joinedWords),
    Amendment(
      line: "complete -o filenames -F _dragboard dragboard",
      lines: "complete -F _dragboard dragboard"),
    // bash expands a `$(…)` in a file name, even if the file does not exist. So only files are
    // completed as file names.
    Amendment(
      line: "local completion",
      lines: """
            case "${1}" in
            -W) __dragboard_add_words "${2}" ;;
            -d) compopt -o filenames -o dirnames 2>/dev/null ;;
            *) compopt -o default 2>/dev/null ;;
            esac
        """),
    Amendment(line: "while IFS='' read -r completion; do", lines: nil),
    Amendment(line: #"COMPREPLY+=("${completion}")"#, lines: nil),
    Amendment(line: #"done < <(IFS=$'\n' compgen "${@}" -- "${cur}")"#, lines: nil),
    Amendment(
      line: #"local -r subcommand="${unparsed_words[0]}""#,
      lines: """
            local subcommand="${unparsed_words[0]}"
            case "${subcommand}" in
        \(aliases.map { "    \($0.alias)) subcommand=\($0.name) ;;" }.joined(separator: "\n"))
            esac
        """),
  ]

  /// The bash function that adds candidates without evaluating them.
  ///
  /// `compgen -W` would expand the words, and run the command in `$(…)`. If the user has typed no
  /// quote, `printf %q` quotes the words. Within quotes, bash inserts words unchanged. So the
  /// function leaves out words with characters that are special within these quotes.
  private static let wordsInBash = #"""
    # Offers those of the words, one per line, that begin with the current word.
    __dragboard_add_words() {
        local -r quotes=$'[\\\\"\']'
        local -r beginning="${cur//${quotes}/}"
        local special=''
        case "${COMP_WORDS[COMP_CWORD]}" in
        "'${cur}") special="'" ;;
        "\"${cur}") special='"$`\!' ;;
        # The shell would insert the words behind the quote.
        *[\'\"]*) return ;;
        esac
        local word
        while IFS='' read -r word; do
            [[ -n "${word}" && "${word//${quotes}/}" = "${beginning}"* ]] || continue
            if [[ -z "${special}" ]]; then
                printf -v word '%q' "${word}"
            elif [[ "${word}" = *["${special}"]* ]]; then
                continue
            fi
            COMPREPLY+=("${word}")
        done <<< "${1}"
    }
    """#

  /// Joins the words that bash has split.
  ///
  /// An option and its value stay two words.
  ///
  /// Only `COMP_LINE` shows whether there was a space between two words.
  private static let joinedWords = #"""
        local -a unparsed_words=()
        local piece rest="${COMP_LINE}"
        for piece in "${COMP_WORDS[@]::COMP_CWORD + 1}"; do
            if [[ ${#unparsed_words[@]} -eq 0 || "${rest}" = [[:space:]]* || -z "${piece}" ]]; then
                unparsed_words+=("${piece}")
            elif [[ "${piece}" = '=' && "${unparsed_words[-1]}" = --* ]]; then
                unparsed_words+=('')
            else
                unparsed_words[-1]+="${piece}"
            fi
            rest="${rest##+([[:space:]])}"
            rest="${rest#"${piece}"}"
        done
        unparsed_words=("${unparsed_words[@]:1}")
        local prev="${3}"
        ((${#unparsed_words[@]} < 2)) || prev="${unparsed_words[-2]}"
    """#

  private static let zsh = [
    Amendment(line: "_dragboard_help() {", lines: HelpCompletion.zsh),
    Amendment(line: "'*:subcommands:'", lines: HelpCompletion.zshArgument),
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
    // fish 3 reports the cursor only in an interactive shell, and in a separate call from the
    // tokens.
    Amendment(
      line: "commandline -o $argv",
      lines: """
                if test "$argv" = -tC
                    string length -- "$(commandline -ct)"
                else
                    commandline -o $argv
                end
        """),
    // The generated lines do not remove backslashes from the word, so they miss directories whose
    // names need backslashes.
    Amendment(line: "set -l token (commandline -t)", lines: "    __fish_complete_directories"),
    Amendment(line: "string match -- '*/' $token", lines: nil),
    Amendment(line: "set -l subdirs $token*/", lines: nil),
    Amendment(line: #"printf %s\n $subdirs"#, lines: nil),
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

  /// The aliases of subcommands, which ArgumentParser's scripts ignore.
  static let aliases = [
    (alias: "ls", name: "list"), (alias: "mv", name: "move"), (alias: "rm", name: "remove"),
  ]
}
