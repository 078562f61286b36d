"""Promises and large files: their effect on other clients, their time and their memory."""

import hashlib
import mmap
import os
import subprocess
import time
from pathlib import Path

from . import measure, sides
from .bus import Bus
from .figures import Figure
from .measure import Sample
from .needs import require_space
from .others import beside
from .service import DAEMON, Service

MIB = 1 << 20

# MARK: Small calls while promises are loaded


def small_calls(programs, effort):
    """GetIndexPath of one client while promises of others are loaded, compared with GetIndexPath on an idle daemon."""
    options = ["--load-timeout", "0.5", "--max-representation-bytes", str(64 * MIB)]
    busy, idle = [], []
    with Bus(programs) as bus, Service(bus, DAEMON, [programs["dragboardd"], *options]) as daemon:
        load = sides.index_paths(daemon)
        for _ in range(effort.rounds):
            yield
            idle.append(load(calls=effort.calls))
            # Ten simultaneous promises, repeatedly.
            with beside(bus, "loaders"):
                busy.append(load(calls=effort.calls))
    busy, idle = measure.samples(busy), measure.samples(idle)
    return [
        Figure("GetIndexPath: p50", "µs", busy["p50_us"], idle["p50_us"]),
        Figure("  p99", "µs", busy["p99_us"], idle["p99_us"], bar=3),
    ]


# MARK: A large file


def transfers(programs, effort):
    """A file from a client over a board to another client, compared with `cp` of the same file to the same disk."""
    return [
        *(yield from _transfer(programs, effort, 256, "by memfd", [], {"synced": 1.2, "peak": 16, "rest": 2})),
        *(yield from _transfer(programs, effort, 63, "by ay", ["-a"], {})),
    ]


def _transfer(programs, effort, size, name, options, bars):
    require_space((2 * effort.rounds + 2) * size * MIB)
    reports, copies, synced, peaks, rests = [], [], [], [], []
    with Bus(programs) as bus, sides.daemon().start(bus) as daemon:
        time.sleep(1)
        resident, pss = daemon.resident_memory(), daemon.pss()
        _touch_memory(4 * size * MIB)
        file = _make_file(bus, size * MIB)

        def copy(number):
            seconds, sync = _copy(file, number)
            copies.append(seconds)
            synced.append(seconds + sync)

        def transfer(_):
            daemon.forget_peak()
            reports.append(_run(bus, options, file))
            peaks.append((daemon.peak_memory() - resident) / MIB)
            time.sleep(1)
            rests.append((daemon.pss() - pss) / MIB)

        # The copies of the daemon and of `cp` are not removed. A disk that is informed of freed blocks may take
        # five times as long to reuse them, and either side could get them by chance.
        for number in range(effort.rounds):
            yield
            steps = [copy, transfer] if programs.has_yardsticks else [transfer]
            for step in steps if number % 2 == 0 else reversed(steps):
                os.sync()
                step(number)
    seconds, *steps = [
        Sample([report[key] for report in reports]) for key in ("seconds", "register_s", "drop_s", "load_s", "read_s")
    ]
    synced, copies = [Sample(values) if values else None for values in (synced, copies)]
    return [
        Figure(f"{size} MiB {name}, over a board", "s", seconds, synced, bar=bars.get("synced")),
        Figure("  beside cp, not synced", "s", seconds, copies),
        *[Figure(f"  {name}", "s", step) for name, step in zip(("register", "drop", "load", "read"), steps)],
        Figure("  resident memory meanwhile, growth", "MiB", Sample(peaks), bar=bars.get("peak")),
        Figure("  PSS a second after, growth", "MiB", Sample(rests), bar=bars.get("rest")),
    ]


def _touch_memory(size):
    """Touches as much memory as the measurement needs: in a virtual machine, the first use of memory is slow."""
    with mmap.mmap(-1, size) as memory:
        for offset in range(0, size, mmap.PAGESIZE):
            memory[offset] = 1


def _make_file(bus, size):
    """Creates a file in the page cache that is already on the disk, so that it is not written during the measurement."""
    file = Path(bus.home) / "file"
    piece = os.urandom(MIB)
    with open(file, "wb") as output:
        for number in range(size // MIB):
            output.write(number.to_bytes(8, "little") + piece[8:])
        os.fsync(output.fileno())
    return file


def _copy(file, number):
    """Returns the time of `cp`, and of the following `sync` of the copy, in seconds."""
    copy = file.with_name(f"copy-{number}")
    moments = [time.perf_counter()]
    for command in (["cp", file, copy], ["sync", copy]):
        subprocess.run(command, check=True)
        moments.append(time.perf_counter())
    return moments[1] - moments[0], moments[2] - moments[1]


def _run(bus, options, file):
    """Transfers the file, and checks that the received bytes are the sent bytes."""
    report = bus.run("transfer", *options, file)
    with open(file, "rb") as content:
        if hashlib.file_digest(content, "sha256").hexdigest() != report["sha256"]:
            raise RuntimeError("what was loaded is not what was registered")
    if "refusal" in report and "LimitsExceeded" not in report["refusal"]:
        raise RuntimeError(f"a reply that is too large was refused with {report['refusal']}")
    return report
