#!/usr/bin/python3
"""Demonstrates a drag, a drop, a move and a restart on a private bus.

    demo.py [--json] [DIRECTORY-OF-PROGRAMS]

Starts a private D-Bus bus, and dragboardd with a temporary data directory. Then calls Dragboard with
dbus-send, and prints every command, its reply, the signals, and the board after each step; with --json one
object per line for each step. The demonstration needs no session bus and no desktop, and removes all its
files. The programs are those of .build/release, by default.

Exit codes: 0 if every step succeeded; 1 if a step failed or a program is missing; 128 plus the signal's
number if a signal ended the demonstration.
"""

import json
import os
import pathlib
import queue
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

NAME = "org.dragboard.Dragboard1"
ROOT = "/org/dragboard/Dragboard1"
BOARD = f"{ROOT}/board/default"
NOTES, MAIL = "org.example.Notes", "org.example.Mail"
TEXTS = ["Breakfast with Ada", "Return the library books"]
RULES = [f"type='signal',interface='{NAME}.Manager'",
         f"type='signal',member='NameOwnerChanged',arg0='{NAME}'"]
FOLDERS = {"HOME": "home", "XDG_DATA_HOME": "data", "XDG_CONFIG_HOME": "config",
           "XDG_CACHE_HOME": "cache", "XDG_STATE_HOME": "state", "XDG_RUNTIME_DIR": "run"}
FOREIGN = ("DBUS_", "XDG_", "DRAGBOARD_", "DISPLAY", "WAYLAND_", "JOURNAL_STREAM")
LIMIT = 30  # Seconds that a wait may take.


class Failure(Exception):
    """A step failed, or a program is missing."""


def expect(what, found, expected):
    if found != expected:
        raise Failure(f"{what}: expected {expected}, but got {found}")


def program(name, package):
    """Returns the path of a program that a package installs."""
    path = shutil.which(name)
    if path is None:
        raise Failure(f"{name}: is missing; install it with: sudo apt-get install {package}")
    return path


def values(lines):
    """Returns the values that dbus-send and dbus-monitor print, which are texts, numbers and arrays of texts."""
    found = []
    for line in map(str.strip, lines):
        text = re.fullmatch(r'(?:string|object path) "(.*)"', line)
        number = re.fullmatch(r"u?int32 (-?\d+)", line)
        if line == "array [":
            outer, found = found, []
        elif line == "]":
            found = outer + [found]
        elif text or number:
            found.append(text[1] if text else int(number[1]))
        else:
            raise Failure(f"dbus-send: expected a value, but got {line}")
    return found


