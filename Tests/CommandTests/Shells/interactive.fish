# An interactive fish whose `dragboard` completes, and prints its arguments when it is run.
function fish_prompt; echo '> '; end
function fish_greeting; end
dragboard completion fish | source
function dragboard; printf '<%s>' $argv; end
