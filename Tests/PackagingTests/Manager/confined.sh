#!/bin/bash
# What nobody does beside its manager: the first call starts the unit, which works as confined as it says, and is stopped.
set -euo pipefail
root=/org/dragboard/Dragboard1
call() {
  local path=$1 member=$2
  shift 2
  dbus-send --session --reply-timeout=300000 --print-reply=literal --dest=org.dragboard.Dragboard1 "$path" \
    "org.dragboard.Dragboard1.$member" "$@" | sed 's/^ *//'
}
call $root Manager.GetBoard string:default
pid=$(systemctl --user show -p MainPID --value dragboardd.service)
grep -q '^Seccomp:\s2' "/proc/$pid/status"
grep -q '^NoNewPrivs:\s1' "/proc/$pid/status"
session=$(call $root Manager.BeginTextDrag string:org.example.Notes array:string:one,two)
call $root/board/default DropTarget.PerformDrop "objpath:$session" string:org.example.Mail uint32:0 int32:-1
head -c 200000 /dev/zero | tr '\0' x > "$HOME/large"
call $root/board/default Board.InsertText uint32:0 int32:0 "string:$(head -c 100000 "$HOME/large")"
call $root/board/default Board.MoveRow uint32:0 uint32:0 uint32:0 uint32:2
call $root/board/default Board.Undo
[ "$(ls "$XDG_DATA_HOME/dragboard/contents" | wc -l)" = 1 ]
call $root/board/default Board.Search string:two uint32:9
systemctl --user stop dragboardd.service
systemctl --user show -p Result dragboardd.service
