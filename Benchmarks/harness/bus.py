"""A bus of its own, and the services that are measured on it."""

import json
import os
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path

BOARD_PATH = "/org/dragboard/Dragboard1/board/default"
BOARD_INTERFACE = "org.dragboard.Dragboard1.Board"
FOREIGN_VARIABLES = ("DBUS_", "XDG_", "DRAGBOARD_", "DISPLAY", "WAYLAND_")


class Bus:
    """A message bus with a home of its own; both go with the `with` block."""

    def __init__(self, client):
        self.client = client

    def __enter__(self):
        self.home = tempfile.mkdtemp(prefix="dragboard-benchmark-")
        for folder in ("data", "config", "run"):
            os.mkdir(f"{self.home}/{folder}", 0o700)
        self.environment = {
            name: value for name, value in os.environ.items() if not name.startswith(FOREIGN_VARIABLES)
        }
        self.environment.update(
            HOME=self.home, XDG_DATA_HOME=f"{self.home}/data", XDG_CONFIG_HOME=f"{self.home}/config",
            XDG_RUNTIME_DIR=f"{self.home}/run", DBUS_SESSION_BUS_ADDRESS=f"unix:path={self.home}/run/bus")
        address = f"--address={self.environment['DBUS_SESSION_BUS_ADDRESS']}"
        self.process = subprocess.Popen(
            ["dbus-daemon", "--session", "--nofork", "--print-address", address],
            env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.process.stdout.readline()  # It listens when it has said where.
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()
        shutil.rmtree(self.home, ignore_errors=True)


class Service:
    """A service on the bus; it is asked to leave at the end of the `with` block."""

    def __init__(self, bus, name, command):
        self.bus, self.name, self.command = bus, name, command

    def __enter__(self):
        self.process = subprocess.Popen(
            self.command, env=self.bus.environment, stderr=subprocess.PIPE, text=True)
        for line in self.process.stderr:
            if " serves " in line:
                return self
        raise RuntimeError(f"{self.command[0]} did not start")

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGTERM)
        self.process.communicate()

    def call(self, member, *arguments, calls=1, outstanding=1):
        """Has the client make the calls; gives its report."""
        return json.loads(self._client(["-n", str(calls), "-o", str(outstanding)], member, arguments))

    def answer(self, member, *arguments):
        """The first string of the answer to one call."""
        return self._client(["-s"], member, arguments).strip()

    def _client(self, options, member, arguments):
        words = [self.name, BOARD_PATH, BOARD_INTERFACE, member, *arguments]
        return subprocess.run(
            [self.bus.client, *options, *words], check=True, env=self.bus.environment,
            stdout=subprocess.PIPE, text=True).stdout

    def cpu(self):
        """CPU time of the process so far, all threads, in seconds. Source: Documentation/scheduler/sched-stats.rst."""
        threads = Path(f"/proc/{self.process.pid}/task").glob("*/schedstat")
        return sum(int(thread.read_text().split()[0]) for thread in threads) / 1e9

    def settled_cpu(self):
        """The same, once the service has been at rest for 20 ms: with what it does after its last answer."""
        before, now = None, self.cpu()
        while before != now:
            time.sleep(0.02)
            before, now = now, self.cpu()
        return now
