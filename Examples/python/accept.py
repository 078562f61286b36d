#!/usr/bin/python3
"""Accepts the latest drag and writes its data to standard output, or into a directory.

    accept.py TYPE [DIRECTORY]     accept.py '*/*' ~/Downloads

TYPE is a type or a pattern (image/*). Writes the first matching representation of each item, which is
the best one.
"""

import itertools
import os
import re
import shutil
import sys
import unicodedata

from gi.repository import Gio, GLib

NAME = "org.dragboard.Dragboard1"
ROOT = "/org/dragboard/Dragboard1"
FOREVER = GLib.MAXINT  # A promise may take longer than the default (-1), 25 s.


def call(path, interface, method, arguments=None):
    reply, fds = bus.call_with_unix_fd_list_sync(
        NAME, path, interface, method, arguments, None, Gio.DBusCallFlags.NONE, FOREVER, None, None)
    values = reply.unpack()
    # A file descriptor arrives as its index in the list. steal_fds() removes the descriptors from
    # the list, so this program must close them.
    return fds.steal_fds()[values[0]] if fds else values[0] if values else None


def get(path, interface, name):
    return call(path, "org.freedesktop.DBus.Properties", "Get", GLib.Variant("(ss)", (interface, name)))


def on_session(method, signature="()", *arguments):
    return call(session, f"{NAME}.DragSession", method, GLib.Variant(signature, arguments))


def is_invisible(c):
    category = unicodedata.category(c)
    return category in ("Cc", "Cf", "Zl", "Zp") or c in "\u034f\u115f\u1160\u3164\uffa0"


def file_name(suggested, fallback):
    """Returns the stem and the extension of a safe name, because the source chose the suggested name.

    It has no separator and nothing invisible, does not begin with "." or "-", and leaves room for a
    number.
    """
    name = "".join(c for c in suggested if not is_invisible(c)).strip()
    name = re.sub(r"^[.-]|[/\\]", "_", name) or fallback
    parts = re.fullmatch(r"(.+?)((?:\.tar)?\.[A-Za-z0-9]{1,16})?", name, re.DOTALL)
    stem, extension = parts.groups("")
    return stem.encode()[:240 - len(extension)].decode(errors="ignore"), extension


def destination(item):
    if directory is None:
        return open(sys.stdout.fileno(), "wb", closefd=False)
    stem, extension = file_name(on_session("GetSuggestedName", "(u)", item), f"item-{item + 1}")
    for number in itertools.count(1):
        name = stem + (f"-{number}" if number > 1 else "") + extension
        try:
            # "x" does not replace files and does not follow links.
            return open(os.path.join(directory, name), "xb")
        except FileExistsError:
            pass


def take(item):
    """Returns whether the item exists."""
    for content_type in on_session("GetTypes", "(u)", item):
        print(f"item {item}: {content_type}", file=sys.stderr)
    try:
        fd = on_session("LoadFile", "(us)", item, wanted)
        with open(fd, "rb") as source, destination(item) as out:
            shutil.copyfileobj(source, out)
        return True
    except GLib.Error as error:
        print(f"item {item}: {error.message}", file=sys.stderr)
    except OSError as error:
        print(f"item {item}: {error}", file=sys.stderr)
    return False


if len(sys.argv) not in (2, 3):
    sys.exit("usage: accept.py TYPE [DIRECTORY]")
wanted, directory = sys.argv[1], sys.argv[2] if len(sys.argv) == 3 else None
try:
    bus = Gio.bus_get_sync(Gio.BusType.SESSION)
    sessions = get(ROOT, f"{NAME}.Manager", "Sessions")
    if not sessions:
        sys.exit("accept.py: nothing is being dragged")
    session = sessions[-1]
    if not on_session("CanLoad", "(s)", wanted):
        sys.exit("accept.py: no dragged item has that type")
    # This is the drop: afterwards no other client can accept the drag. "" means this connection.
    if on_session("Accept", "(ss)", "", "copy") == "forbidden":
        sys.exit("accept.py: the drag is for another application")
    taken = [take(item) for item in range(get(session, f"{NAME}.DragSession", "ItemCount"))]
    # Ends the drag as a copy. A program that exits without this call cancels the drag.
    if any(taken):
        on_session("Finish")
except GLib.Error as error:
    sys.exit(f"accept.py: {error.message}")
sys.exit(not all(taken))
