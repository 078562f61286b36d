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
        [[ -n "${word}" && "${word//${quotes}/}" = "${beginning}"* ]] || continue
        if [[ -z "${special}" ]]; then
            printf -v word '%q' "${word}"
        elif [[ "${word}" = *["${special}"]* ]]; then
            continue
        fi
        COMPREPLY+=("${word}")
    done <<< "${1}"
}

__dragboard_cursor_index_in_current_word() {
    local remaining="${COMP_LINE}"

    local word
    for word in "${COMP_WORDS[@]::COMP_CWORD}"; do
        remaining="${remaining##*([[:space:]])"${word}"*([[:space:]])}"
    done

    local -ir index="$((COMP_POINT - ${#COMP_LINE} + ${#remaining}))"
    if [[ "${index}" -le 0 ]]; then
        printf 0
    else
        printf %s "${index}"
    fi
}

# positional arguments:
#
# - 1: the current (sub)command's count of positional arguments
#
# required variables:
#
# - repeating_flags: the repeating flags that the current (sub)command can accept
# - non_repeating_flags: the non-repeating flags that the current (sub)command can accept
# - repeating_options: the repeating options that the current (sub)command can accept
# - non_repeating_options: the non-repeating options that the current (sub)command can accept
# - positional_number: value ignored
# - unparsed_words: unparsed words from the current command line
#
# modified variables:
#
# - non_repeating_flags: remove flags for this (sub)command that are already on the command line
# - non_repeating_options: remove options for this (sub)command that are already on the command line
# - positional_number: set to the current positional number
# - unparsed_words: remove all flags, options, and option values for this (sub)command
__dragboard_offer_flags_options() {
    local -ir positional_count="${1}"
    positional_number=0

    local was_flag_option_terminator_seen=false
    local is_parsing_option_value=false

    local -ar unparsed_word_indices=("${!unparsed_words[@]}")
    local -i word_index
    for word_index in "${unparsed_word_indices[@]}"; do
        if "${is_parsing_option_value}"; then
            # This word is an option value:
            # Reset marker for next word iff not currently the last word
            [[ "${word_index}" -ne "${unparsed_word_indices[${#unparsed_word_indices[@]} - 1]}" ]] && is_parsing_option_value=false
            unset "unparsed_words[${word_index}]"
            # Do not process this word as a flag or an option
            continue
        fi

        local word="${unparsed_words["${word_index}"]}"
        if ! "${was_flag_option_terminator_seen}"; then
            case "${word}" in
            --)
                unset "unparsed_words[${word_index}]"
                # by itself -- is a flag/option terminator, but if it is the last word, it is the start of a completion
                if [[ "${word_index}" -ne "${unparsed_word_indices[${#unparsed_word_indices[@]} - 1]}" ]]; then
                    was_flag_option_terminator_seen=true
                fi
                continue
                ;;
            -*)
                # ${word} is a flag or an option
                # If ${word} is an option, mark that the next word to be parsed is an option value
                local option
                for option in "${repeating_options[@]}" "${non_repeating_options[@]}"; do
                    [[ "${word}" = "${option}" ]] && is_parsing_option_value=true && break
                done

                # Remove ${word} from ${non_repeating_flags} or ${non_repeating_options} so it isn't offered again
                local not_found=true
                local -i index
                for index in "${!non_repeating_flags[@]}"; do
                    if [[ "${non_repeating_flags[${index}]}" = "${word}" ]]; then
                        unset "non_repeating_flags[${index}]"
                        non_repeating_flags=("${non_repeating_flags[@]}")
                        not_found=false
                        break
                    fi
                done
                if "${not_found}"; then
                    for index in "${!non_repeating_flags[@]}"; do
                        if [[ "${non_repeating_flags[${index}]}" = "${word}" ]]; then
                            unset "non_repeating_flags[${index}]"
                            non_repeating_flags=("${non_repeating_flags[@]}")
                            break
                        fi
                    done
                fi
                unset "unparsed_words[${word_index}]"
                continue
                ;;
            esac
        fi

        # ${word} is neither a flag, nor an option, nor an option value
        if [[ "${positional_number}" -lt "${positional_count}" || "${positional_count}" -lt 0 ]]; then
            # ${word} is a positional
            ((positional_number++))
            unset "unparsed_words[${word_index}]"
        else
            if [[ -z "${word}" ]]; then
                # Could be completing a flag, option, or subcommand
                positional_number=-1
            else
                # ${word} is a subcommand or invalid, so stop processing this (sub)command
                positional_number=-2
            fi
            break
        fi
    done

    unparsed_words=("${unparsed_words[@]}")

    if\
        ! "${was_flag_option_terminator_seen}"\
        && ! "${is_parsing_option_value}"\
        && [[ ("${cur}" = -* && "${positional_number}" -ge 0) || "${positional_number}" -eq -1 ]]
    then
        COMPREPLY+=($(compgen -W "${repeating_flags[*]} ${non_repeating_flags[*]} ${repeating_options[*]} ${non_repeating_options[*]}" -- "${cur}"))
    fi
}

__dragboard_add_completions() {
    case "${1}" in
    -W) __dragboard_add_words "${2}" ;;
    -d) compopt -o filenames -o dirnames 2>/dev/null ;;
    *) compopt -o default 2>/dev/null ;;
    esac
}

__dragboard_custom_complete() {
    if [[ -n "${cur}" || -z ${COMP_WORDS[${COMP_CWORD}]} || "${COMP_LINE:${COMP_POINT}:1}" != ' ' ]]; then
        local -ar words=("${COMP_WORDS[@]}")
    else
        local -ar words=("${COMP_WORDS[@]::${COMP_CWORD}}" '' "${COMP_WORDS[@]:${COMP_CWORD}}")
    fi

    "${COMP_WORDS[0]}" "${@}" "${words[@]}" 2>/dev/null
}

