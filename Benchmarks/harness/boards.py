"""The cost of edits and pages, and the memory, of boards of many sizes, each in a separate daemon."""

import random
import time
from contextlib import ExitStack
from functools import partial
from pathlib import Path

from . import measure, sides
from .bus import Bus
from .figures import LEAST_ROUNDS, Curve, Figure
from .measure import Sample

SIZES = (100, 1_000, 10_000, 100_000, 1_000_000)
SMALLEST, LARGEST = SIZES[0], SIZES[-1]
MIB = 1 << 20


def costs(programs, effort):
    """Service CPU of edits, of a page and of a look-up on boards of 100 to 1,000,000 rows.

    After each round, the boards have the same rows as before.
    """
    results = {}
    with ExitStack() as stack:
        boards = [_Board(stack, programs, size) for size in SIZES]
        for _ in range(effort.rounds):
            for step in range(len(boards[0].steps)):
                yield
                for board in boards:
                    name, result = board.steps[step](effort.edits)
                    results.setdefault(name, {}).setdefault(board.size, []).append(result["cpu_us"])
    curves = [
        Curve(name, "µs/call", {size: Sample(values) for size, values in sizes.items()}) for name, sizes in results.items()
    ]
    return [
        Figure(curve.name, curve.unit, curve.samples[LARGEST], curve.samples[SMALLEST], bar=1.5) for curve in curves
    ] + curves


class _Board:
    """A daemon with a board of a given number of rows."""

    def __init__(self, stack, programs, size):
        self.size = size
        self.bus = stack.enter_context(Bus(programs))
        self.daemon = stack.enter_context(sides.daemon(None, "--max-rows", str(2 * LARGEST)).start(self.bus))
        self.ids = fill(self.daemon, size)
        self.file = Path(self.bus.home) / "items"
        self.random = random.Random(size)
        self.steps = [self.move, self.insert, self.delete, self.look_up, self.page]

    def move(self, calls):
        place = ["uint32:0", f"random:{self.size}"]
        return "MoveRow, at random", self._run("MoveRow", calls, *place, *place)

    def insert(self, calls):
        """Inserts rows, and stores their ids for `delete`."""
        insert = partial(
            self.daemon.call, "InsertText", "uint32:0", f"int32:{self.size // 2}", sides.TEXT, strings=self.file)
        return "InsertText, in the middle", measure.run(self.daemon, insert, calls)

    def delete(self, calls):
        return "DeleteItems, one from the middle", self._run("DeleteItems", calls, f"item:{self.file}")

    def look_up(self, calls):
        self.file.write_text("".join(f"{row}\n" for row in self.random.choices(self.ids, k=calls)))
        return "GetIndexPath, at random", self._run("GetIndexPath", calls, f"line:{self.file}")

    def page(self, calls):
        place = ["uint32:0", f"uint32:{self.size // 2 - 25}", "uint32:50"]
        return "GetRows, 50 from the middle", self._run("GetRows", calls, *place)

    def _run(self, member, calls, *arguments):
        return measure.run(self.daemon, partial(self.daemon.call, member, *arguments), calls)


def fill(daemon, size):
    """Inserts texts of 40 bytes, waits until they are in the index of words, and returns their ids."""
    page = min(size, 1_000)
    ids = daemon.answers("InsertTexts", *sides.END, f"texts:{page}:40", calls=size // page)
    daemon.call("Search", "string:needle", "uint32:1")  # The reply comes when all rows are in the index.
    return ids


# MARK: Memory


def memory(programs, effort):
    """PSS per added row: of a daemon that was filled, and of a daemon that was started with the rows."""
    filled, started = {}, {}
    for size in [*SIZES[:-1], *[0, LARGEST] * LEAST_ROUNDS]:
        yield
        with Bus(programs) as bus:
            with sides.daemon().start(bus) as daemon:
                if size:
                    fill(daemon, size)
                filled.setdefault(size, []).append(_pss_at_rest(daemon))
            with sides.daemon().start(bus) as daemon:
                started.setdefault(size, []).append(_pss_at_rest(daemon))
    states = {"filled": filled, "started with them": started}
    return [
        Figure(f"each of {LARGEST:,} rows, {name}", "bytes", _of_each_row(sizes), bar=100)
        for name, sizes in states.items()
    ] + [
        Curve(f"PSS, {name}", "MiB", {size: Sample([value / MIB for value in values]) for size, values in sizes.items()})
        for name, sizes in states.items()
    ]


def _of_each_row(sizes):
    return Sample([(large - empty) / LARGEST for large, empty in zip(sizes[LARGEST], sizes[0])])


def _pss_at_rest(daemon):
    daemon.call("GetRows", "uint32:0", "uint32:0", "uint32:50")
    time.sleep(2)  # After a second, the daemon returns the memory of large calls to the system.
    return daemon.pss()