class Stage:
    """A bus, a daemon and a listener in a private home; all of them end with it."""

    def __init__(self, programs):
        self.send, self.monitor = program("dbus-send", "dbus-bin"), program("dbus-monitor", "dbus-bin")
        bus = program("dbus-daemon", "dbus-daemon")
        self.command, self.daemon_path = (programs / name for name in ("dragboard", "dragboardd"))
        for path in (self.command, self.daemon_path):
            if not os.access(path, os.X_OK):
                raise Failure(f"{path}: is missing; build it with: swift build -c release")
        self.processes, self.daemon, self.signal = [], None, 0
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT):
            signal.signal(number, self.note_signal)
        self.home = pathlib.Path(tempfile.mkdtemp(prefix="dragboard-"))
        try:
            self.log = open(self.home / "log", "wb+")
            self.environment = {name: text for name, text in os.environ.items()
                                if not name.startswith(FOREIGN)}
            for name, folder in FOLDERS.items():
                (self.home / folder).mkdir(mode=0o700)
                self.environment[name] = str(self.home / folder)
            self.bus_address = f"unix:path={self.home}/bus"
            self.environment["DBUS_SESSION_BUS_ADDRESS"] = self.bus_address
            lines = self.lines(self.start(
                bus, "--session", "--nofork", "--print-address", f"--address={self.bus_address}"))
            self.address = self.line(lines, "the address of dbus-daemon")
            self.signals = self.lines(self.start(self.monitor, "--session", *RULES))
            # When a connection becomes a monitor, the bus removes its unique name. So NameLost means that
            # dbus-monitor monitors the bus.
            while self.next_signal(1)[0] != "NameLost":
                pass
        except BaseException:
            self.close()
            raise

    def close(self):
        for process in reversed(self.processes):
            process.kill()
            process.wait()
        shutil.rmtree(self.home)

    def note_signal(self, number, _frame):
        self.signal = number

    def start(self, *words):
        """Starts a program in its own process group, so that Ctrl-C reaches only the demonstration."""
        process = subprocess.Popen(words, env=self.environment, stdin=subprocess.DEVNULL, text=True,
                                   stdout=subprocess.PIPE, stderr=self.log, start_new_session=True)
        self.processes.append(process)
        return process

    def start_daemon(self):
        self.daemon = self.start(self.daemon_path)

    def kill_daemon(self):
        self.daemon.kill()
        self.daemon.wait()
        self.daemon = None

    @staticmethod
    def lines(process):
        """Returns a queue of the lines that a process prints; None is its end."""
        lines = queue.Queue()

        def read():
            for line in process.stdout:
                lines.put(line.rstrip("\n"))
            lines.put(None)

        threading.Thread(target=read, daemon=True).start()
        return lines

    def line(self, lines, what):
        """Waits for a line."""
        end = time.monotonic() + LIMIT
        while time.monotonic() < end:
            if self.signal:
                sys.exit(128 + self.signal)
            has_ended = self.daemon is not None and self.daemon.poll() is not None
            try:
                line = lines.get(timeout=0.05)
            except queue.Empty:
                if has_ended:
                    raise Failure(f"{what}: dragboardd has ended") from None
                continue
            if line is None:
                raise Failure(f"{what}: the program has ended")
            return line
        raise Failure(f"{what}: missing after {LIMIT} seconds")

    def next_signal(self, count):
        """Waits for a signal with a number of arguments; returns its name and the arguments."""
        header = self.line(self.signals, "a signal")
        if not header.startswith("signal "):
            raise Failure(f"dbus-monitor: expected a signal, but got {header}")
        arguments = [self.line(self.signals, "a signal") for _ in range(count)]
        return header.split("member=")[-1], values(arguments)

    def call(self, words):
        """Calls dbus-send; returns the lines of its output except the first."""
        result = subprocess.run([self.send, *words], env=self.environment, stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        if result.returncode != 0 or not result.stdout.startswith("method return"):
            raise Failure(f"{words[-1]}: expected a reply, but got {result.stdout.strip()}")
        return [line.removeprefix("   ") for line in result.stdout.splitlines()[1:]]

    def listing(self, *words):
        """Returns the objects that a subcommand of dragboard prints."""
        result = subprocess.run([self.command, *words, "--json"], env=self.environment, check=False,
                                stdin=subprocess.DEVNULL, capture_output=True, text=True)
        if result.returncode != 0:
            raise Failure(f"the board: {result.stderr.strip()}")
        return [json.loads(line) for line in result.stdout.splitlines()]

    def board(self):
        keys = ("id", "row", "section", "section_name", "types")
        rows = [{"text": row["preview"]} | {key: row[key] for key in keys} for row in self.listing("list")]
        return {"board": "default", "revision": self.listing("boards")[0]["revision"], "rows": rows}


class Demo:
    """The steps. A step that fails ends the demonstration."""

    def __init__(self, stage, is_json):
        self.stage, self.is_json = stage, is_json
        self.rows = []  # The id and the text of each expected row.
        self.events, self.number = [], 0
        self.session = None

    def play(self):
        self.step("A private bus and the daemon start", self.start)
        self.step("A script adds three rows to the board", self.fill)
        self.step("Notes begins a drag of two texts", self.pick_up)
        self.step("Mail asks for the effect of a drop at row 1", self.propose)
        self.step("Mail drops the texts there; the drop copies them", self.drop)
        self.step("Mail drags the last row and drops it at the top; the drop moves it", self.move)
        self.step("Mail drags two rows; the drag is cancelled: this board moves only single rows", self.cancel)
        self.step("The daemon is killed and started again, and the rows are still there", self.restart)

    def start(self):
        self.note("dbus-daemon --session --nofork --print-address "
                  f"--address={self.stage.bus_address} &", output=[self.stage.address])
        self.note(f"export DBUS_SESSION_BUS_ADDRESS={self.stage.bus_address}")
        self.note("dbus-monitor --session", *(f'"{rule}"' for rule in RULES[:-1]), f'"{RULES[-1]}" &')
        self.note("dragboardd &")
        self.stage.start_daemon()
        self.expect_owner(True)

    def fill(self):
        texts = ["Call the garage", "Buy stamps", "Read the paper"]
        ids, = self.call(BOARD, "Board.InsertTexts", "uint32:0", "int32:-1", texts)
        self.rows = list(zip(ids, texts, strict=True))

    def pick_up(self):
        self.begin(NOTES, ROOT, "Manager.BeginTextDrag", f"string:{NOTES}", TEXTS)

    def propose(self):
        reply = self.call(BOARD, "DropTarget.ProposeDrop", *self.drop_at(1))
        expect("ProposeDrop", reply, ["copy", "insert-at-destination", 0, 1])

    def drop(self):
        operation, ids = self.call(BOARD, "DropTarget.PerformDrop", *self.drop_at(1))
        expect("PerformDrop", operation, "copy")
        self.rows[1:1] = zip(ids, TEXTS, strict=True)
        self.expect_end(NOTES, "copy")

    def move(self):
        self.begin(MAIL, BOARD, "DragSource.BeginRowDrag", f"string:{MAIL}", "uint32:0",
                   f"uint32:{len(self.rows) - 1}")
        reply = self.call(BOARD, "DropTarget.PerformDrop", *self.drop_at(0))
        self.rows.insert(0, self.rows.pop())
        expect("PerformDrop", reply, ["move", [self.rows[0][0]]])
        self.expect_end(MAIL, "move")

    def cancel(self):
        self.begin(MAIL, BOARD, "DragSource.BeginDrag", f"string:{MAIL}", [row[0] for row in self.rows[:2]])
        reply = self.call(BOARD, "DropTarget.PerformDrop", *self.drop_at(3))
        expect("PerformDrop", reply, ["cancel", []])
        self.expect_end(MAIL, "cancel")

    def restart(self):
        self.note(f"kill -KILL {self.stage.daemon.pid}")
        self.stage.kill_daemon()
        self.expect_owner(False)
        self.note("dragboardd &")
        self.stage.start_daemon()
        self.expect_owner(True)

    def drop_at(self, row):
        return f"objpath:{self.session}", f"string:{MAIL}", "uint32:0", f"int32:{row}"

    def begin(self, application, *words):
        self.session, = self.call(*words)
        self.expect_signal("DragBegan", [self.session, application])

    def expect_end(self, application, operation):
        self.expect_signal("DragEnded", [self.session, application, operation])

    def expect_signal(self, member, arguments):
        expect("the next signal", self.next_signal(len(arguments)), (member, arguments))

    def expect_owner(self, is_running):
        member, arguments = self.next_signal(3)
        expect("the next signal", (member, arguments[-1] != ""), ("NameOwnerChanged", is_running))

    def next_signal(self, count):
        member, arguments = self.stage.next_signal(count)
        self.events.append({"signal": member, "arguments": arguments})
        return member, arguments

    def call(self, path, member, *arguments):
        """Calls a method; a list becomes an array of texts."""
        arguments = [argument if isinstance(argument, str) else "array:string:" + ",".join(argument)
                     for argument in arguments]
        options = ["--session", "--print-reply", f"--dest={NAME}"]
        target = [path, f"{NAME}.{member}"]
        output = self.stage.call([*options, *target, *arguments])
        self.note(" ".join(["dbus-send", *options]), " ".join(target), shlex.join(arguments), output=output,
                  reply=values(output))
        return self.events[-1]["reply"]

    def note(self, *lines, output=(), reply=None):
        """Records a command, as lines that a person could type, and its output."""
        self.events.append({"lines": lines, "output": output,
                            "reply": list(output) if reply is None else reply})

    def step(self, title, body):
        self.number += 1
        self.events, board, failure = [], None, None
        try:
            body()
            board = self.stage.board()
            expect("the board", [(row["id"], row["text"]) for row in board["rows"]], self.rows)
        except Failure as error:
            failure = error
        print(self.json(title, board, failure) if self.is_json else self.text(title, board), flush=True)
        if failure:
            raise failure

    def json(self, title, board, failure):
        events = [event if "signal" in event else
                  {"command": " ".join(event["lines"]), "reply": event["reply"]} for event in self.events]
        step = {"number": self.number, "title": title, "events": events}
        step |= {"board": board} if board else {}
        step |= {"failure": str(failure)} if failure else {}
        return json.dumps(step, ensure_ascii=False, separators=(",", ":"), sort_keys=True)

    def text(self, title, board):
        lines = []
        for event in self.events:
            if "signal" in event:
                lines.append(ink(36, f"< signal {event['signal']} "
                                     + " ".join(map(json.dumps, event["arguments"]))))
                continue
            first, *others = event["lines"]
            typed = " \\\n".join([ink(32, "$ ") + first, *("         " + line for line in others)])
            lines += ["", *typed.split("\n"), *("  " + line for line in event["output"])]
        lines += ["", *table(board)] if board else []
        shown = [line if line.startswith("      ") or not line else "   " + line for line in lines]
        return "\n".join(["", ink(1, f"{self.number}  {title}"), *shown])


def table(board):
    """Returns a caption, the heads of the columns, and a line for each row."""
    caption = ink(2, f"board \"default\", revision {board['revision']}")
    cells = [["section", "row", "text", "types", "id"]]
    cells += [[f"{row['section']} {row['section_name']}", str(row["row"]), row["text"],
               " ".join(row["types"]), row["id"][:8]] for row in board["rows"]]
    widths = [max(map(len, column)) for column in zip(*cells)]
    lines = ["  ".join(map(str.ljust, line, widths)).rstrip() for line in cells]
    return [caption, ink(2, lines[0]), *lines[1:]] + ([] if board["rows"] else ["(no rows)"])


def ink(code, text):
    """Returns the text in a colour or a style, if the output is a terminal that has colours."""
    has_colours = sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    return f"\x1b[{code}m{text}\x1b[0m" if has_colours else text


def play(is_json, programs):
    stage = Stage(programs)
    try:
        if not is_json:
            print("A demonstration on a private bus. It does not touch your session.", flush=True)
        Demo(stage, is_json).play()
    except Failure:
        stage.log.flush()
        sys.stderr.write((stage.home / "log").read_text(errors="replace"))
        raise
    finally:
        stage.close()


def main(words):
    if "-h" in words or "--help" in words:
        print(__doc__.strip())
        return 0
    is_json = "--json" in words
    folders = [word for word in words if word != "--json"]
    if len(folders) > 1 or any(word.startswith("-") for word in folders):
        print("usage: demo.py [--json] [DIRECTORY-OF-PROGRAMS]", file=sys.stderr)
        return 64
    release = pathlib.Path(__file__).resolve().parent.parent.parent / ".build/release"
    try:
        play(is_json, pathlib.Path(folders[0]) if folders else release)
    except Failure as failure:
        print(f"Error: {failure}", file=sys.stderr)
        return 1
    except BrokenPipeError:
        # Python would report the error once more when it closes the output.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
