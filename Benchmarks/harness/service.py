"""A measured service: its process, and calls of it."""

import os
import re
import signal
import subprocess
import time
from contextlib import suppress
from pathlib import Path

DAEMON = "org.dragboard.Dragboard1"
BOARD_PATH = "/org/dragboard/Dragboard1/board/default"
BOARD_INTERFACE = "org.dragboard.Dragboard1.Board"


class Service:
    """A service on the bus, which is terminated at the end of the `with` block."""

    path, interface = BOARD_PATH, BOARD_INTERFACE

    def __init__(self, bus, name, command, environment=None, output=None):
        self.bus, self.name, self.command = bus, name, command
        self.environment, self.output = {**bus.environment, **(environment or {})}, output

    def __enter__(self):
        errors = subprocess.PIPE if self.output is None else self.output
        self.process = subprocess.Popen(
            self.command, env=self.environment, stdout=self.output, stderr=errors, text=True, start_new_session=True)
        try:
            self._wait()
        except BaseException:
            self.__exit__()
            raise
        return self

    def _wait(self):
        """Waits until the service has its name."""
        for line in self.process.stderr:
            if " serves " in line:
                return
        raise RuntimeError(f"{self.command[0]} did not start")

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGTERM)
        self.process.communicate()
        with suppress(ProcessLookupError):  # Processes that it has started may still run.
            os.killpg(self.process.pid, signal.SIGKILL)

    # MARK: Calls

    def call(self, member, *arguments, calls=1, outstanding=1, clients=1, strings=None):
        """Makes the calls with a number of clients; returns the report. Writes the first strings of the answers to `strings`."""
        options = ["-n", calls, "-o", outstanding, "-c", clients, *(["-w", strings] if strings else [])]
        return self.bus.run("client", *options, self.name, self.path, self.interface, member, *arguments)

    def answers(self, member, *arguments, calls=1):
        """Makes calls; returns the first string of each answer, or the strings of its first array."""
        file = Path(self.bus.home) / "answers"
        self.call(member, *arguments, calls=calls, strings=file)
        return file.read_text().split("\n")[:-1]

    def answer(self, member, *arguments):
        """Makes a call; returns the first string of the answer."""
        return self.answers(member, *arguments)[0]

    # MARK: Its process

    def cpu(self):
        """Returns the CPU time of all threads of the process so far, in seconds. Source: Documentation/scheduler/sched-stats.rst."""
        threads = Path(f"/proc/{self.process.pid}/task").glob("*/schedstat")
        return sum(int(thread.read_text().split()[0]) for thread in threads) / 1e9

    def settled_cpu(self):
        """Returns `cpu` after the service has been idle for 20 ms, so that work after the last answer is included."""
        before, now = None, self.cpu()
        while before != now:
            time.sleep(0.02)
            before, now = now, self.cpu()
        return now

    def pss(self):
        """Proportional set size in bytes. Source: Documentation/filesystems/proc.rst, smaps_rollup."""
        return memory(self.process.pid, "smaps_rollup", "Pss")

    def resident_memory(self):
        """Resident memory in bytes. Source: proc(5)."""
        return memory(self.process.pid, "status", "VmRSS")

    def peak_memory(self):
        """The maximum of the resident memory since `forget_peak`, in bytes."""
        return memory(self.process.pid, "status", "VmHWM")

    def forget_peak(self):
        """Resets the maximum of the resident memory to its present value."""
        Path(f"/proc/{self.process.pid}/clear_refs").write_text("5")


def memory(process, file, name):
    """Returns the value of a line in a file of /proc/PID, in bytes."""
    text = Path(f"/proc/{process}/{file}").read_text()
    return int(re.search(rf"^{name}:\s*(\d+) kB", text, re.MULTILINE)[1]) << 10