_dragboard() {
    local state
    state="$(shopt -p;shopt -po)"
    trap "${state//$'\n'/;};trap - RETURN" RETURN
    shopt -s extglob
    set +o history +o posix

    local -xr SAP_SHELL=bash
    local -x SAP_SHELL_VERSION
    SAP_SHELL_VERSION="$(IFS='.';printf %s "${BASH_VERSINFO[*]}")"
    local -r SAP_SHELL_VERSION

    local -r cur="${2}"

    local -i positional_number
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

    local -a repeating_flags=()
    local -a non_repeating_flags=(--version -h --help)
    local -a repeating_options=()
    local -a non_repeating_options=()
    __dragboard_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local subcommand="${unparsed_words[0]}"
    case "${subcommand}" in
    ls) subcommand=list ;;
    mv) subcommand=move ;;
    rm) subcommand=remove ;;
    esac
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    list|show|get|types|search|boards|sessions|watch|changes|status|add|move|remove|edit|rename|pin|unpin|lock|unlock|stack|unstack|clear|sort|apply|undo|redo|section|board|drag|drop|propose|cancel|pick|copy|paste|clipboard|link|view|export|import|doctor|demo|completion|help)
        # Offer subcommand argument completions
        "_dragboard_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'list show get types search boards sessions watch changes status add move remove edit rename pin unpin lock unlock stack unstack clear sort apply undo redo section board drag drop propose cancel pick copy paste clipboard link view export import doctor demo completion help' -- "${cur}"))
        ;;
    esac
}

_dragboard_list() {
    repeating_flags=()
    non_repeating_flags=(--json --table --version -h --help)
    repeating_options=()
    non_repeating_options=(--board -b --section --from --count --address)
    __dragboard_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--board'|'-b')
        __dragboard_add_completions -W "$(__dragboard_custom_complete ---completion list -- --board "${COMP_CWORD}" "$(__dragboard_cursor_index_in_current_word)")"
        return
        ;;
    '--section')
        __dragboard_add_completions -W "$(__dragboard_custom_complete ---completion list -- --section "${COMP_CWORD}" "$(__dragboard_cursor_index_in_current_word)")"
        return
        ;;
    '--from')
        __dragboard_add_completions -W "$(__dragboard_custom_complete ---completion list -- --from "${COMP_CWORD}" "$(__dragboard_cursor_index_in_current_word)")"
        return
        ;;
    '--count')
        return
        ;;
    '--address')
        return
        ;;
    esac
}

_dragboard_show() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--board -b --address)
    __dragboard_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--board'|'-b')
        __dragboard_add_completions -W "$(__dragboard_custom_complete ---completion show -- --board "${COMP_CWORD}" "$(__dragboard_cursor_index_in_current_word)")"
        return
        ;;
    '--address')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    *)
        __dragboard_add_completions -W "$(__dragboard_custom_complete ---completion show -- positional@0 "${COMP_CWORD}" "$(__dragboard_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_dragboard_get() {
    repeating_flags=()
    non_repeating_flags=(--force --json --version -h --help)
    repeating_options=()
    non_repeating_options=(--type -t --output -o --into --board -b --address)
    __dragboard_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--type'|'-t')
        __dragboard_add_completions -W "$(__dragboard_custom_complete ---completion get -- --type "${COMP_CWORD}" "$(__dragboard_cursor_index_in_current_word)")"
        return
        ;;
    '--output'|'-o')
        __dragboard_add_completions -f
        return
        ;;
    '--into')
        __dragboard_add_completions -d
        return
        ;;
    '--board'|'-b')
        __dragboard_add_completions -W "$(__dragboard_custom_complete ---completion get -- --board "${COMP_CWORD}" "$(__dragboard_cursor_index_in_current_word)")"
        return
        ;;
    '--address')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    *)
        __dragboard_add_completions -W "$(__dragboard_custom_complete ---completion get -- positional@0 "${COMP_CWORD}" "$(__dragboard_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_dragboard_types() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--session --board -b --address)
    __dragboard_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--session')
        __dragboard_add_completions -W "$(__dragboard_custom_complete ---completion types -- --session "${COMP_CWORD}" "$(__dragboard_cursor_index_in_current_word)")"
        return
        ;;
    '--board'|'-b')
        __dragboard_add_completions -W "$(__dragboard_custom_complete ---completion types -- --board "${COMP_CWORD}" "$(__dragboard_cursor_index_in_current_word)")"
        return
        ;;
    '--address')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __dragboard_add_completions -W "$(__dragboard_custom_complete ---completion types -- positional@0 "${COMP_CWORD}" "$(__dragboard_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_dragboard_search() {
    repeating_flags=()
    non_repeating_flags=(--json --table --version -h --help)
    repeating_options=()
    non_repeating_options=(--count --board -b --address)
    __dragboard_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--count')
        return
        ;;
    '--board'|'-b')
        __dragboard_add_completions -W "$(__dragboard_custom_complete ---completion search -- --board "${COMP_CWORD}" "$(__dragboard_cursor_index_in_current_word)")"
        return
        ;;
    '--address')
        return
        ;;
    esac
}

_dragboard_boards() {
    repeating_flags=()
    non_repeating_flags=(--json --table --version -h --help)
    repeating_options=()
    non_repeating_options=(--address)
    __dragboard_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--address')
        return
        ;;
    esac
}

_dragboard_sessions() {
    repeating_flags=()
    non_repeating_flags=(--json --table --version -h --help)
    repeating_options=()
    non_repeating_options=(--address)
    __dragboard_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--address')
        return
        ;;
    esac
}

