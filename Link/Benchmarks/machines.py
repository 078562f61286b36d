"""The machines and servers that the benchmarks of the link measure."""

import json
import os
import subprocess
import sys
import threading
import time
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BOARD = "measured"


def build():
    """Builds the programs as for an installation and returns their directory."""
    scratch = ROOT / ".build/benchmarks/link"
    for package, product in [("Link", "dragboard-link"), (".", "dragboardd"), (".", "dragboard")]:
        subprocess.run(
            ["swift", "build", "-c", "release", "--package-path", ROOT / package, "--scratch-path", scratch,
             "--product", product], check=True)
    return scratch / "release"


class Server:
    """A nats-server with JetStream, or a leaf node of a server."""

    def __init__(self, home, hub=None):
        self.home = home
        home.mkdir(exist_ok=True)
        self.process = self.port = None
        if hub:
            text = (f'leafnodes {{ remotes: [{{ url: "nats-leaf://127.0.0.1:{hub.leaf_port}" }}] }}\n'
                    'default_js_domain { "$G": "hub" }')
        else:
            text = f"jetstream {{ store_dir: {home / 'store'}, domain: hub }}\nleafnodes {{ listen: 127.0.0.1:-1 }}"
        (home / "conf").write_text(f"http: 127.0.0.1:-1\n{text}\n")
        self.start("-1")

    def start(self, port=None):
        log = self.home / "log"
        log.unlink(missing_ok=True)
        self.process = subprocess.Popen(
            ["nats-server", "-a", "127.0.0.1", "-p", port or self.port, "-c", self.home / "conf", "-l", log])
        until("the server is ready", lambda: log.exists() and "Server is ready" in log.read_text())
        ports = {line.split(" on ")[0].rsplit("] ")[-1]: line.rsplit(":", 1)[1]
                 for line in log.read_text().splitlines() if " on 127.0.0.1:" in line}
        self.port = ports["Listening for client connections"]
        self.leaf_port = ports.get("Listening for leafnode connections")
        self.monitor_port = ports["Starting http monitor"]
        if not self.leaf_port:
            until("the leaf node is connected", lambda: self.figures("leafz")["leafnodes"] > 0)

    @property
    def url(self):
        return f"nats://127.0.0.1:{self.port}"

    def figures(self, page="varz"):
        """The figures that the server reports: messages, bytes, connections, subscriptions, memory."""
        with urllib.request.urlopen(f"http://127.0.0.1:{self.monitor_port}/{page}") as answer:
            return json.load(answer)

    def stop(self):
        self.process.kill()
        self.process.wait()


class Machine:
    def __init__(self, name, home, programs):
        self.home = home / name
        self.environment = dict(os.environ, PATH=f"{programs}:{os.environ['PATH']}", HOME=str(self.home))
        for variable in ["DATA_HOME", "CONFIG_HOME", "CACHE_HOME", "STATE_HOME", "RUNTIME_DIR"]:
            path = self.home / variable
            path.mkdir(parents=True, mode=0o700)
            self.environment[f"XDG_{variable}"] = str(path)
        self.bus = subprocess.Popen(
            ["dbus-daemon", "--session", "--nofork", "--print-address"], env=self.environment,
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.environment["DBUS_SESSION_BUS_ADDRESS"] = self.bus.stdout.readline().strip()
        self.daemon = self.spawn("dragboardd", stderr=subprocess.DEVNULL)
        self.run("gdbus", "wait", "--session", "--timeout", "30", "org.dragboard.Dragboard1")
        self.link = self.watch = None
        self.seen = {}

    def spawn(self, *command, **options):
        return subprocess.Popen(command, env=self.environment, **options)

    def run(self, *command, text=""):
        return subprocess.run(command, env=self.environment, input=text, text=True, stdout=subprocess.PIPE, check=True).stdout

    def start(self):
        self.link = self.spawn("dragboard-link", "run")
        self.watch = self.spawn("dragboard", "watch", "--board", BOARD, stdout=subprocess.PIPE, text=True)
        threading.Thread(target=self.note, daemon=True).start()

    def restart(self):
        """Ends and starts the link."""
        self.link.terminate()
        self.link.wait()
        self.link = self.spawn("dragboard-link", "run")

    def note(self):
        """Notes when each edit is reported."""
        for line in self.watch.stdout:
            now = time.monotonic()
            for word in line.split():
                self.seen.setdefault(word.strip('",'), now)

    def count(self):
        boards = map(json.loads, self.run("dragboard", "boards", "--json").splitlines())
        return next(board["rows"] for board in boards if board["name"] == BOARD)

    def join(self, machine):
        """Joins the group of another machine."""
        invitation = machine.run("dragboard-link", "invite")
        self.run("dragboard-link", "join", "-", "--name", self.home.name, text=invitation)

    def memory(self):
        return memory(self.link)

    def stop(self):
        for process in [self.watch, self.link, self.daemon, self.bus]:
            if process:
                process.kill()
                process.wait()


def until(condition, holds, limit=600):
    end = time.monotonic() + limit
    while not holds():
        if time.monotonic() > end:
            sys.exit(f"not within {limit} seconds: {condition}")
        time.sleep(0.005)


def memory(process):
    """The proportional set size of a process in MB."""
    lines = Path(f"/proc/{process.pid}/smaps_rollup").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("Pss:")) / 1024


def private(process):
    """The private memory of a process in MB."""
    lines = Path(f"/proc/{process.pid}/smaps_rollup").read_text().splitlines()
    return sum(int(line.split()[1]) for line in lines if line.startswith("Private_")) / 1024


def cpu(processes):
    """The CPU time of processes, in seconds: less dependent on the load of the computer than the time."""
    ticks = 0
    for process in processes:
        fields = Path(f"/proc/{process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")
