"""The comparison of two commits: the old daemon and the old command are the yardstick of every group."""

import os
import shutil
import subprocess
from dataclasses import replace

from .build import OUTPUT, PROJECT, Programs, build_product, strip
from .figures import Curve, Figure
from .measure import in_turns
from .needs import Missing

PRODUCTS = ("dragboardd", "dragboard")
COMMITS = OUTPUT / "commits"

# The maximum of the ratio new/old by unit; the minimum for calls per second. Memory has no bar.
# All other units are times.
BARS = {"per call": 1.05, "per drag": 1.05, "per s": 0.9, "MiB": None, "bytes": None}
BAR_OF_TIMES = 1.1


class Unusable(Exception):
    """A revision or a directory whose programs cannot be measured."""


class Comparison:
    """The programs of this checkout and of an old commit, and the measurements with both."""

    def __init__(self, name, directory):
        """`directory` has the old daemon and the old command.

        They are copied, so that their files are as new as the file of the new daemon: a program whose file was just
        written takes more memory.
        """
        copies = OUTPUT / "old"
        copies.mkdir(parents=True, exist_ok=True)
        old = {product: str(strip(directory / product, copies / product)) for product in PRODUCTS}
        self.name, self.old, self.new = name, Programs(old, has_yardsticks=False), Programs(has_yardsticks=False)

    @classmethod
    def with_revision(cls, revision):
        """Builds the programs of a Git revision, unless an earlier run has built them."""
        commit = _commit(revision)
        directory = COMMITS / commit
        for other in COMMITS.glob("*"):
            if other != directory:
                shutil.rmtree(other)
        if not all((directory / product).exists() for product in PRODUCTS):
            _build(revision, commit, directory)
        return cls(f"{revision} ({commit[:10]})", directory)

    @classmethod
    def with_programs(cls, directory):
        """Uses programs that are already built."""
        for product in PRODUCTS:
            if not os.access(directory / product, os.X_OK):
                raise Unusable(f"{directory} has no program {product} (expected {' and '.join(PRODUCTS)})")
        return cls(str(directory), directory)

    def measure(self, group, effort):
        """Measures the group with both in turns; returns the group with its headings, and figures."""
        if group.left_out:
            raise Missing(group.left_out)
        new, old = in_turns(group.measure(self.new, effort), self._measure_old(group, effort))
        both = replace(group, subject="this checkout", yardstick=self.name)
        return both, [_compared(*pair) for pair in zip(_quantities(group, new), _quantities(group, old))]

    def _measure_old(self, group, effort):
        """Measures the group with the old programs, which may lack a call or an option."""
        try:
            return (yield from group.measure(self.old, effort))
        except (subprocess.CalledProcessError, RuntimeError) as error:
            raise Missing(f"the programs of {self.name} do not run it: {error}") from error


def _quantities(group, results):
    """Yields the name, the unit and the sample of each size of a curve and of each side of a figure, each once."""
    seen = set()
    for result in sorted(results, key=lambda result: isinstance(result, Figure)):
        if isinstance(result, Curve):
            samples = {f"{size:,} rows": sample for size, sample in sorted(result.samples.items())}
        else:
            samples = {group.subject: result.subject, group.yardstick: result.yardstick}
        samples = {side: sample for side, sample in samples.items() if sample and id(sample) not in seen}
        seen.update(map(id, samples.values()))
        for side, sample in samples.items():
            is_only = len(samples) == 1 and isinstance(result, Figure)
            yield result.name if is_only else f"{result.name}, {side}", result.unit, sample


def _compared(new, old):
    """Returns the figure of one quantity. A figure without a ratio has no bar."""
    (name, unit, subject), (_, _, yardstick) = new, old
    figure = Figure(name, unit, subject, yardstick, BARS.get(unit, BAR_OF_TIMES), bar_is_least=unit == "per s")
    return figure if figure.ratio else replace(figure, bar=None)


# MARK: An old commit


def _commit(revision):
    """Returns the hash of a Git revision of this repository."""
    words = ["git", "-C", str(PROJECT), "rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}"]
    result = subprocess.run(words, capture_output=True, text=True)
    if result.returncode != 0:
        raise Unusable(result.stderr.strip() or f"{revision} is not a revision of this repository")
    return result.stdout.strip()


def _build(revision, commit, directory):
    """Builds the programs in a copy of the commit's files, and removes the copy."""
    log, files = directory / "build.log", directory / "files"
    shutil.rmtree(directory, ignore_errors=True)
    files.mkdir(parents=True)
    print(f"Building {revision} ({commit[:10]}).\n", flush=True)
    with open(log, "w") as output:
        try:
            archive = subprocess.run(["git", "-C", str(PROJECT), "archive", commit], check=True, stdout=subprocess.PIPE).stdout
            subprocess.run(["tar", "-x", "-C", str(files)], check=True, input=archive)
            # Use the same versions of the dependencies.
            if (PROJECT / "Package.resolved").exists() and not (files / "Package.resolved").exists():
                shutil.copy(PROJECT / "Package.resolved", files)
            for product in PRODUCTS:
                build_product(directory / product, files, output, errors=subprocess.STDOUT)
        except (OSError, subprocess.CalledProcessError) as error:
            print(error, file=output)
            raise Unusable(f"{revision} does not build; the output is in {log}") from error
        finally:
            shutil.rmtree(files, ignore_errors=True)
