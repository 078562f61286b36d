# An interactive zsh whose `dragboard` completes, and prints its arguments when it is run.
PROMPT='> '
autoload -Uz compinit
compinit -D -u
source <(dragboard completion zsh)
dragboard() {
  if [[ $1 == __complete ]]; then command dragboard "$@"; else printf '<%s>' "$@"; fi
}
