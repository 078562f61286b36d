#!/bin/bash
# A test that needs a systemd user manager. The first call starts the unit. Its daemon works under the confinement,
# recognises a sandbox, and is then stopped.
set -euo pipefail
root=/org/dragboard/Dragboard1
call() {
  local path=$1 member=$2
  shift 2
  dbus-send --session --reply-timeout=300000 --print-reply=literal --dest=org.dragboard.Dragboard1 "$path" \
    "org.dragboard.Dragboard1.$member" "$@" | sed 's/^ *//'
}
# Runs a command that must fail with this error.
refused() {
  local error=$1
  shift
  if "$@" 2> "$HOME/refusal"; then return 1; fi
  grep -q "$error" "$HOME/refusal"
}
board=$root/board/default
mkdir -p "$XDG_CONFIG_HOME/dragboard"
echo 'max-boards = 2' > "$XDG_CONFIG_HOME/dragboard/config.toml"

call $root Manager.GetBoard string:default
pid=$(systemctl --user show -p MainPID --value dragboardd.service)
grep -q '^Seccomp:\s2' "/proc/$pid/status"
grep -q '^NoNewPrivs:\s1' "/proc/$pid/status"
grep -q '^Max core file size *0 *0 ' "/proc/$pid/limits"
# In a separate namespace, the daemon could not inspect its clients.
for kind in user mnt net uts; do
  [ "$(readlink "/proc/$pid/ns/$kind")" = "$(readlink "/proc/self/ns/$kind")" ]
done

echo 'texts, drops, large contents'
session=$(call $root Manager.BeginTextDrag string:org.example.Notes array:string:one,two)
call $board DropTarget.PerformDrop "objpath:$session" string:org.example.Mail uint32:0 int32:-1
head -c 200000 /dev/zero | tr '\0' x > "$HOME/large"
call $board Board.InsertText uint32:0 int32:0 "string:$(head -c 100000 "$HOME/large")"
call $board Board.MoveRow uint32:0 uint32:0 uint32:0 uint32:2
call $board Board.Undo
[ "$(ls "$XDG_DATA_HOME/dragboard/contents" | wc -l)" = 1 ]
call $board Board.Search string:two uint32:9

echo 'descriptors and pipes'
seq 400000 > "$HOME/bytes"
row=$("$HOME/dragboard" add --file "$HOME/bytes")
"$HOME/dragboard" get "$row" | cmp - "$HOME/bytes"
"$HOME/dragboard" drag --exec 'cat "$HOME/bytes"' --type 'text/plain;charset=utf-8' > "$HOME/drag.log" &
for ((try = 0; try < 200; try++)); do
  if [ -n "$("$HOME/dragboard" sessions)" ]; then break; fi
  sleep 0.05
done
"$HOME/dragboard" drop --to 0
wait $!
"$HOME/dragboard" get 0 | cmp - "$HOME/bytes"

echo 'the configuration file'
call $root Manager.CreateBoard string:second
refused LimitsExceeded call $root Manager.CreateBoard string:third

echo 'a sandboxed client'
printf '[Application]\nname=org.example.Boxed\n' > "$HOME/flatpak-info"
mkdir "$HOME/sandbox"
boxed() {
  unshare --user --map-root-user --mount "$HOME/enter-sandbox" "$HOME/sandbox" "$HOME/flatpak-info" \
    unshare --user "--map-user=$(id -u)" dbus-send --session --print-reply=literal --dest=org.dragboard.Dragboard1 \
    $root org.dragboard.Dragboard1.Manager.BeginDrag "string:$1"
}
# On some systems, a user may not create a namespace.
if unshare --user --map-root-user --mount true 2> /dev/null; then
  boxed org.example.Boxed | grep -q $root/session/
  refused AccessDenied boxed org.example.Other
fi

echo 'boards in /tmp'
data=$(mktemp -d -p /tmp)
echo "data = \"$data/boards\"" >> "$XDG_CONFIG_HOME/dragboard/config.toml"
systemctl --user restart dragboardd.service
"$HOME/dragboard" add kept
[ -s "$data/boards/boards.db" ]
sed -i /data/d "$XDG_CONFIG_HOME/dragboard/config.toml"
rm -r "$data"

systemctl --user restart dragboardd.service
"$HOME/dragboard" get "$row" | cmp - "$HOME/bytes"
systemctl --user stop dragboardd.service
systemctl --user show -p Result dragboardd.service