_dragboard_watch() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--board -b --address)
    __dragboard_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--board'|'-b')
        __dragboard_add_completions -W "$(__dragboard_custom_complete ---completion watch -- --board "${COMP_CWORD}" "$(__dragboard_cursor_index_in_current_word)")"
        return
        ;;
    '--address')
        return
        ;;
    esac
}

_dragboard_changes() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--board -b --address)
    __dragboard_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--board'|'-b')
        __dragboard_add_completions -W "$(__dragboard_custom_complete ---completion changes -- --board "${COMP_CWORD}" "$(__dragboard_cursor_index_in_current_word)")"
        return
        ;;
    '--address')
        return
        ;;
    esac
}

_dragboard_status() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--address)
    __dragboard_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--address')
        return
        ;;
    esac
}

_dragboard_add() {
    repeating_flags=()
    non_repeating_flags=(--stdin --lines --link --json --version -h --help)
    repeating_options=(--file -f)
    non_repeating_options=(--type -t --at --board -b --address)
    __dragboard_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--file'|'-f')
        __dragboard_add_completions -f
        return
        ;;
    '--type'|'-t')
        __dragboard_add_completions -W 'application/gzip'$'\n''application/json'$'\n''application/pdf'$'\n''application/zip'$'\n''audio/mpeg'$'\n''audio/ogg'$'\n''audio/x-wav'$'\n''image/gif'$'\n''image/jpeg'$'\n''image/png'$'\n''image/svg+xml'$'\n''image/tiff'$'\n''image/webp'$'\n''text/calendar'$'\n''text/css'$'\n''text/csv'$'\n''text/html'$'\n''text/markdown'$'\n''text/plain;charset=utf-8'$'\n''text/rtf'$'\n''text/vcard'$'\n''text/xml'$'\n''video/mp4'$'\n''video/webm'
        return
        ;;
    '--at')
        __dragboard_add_completions -W "$(__dragboard_custom_complete ---completion add -- --at "${COMP_CWORD}" "$(__dragboard_cursor_index_in_current_word)")"
        return
        ;;
    '--board'|'-b')
        __dragboard_add_completions -W "$(__dragboard_custom_complete ---completion add -- --board "${COMP_CWORD}" "$(__dragboard_cursor_index_in_current_word)")"
        return
        ;;
    '--address')
        return
        ;;
    esac
}

_dragboard_move() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=(--to --board -b --address)
    __dragboard_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--to')
        __dragboard_add_completions -W "$(__dragboard_custom_complete ---completion move -- --to "${COMP_CWORD}" "$(__dragboard_cursor_index_in_current_word)")"
        return
        ;;
    '--board'|'-b')
        __dragboard_add_completions -W "$(__dragboard_custom_complete ---completion move -- --board "${COMP_CWORD}" "$(__dragboard_cursor_index_in_current_word)")"
        return
        ;;
    '--address')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    *)
        __dragboard_add_completions -W "$(__dragboard_custom_complete ---completion move -- positional@0 "${COMP_CWORD}" "$(__dragboard_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_dragboard_remove() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=(--board -b --address)
    __dragboard_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--board'|'-b')
        __dragboard_add_completions -W "$(__dragboard_custom_complete ---completion remove -- --board "${COMP_CWORD}" "$(__dragboard_cursor_index_in_current_word)")"
        return
        ;;
    '--address')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    *)
        __dragboard_add_completions -W "$(__dragboard_custom_complete ---completion remove -- positional@0 "${COMP_CWORD}" "$(__dragboard_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_dragboard_edit() {
    repeating_flags=()
    non_repeating_flags=(--force --version -h --help)
    repeating_options=()
    non_repeating_options=(--text --board -b --address)
    __dragboard_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--text')
        return
        ;;
    '--board'|'-b')
        __dragboard_add_completions -W "$(__dragboard_custom_complete ---completion edit -- --board "${COMP_CWORD}" "$(__dragboard_cursor_index_in_current_word)")"
        return
        ;;
    '--address')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __dragboard_add_completions -W "$(__dragboard_custom_complete ---completion edit -- positional@0 "${COMP_CWORD}" "$(__dragboard_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_dragboard_rename() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=(--board -b --address)
    __dragboard_offer_flags_options 2

    # Offer option value completions
    case "${prev}" in
    '--board'|'-b')
        __dragboard_add_completions -W "$(__dragboard_custom_complete ---completion rename -- --board "${COMP_CWORD}" "$(__dragboard_cursor_index_in_current_word)")"
        return
        ;;
    '--address')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __dragboard_add_completions -W "$(__dragboard_custom_complete ---completion rename -- positional@0 "${COMP_CWORD}" "$(__dragboard_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_dragboard_pin() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=(--board -b --address)
    __dragboard_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--board'|'-b')
        __dragboard_add_completions -W "$(__dragboard_custom_complete ---completion pin -- --board "${COMP_CWORD}" "$(__dragboard_cursor_index_in_current_word)")"
        return
        ;;
    '--address')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    *)
        __dragboard_add_completions -W "$(__dragboard_custom_complete ---completion pin -- positional@0 "${COMP_CWORD}" "$(__dragboard_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_dragboard_unpin() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=(--board -b --address)
    __dragboard_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--board'|'-b')
        __dragboard_add_completions -W "$(__dragboard_custom_complete ---completion unpin -- --board "${COMP_CWORD}" "$(__dragboard_cursor_index_in_current_word)")"
        return
        ;;
    '--address')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    *)
        __dragboard_add_completions -W "$(__dragboard_custom_complete ---completion unpin -- positional@0 "${COMP_CWORD}" "$(__dragboard_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_dragboard_lock() {
    repeating_flags=()
    non_repeating_flags=(--position --version -h --help)
    repeating_options=()
    non_repeating_options=(--board -b --address)
    __dragboard_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--board'|'-b')
        __dragboard_add_completions -W "$(__dragboard_custom_complete ---completion lock -- --board "${COMP_CWORD}" "$(__dragboard_cursor_index_in_current_word)")"
        return
        ;;
    '--address')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    *)
        __dragboard_add_completions -W "$(__dragboard_custom_complete ---completion lock -- positional@0 "${COMP_CWORD}" "$(__dragboard_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_dragboard_unlock() {
    repeating_flags=()
    non_repeating_flags=(--position --version -h --help)
    repeating_options=()
    non_repeating_options=(--board -b --address)
    __dragboard_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--board'|'-b')
        __dragboard_add_completions -W "$(__dragboard_custom_complete ---completion unlock -- --board "${COMP_CWORD}" "$(__dragboard_cursor_index_in_current_word)")"
        return
        ;;
    '--address')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    *)
        __dragboard_add_completions -W "$(__dragboard_custom_complete ---completion unlock -- positional@0 "${COMP_CWORD}" "$(__dragboard_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_dragboard_stack() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=(--board -b --address)
    __dragboard_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--board'|'-b')
        __dragboard_add_completions -W "$(__dragboard_custom_complete ---completion stack -- --board "${COMP_CWORD}" "$(__dragboard_cursor_index_in_current_word)")"
        return
        ;;
    '--address')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    *)
        __dragboard_add_completions -W "$(__dragboard_custom_complete ---completion stack -- positional@0 "${COMP_CWORD}" "$(__dragboard_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_dragboard_unstack() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=(--board -b --address)
    __dragboard_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--board'|'-b')
        __dragboard_add_completions -W "$(__dragboard_custom_complete ---completion unstack -- --board "${COMP_CWORD}" "$(__dragboard_cursor_index_in_current_word)")"
        return
        ;;
    '--address')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    *)
        __dragboard_add_completions -W "$(__dragboard_custom_complete ---completion unstack -- positional@0 "${COMP_CWORD}" "$(__dragboard_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_dragboard_clear() {
    repeating_flags=()
    non_repeating_flags=(--erase --version -h --help)
    repeating_options=()
    non_repeating_options=(--board -b --address)
    __dragboard_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--board'|'-b')
        __dragboard_add_completions -W "$(__dragboard_custom_complete ---completion clear -- --board "${COMP_CWORD}" "$(__dragboard_cursor_index_in_current_word)")"
        return
        ;;
    '--address')
        return
        ;;
    esac
}

