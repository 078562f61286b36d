#!/bin/sh
# Drags texts and drops them on the board "default", all of it with dbus-send.
#
#   drag.sh TEXTS [ROW]        drag.sh 'Breakfast with Ada,Return the books' 0
#
# Commas part the texts, for that is how dbus-send takes a list; BeginDrag and AddText take any text as it is.
# Without ROW they go to the end.
set -eu

texts=${1:?usage: drag.sh TEXTS [ROW]}
row=${2:--1}
# dbus-send takes what is no number for 0, 010 for 8, and cuts off what is too large.
case $row in
  -1) ;;
  *[!0-9]* | 0?* | ??????????*)
    echo "drag.sh: ROW is the number of a row, 0 or more, and not '$row'" >&2
    exit 1
    ;;
esac
name=org.dragboard.Dragboard1
manager=/org/dragboard/Dragboard1
board=/org/dragboard/Dragboard1/board/default

call() { dbus-send --session --print-reply=literal --dest=$name "$@"; }

# Each dbus-send is a connection of its own. Under the name of an application they are one source.
session=$(call $manager $name.Manager.BeginTextDrag string:org.example.Script "array:string:$texts" | tr -d ' ')
# Such a drag outlives its connections, for ten minutes: what is not dropped is cancelled.
trap 'call "$session" $name.DragSession.Cancel' EXIT
echo "dragging $session"

# What would a drop do? Operation, intent, section, row; nothing is changed by asking.
proposal=$(call $board $name.DropTarget.ProposeDrop \
  "objpath:$session" string:org.example.Target uint32:0 "int32:$row")
echo "a drop would be:" $proposal
case $proposal in *copy*) ;; *) exit 1 ;; esac

# The drop. It is answered, with the operation and the ids of the new rows, when they are on disk.
call $board $name.DropTarget.PerformDrop "objpath:$session" string:org.example.Target uint32:0 "int32:$row"
trap - EXIT
