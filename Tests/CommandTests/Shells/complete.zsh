# Completes the command line that is given, in a zsh on a terminal of its own; prints a candidate to a line.
zmodload zsh/zpty
zpty terminal 'zsh -f -i'
zpty -w terminal 'stty -echo; unsetopt zle_bracketed_paste; PROMPT=; TERM=dumb'
zpty -w terminal 'autoload -Uz compinit; compinit -D -u; source <(dragboard completion zsh)'
zpty -w terminal 'compadd() {
  local -a candidates
  builtin compadd -O candidates "$@"
  if (($#candidates)); then print -l "" "candidate "${^candidates}; fi
  builtin compadd "$@"
}
finish() { print -l "" finished; }
comppostfuncs=(finish)
bindkey "^I" complete-word
print ready to complete | tr a-z A-Z'
while zpty -r terminal line; do
  if [[ $line == *'READY TO COMPLETE'* ]]; then break; fi
done
zpty -n -w terminal "$1"$'\t'
while zpty -r terminal line; do
  line=${line%%[[:cntrl:]]*}
  case $line in
    candidate\ *) print -r -- "${line#candidate }" ;;
    finished) break ;;
  esac
done
zpty -d terminal