_dragboard_sort() {
    repeating_flags=()
    non_repeating_flags=(--reverse --version -h --help)
    repeating_options=()
    non_repeating_options=(--section --by --board -b --address)
    __dragboard_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--section')
        __dragboard_add_completions -W "$(__dragboard_custom_complete ---completion sort -- --section "${COMP_CWORD}" "$(__dragboard_cursor_index_in_current_word)")"
        return
        ;;
    '--by')
        __dragboard_add_completions -W 'text'$'\n''age'$'\n''size'$'\n''type'
        return
        ;;
    '--board'|'-b')
        __dragboard_add_completions -W "$(__dragboard_custom_complete ---completion sort -- --board "${COMP_CWORD}" "$(__dragboard_cursor_index_in_current_word)")"
        return
        ;;
    '--address')
        return
        ;;
    esac
}

_dragboard_apply() {
    repeating_flags=()
    non_repeating_flags=(--edit --print --version -h --help)
    repeating_options=()
    non_repeating_options=(--section --board -b --address)
    __dragboard_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--section')
        __dragboard_add_completions -W "$(__dragboard_custom_complete ---completion apply -- --section "${COMP_CWORD}" "$(__dragboard_cursor_index_in_current_word)")"
        return
        ;;
    '--board'|'-b')
        __dragboard_add_completions -W "$(__dragboard_custom_complete ---completion apply -- --board "${COMP_CWORD}" "$(__dragboard_cursor_index_in_current_word)")"
        return
        ;;
    '--address')
        return
        ;;
    esac
}

_dragboard_undo() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--board -b --address)
    __dragboard_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--board'|'-b')
        __dragboard_add_completions -W "$(__dragboard_custom_complete ---completion undo -- --board "${COMP_CWORD}" "$(__dragboard_cursor_index_in_current_word)")"
        return
        ;;
    '--address')
        return
        ;;
    esac
}

_dragboard_redo() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--board -b --address)
    __dragboard_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--board'|'-b')
        __dragboard_add_completions -W "$(__dragboard_custom_complete ---completion redo -- --board "${COMP_CWORD}" "$(__dragboard_cursor_index_in_current_word)")"
        return
        ;;
    '--address')
        return
        ;;
    esac
}

_dragboard_section() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __dragboard_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local subcommand="${unparsed_words[0]}"
    case "${subcommand}" in
    ls) subcommand=list ;;
    mv) subcommand=move ;;
    rm) subcommand=remove ;;
    esac
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    list|add|rename|move|remove)
        # Offer subcommand argument completions
        "_dragboard_section_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'list add rename move remove' -- "${cur}"))
        ;;
    esac
}

_dragboard_section_list() {
    repeating_flags=()
    non_repeating_flags=(--json --table --version -h --help)
    repeating_options=()
    non_repeating_options=(--board -b --address)
    __dragboard_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--board'|'-b')
        __dragboard_add_completions -W "$(__dragboard_custom_complete ---completion section list -- --board "${COMP_CWORD}" "$(__dragboard_cursor_index_in_current_word)")"
        return
        ;;
    '--address')
        return
        ;;
    esac
}

