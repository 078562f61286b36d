"""The time of the command: until its first byte, compared with busctl, and until the first screen of a large board,
compared with a small board.
"""

import fcntl
import os
import pty
import shutil
import struct
import subprocess
import tempfile
import termios
import time
from contextlib import ExitStack
from statistics import median

from . import sides
from .bus import Bus
from .figures import Figure
from .measure import Sample
from .needs import require
from .service import BOARD_INTERFACE, BOARD_PATH, DAEMON

LARGE, SMALL = 100_000, 10
SCREEN_ROWS, SCREEN_COLUMNS = 24, 100
CALL = [DAEMON, BOARD_PATH, BOARD_INTERFACE, "GetRows", "uuu", "0", "0", str(SMALL)]


def first_byte(programs, effort):
    """The time from the start of the process to its first byte in a pipe: for the rows of a small board, and for one call."""
    yardsticks = [["busctl", "--user", "call", *CALL]] if programs.has_yardsticks else []
    if yardsticks:
        require("busctl")
    with ExitStack() as stack:
        stage = _Stage(stack, programs)
        figures = []
        for arguments in (["list", "--board", "small"], ["boards"]):
            samples = yield from stage.compare(effort, stage.first_byte, [stage.command, *arguments], *yardsticks)
            figures.append(Figure(f"dragboard {arguments[0]}, first byte", "ms", *samples, bar=2))
        return figures


def first_screen(programs, effort):
    """The time from the start of the process until the terminal is full of rows."""
    with ExitStack() as stack:
        stage = _Stage(stack, programs)
        return [Figure("dragboard list, first screen", "ms", *(yield from stage.compare(
            effort, stage.first_screen, "large", "small")), bar=3)]


def whole_board(programs, effort):
    """The time of commands that read all rows of a large board, compared with the list of these rows."""
    with ExitStack() as stack:
        stage = _Stage(stack, programs)
        figures = []
        for name, bar in (("search", 1.5), ("export", 3)):
            samples = yield from stage.compare(effort, stage.whole, name, "list")
            figures.append(Figure(f"dragboard {name}, all rows", "ms", *samples, bar=bar))
        return figures


class _Stage:
    """A daemon with a large board and a small one, and ten rows on the board of every daemon."""

    def __init__(self, stack, programs):
        self.command = programs["dragboard"]
        bus = stack.enter_context(Bus(programs))
        stack.enter_context(sides.daemon().start(bus))
        self.environment = {**bus.environment, "TERM": "xterm", "DRAGBOARD_PAGER": "cat"}
        self.folder = stack.enter_context(tempfile.TemporaryDirectory())
        for board, rows in (("large", LARGE), ("small", SMALL)):
            self._run("board", "add", board)
            texts = "".join(f"row number {row} of the board\n" for row in range(rows))
            self._run("add", "--lines", "--board", board, input=texts)
        self._run("add", "--lines", input="\n".join(map(str, range(SMALL))))

    def _run(self, *arguments, **options):
        subprocess.run([self.command, *arguments], env=self.environment, check=True, text=True,
                       stdout=subprocess.DEVNULL, **options)

    def compare(self, effort, measure, *sides):
        """Measures both sides in turns; the value of a round is the median of five starts."""
        rounds = []
        for _ in range(effort.rounds):
            yield
            rounds.append([median(measure(side) for _ in range(5)) for side in sides])
        return [Sample(list(values)) for values in zip(*rounds)]

    def first_byte(self, command):
        """Returns the milliseconds until the first byte is read from the command's standard output."""
        reading, writing = os.pipe()
        start = time.perf_counter()
        with subprocess.Popen(command, env=self.environment, stdout=writing) as process:
            os.close(writing)
            got = os.read(reading, 1)
            seconds = time.perf_counter() - start
            while os.read(reading, 1 << 16):
                pass
            os.close(reading)
        if not got or process.returncode != 0:
            raise RuntimeError(f"{' '.join(command)}: exit code {process.returncode}")
        return seconds * 1e3

    def whole(self, name):
        """Returns the milliseconds of a command that reads all rows of the large board."""
        into = tempfile.mkdtemp(dir=self.folder)
        words = {
            "list": ["list"], "search": ["search", "row", "--count", str(2 * LARGE)],
            "export": ["export", "--output", f"{into}/board.tar"],
        }[name]
        start = time.perf_counter()
        self._run(*words, "--board", "large")
        seconds = time.perf_counter() - start
        shutil.rmtree(into)
        return seconds * 1e3

    def first_screen(self, board):
        """Returns the milliseconds until the terminal has received a screen of lines, or all lines if they are fewer; then ends
    the command.
    """
        lines = {"large": SCREEN_ROWS, "small": SMALL + 1}[board]
        terminal, end = pty.openpty()
        fcntl.ioctl(end, termios.TIOCSWINSZ, struct.pack("HHHH", SCREEN_ROWS, SCREEN_COLUMNS, 0, 0))
        start = time.perf_counter()
        words = [self.command, "list", "--board", board]
        with subprocess.Popen(words, env=self.environment, stdin=end, stdout=end) as process:
            os.close(end)
            while lines > 0:
                lines -= os.read(terminal, 1 << 16).count(b"\n")
            seconds = time.perf_counter() - start
            process.kill()
        os.close(terminal)
        return seconds * 1e3
