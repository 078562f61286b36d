#!/usr/bin/python3
"""Drops a text with a promised page on the board "default", and prints the board after each change.

    follow.py TEXT

The program continues when the daemon restarts: it then reads the changes that it has missed. If a drop has
not been reported by then, the program looks for its row, and drops again only if there is none.
"""

import html
import sys
import threading
import uuid

from gi.repository import Gio, GLib

NAME = "org.dragboard.Dragboard1"
ROOT = "/org/dragboard/Dragboard1"
BOARD = f"{ROOT}/board/default"
ENDED = ("NoReply", "ServiceUnknown", "NameHasNoOwner")  # Errors of calls to a daemon that has ended.
LOADER = Gio.DBusNodeInfo.new_for_xml("""
<node><interface name="org.dragboard.Dragboard1.RepresentationLoader"><method name="Load">
  <arg name="session" type="o" direction="in"/> <arg name="item" type="u" direction="in"/>
  <arg name="type" type="s" direction="in"/> <arg name="fd" type="h" direction="in"/>
</method></interface></node>""").interfaces[0]


def call(path, interface, method, signature="()", *arguments):
    return bus.call_sync(
        NAME, path, f"{NAME}.{interface}", method, GLib.Variant(signature, arguments), None,
        Gio.DBusCallFlags.NONE, -1, None).unpack()


def is_error(error, *names):
    return (Gio.DBusError.get_remote_error(error) or "").rpartition(".")[2] in names


def attempt(function, *arguments):
    try:
        function(*arguments)
    except GLib.Error as error:
        # If the daemon has ended, the program continues when the next daemon appears.
        if not is_error(error, *ENDED):
            print(f"follow.py: {error.message}", file=sys.stderr)


class Mirror:
    """The ids of the rows, section by section, as of one revision of the board."""

    revision = 0
    sections = []  # Pairs: a name, and the ids of the rows.

    def catch_up(self):
        try:
            # Since revision 0, the error is StaleRevision.
            revision, changes = call(BOARD, "Board", "GetChanges", "(t)", self.revision)
        except GLib.Error as error:
            # InvalidArgs means that the daemon has older data now, for example from a backup.
            if not is_error(error, "StaleRevision", "InvalidArgs"):
                raise
            self.read()
        else:
            self.apply(revision, changes)

    def read(self):
        self.revision, sections = call(BOARD, "Board", "GetSnapshot")
        self.sections = [(name, list(rows)) for name, rows in sections]
        self.show()

    def receive(self, connection, sender, path, interface, signal, arguments):
        before, after, changes = arguments.unpack()
        if after <= self.revision:
            return  # A reply had this revision already.
        if changes[0][0] == "reset":
            attempt(self.read)
        elif before != self.revision:
            attempt(self.catch_up)
        else:
            self.apply(after, changes)

    def apply(self, revision, changes):
        for kind, key, from_section, from_row, to_section, to_row in changes:
            match kind:
                case "insert":
                    self.sections[to_section][1].insert(to_row, key)
                case "delete":
                    del self.sections[from_section][1][from_row]
                case "move":
                    del self.sections[from_section][1][from_row]
                    self.sections[to_section][1].insert(to_row, key)
                case "insert-section":
                    self.sections.insert(to_section, (key, []))
                case "delete-section":
                    del self.sections[from_section]
                case "move-section":
                    self.sections.insert(to_section, self.sections.pop(from_section))
                case "rename-section":
                    self.sections[from_section] = (key, self.sections[from_section][1])
        self.revision = revision
        self.show()

    def show(self):
        print(f"revision {self.revision}:", *(f"{name} {rows}" for name, rows in self.sections))


class Drop:
    """A drag of one item, which this program drops on the board itself."""

    stack = str(uuid.uuid4())  # Identifies the new row, even if the reply is lost.
    is_done = False

    def start(self):
        if self.is_done:
            return
        if any(attributes.get("stack") == self.stack for _, _, _, attributes in self.rows()):
            return self.end("the row was stored")
        (session,) = call(ROOT, "Manager", "BeginDrag", "(s)", "")
        (item,) = call(session, "DragSession", "AddItem", "(s)", "")
        call(session, "DragSession", "SetAttributes", "(ua{sv})", item, {"stack": GLib.Variant("s", self.stack)})
        call(session, "DragSession", "RegisterPromise", "(usso)", item, "text/html", "all", "/page")
        call(session, "DragSession", "RegisterText", "(us)", item, sys.argv[1])
        # The daemon loads the promise before it replies, so the main loop must run meanwhile.
        bus.call(
            NAME, BOARD, f"{NAME}.DropTarget", "PerformDrop", GLib.Variant("(osui)", (session, "", 0, -1)), None,
            Gio.DBusCallFlags.NO_AUTO_START, GLib.MAXINT, None, self.finish, session)

    def rows(self):
        for section, (_, ids) in enumerate(mirror.sections):
            first = 0
            while first < len(ids):
                _, page = call(BOARD, "Board", "GetRows", "(uuu)", section, first, len(ids))
                yield from page  # A reply can have fewer rows than the call asks for.
                first += len(page) or len(ids)

    def finish(self, connection, result, session):
        try:
            operation, items = connection.call_finish(result).unpack()
        except GLib.Error as error:
            # If the daemon has ended, the next daemon knows whether the row was stored.
            if not is_error(error, *ENDED):
                self.end(error.message)
        else:
            if operation == "forbidden":  # The drag has not ended.
                attempt(call, session, "DragSession", "Cancel")
            self.end(f"{operation} {items}")

    def end(self, result):
        self.is_done = True
        print("drop:", result)


def load(connection, sender, path, interface, method, arguments, invocation):
    pipe = invocation.get_message().get_unix_fd_list().steal_fds()[arguments.unpack()[3]]
    threading.Thread(target=write, args=(pipe, invocation)).start()


def write(pipe, invocation):
    try:
        with open(pipe, "w", encoding="utf-8") as page:
            page.write(f"<p>{html.escape(sys.argv[1])}</p>")
        invocation.return_value(None)
    except OSError as error:
        invocation.return_dbus_error("org.example.Error.Failed", error.strerror)


def resume(connection, name, owner):
    attempt(mirror.catch_up)
    attempt(drop.start)


if len(sys.argv) != 2:
    sys.exit("usage: follow.py TEXT")
sys.stdout.reconfigure(line_buffering=True)
mirror, drop = Mirror(), Drop()
try:
    bus = Gio.bus_get_sync(Gio.BusType.SESSION)
    bus.register_object("/page", LOADER, load, None, None)
    bus.signal_subscribe(
        NAME, f"{NAME}.Board", "Changed", BOARD, None, Gio.DBusSignalFlags.NONE, mirror.receive)
    # Starts the daemon if it is not running, and calls the function for this daemon and for each later one.
    Gio.bus_watch_name_on_connection(bus, NAME, Gio.BusNameWatcherFlags.AUTO_START, resume, None)
    GLib.MainLoop().run()
except GLib.Error as error:
    sys.exit(f"follow.py: {error.message}")
except KeyboardInterrupt:
    pass