_dragboard_section_add() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=(--at --board -b --address)
    __dragboard_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--at')
        return
        ;;
    '--board'|'-b')
        __dragboard_add_completions -W "$(__dragboard_custom_complete ---completion section add -- --board "${COMP_CWORD}" "$(__dragboard_cursor_index_in_current_word)")"
        return
        ;;
    '--address')
        return
        ;;
    esac
}

_dragboard_section_rename() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=(--board -b --address)
    __dragboard_offer_flags_options 2

    # Offer option value completions
    case "${prev}" in
    '--board'|'-b')
        __dragboard_add_completions -W "$(__dragboard_custom_complete ---completion section rename -- --board "${COMP_CWORD}" "$(__dragboard_cursor_index_in_current_word)")"
        return
        ;;
    '--address')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __dragboard_add_completions -W "$(__dragboard_custom_complete ---completion section rename -- positional@0 "${COMP_CWORD}" "$(__dragboard_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_dragboard_section_move() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=(--to --board -b --address)
    __dragboard_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--to')
        return
        ;;
    '--board'|'-b')
        __dragboard_add_completions -W "$(__dragboard_custom_complete ---completion section move -- --board "${COMP_CWORD}" "$(__dragboard_cursor_index_in_current_word)")"
        return
        ;;
    '--address')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __dragboard_add_completions -W "$(__dragboard_custom_complete ---completion section move -- positional@0 "${COMP_CWORD}" "$(__dragboard_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_dragboard_section_remove() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=(--board -b --address)
    __dragboard_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--board'|'-b')
        __dragboard_add_completions -W "$(__dragboard_custom_complete ---completion section remove -- --board "${COMP_CWORD}" "$(__dragboard_cursor_index_in_current_word)")"
        return
        ;;
    '--address')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __dragboard_add_completions -W "$(__dragboard_custom_complete ---completion section remove -- positional@0 "${COMP_CWORD}" "$(__dragboard_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_dragboard_board() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __dragboard_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local subcommand="${unparsed_words[0]}"
    case "${subcommand}" in
    ls) subcommand=list ;;
    mv) subcommand=move ;;
    rm) subcommand=remove ;;
    esac
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    list|add|rename|remove|restore|set)
        # Offer subcommand argument completions
        "_dragboard_board_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'list add rename remove restore set' -- "${cur}"))
        ;;
    esac
}

_dragboard_board_list() {
    repeating_flags=()
    non_repeating_flags=(--deleted --json --table --version -h --help)
    repeating_options=()
    non_repeating_options=(--address)
    __dragboard_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--address')
        return
        ;;
    esac
}

_dragboard_board_add() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=(--address)
    __dragboard_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--address')
        return
        ;;
    esac
}

_dragboard_board_rename() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=(--address)
    __dragboard_offer_flags_options 2

    # Offer option value completions
    case "${prev}" in
    '--address')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __dragboard_add_completions -W "$(__dragboard_custom_complete ---completion board rename -- positional@0 "${COMP_CWORD}" "$(__dragboard_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_dragboard_board_remove() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=(--address)
    __dragboard_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--address')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __dragboard_add_completions -W "$(__dragboard_custom_complete ---completion board remove -- positional@0 "${COMP_CWORD}" "$(__dragboard_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_dragboard_board_restore() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=(--address)
    __dragboard_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--address')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __dragboard_add_completions -W "$(__dragboard_custom_complete ---completion board restore -- positional@0 "${COMP_CWORD}" "$(__dragboard_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_dragboard_board_set() {
    repeating_flags=()
    non_repeating_flags=(--accept-nothing --moves-multiple-rows --no-moves-multiple-rows --moves-duplicates --no-moves-duplicates --version -h --help)
    repeating_options=(--accept)
    non_repeating_options=(--max-rows --retain-rows --retain-for --address)
    __dragboard_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--accept')
        __dragboard_add_completions -W '*/*'$'\n''text/*'$'\n''image/*'$'\n''audio/*'$'\n''video/*'$'\n''application/gzip'$'\n''application/json'$'\n''application/pdf'$'\n''application/zip'$'\n''audio/mpeg'$'\n''audio/ogg'$'\n''audio/x-wav'$'\n''image/gif'$'\n''image/jpeg'$'\n''image/png'$'\n''image/svg+xml'$'\n''image/tiff'$'\n''image/webp'$'\n''text/calendar'$'\n''text/css'$'\n''text/csv'$'\n''text/html'$'\n''text/markdown'$'\n''text/plain;charset=utf-8'$'\n''text/rtf'$'\n''text/vcard'$'\n''text/xml'$'\n''video/mp4'$'\n''video/webm'
        return
        ;;
    '--max-rows')
        return
        ;;
    '--retain-rows')
        return
        ;;
    '--retain-for')
        return
        ;;
    '--address')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __dragboard_add_completions -W "$(__dragboard_custom_complete ---completion board set -- positional@0 "${COMP_CWORD}" "$(__dragboard_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_dragboard_drag() {
    repeating_flags=()
    non_repeating_flags=(--link --no-move --restricted --detach --json --version -h --help)
    repeating_options=(--file -f --row --also)
    non_repeating_options=(--exec --type -t --name --visibility --add-to --as --board -b --address)
    __dragboard_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--file'|'-f')
        __dragboard_add_completions -f
        return
        ;;
    '--row')
        __dragboard_add_completions -W "$(__dragboard_custom_complete ---completion drag -- --row "${COMP_CWORD}" "$(__dragboard_cursor_index_in_current_word)")"
        return
        ;;
    '--exec')
        return
        ;;
    '--also')
        return
        ;;
    '--type'|'-t')
        __dragboard_add_completions -W 'application/gzip'$'\n''application/json'$'\n''application/pdf'$'\n''application/zip'$'\n''audio/mpeg'$'\n''audio/ogg'$'\n''audio/x-wav'$'\n''image/gif'$'\n''image/jpeg'$'\n''image/png'$'\n''image/svg+xml'$'\n''image/tiff'$'\n''image/webp'$'\n''text/calendar'$'\n''text/css'$'\n''text/csv'$'\n''text/html'$'\n''text/markdown'$'\n''text/plain;charset=utf-8'$'\n''text/rtf'$'\n''text/vcard'$'\n''text/xml'$'\n''video/mp4'$'\n''video/webm'
        return
        ;;
    '--name')
        return
        ;;
    '--visibility')
        __dragboard_add_completions -W 'all'$'\n''team'$'\n''group'$'\n''own-process'
        return
        ;;
    '--add-to')
        __dragboard_add_completions -W "$(__dragboard_custom_complete ---completion drag -- --add-to "${COMP_CWORD}" "$(__dragboard_cursor_index_in_current_word)")"
        return
        ;;
    '--as')
        return
        ;;
    '--board'|'-b')
        __dragboard_add_completions -W "$(__dragboard_custom_complete ---completion drag -- --board "${COMP_CWORD}" "$(__dragboard_cursor_index_in_current_word)")"
        return
        ;;
    '--address')
        return
        ;;
    esac
}

