"""The figures, each a comparison of two sides in one run."""

from contextlib import ExitStack
from dataclasses import dataclass

from . import measure
from .bus import Bus, Service
from .measure import Sample

DAEMON, ECHO = "org.dragboard.Dragboard1", "org.dragboard.Yardstick1"


@dataclass
class Figure:
    """One line of the table: a quantity on both sides, their ratio, and the most (or least) that it is to be."""

    name: str
    unit: str
    subject: Sample
    yardstick: Sample
    bar: float = None
    bar_is_least: bool = False

    @property
    def ratio(self):
        return self.subject.over(self.yardstick)


@dataclass
class Effort:
    """How much is measured."""

    rounds: int
    calls: int
    instruction_calls: int
    edits: int

    @classmethod
    def full(cls):
        return cls(rounds=11, calls=10_000, instruction_calls=1_000, edits=200)

    @classmethod
    def quick(cls):
        return cls(rounds=7, calls=1_000, instruction_calls=200, edits=25)


# MARK: Beside a C echo


def index_path(programs, effort):
    """GetIndexPath of the daemon beside a C service that answers the same shapes."""
    count = _instructions(programs, effort)
    alone, crowded = _index_path_rounds(programs, effort)
    return [
        Figure("GetIndexPath: instructions", "per call", *count, bar=1.15),
        Figure("  service CPU", "µs/call", *_pair(alone, "cpu_us"), bar=1.25),
        Figure("  p50", "µs", *_pair(alone, "p50_us")),
        Figure("  p99", "µs", *_pair(alone, "p99_us")),
        Figure("  64 outstanding: service CPU", "µs/call", *_pair(crowded, "cpu_us")),
        Figure(
            "  64 outstanding: calls", "per s", *_pair(crowded, "calls_per_s"), bar=0.9,
            bar_is_least=True),
    ]


def _prepare_index_path(service):
    """The argument of GetIndexPath: the id of a row that is there."""
    return [f"string:{service.answer('InsertText', 'uint32:0', 'int32:-1', 'string:' + 'x' * 40)}"]


def _instructions(programs, effort):
    return [
        Sample([
            measure.instructions(
                programs, name, [programs[program]], "GetIndexPath", _prepare_index_path,
                effort.instruction_calls)
        ])
        for name, program in ((DAEMON, "dragboardd"), (ECHO, "echo"))
    ]


def _index_path_rounds(programs, effort):
    """Samples of both sides on one bus, in turns: one call at a time, and 64 outstanding."""
    alone, crowded = ([], []), ([], [])
    with ExitStack() as stack:
        bus = stack.enter_context(Bus(programs["client"]))
        sides = [
            stack.enter_context(Service(bus, name, [programs[program]]))
            for name, program in ((DAEMON, "dragboardd"), (ECHO, "echo"))
        ]
        arguments = [_prepare_index_path(side) for side in sides]
        for _ in range(effort.rounds):
            for results, outstanding in ((alone, 1), (crowded, 64)):
                for side, service in enumerate(sides):
                    results[side].append(
                        measure.run(
                            service, "GetIndexPath", *arguments[side], calls=effort.calls,
                            outstanding=outstanding))
    return [measure.samples(side) for side in alone], [measure.samples(side) for side in crowded]


def _pair(sides, key):
    return [side[key] for side in sides]


# MARK: Large beside small

SMALL, LARGE = 100, 100_000


def board_size(programs, effort):
    """Edits and a page on a board of 100,000 rows beside a board of 100, each in a daemon of its own."""
    sizes = (LARGE, SMALL)
    results = {name: ([], []) for name, *_ in _operations(SMALL)}
    with ExitStack() as stack:
        daemons = [_daemon_with_rows(stack, programs, size) for size in sizes]
        for _ in range(effort.rounds):
            for step in range(len(results)):
                for side, size in enumerate(sizes):
                    name, member, arguments = _operations(size)[step]
                    results[name][side].append(
                        measure.run(daemons[side], member, *arguments, calls=effort.edits))
    return [
        Figure(name, "µs/call", *_pair([measure.samples(side) for side in sides], "cpu_us"), bar=10)
        for name, sides in results.items()
    ]


def _operations(size):
    """What is measured on a board of that size; one round leaves it as large as it was."""
    middle = size // 2
    return [
        ("InsertText in the middle", "InsertText",
         ["uint32:0", f"int32:{middle}", "string:" + "x" * 40]),
        ("DeleteRow in the middle", "DeleteRow", ["uint32:0", f"uint32:{middle}"]),
        ("MoveRow, first to last", "MoveRow",
         ["uint32:0", "uint32:0", "uint32:0", f"uint32:{size - 1}"]),
        ("GetRows, 50 from the middle", "GetRows",
         ["uint32:0", f"uint32:{middle - 25}", "uint32:50"]),
    ]


def _daemon_with_rows(stack, programs, size):
    bus = stack.enter_context(Bus(programs["client"]))
    daemon = stack.enter_context(Service(bus, DAEMON, [programs["dragboardd"]]))
    page = min(size, 1_000)
    daemon.call("InsertTexts", "uint32:0", "int32:-1", f"texts:{page}:40", calls=size // page)
    return daemon
