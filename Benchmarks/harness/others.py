"""The effect of other clients: subscribers of a board, and clients that drop many rows, flood the daemon, or never read."""

import subprocess
from contextlib import contextmanager
from functools import cache

from . import measure, sides
from .bus import Bus
from .figures import Figure
from .measure import Sample

SUBSCRIBERS, ROWS = 100, 10_000


@contextmanager
def beside(bus, program, *words):
    """Runs a program during the `with` block, which begins when the program has printed its first line."""
    process = subprocess.Popen([bus.programs[program], *words], env=bus.environment, stdout=subprocess.PIPE)
    try:
        if not process.stdout.readline():
            raise RuntimeError(f"{program} did not begin")
        yield
        if process.poll() is not None:
            raise RuntimeError(f"{program} gave up")
    finally:
        process.kill()
        process.communicate()


def subscribers(programs, effort):
    """InsertText with 100 subscribers of the board's changes, compared with no subscribers."""
    with_them, without = [], []
    side = sides.daemon(sides.inserts)
    with Bus(programs) as bus, side.start(bus) as daemon:
        load = side.prepare(daemon)
        for _ in range(effort.rounds):
            yield
            without.append(measure.run(daemon, load, effort.inserts // 4))
            with beside(bus, "listeners", str(SUBSCRIBERS)):
                with_them.append(measure.run(daemon, load, effort.inserts // 4))
    with_them, without = measure.samples(with_them), measure.samples(without)
    return [
        Figure("InsertText: service CPU", "µs/call", with_them["cpu_us"], without["cpu_us"], bar=1.1),
        Figure("  p50", "µs", with_them["p50_us"], without["p50_us"]),
    ]


PHASES = {"drop": "PerformDrop", "drag": "BeginTextDrag", "delete": "DeleteItems"}


def large_drops(programs, effort):
    """GetIndexPath of one client during calls of another client about 10,000 rows, compared with GetIndexPath alone."""
    reports = []
    with Bus(programs) as bus, sides.daemon().start(bus) as daemon:
        daemon.settled_cpu()
        for _ in range(effort.rounds):
            yield
            reports.append(bus.run("neighbours", effort.drops, ROWS, effort.calls))
            daemon.settled_cpu()

    def sample(phase, key):
        return Sample([report[phase][key] for report in reports])

    figures, idle_p50, idle_p99 = [], sample("idle", "p50_us"), sample("idle", "p99_us")
    for phase, member in PHASES.items():
        p50, p99, duration = [sample(phase, key) for key in ("p50_us", "p99_us", "call_ms")]
        figures += [
            Figure(f"during {member}: p99", "µs", p99, idle_p99, bar=5 if phase == "drop" else None),
            Figure("  p50", "µs", p50, idle_p50),
            Figure("  the call itself", "ms", duration),
        ]
    return figures


CROWDS = {"reads": "64 GetIndexPath outstanding", "inserts": "64 InsertText outstanding", "deaf": "1,000 pages, never read"}


def crowd(programs, effort):
    """GetIndexPath of one client while another client floods the daemon or never reads its answers, compared with
    GetIndexPath alone.

    The p99 of the C echo during the same flood shows the part of the delay that the bus causes.
    """
    reports = {}
    both = [side for side in (sides.daemon(), sides.echo()) if programs.include(side)]
    for _ in range(effort.rounds):
        yield
        for side in both:
            with Bus(programs) as bus, side.start(bus) as service:
                service.settled_cpu()
                reports.setdefault(side.program, []).append(bus.run("crowd", service.name, effort.calls))

    @cache
    def sample(program, crowd, key):
        return Sample([report[crowd][key] for report in reports[program]]) if program in reports else None

    figures = []
    for crowd, words in CROWDS.items():
        figures += [
            Figure(f"beside {words}: p99", "µs", *(sample("dragboardd", who, "p99_us") for who in (crowd, "idle")), bar=5),
            Figure("  p50", "µs", *(sample("dragboardd", who, "p50_us") for who in (crowd, "idle"))),
            Figure("  p99 of the C echo beside as many", "µs", *(sample("echo", who, "p99_us") for who in (crowd, "idle"))),
        ]
    return figures


SIEGE_ROWS, SIEGE_SECONDS = 100_000, 3


def siege(programs, effort):
    """GetIndexPath of one client while a sandboxed application with 64 connections does its worst.

    The C echo answers the same calls with as many bytes and does nothing else, one after the other. So its waits show
    the part of the bus, and of a service that has no turns.
    """
    reports = {}
    both = [side for side in (sides.daemon(), sides.echo(None, "-r", str(SIEGE_ROWS))) if programs.include(side)]
    for _ in range(3):
        yield
        for side in both:
            with Bus(programs) as bus, side.start(bus) as service:
                report = bus.run("siege", service.name, SIEGE_ROWS, SIEGE_SECONDS)
                reports.setdefault(side.program, []).append(report)

    def sample(program, kind, key):
        return Sample([report[kind][key] for report in reports[program]]) if program in reports else None

    figures = []
    for kind in reports["dragboardd"][0]:
        p99, p50 = [(sample("dragboardd", kind, key), sample("echo", kind, key)) for key in ("p99_ms", "p50_ms")]
        figures += [Figure(f"beside {kind}: p99", "ms", *p99), Figure("  p50", "ms", *p50)]
    return figures


def long_calls(programs, effort):
    """The longest wait of GetIndexPath of one client during messages of almost 64 MiB of another client.

    The C echo receives the same messages and does not decode them, so its waits show the part of the bus and of libdbus.
    """
    reports = {}
    both = [side for side in (sides.daemon(), sides.echo()) if programs.include(side)]
    for _ in range(effort.rounds):
        yield
        for side in both:
            with Bus(programs) as bus, side.start(bus) as service:
                service.settled_cpu()
                reports.setdefault(side.program, []).append(bus.run("longcalls", service.name, 1))

    def sample(program, kind, key):
        return Sample([report[kind][key] for report in reports[program]]) if program in reports else None

    figures = []
    for kind in reports["dragboardd"][0]:
        longest, call = [(sample("dragboardd", kind, key), sample("echo", kind, key)) for key in ("longest_ms", "call_ms")]
        figures += [
            Figure(f"beside {kind}: longest wait", "ms", *longest, bar=2),
            Figure("  the call itself", "ms", *call),
        ]
    return figures