_dragboard_drop() {
    repeating_flags=()
    non_repeating_flags=(--stdout --force --wait --move --json --version -h --help)
    repeating_options=()
    non_repeating_options=(--to --into --type -t --as --board -b --address)
    __dragboard_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--to')
        __dragboard_add_completions -W "$(__dragboard_custom_complete ---completion drop -- --to "${COMP_CWORD}" "$(__dragboard_cursor_index_in_current_word)")"
        return
        ;;
    '--into')
        __dragboard_add_completions -d
        return
        ;;
    '--type'|'-t')
        __dragboard_add_completions -W "$(__dragboard_custom_complete ---completion drop -- --type "${COMP_CWORD}" "$(__dragboard_cursor_index_in_current_word)")"
        return
        ;;
    '--as')
        return
        ;;
    '--board'|'-b')
        __dragboard_add_completions -W "$(__dragboard_custom_complete ---completion drop -- --board "${COMP_CWORD}" "$(__dragboard_cursor_index_in_current_word)")"
        return
        ;;
    '--address')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __dragboard_add_completions -W "$(__dragboard_custom_complete ---completion drop -- positional@0 "${COMP_CWORD}" "$(__dragboard_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_dragboard_propose() {
    repeating_flags=()
    non_repeating_flags=(--exit --json --version -h --help)
    repeating_options=()
    non_repeating_options=(--to --as --board -b --address)
    __dragboard_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--to')
        __dragboard_add_completions -W "$(__dragboard_custom_complete ---completion propose -- --to "${COMP_CWORD}" "$(__dragboard_cursor_index_in_current_word)")"
        return
        ;;
    '--as')
        return
        ;;
    '--board'|'-b')
        __dragboard_add_completions -W "$(__dragboard_custom_complete ---completion propose -- --board "${COMP_CWORD}" "$(__dragboard_cursor_index_in_current_word)")"
        return
        ;;
    '--address')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __dragboard_add_completions -W "$(__dragboard_custom_complete ---completion propose -- positional@0 "${COMP_CWORD}" "$(__dragboard_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_dragboard_cancel() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=(--address)
    __dragboard_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--address')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __dragboard_add_completions -W "$(__dragboard_custom_complete ---completion cancel -- positional@0 "${COMP_CWORD}" "$(__dragboard_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_dragboard_pick() {
    repeating_flags=()
    non_repeating_flags=(--multiple -m --copy --json --version -h --help)
    repeating_options=()
    non_repeating_options=(--with --board -b --address)
    __dragboard_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--with')
        return
        ;;
    '--board'|'-b')
        __dragboard_add_completions -W "$(__dragboard_custom_complete ---completion pick -- --board "${COMP_CWORD}" "$(__dragboard_cursor_index_in_current_word)")"
        return
        ;;
    '--address')
        return
        ;;
    esac
}

_dragboard_copy() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=(--board -b --address)
    __dragboard_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--board'|'-b')
        __dragboard_add_completions -W "$(__dragboard_custom_complete ---completion copy -- --board "${COMP_CWORD}" "$(__dragboard_cursor_index_in_current_word)")"
        return
        ;;
    '--address')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __dragboard_add_completions -W "$(__dragboard_custom_complete ---completion copy -- positional@0 "${COMP_CWORD}" "$(__dragboard_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_dragboard_paste() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--type -t --onto --address)
    __dragboard_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--type'|'-t')
        __dragboard_add_completions -W 'application/gzip'$'\n''application/json'$'\n''application/pdf'$'\n''application/zip'$'\n''audio/mpeg'$'\n''audio/ogg'$'\n''audio/x-wav'$'\n''image/gif'$'\n''image/jpeg'$'\n''image/png'$'\n''image/svg+xml'$'\n''image/tiff'$'\n''image/webp'$'\n''text/calendar'$'\n''text/css'$'\n''text/csv'$'\n''text/html'$'\n''text/markdown'$'\n''text/plain;charset=utf-8'$'\n''text/rtf'$'\n''text/vcard'$'\n''text/xml'$'\n''video/mp4'$'\n''video/webm'
        return
        ;;
    '--onto')
        __dragboard_add_completions -W "$(__dragboard_custom_complete ---completion paste -- --onto "${COMP_CWORD}" "$(__dragboard_cursor_index_in_current_word)")"
        return
        ;;
    '--address')
        return
        ;;
    esac
}

