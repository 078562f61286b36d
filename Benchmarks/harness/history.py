"""The cost of differences, undo and search on a board of 1,000,000 rows, compared with 10,000 rows, in separate daemons."""

import json
import subprocess
import time
from contextlib import ExitStack
from functools import partial

from . import measure
from .bus import Bus
from .figures import LEAST_ROUNDS, Figure
from .measure import Sample
from .service import DAEMON, Service

LARGE, SMALL = 1_000_000, 10_000


def difference(programs, effort):
    """The change from one random order of 10,000 rows to another, compared with a sort of the same ids, in one process."""
    yield
    output = subprocess.run(
        [programs["difference"], str(effort.rounds)], check=True, stdout=subprocess.PIPE, text=True).stdout
    sides = json.loads(output)
    return [
        Figure("10,000 rows to a random order", "µs", Sample(sides["difference_us"]), Sample(sides["sort_us"]), bar=10)
    ]


def board_size(programs, effort):
    """Service CPU of each call, and the memory of the daemon after the board was filled and after the calls."""
    results = {}
    with ExitStack() as stack:
        boards = [_Board(stack, programs, size) for size in (LARGE, SMALL)]
        memory = [[board.pss_mib()] for board in boards]
        for _ in range(LEAST_ROUNDS):
            for step in range(len(boards[0].steps)):
                yield
                for side, board in enumerate(boards):
                    name, cost = board.steps[step](effort)
                    results.setdefault(name, ([], []))[side].append(cost)
        for values, board in zip(memory, boards):
            values.append(board.pss_mib())
    figures = [Figure(name, "µs/call", *map(Sample, sides)) for name, sides in results.items()]
    for index, name in enumerate(("memory (PSS), filled and indexed", "memory (PSS), after all calls")):
        figures.append(Figure(name, "MiB", *[Sample([values[index]]) for values in memory]))
    return figures


class _Board:
    """A daemon with a board of a given number of rows. One row has a word that no other row has."""

    def __init__(self, stack, programs, size):
        self.programs, self.middle = programs, size // 2
        self.bus = stack.enter_context(Bus(programs))
        self.daemon = stack.enter_context(Service(self.bus, DAEMON, [programs["dragboardd"]]))
        self._rows("fill", size - 1)
        self.row = self.daemon.answer("InsertText", "uint32:0", f"int32:{self.middle}", "string:one needle")
        # A search waits until all rows are in the index.
        self.daemon.answer("Search", "string:needle", "uint32:0")
        self.steps = [
            self.apply_order, self.get_changes, self.move_row, self.undo_moves, self.set_text, self.undo_texts,
            self.delete_row, self.undo_deletions, self.search, self.page,
        ]

    def apply_order(self, effort):
        """Moves one row to the middle and back."""
        calls = 2
        before = self.daemon.settled_cpu()
        self._rows("order", calls)
        return "ApplyOrder, one row moved", (self.daemon.settled_cpu() - before) / calls * 1e6

    def get_changes(self, effort):
        revision = self._revision()
        return "GetChanges, one revision", self._cost("GetChanges", f"uint64:{revision - 1}", calls=effort.edits)

    def move_row(self, effort):
        rows = ["uint32:0", "uint32:0", "uint32:0", f"uint32:{self.middle}"]
        return "MoveRow, first to the middle", self._cost("MoveRow", *rows, calls=self._steps(effort))

    def undo_moves(self, effort):
        return "Undo of MoveRow", self._cost("Undo", calls=self._steps(effort))

    def set_text(self, effort):
        calls = self._steps(effort)
        before = self.daemon.settled_cpu()
        self._rows("texts", calls, self.row)
        return "SetText", (self.daemon.settled_cpu() - before) / calls * 1e6

    def undo_texts(self, effort):
        return "Undo of SetText", self._cost("Undo", calls=self._steps(effort))

    def delete_row(self, effort):
        rows = ["uint32:0", f"uint32:{self.middle - self._steps(effort)}"]
        return "DeleteRow before the middle", self._cost("DeleteRow", *rows, calls=self._steps(effort))

    def undo_deletions(self, effort):
        return "Undo of DeleteRow", self._cost("Undo", calls=self._steps(effort))

    def search(self, effort):
        return "Search for a rare word", self._cost("Search", "string:needle", "uint32:0", calls=effort.edits)

    def page(self, effort):
        rows = ["uint32:0", f"uint32:{self.middle - 25}", "uint32:50"]
        return "GetRows, 50 from the middle", self._cost("GetRows", *rows, calls=effort.edits)

    def pss_mib(self):
        time.sleep(2)  # After a second, the daemon returns the memory of large calls to the system.
        return self.daemon.pss() / (1 << 20)

    @staticmethod
    def _steps(effort):
        """Returns the number of edits, at most the number that can be undone."""
        return min(100, effort.edits)

    def _cost(self, member, *arguments, calls):
        return measure.run(self.daemon, partial(self.daemon.call, member, *arguments), calls)["cpu_us"]

    def _revision(self):
        words = ["dbus-send", "--session", "--print-reply=literal", f"--dest={DAEMON}", BOARD, GET, *REVISION]
        return int(subprocess.run(
            words, check=True, env=self.bus.environment, stdout=subprocess.PIPE, text=True).stdout.split()[-1])

    def _rows(self, *words):
        return subprocess.run(
            [self.programs["rows"], *map(str, words)], check=True, env=self.bus.environment, stdout=subprocess.PIPE)


BOARD, GET = "/org/dragboard/Dragboard1/board/default", "org.freedesktop.DBus.Properties.Get"
REVISION = ("string:org.dragboard.Dragboard1.Board", "string:Revision")
