"""Builds what is measured and what it is measured beside."""

import os
import shutil
import subprocess
from pathlib import Path

BENCHMARKS = Path(__file__).resolve().parent.parent
PROJECT = BENCHMARKS.parent
OUTPUT = PROJECT / ".build" / "benchmarks"


class Programs(dict):
    """The path of each program by its name; it is built when it is asked for first."""

    def __missing__(self, name):
        OUTPUT.mkdir(parents=True, exist_ok=True)
        build = {"dragboardd": build_product, "dragboard": build_product, "difference": build_difference}.get(name, build_c)
        self[name] = str(build(OUTPUT / name))
        return self[name]


def build_product(program):
    """The daemon or the command as it is installed: release, with what it needs of Swift in it, without debug information.

    Nor could valgrind 3.19 read that: it gives up on the DWARF 5 of Swift 6.
    """
    build = [str(PROJECT / "packaging" / "build")]
    subprocess.run([*build, "--product", program.name], check=True, stdout=subprocess.DEVNULL)
    folder = subprocess.run([*build, "--show-bin-path"], check=True, capture_output=True, text=True).stdout.strip()
    subprocess.run(["strip", "--strip-debug", "-o", str(program), f"{folder}/{program.name}"], check=True)
    return program


def build_c(program):
    """One program of this folder, or a library that is preloaded, against what it needs of libdbus and SQLite."""
    source = BENCHMARKS / f"{program.name}.c"
    compiler = os.environ.get("CC") or shutil.which("cc") or "clang"
    flags = ["-O2", "-pthread", "-std=gnu11", "-Wall", "-Wextra", "-Werror", "-Wl,--as-needed"]
    libraries = subprocess.run(
        ["pkg-config", "--cflags", "--libs", "dbus-1", "sqlite3"], check=True, capture_output=True, text=True).stdout
    kind = ["-shared", "-fPIC"] if program.name == "slowdisk" else []
    subprocess.run([compiler, *flags, *kind, "-o", str(program), str(source), *libraries.split()], check=True)
    return program


def build_difference(program):
    """The program that needs BoardModel alone, with its sources."""
    model = sorted((PROJECT / "Sources" / "BoardModel").rglob("*.swift"))
    random = PROJECT / "Tests" / "TestSupport" / "SplitMix64.swift"
    flags = ["-O", "-wmo", "-swift-version", "6", "-parse-as-library", "-module-name", "Difference"]
    sources = [*model, random, BENCHMARKS / "difference.swift"]
    subprocess.run(["swiftc", *flags, "-o", str(program), *map(str, sources)], check=True)
    return program
