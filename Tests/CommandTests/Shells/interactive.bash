# An interactive bash whose `dragboard` completes, and prints its arguments when it is run.
PS1='> '
source <(dragboard completion bash)
dragboard() {
  if [[ $1 == __complete ]]; then command dragboard "$@"; else printf '<%s>' "$@"; fi
}
