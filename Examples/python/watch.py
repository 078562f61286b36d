#!/usr/bin/python3
"""Prints the signals of Dragboard, one per line, until it is interrupted.

    watch.py
"""

import sys

from gi.repository import Gio, GLib

NAME = "org.dragboard.Dragboard1"


def show(connection, sender, path, interface, signal, arguments):
    if interface.startswith(NAME):  # Excludes property changes.
        print(path, signal, *arguments.unpack())


sys.stdout.reconfigure(line_buffering=True)
try:
    bus = Gio.bus_get_sync(Gio.BusType.SESSION)
    bus.signal_subscribe(NAME, None, None, None, None, Gio.DBusSignalFlags.NONE, show)
    # Starts the daemon if it is not running. After the answer, the subscription is active.
    bus.call_sync(
        NAME, "/", "org.freedesktop.DBus.Peer", "Ping", None, None, Gio.DBusCallFlags.NONE, -1, None)
    print("watching")
    GLib.MainLoop().run()
except GLib.Error as error:
    sys.exit(f"watch.py: {error.message}")
except KeyboardInterrupt:
    pass
