#!/usr/bin/python3
"""Drops the latest drag on the board "default" and prints the ids of the new rows, with dasbus."""

import sys

from dasbus.connection import SessionMessageBus
from dasbus.error import DBusError
from gi.repository import GLib

NAME, ROOT = "org.dragboard.Dragboard1", "/org/dragboard/Dragboard1"
END = (0, -1)  # of the first section


def main():
    bus = SessionMessageBus()
    sessions = bus.get_proxy(NAME, ROOT).Sessions
    if not sessions:
        sys.exit("drop: nothing is being dragged")
    board = bus.get_proxy(NAME, f"{ROOT}/board/default")
    # The call has no timeout, because a drop waits for its promises.
    operation, rows = board.PerformDrop(sessions[-1], "", *END, timeout=GLib.MAXINT)
    if not rows:
        sys.exit(f"drop: {operation}")
    print("\n".join(rows))


try:
    main()
except (DBusError, GLib.Error) as error:
    sys.exit(f"drop: {error}")
