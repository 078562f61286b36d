#!/usr/bin/python3
"""Adds a row to the board "default" and prints the rows, with a proxy that GDBus makes of the XML.

    rows.py INTERFACES TEXT

INTERFACES is the folder of the XML: Sources/DragboardInterface/Interfaces, or
share/dbus-1/interfaces of an installation.
"""

import pathlib
import sys

from gi.repository import Gio, GLib


def board(folder):
    """The board "default"; calls are checked against the XML."""
    name = "org.dragboard.Dragboard1.Board"
    xml = (pathlib.Path(folder) / f"{name}.xml").read_text(encoding="utf-8")
    interface = Gio.DBusNodeInfo.new_for_xml(xml).lookup_interface(name)
    return Gio.DBusProxy.new_for_bus_sync(
        Gio.BusType.SESSION, Gio.DBusProxyFlags.NONE, interface, "org.dragboard.Dragboard1",
        "/org/dragboard/Dragboard1/board/default", name, None)


def main(arguments):
    if len(arguments) != 2:
        print("usage: rows.py INTERFACES TEXT", file=sys.stderr)
        return 64
    try:
        proxy = board(arguments[0])
        proxy.InsertText("(uis)", 0, -1, arguments[1])
        _, rows = proxy.GetRows("(uuu)", 0, 0, 100)
    except (OSError, GLib.Error) as error:
        print(f"rows: {error}", file=sys.stderr)
        return 1
    for _, preview, _, attributes in rows:
        print(f"{preview} ({attributes['size']} bytes)")
    return 0


sys.exit(main(sys.argv[1:]))
