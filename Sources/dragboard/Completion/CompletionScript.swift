/// The completion script of a shell, which asks `dragboard __complete` for the candidates.
enum CompletionScript {
  /// Returns the script of a shell.
  static func text(for shell: CompletionCommand.Shell) -> String {
    switch shell {
    case .bash: bash
    case .zsh: zsh
    case .fish: fish
    }
  }

  /// The script of bash, which quotes the words itself.
  ///
  /// `compgen -W` would expand the words, and run the command in `$(…)`. If the user has typed no
  /// quote, `printf %q` quotes the words. Within quotes, bash inserts words unchanged. So the
  /// function leaves out words with characters that are special within these quotes.
  ///
  /// bash expands a `$(…)` in a file name, even if the file does not exist. So only files are
  /// completed as file names.
  private static let bash = #"""
    # Completes dragboard in bash.

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
            word="${word%%$'\t'*}"
            [[ -n "${word}" && "${word//${quotes}/}" = "${beginning}"* ]] || continue
            if [[ -z "${special}" ]]; then
                printf -v word '%q' "${word}"
            elif [[ "${word}" = *["${special}"]* ]]; then
                continue
            fi
            COMPREPLY+=("${word}")
        done <<< "${1}"
    }

    _dragboard() {
        local -r cur="${2}"
        local reply
        reply="$("${1}" __complete "${COMP_LINE::COMP_POINT}" "${cur}" 2>/dev/null)"
        case "${reply%%$'\n'*}" in
        files) compopt -o default 2>/dev/null ;;
        folders) compopt -o filenames -o dirnames 2>/dev/null ;;
        words) __dragboard_add_words "${reply#words}" ;;
        esac
    }

    complete -F _dragboard dragboard

    """#

  /// The script of zsh, in which a colon ends a word and begins its description.
  private static let zsh = #"""
    #compdef dragboard

    _dragboard() {
        local -a reply described
        local line
        reply=("${(@f)$("${words[1]}" __complete "${(j: :)words[1,CURRENT-1]} ${IPREFIX}${QIPREFIX}${PREFIX}" 2>/dev/null)}")
        case "${reply[1]}" in
        words)
            for line in "${(@)reply[2,-1]}"; do
                described+=("${${line%%$'\t'*}//:/\\:}${${(M)line%%$'\t'*}:+:${line#*$'\t'}}")
            done
            _describe -V '' described
            ;;
        files | folders)
            [[ "${PREFIX}" != --*=* ]] || compset -P 1 '*='
            if [[ "${reply[1]}" = files ]]; then _files; else _files -/; fi
            ;;
        *) return 1 ;;
        esac
    }

    if [[ "${funcstack[1]}" = _dragboard ]]; then
        _dragboard "${@}"
    else
        compdef _dragboard dragboard
    fi

    """#

  /// The script of fish, which completes file names itself if no other words are offered.
  private static let fish = #"""
    # Completes dragboard in fish.

    function __dragboard_reply
        set -l tokens (commandline -opc)
        command $tokens[1] __complete "$(commandline -pc)" 2>/dev/null
    end

    function __dragboard_words
        set -l reply (__dragboard_reply)
        switch "$reply[1]"
            case words
                printf '%s\n' $reply[2..]
            case folders
                __fish_complete_directories
        end
    end

    function __dragboard_wants_files
        set -l reply (__dragboard_reply)
        test "$reply[1]" = files
    end

    complete -c dragboard -f -a '(__dragboard_words)'
    complete -c dragboard -n __dragboard_wants_files -F

    """#
}