_dragboard_clipboard() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __dragboard_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local subcommand="${unparsed_words[0]}"
    case "${subcommand}" in
    ls) subcommand=list ;;
    mv) subcommand=move ;;
    rm) subcommand=remove ;;
    esac
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    status|enable|disable|pause|resume|clear|exclude|import)
        # Offer subcommand argument completions
        "_dragboard_clipboard_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'status enable disable pause resume clear exclude import' -- "${cur}"))
        ;;
    esac
}

_dragboard_clipboard_status() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--address)
    __dragboard_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--address')
        return
        ;;
    esac
}

_dragboard_clipboard_enable() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __dragboard_offer_flags_options 0
}

_dragboard_clipboard_disable() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __dragboard_offer_flags_options 0
}

_dragboard_clipboard_pause() {
    repeating_flags=()
    non_repeating_flags=(--while-locked --version -h --help)
    repeating_options=()
    non_repeating_options=(--address)
    __dragboard_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--address')
        return
        ;;
    esac
}

_dragboard_clipboard_resume() {
    repeating_flags=()
    non_repeating_flags=(--while-locked --version -h --help)
    repeating_options=()
    non_repeating_options=(--address)
    __dragboard_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--address')
        return
        ;;
    esac
}

_dragboard_clipboard_clear() {
    repeating_flags=()
    non_repeating_flags=(--all --version -h --help)
    repeating_options=()
    non_repeating_options=(--address)
    __dragboard_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--address')
        return
        ;;
    esac
}

_dragboard_clipboard_exclude() {
    repeating_flags=()
    non_repeating_flags=(--remove --json --version -h --help)
    repeating_options=(--application --type -t)
    non_repeating_options=(--address)
    __dragboard_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--application')
        return
        ;;
    '--type'|'-t')
        __dragboard_add_completions -W '*/*'$'\n''text/*'$'\n''image/*'$'\n''audio/*'$'\n''video/*'$'\n''application/gzip'$'\n''application/json'$'\n''application/pdf'$'\n''application/zip'$'\n''audio/mpeg'$'\n''audio/ogg'$'\n''audio/x-wav'$'\n''image/gif'$'\n''image/jpeg'$'\n''image/png'$'\n''image/svg+xml'$'\n''image/tiff'$'\n''image/webp'$'\n''text/calendar'$'\n''text/css'$'\n''text/csv'$'\n''text/html'$'\n''text/markdown'$'\n''text/plain;charset=utf-8'$'\n''text/rtf'$'\n''text/vcard'$'\n''text/xml'$'\n''video/mp4'$'\n''video/webm'
        return
        ;;
    '--address')
        return
        ;;
    esac
}

_dragboard_clipboard_import() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=(--address)
    __dragboard_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--address')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __dragboard_add_completions -W 'gpaste'$'\n''copyq'
        return
        ;;
    esac
}

_dragboard_link() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __dragboard_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local subcommand="${unparsed_words[0]}"
    case "${subcommand}" in
    ls) subcommand=list ;;
    mv) subcommand=move ;;
    rm) subcommand=remove ;;
    esac
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    setup|invite|join|share|unshare|drags|status|server|remove|leave)
        # Offer subcommand argument completions
        "_dragboard_link_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'setup invite join share unshare drags status server remove leave' -- "${cur}"))
        ;;
    esac
}

_dragboard_link_setup() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=(--ca --user --password-file --name)
    __dragboard_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--ca')
        __dragboard_add_completions -f
        return
        ;;
    '--user')
        return
        ;;
    '--password-file')
        __dragboard_add_completions -f
        return
        ;;
    '--name')
        return
        ;;
    esac
}

_dragboard_link_invite() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __dragboard_offer_flags_options 0
}

_dragboard_link_join() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=(--name)
    __dragboard_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--name')
        return
        ;;
    esac
}

_dragboard_link_share() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __dragboard_offer_flags_options 1

    # Offer positional completions
    case "${positional_number}" in
    1)
        __dragboard_add_completions -W "$(__dragboard_custom_complete ---completion link share -- positional@0 "${COMP_CWORD}" "$(__dragboard_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_dragboard_link_unshare() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __dragboard_offer_flags_options 1

    # Offer positional completions
    case "${positional_number}" in
    1)
        __dragboard_add_completions -W "$(__dragboard_custom_complete ---completion link unshare -- positional@0 "${COMP_CWORD}" "$(__dragboard_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_dragboard_link_drags() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __dragboard_offer_flags_options 1

    # Offer positional completions
    case "${positional_number}" in
    1)
        __dragboard_add_completions -W 'on'$'\n''off'
        return
        ;;
    esac
}

_dragboard_link_status() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=()
    __dragboard_offer_flags_options 0
}

_dragboard_link_server() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=(--ca --user --password-file)
    __dragboard_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--ca')
        __dragboard_add_completions -f
        return
        ;;
    '--user')
        return
        ;;
    '--password-file')
        __dragboard_add_completions -f
        return
        ;;
    esac
}

_dragboard_link_remove() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __dragboard_offer_flags_options 1

    # Offer positional completions
    case "${positional_number}" in
    1)
        __dragboard_add_completions -W "$(__dragboard_custom_complete ---completion link remove -- positional@0 "${COMP_CWORD}" "$(__dragboard_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_dragboard_link_leave() {
    repeating_flags=()
    non_repeating_flags=(--offline --version -h --help)
    repeating_options=()
    non_repeating_options=()
    __dragboard_offer_flags_options 0
}

_dragboard_view() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __dragboard_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local subcommand="${unparsed_words[0]}"
    case "${subcommand}" in
    ls) subcommand=list ;;
    mv) subcommand=move ;;
    rm) subcommand=remove ;;
    esac
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    list|open|show|select|deselect|editing|reselect|set|close)
        # Offer subcommand argument completions
        "_dragboard_view_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'list open show select deselect editing reselect set close' -- "${cur}"))
        ;;
    esac
}

