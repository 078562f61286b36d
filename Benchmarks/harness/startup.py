"""The time from a call of a service that does not run to its first reply. The bus starts the service."""

import os
import select
import signal
import statistics
from contextlib import ExitStack

from . import sides
from .boards import LARGEST, fill
from .bus import Bus
from .figures import Figure
from .measure import Sample
from .service import BOARD_INTERFACE, BOARD_PATH


def activation(programs, effort):
    """The daemon without rows, compared with the C echo, and with 1,000,000 rows, compared with the daemon without rows."""
    with ExitStack() as stack:
        empty, full, *echo = [
            stack.enter_context(Bus(programs, {side.name: programs[side.program]}))
            for side in (sides.daemon(), sides.daemon(), sides.echo()) if programs.include(side)
        ]
        with sides.daemon().start(full) as daemon:
            fill(daemon, LARGEST)
        times = {bus: [] for bus in (empty, full, *echo)}
        for _ in range(effort.rounds):
            yield
            for bus, values in times.items():
                [name] = bus.activated
                values.append(statistics.median(_start(bus, name) for _ in range(effort.starts)))
    empty, full, *echo = [Sample(values) for values in times.values()]
    return [
        Figure("without rows", "ms", empty, *echo, bar=2.5),
        Figure(f"with {LARGEST:,}{', beside without' if echo else ' rows'}", "ms", full, empty, bar=5),
    ]


def _start(bus, name):
    """Returns the milliseconds until the reply to GetRows; then ends the service, and waits for its end."""
    words = [name, BOARD_PATH, BOARD_INTERFACE, "GetRows", "uint32:0", "uint32:0", "uint32:1"]
    milliseconds = bus.run("client", *words)["p50_us"] / 1e3
    process = int(bus.ask_driver("GetConnectionUnixProcessID", name))
    handle = os.pidfd_open(process)
    os.kill(process, signal.SIGTERM)
    select.select([handle], [], [])
    os.close(handle)
    return milliseconds
