"""What one run of calls costs a service."""

import os
import re
import statistics
import tempfile
from dataclasses import dataclass

from .bus import Bus, Service


@dataclass
class Sample:
    """Values of one quantity, one from each round."""

    values: list

    @property
    def median(self):
        return statistics.median(self.values)

    @property
    def range(self):
        return min(self.values), max(self.values)

    def over(self, other):
        """The ratios of the two, round by round: what disturbed a round disturbed both."""
        return Sample([a / b for a, b in zip(self.values, other.values)])


def run(service, member, *arguments, calls, outstanding=1):
    """Makes the calls; gives service CPU per call, calls per second, and latencies, in microseconds."""
    before = service.settled_cpu()
    report = service.call(member, *arguments, calls=calls, outstanding=outstanding)
    cpu = service.settled_cpu() - before
    return {
        "cpu_us": cpu / calls * 1e6, "calls_per_s": calls / report["seconds"],
        "p50_us": report["p50_us"], "p99_us": report["p99_us"],
    }


def samples(rounds):
    """From a list of such results, one from each round, a sample of each quantity."""
    return {key: Sample([result[key] for result in rounds]) for key in rounds[0]}


def instructions(programs, name, command, member, prepare, calls):
    """User-space instructions of the service for one call: of runs with `calls` and twice as many, the difference.

    Start-up, preparation and end are in both runs and drop out.
    """
    totals = [_total(programs, name, command, member, prepare, n) for n in (calls, 2 * calls)]
    return (totals[1] - totals[0]) / calls


def _total(programs, name, command, member, prepare, calls):
    with tempfile.TemporaryDirectory() as folder:
        output = os.path.join(folder, "callgrind.out")
        valgrind = ["valgrind", "--tool=callgrind", "-q", f"--callgrind-out-file={output}", *command]
        with Bus(programs["client"]) as bus, Service(bus, name, valgrind) as service:
            service.call(member, *prepare(service), calls=calls)
        with open(output) as file:
            return int(re.search(r"^(?:summary|totals): (\d+)", file.read(), re.MULTILINE)[1])