_dragboard_view_list() {
    repeating_flags=()
    non_repeating_flags=(--json --table --version -h --help)
    repeating_options=()
    non_repeating_options=(--address)
    __dragboard_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--address')
        return
        ;;
    esac
}

_dragboard_view_open() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--as --board -b --address)
    __dragboard_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--as')
        return
        ;;
    '--board'|'-b')
        __dragboard_add_completions -W "$(__dragboard_custom_complete ---completion view open -- --board "${COMP_CWORD}" "$(__dragboard_cursor_index_in_current_word)")"
        return
        ;;
    '--address')
        return
        ;;
    esac
}

_dragboard_view_show() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--address)
    __dragboard_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--address')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __dragboard_add_completions -W "$(__dragboard_custom_complete ---completion view show -- positional@0 "${COMP_CWORD}" "$(__dragboard_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_dragboard_view_select() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=(--address)
    __dragboard_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--address')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __dragboard_add_completions -W "$(__dragboard_custom_complete ---completion view select -- positional@0 "${COMP_CWORD}" "$(__dragboard_cursor_index_in_current_word)")"
        return
        ;;
    *)
        __dragboard_add_completions -W "$(__dragboard_custom_complete ---completion view select -- positional@1 "${COMP_CWORD}" "$(__dragboard_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_dragboard_view_deselect() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=(--address)
    __dragboard_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--address')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __dragboard_add_completions -W "$(__dragboard_custom_complete ---completion view deselect -- positional@0 "${COMP_CWORD}" "$(__dragboard_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_dragboard_view_editing() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=(--address)
    __dragboard_offer_flags_options 2

    # Offer option value completions
    case "${prev}" in
    '--address')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __dragboard_add_completions -W "$(__dragboard_custom_complete ---completion view editing -- positional@0 "${COMP_CWORD}" "$(__dragboard_cursor_index_in_current_word)")"
        return
        ;;
    2)
        __dragboard_add_completions -W 'on'$'\n''off'
        return
        ;;
    esac
}

_dragboard_view_reselect() {
    repeating_flags=()
    non_repeating_flags=(--prepare --commit --version -h --help)
    repeating_options=()
    non_repeating_options=(--address)
    __dragboard_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--address')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __dragboard_add_completions -W "$(__dragboard_custom_complete ---completion view reselect -- positional@0 "${COMP_CWORD}" "$(__dragboard_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_dragboard_view_set() {
    repeating_flags=()
    non_repeating_flags=(--multiple --no-multiple --version -h --help)
    repeating_options=()
    non_repeating_options=(--address)
    __dragboard_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--address')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __dragboard_add_completions -W "$(__dragboard_custom_complete ---completion view set -- positional@0 "${COMP_CWORD}" "$(__dragboard_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_dragboard_view_close() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=(--address)
    __dragboard_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--address')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __dragboard_add_completions -W "$(__dragboard_custom_complete ---completion view close -- positional@0 "${COMP_CWORD}" "$(__dragboard_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_dragboard_export() {
    repeating_flags=()
    non_repeating_flags=(--force --json --version -h --help)
    repeating_options=()
    non_repeating_options=(--board -b --output -o --address)
    __dragboard_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--board'|'-b')
        __dragboard_add_completions -W "$(__dragboard_custom_complete ---completion export -- --board "${COMP_CWORD}" "$(__dragboard_cursor_index_in_current_word)")"
        return
        ;;
    '--output'|'-o')
        __dragboard_add_completions -f
        return
        ;;
    '--address')
        return
        ;;
    esac
}

_dragboard_import() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--name --address)
    __dragboard_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--name')
        return
        ;;
    '--address')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __dragboard_add_completions -f
        return
        ;;
    esac
}

_dragboard_doctor() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--data --address)
    __dragboard_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--data')
        __dragboard_add_completions -d
        return
        ;;
    '--address')
        return
        ;;
    esac
}

_dragboard_demo() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=()
    __dragboard_offer_flags_options 0
}

_dragboard_completion() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __dragboard_offer_flags_options 1

    # Offer positional completions
    case "${positional_number}" in
    1)
        __dragboard_add_completions -W 'bash'$'\n''zsh'$'\n''fish'
        return
        ;;
    esac
}

_dragboard_help() {
    # The last word is the one to complete.
    local -a path=("${unparsed_words[@]}")
    ((${#path[@]} > 0)) && unset 'path[-1]'
    case "${path[*]}" in
    '') __dragboard_add_words 'list
show
get
types
search
boards
sessions
watch
changes
status
add
move
remove
edit
rename
pin
unpin
lock
unlock
stack
unstack
clear
sort
apply
undo
redo
section
board
drag
drop
propose
cancel
pick
copy
paste
clipboard
link
view
export
import
doctor
demo
completion' ;;
    'section') __dragboard_add_words 'list
add
rename
move
remove' ;;
    'board') __dragboard_add_words 'list
add
rename
remove
restore
set' ;;
    'clipboard') __dragboard_add_words 'status
enable
disable
pause
resume
clear
exclude
import' ;;
    'link') __dragboard_add_words 'setup
invite
join
share
unshare
drags
status
server
remove
leave' ;;
    'view') __dragboard_add_words 'list
open
show
select
deselect
editing
reselect
set
close' ;;
    esac
    repeating_flags=()
    non_repeating_flags=(--version)
    repeating_options=()
    non_repeating_options=()
    __dragboard_offer_flags_options -1
}

complete -F _dragboard dragboard
