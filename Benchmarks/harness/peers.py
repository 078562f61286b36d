"""The comparison with common clipboard managers, GPaste and CopyQ, if they are installed."""

import os
import subprocess
import time
import uuid
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path

from . import measure, sides
from .boards import fill
from .bus import Bus
from .figures import Figure
from .measure import Sample
from .needs import require
from .service import Service

GPASTE, COPYQ = "/usr/libexec/gpaste/gpaste-daemon", "copyq"
ITEMS = 10_000
MIB = 1 << 20


@contextmanager
def display():
    """Starts an X server without a screen; returns the variable with its display."""
    require("Xvfb")
    reader, writer = os.pipe()
    command = ["Xvfb", "-displayfd", str(writer), "-screen", "0", "640x480x24", "-noreset", "-nolisten", "tcp"]
    process = subprocess.Popen(command, pass_fds=[writer], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    os.close(writer)
    try:
        with os.fdopen(reader) as number:
            yield {"DISPLAY": f":{number.readline().strip()}"}
    finally:
        process.terminate()
        process.wait()


class GPaste(Service):
    """GPaste's daemon with a history of a given number of texts."""

    path, interface = "/org/gnome/GPaste", "org.gnome.GPaste2"

    def __init__(self, bus, environment, items):
        quiet = {"GSETTINGS_BACKEND": "keyfile", "NO_AT_BRIDGE": "1", "GTK_A11Y": "none"}
        super().__init__(bus, "org.gnome.GPaste", [GPASTE], {**environment, **quiet}, subprocess.DEVNULL)
        self._write("config/glib-2.0/settings/keyfile", [
            "[org/gnome/GPaste]", f"max-history-size={2 * items + 1_000}", "max-memory-usage=1000"])
        self._write("data/gpaste/history.xml", [
            '<?xml version="1.0" encoding="UTF-8"?>', '<history version="2.0">',
            *(f'  <item kind="Text" uuid="{uuid.uuid4()}">\n    <value><![CDATA[{number:040}]]></value>\n  </item>'
              for number in range(items)),
            "</history>"])

    def _write(self, name, lines):
        file = Path(self.bus.home) / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("\n".join(lines) + "\n")

    def _wait(self):
        """Waits until the daemon has its name; ignores its output."""
        wait_until(lambda: self.bus.ask_driver("NameHasOwner", self.name) == "true", self.process)


class CopyQ(Service):
    """CopyQ's server."""

    def __init__(self, bus, environment):
        super().__init__(bus, "copyq", [COPYQ], environment, subprocess.DEVNULL)

    def _wait(self):
        """Waits until the server answers its command."""
        wait_until(lambda: subprocess.run(
            [COPYQ, "count"], env=self.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        ).returncode == 0, self.process)


def wait_until(condition, process):
    while not condition():
        if process.poll() is not None:
            raise RuntimeError(f"{process.args[0]} did not start")
        time.sleep(0.1)


# MARK: Figures


def adding(programs, effort):
    """Service CPU of adding one text to 10,000, compared with GPaste. In the daemon, the text is durable."""
    require(GPASTE)
    with ExitStack() as stack:
        environment = stack.enter_context(display())
        bus = stack.enter_context(Bus(programs))
        daemon = stack.enter_context(sides.daemon().start(bus))
        gpaste = stack.enter_context(GPaste(bus, environment, ITEMS))
        fill(daemon, ITEMS)
        pairs = [
            (daemon, partial(daemon.call, "InsertText", *sides.END, "distinct:40"), effort.edits, []),
            (gpaste, partial(gpaste.call, "Add", "distinct:40"), max(5, effort.edits // 10), []),
        ]
        for _ in range(effort.rounds):
            yield
            for service, load, calls, results in pairs:
                results.append(measure.run(service, load, calls))
    ours, theirs = [measure.samples(results) for *_, results in pairs]
    return [
        Figure("adding one text: service CPU", "µs/call", ours["cpu_us"], theirs["cpu_us"], bar=1 / 500),
        Figure("  p50", "µs", ours["p50_us"], theirs["p50_us"]),
    ]


def gpaste_memory(programs, effort):
    """Idle PSS of both with 10,000 texts each, after their start.

    The first GTK program of a display examines the display, which takes 30 MiB. Later programs read its result.
    """
    require(GPASTE)
    first, later = yield from _memory(programs, effort, partial(GPaste, items=ITEMS), ITEMS)
    return [
        Figure("idle PSS, 10,000 texts", "MiB", *first, bar=1 / 4),
        Figure("  not the first program of the display", "MiB", *later),
    ]


def copyq_memory(programs, effort):
    """Idle PSS of both without texts, after their start."""
    require(COPYQ)
    first, _ = yield from _memory(programs, effort, CopyQ, 0)
    return [Figure("idle PSS, empty", "MiB", *first, bar=1 / 3)]


def _memory(programs, effort, peer, items):
    """Returns samples of the daemon and the peer, as the first program of a display and as a later program."""
    values = [([], []), ([], [])]
    with Bus(programs) as bus:
        if items:
            with sides.daemon().start(bus) as daemon:
                fill(daemon, items)
        for _ in range(effort.rounds):
            yield
            with display() as environment:
                for ours, theirs in values:
                    ours.append(_idle_pss(sides.daemon().start(bus)))
                    theirs.append(_idle_pss(peer(bus, environment)))
    return [[Sample(pss) for pss in pair] for pair in values]


def _idle_pss(service):
    with service:
        time.sleep(1)
        service.settled_cpu()
        return service.pss() / MIB
