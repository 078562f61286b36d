"""A display without a monitor, with a home and programs, for the tests and measurements in Python."""

import os
import shutil
import subprocess
import tempfile
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
SECONDS = 30


class Failure(Exception):
    """A reason why a promise does not hold."""


def until(condition, what):
    end = time.monotonic() + SECONDS
    while True:
        result = condition()
        if result:
            return result
        if time.monotonic() > end:
            raise Failure(what)
        time.sleep(0.02)


class Program:
    """A program whose lines are read as they come, with the time of each."""

    def __init__(self, environment, *words):
        self.lines = []
        self.process = subprocess.Popen(words, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.DEVNULL, text=True, bufsize=1)
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for line in self.process.stdout:
            self.lines.append((time.monotonic(), line.rstrip("\n")))

    def write(self, line):
        print(line, file=self.process.stdin, flush=True)

    def wait(self, beginning, since=0):
        """Waits for a line after the first `since` lines; returns its time and the rest."""
        def find():
            return next(((at, line.removeprefix(beginning).strip()) for at, line in self.lines[since:] if line.startswith(beginning)), None)
        return until(find, f"no line {beginning}; {self.lines[since:]}")

    def ask(self, line, beginning):
        since = len(self.lines)
        self.write(line)
        return self.wait(beginning, since)[1]

    def stop(self):
        self.process.kill()
        self.process.wait()


class Session:
    """A display of a kind of Desktop/Tests/display, and the programs on it."""

    def __init__(self, kind, products):
        self.home = tempfile.mkdtemp(prefix="session.")
        self.programs = []
        environment = {**os.environ, "PATH": f"{products}:{os.environ['PATH']}", "DISPLAY_EXTENSION": "yes"}
        # GNOME Shell sometimes hangs at its start.
        for _ in range(3):
            self.server = subprocess.Popen([f"{HERE}/display", kind], env=environment, stdout=subprocess.PIPE, text=True)
            lines = []
            for line in self.server.stdout:
                if line == "ready\n":
                    break
                lines.append(line.rstrip("\n").split("=", 1))
            else:
                continue
            break
        else:
            raise SystemExit(f"Desktop/Tests/session.py: the display {kind} does not start")
        environment.update(lines)
        for name in ("config", "data", "cache", "run"):
            os.mkdir(f"{self.home}/{name}", 0o700)
        self.environment = {**environment, "DBUS_SESSION_BUS_ADDRESS": environment["DISPLAY_BUS"], "HOME": self.home,
                            "XDG_CONFIG_HOME": f"{self.home}/config", "XDG_DATA_HOME": f"{self.home}/data",
                            "XDG_CACHE_HOME": f"{self.home}/cache", "XDG_RUNTIME_DIR": f"{self.home}/run", "GTK_A11Y": "none",
                            "NO_AT_BRIDGE": "1", "GSK_RENDERER": "cairo"}
        if kind == "gnomeShell":
            self.environment["XDG_CURRENT_DESKTOP"] = "GNOME"
        self.screen = Program(self.environment, f"{HERE}/screen")

    def start(self, *words):
        program = Program(self.environment, *words)
        self.programs.append(program)
        return program

    def run(self, *words):
        return subprocess.run(words, env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout

    def do(self, *lines):
        for line in lines:
            since = len(self.screen.lines)
            self.screen.write(line)
            until(lambda: len(self.screen.lines) > since, line)
            answer = self.screen.lines[since][1]
            if not answer.startswith("ok"):
                raise Failure(answer)
        return answer.removeprefix("ok").strip()

    def eval(self, code):
        out = self.run("gdbus", "call", "--session", "-d", "org.gnome.Shell", "-o", "/org/gnome/Shell", "-m", "org.gnome.Shell.Eval", code)
        if not out.startswith("(true"):
            raise Failure(out)
        return out.removeprefix("(true, ").rstrip(")\n").strip("'\"")

    def frame(self, title):
        words = self.do(f"frame ^{title}$").split()
        return [int(word) for word in words] or None

    def focus(self):
        return self.eval("global.display.focus_window?.get_title() ?? ''").strip('"')

    def close(self):
        for program in self.programs + [self.screen]:
            program.stop()
        self.server.terminate()
        self.server.wait()
        shutil.rmtree(self.home, ignore_errors=True)
