#!/usr/bin/python3
"""Drags a file whose bytes are read on request.

    promise.py FILE TYPE        promise.py holiday.jpg image/jpeg

Reports the outcome and exits when the drag has ended: with 0 if the file has arrived, otherwise with 1.
"""

import os
import shutil
import sys
import threading

from gi.repository import Gio, GLib

NAME = "org.dragboard.Dragboard1"
ROOT = "/org/dragboard/Dragboard1"
LOADER = Gio.DBusNodeInfo.new_for_xml("""
<node><interface name="org.dragboard.Dragboard1.RepresentationLoader"><method name="Load">
  <arg name="session" type="o" direction="in"/> <arg name="item" type="u" direction="in"/>
  <arg name="type" type="s" direction="in"/> <arg name="fd" type="h" direction="in"/>
</method></interface></node>""").interfaces[0]
has_arrived = False


def call(path, interface, method, signature, *arguments):
    return bus.call_sync(
        NAME, path, f"{NAME}.{interface}", method, GLib.Variant(signature, arguments), None,
        Gio.DBusCallFlags.NONE, -1, None).unpack()


def say(words):
    sys.stdout.write(f"{words}\n")  # print() would write the line feed separately.


def load(connection, sender, path, interface, method, arguments, invocation):
    session, item, asked_type, handle = arguments.unpack()
    # get(handle) would duplicate the descriptor. The pipe would then not end before the original is
    # closed, too.
    pipe = invocation.get_message().get_unix_fd_list().steal_fds()[handle]
    # A pipe holds 64 KiB. Writing more waits for the reader. The main loop must not wait.
    threading.Thread(target=keep, args=(pipe, invocation)).start()


def keep(pipe, invocation):
    say(f"making {file}")
    try:
        # A real program would render, pack or fetch the data here. The end of the block closes the
        # pipe.
        with open(pipe, "wb") as out, open(file, "rb") as source:
            shutil.copyfileobj(source, out)
    except BrokenPipeError as error:
        say("broken off: nobody wants it any more")
        invocation.return_dbus_error("org.example.Error.BrokenOff", error.strerror)
    except OSError as error:
        say(f"failed: {error.strerror}")
        invocation.return_dbus_error("org.example.Error.Failed", error.strerror)
    else:
        say("given")
        invocation.return_value(None)


def note(connection, sender, path, interface, signal, arguments):
    global has_arrived
    if signal == "DidTransferItems":
        loaded, failed = arguments.unpack()  # The indexes of items; this drag has one item.
        has_arrived = bool(loaded)
        say("it arrived" if loaded else "it did not arrive" if failed else "it was not asked for")
    elif signal == "DidEnd":
        say(f"the drag has ended: {arguments.unpack()[0]}")
        loop.quit()


if len(sys.argv) != 3:
    sys.exit("usage: promise.py FILE TYPE")
file, content_type = sys.argv[1:]
sys.stdout.reconfigure(line_buffering=True)
loop = GLib.MainLoop()
try:
    bus = Gio.bus_get_sync(Gio.BusType.SESSION)
    bus.register_object("/promise", LOADER, load, None, None)
    # "" means this connection. The drag ends with the program.
    (session,) = call(ROOT, "Manager", "BeginDrag", "(s)", "")
    bus.signal_subscribe(NAME, f"{NAME}.DragSession", None, session, None, Gio.DBusSignalFlags.NONE, note)
    (item,) = call(session, "DragSession", "AddItem", "(s)", os.path.basename(file))
    call(session, "DragSession", "RegisterPromise", "(usso)", item, content_type, "all", "/promise")
except GLib.Error as error:
    sys.exit(f"promise.py: {error.message}")
say(f"dragging {file} as {session}")
loop.run()
sys.exit(not has_arrived)
