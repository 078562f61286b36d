"""The builds of the measured programs and of the programs that they are compared with."""

import os
import shutil
import subprocess
from functools import cache
from pathlib import Path

BENCHMARKS = Path(__file__).resolve().parent.parent
PROJECT = BENCHMARKS.parent
OUTPUT = PROJECT / ".build" / "benchmarks"


class Programs(dict):
    """The path of each program by its name. A program is built when its path is requested first.

    `products` has the paths of a daemon and a command that are already built. Without yardsticks the
    groups measure only the daemon and the command.
    """

    def __init__(self, products=(), has_yardsticks=True):
        super().__init__(products)
        self.has_yardsticks = has_yardsticks

    def include(self, side):
        """Returns whether the groups measure this side."""
        return self.has_yardsticks or side.program == "dragboardd"

    def __missing__(self, name):
        OUTPUT.mkdir(parents=True, exist_ok=True)
        build = {"dragboardd": build_product, "dragboard": build_product, "difference": build_difference}.get(name, build_c)
        self[name] = str(build(OUTPUT / name))
        return self[name]


def build_product(program, project=PROJECT, output=subprocess.DEVNULL, errors=None):
    """Builds the daemon or the command in the same way as for an installation, without debug information."""
    build = [str(project / "packaging" / "build")]
    subprocess.run([*build, "--product", program.name], check=True, stdout=output, stderr=errors)
    directory = subprocess.run([*build, "--show-bin-path"], check=True, capture_output=True, text=True).stdout.strip()
    return strip(Path(directory) / program.name, program)


def strip(source, program):
    """Copies a program without debug information: valgrind 3.19 cannot read Swift's DWARF 5."""
    subprocess.run(["strip", "--strip-debug", "-o", str(program), str(source)], check=True)
    return program


@cache
def build_c(program):
    """Builds a C program of the benchmarks, or the preloaded library, with the libraries that it needs."""
    source = BENCHMARKS / f"{program.name}.c"
    compiler = os.environ.get("CC") or shutil.which("cc") or "clang"
    flags = ["-O2", "-pthread", "-std=gnu11", "-Wall", "-Wextra", "-Werror", "-Wl,--as-needed"]
    libraries = subprocess.run(
        ["pkg-config", "--cflags", "--libs", "dbus-1", "sqlite3"], check=True, capture_output=True, text=True).stdout
    kind = ["-shared", "-fPIC"] if program.name == "slowdisk" else []
    subprocess.run([compiler, *flags, *kind, "-o", str(program), str(source), *libraries.split()], check=True)
    return program


def build_difference(program):
    """Builds the program that uses only BoardModel, together with the sources of BoardModel."""
    model = sorted((PROJECT / "Sources" / "BoardModel").rglob("*.swift"))
    random = PROJECT / "Tests" / "TestSupport" / "SplitMix64.swift"
    flags = ["-O", "-wmo", "-swift-version", "6", "-parse-as-library", "-module-name", "Difference"]
    sources = [*model, random, BENCHMARKS / "difference.swift"]
    subprocess.run(["swiftc", *flags, "-o", str(program), *map(str, sources)], check=True)
    return program
