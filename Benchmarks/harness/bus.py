"""A private message bus with a separate home directory."""

import json
import os
import shutil
import signal
import subprocess
import tempfile

FOREIGN_VARIABLES = ("DBUS_", "XDG_", "DRAGBOARD_", "DISPLAY", "WAYLAND_", "GSETTINGS_", "GTK_", "QT_", "LD_PRELOAD")
SERVICE_FILE = "[D-BUS Service]\nName={name}\nExec={command}\n"


class Bus:
    """A private message bus with a separate home directory.

    At the end of the `with` block, the bus and the processes that it has started end, and the home is removed.
    `activated` has the command that starts the service of a name.
    """

    def __init__(self, programs, activated=None):
        self.programs, self.activated = programs, activated or {}
        self.process = None

    def __enter__(self):
        self.home = tempfile.mkdtemp(prefix="dragboard-benchmark-")
        try:
            self._prepare()
            self._start()
        except BaseException:
            self.__exit__()
            raise
        return self

    def _prepare(self):
        services = f"{self.home}/data/dbus-1/services"
        for directory in (services, f"{self.home}/config", f"{self.home}/run"):
            os.makedirs(directory, 0o700)
        for name, command in self.activated.items():
            with open(f"{services}/{name}.service", "w") as file:
                file.write(SERVICE_FILE.format(name=name, command=command))
        self.environment = {
            name: value for name, value in os.environ.items() if not name.startswith(FOREIGN_VARIABLES)
        }
        self.environment.update(
            HOME=self.home, XDG_DATA_HOME=f"{self.home}/data", XDG_CONFIG_HOME=f"{self.home}/config",
            XDG_CACHE_HOME=f"{self.home}/cache", XDG_STATE_HOME=f"{self.home}/state", XDG_RUNTIME_DIR=f"{self.home}/run",
            DBUS_SESSION_BUS_ADDRESS=f"unix:path={self.home}/run/bus")

    def _start(self):
        address = f"--address={self.environment['DBUS_SESSION_BUS_ADDRESS']}"
        self.process = subprocess.Popen(
            ["dbus-daemon", "--session", "--nofork", "--print-address", address], env=self.environment,
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, start_new_session=True)
        self.process.stdout.readline()  # When the bus has printed its address, it listens.

    def __exit__(self, *_):
        if self.process:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
            self.process.stdout.close()
        shutil.rmtree(self.home, ignore_errors=True)

    def run(self, program, *words):
        """Runs a program of the benchmarks on this bus, and returns the JSON that the program prints."""
        command = [self.programs[program], *map(str, words)]
        return json.loads(self._output(command))

    def ask_driver(self, member, name):
        """Calls a method of the bus with a name, and returns the reply."""
        command = ["dbus-send", "--session", "--print-reply=literal", "--dest=org.freedesktop.DBus", "/org/freedesktop/DBus"]
        return self._output([*command, f"org.freedesktop.DBus.{member}", f"string:{name}"]).split()[-1]

    def _output(self, command):
        return subprocess.run(command, check=True, env=self.environment, stdout=subprocess.PIPE, text=True).stdout
