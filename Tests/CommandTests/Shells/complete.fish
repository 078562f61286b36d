# Completes the command line that is given; prints a candidate to a line, and behind a tab what is said of it.
dragboard completion fish | source
complete -C "$argv"
