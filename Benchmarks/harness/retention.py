"""The cost of a copy on a board that retains 1,000 rows, and the size of the data: after 100,000 copies and after 5,000."""

import subprocess
import time
from pathlib import Path

from .bus import Bus
from .figures import LEAST_ROUNDS, Figure
from .measure import Sample
from .service import DAEMON, Service

ROWS, EARLY = 1_000, 5_000
MIB = 1 << 20


def copies(programs, effort):
    """Service CPU and time of each copy, and the bytes in the data directory, at rest; `--quick` makes 20,000 copies."""
    total = 100_000 if effort.rounds > LEAST_ROUNDS else 20_000
    early, late, sizes = [], [], []
    with Bus(programs) as bus, Service(bus, DAEMON, [programs["dragboardd"]]) as daemon:
        board = _Board(bus, daemon, programs)
        board.run("retain", ROWS)
        for costs, end in ((early, EARLY), (late, total)):
            board.copy(end - board.count)
            sizes.append(board.size_at_rest())
            for _ in range(LEAST_ROUNDS):
                yield
                costs.append(board.copy(effort.inserts // 4))

    def figure(name, unit, index):
        return Figure(name, unit, *(Sample([cost[index] for cost in costs]) for costs in (late, early)), bar=1.2)

    return [
        figure("a copy, service CPU", "µs", 0), figure("a copy, elapsed", "µs", 1),
        Figure("data directory", "MiB", Sample([sizes[1]]), Sample([sizes[0]]), bar=1.2),
    ]


class _Board:
    def __init__(self, bus, daemon, programs):
        self.bus, self.daemon, self.programs = bus, daemon, programs
        self.count = 0

    def run(self, *words):
        subprocess.run([self.programs["rows"], *map(str, words)], check=True, env=self.bus.environment)

    def copy(self, count):
        """Makes copies; returns the CPU time and the elapsed time of each, in µs."""
        cpu, start = self.daemon.settled_cpu(), time.monotonic()
        self.run("copies", self.count, count)
        elapsed = time.monotonic() - start
        self.count += count
        return (self.daemon.settled_cpu() - cpu) / count * 1e6, elapsed / count * 1e6

    def size_at_rest(self):
        """Returns the size of all files, in MiB, after the daemon has erased the deleted rows."""
        before, now = None, self._size()
        while before != now:
            time.sleep(3)
            before, now = now, self._size()
        return now / MIB

    def _size(self):
        return sum(file.stat().st_size for file in Path(self.bus.home).rglob("*") if file.is_file())
