"""Builds what is measured and what it is measured beside."""

import os
import shutil
import subprocess
from pathlib import Path

BENCHMARKS = Path(__file__).resolve().parent.parent
PROJECT = BENCHMARKS.parent
OUTPUT = PROJECT / ".build" / "benchmarks"


def build():
    """Builds the daemon (release) and the C programs; gives the path of each by its name."""
    release = ["swift", "build", "-c", "release", "--package-path", str(PROJECT), "--product", "dragboardd"]
    subprocess.run(release, check=True, stdout=subprocess.DEVNULL)
    folder = subprocess.run([*release, "--show-bin-path"], check=True, capture_output=True, text=True)
    OUTPUT.mkdir(parents=True, exist_ok=True)
    programs = {name: str(compile_c(name)) for name in ("echo", "client")}
    return {"dragboardd": str(without_debug_info(f"{folder.stdout.strip()}/dragboardd")), **programs}


def without_debug_info(program):
    """A copy that valgrind can read: valgrind 3.19 gives up on the DWARF 5 of Swift 6. The code is the same."""
    copy = OUTPUT / Path(program).name
    subprocess.run(["strip", "--strip-debug", "-o", str(copy), program], check=True)
    return copy


def compile_c(name):
    """Compiles one program of this folder against libdbus."""
    compiler = os.environ.get("CC") or shutil.which("cc") or "clang"
    flags = subprocess.run(
        ["pkg-config", "--cflags", "--libs", "dbus-1"], check=True, capture_output=True, text=True
    ).stdout.split()
    program = OUTPUT / name
    warnings = ["-std=gnu11", "-Wall", "-Wextra", "-Werror"]
    source = str(BENCHMARKS / f"{name}.c")
    subprocess.run([compiler, "-O2", *warnings, "-o", str(program), source, *flags], check=True)
    return program
