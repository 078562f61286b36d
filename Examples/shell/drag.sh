#!/bin/sh
# Drags texts and drops them on the board "default", using only dbus-send.
#
#   drag.sh TEXTS [ROW]        drag.sh 'Breakfast with Ada,Return the books' 0
#
# Commas separate the texts, as in all lists of dbus-send; BeginDrag and AddText accept commas in a
# text. Without ROW the texts are appended.
set -eu

texts=${1:?usage: drag.sh TEXTS [ROW]}
row=${2:--1}
# Accept only numbers: dbus-send reads other text as 0 and 010 as 8, and truncates large numbers.
case $row in
  -1) ;;
  *[!0-9]* | 0?* | ??????????*)
    echo "drag.sh: ROW must be the number of a row, 0 or more, and not '$row'" >&2
    exit 1
    ;;
esac
name=org.dragboard.Dragboard1
manager=/org/dragboard/Dragboard1
board=/org/dragboard/Dragboard1/board/default

call() { dbus-send --session --print-reply=literal --dest=$name "$@"; }

# Each dbus-send is a separate connection. An application id makes them one source.
session=$(call $manager $name.Manager.BeginTextDrag string:org.example.Script "array:string:$texts" | tr -d ' ')
# The drag of an application id continues for ten minutes without a connection, so cancel it if it
# is not dropped.
trap 'call "$session" $name.DragSession.Cancel' EXIT
echo "dragging $session"

# Propose a drop, which changes nothing. The reply is the operation, the intent, the section and the
# row.
proposal=$(call $board $name.DropTarget.ProposeDrop \
  "objpath:$session" string:org.example.Target uint32:0 "int32:$row")
echo "a drop would be:" $proposal
case $proposal in *copy*) ;; *) exit 1 ;; esac

# Perform the drop. The reply has the operation and the ids of the new rows, and arrives when the rows
# are on the disk. A forbidden drop leaves the drag active.
result=$(call $board $name.DropTarget.PerformDrop \
  "objpath:$session" string:org.example.Target uint32:0 "int32:$row")
echo "$result"
case $result in *copy*) trap - EXIT ;; *) exit 1 ;; esac
