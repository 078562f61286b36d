# Completes the command line whose words are given, as readline would; prints a candidate to a line.
source <(dragboard completion bash)
compopt() { :; }
COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1))
# Spaces around a break are none of the line's.
COMP_LINE=$(sed 's/ \([:=]\) \{0,1\}/\1/g' <<< "$*")
COMP_POINT=${#COMP_LINE}
current="${COMP_WORDS[COMP_CWORD]}"
if [[ $current == [:=] ]]; then current=''; fi
_dragboard dragboard "$current" "${COMP_WORDS[COMP_CWORD - 1]}"
# No candidate has a backslash of its own.
for candidate in "${COMPREPLY[@]}"; do printf '%s\n' "${candidate//\\/}"; done
