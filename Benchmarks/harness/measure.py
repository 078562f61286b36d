"""The cost of a run of calls for a service."""

import os
import re
import statistics
import tempfile
import time
from contextlib import ExitStack, closing
from dataclasses import dataclass
from itertools import count

from .bus import Bus


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
        """Returns the ratio of both samples in each round, because a disturbance of a round affects both."""
        return Sample([a / b for a, b in zip(self.values, other.values)])


def in_turns(*measurements):
    """Runs measurements turn by turn; returns their results.

    A measurement is a generator that yields before each turn and returns its result. The Thue-Morse
    sequence decides which one is first: each is first equally often, even if only every second or
    tenth turn is counted.
    """
    results = {}
    with ExitStack() as stack:
        for measurement in measurements:
            stack.enter_context(closing(measurement))
        for turn in count():
            order = measurements if turn.bit_count() % 2 == 0 else reversed(measurements)
            for measurement in [each for each in order if each not in results]:
                try:
                    next(measurement)
                except StopIteration as end:
                    results[measurement] = end.value
            if len(results) == len(measurements):
                return [results[measurement] for measurement in measurements]


def run(service, load, calls, **shape):
    """Makes the calls; returns service CPU per call, calls per second, and latencies, in microseconds.

    `shape` is the number of clients, and of outstanding calls of each client.
    """
    before = service.settled_cpu()
    report = load(calls=calls, **shape)
    cpu = service.settled_cpu() - before
    return {
        "cpu_us": cpu / calls * 1e6, "calls_per_s": calls / report["seconds"],
        "p50_us": report["p50_us"], "p99_us": report["p99_us"],
    }


def samples(rounds):
    """Returns a sample of each quantity, from the results of `run` in each round; None without rounds."""
    return {key: Sample([result[key] for result in rounds]) for key in rounds[0]} if rounds else None


# The number of turns of each side in a round, and the minimum number of calls in a turn, for one client with
# one outstanding call: disturbances by other processes last tenths of a second. Many clients or calls take one
# turn, because the load exists only during the turn.
TURNS, CALLS_OF_TURN = 10, 100


def beside(programs, sides, shapes, calls, rounds, environment=None):
    """Runs the sides on one bus, in turns; returns the samples of each side for each shape.

    The samples of a side that is left out are None.
    """
    included = [side for side in sides if programs.include(side)]
    results = [{side: [] for side in included} for _ in shapes]
    with ExitStack() as stack:
        bus = stack.enter_context(Bus(programs))
        services = [stack.enter_context(side.start(bus, environment=environment)) for side in included]
        loads = [side.prepare(service) for side, service in zip(included, services)]
        for _ in range(rounds):
            for result, shape in zip(results, shapes):
                is_alone = shape.get("clients", 1) == shape.get("outstanding", 1) == 1
                turns = max(1, min(TURNS, calls // CALLS_OF_TURN)) if is_alone else 1
                round_of_sides = [[] for _ in included]
                for _ in range(turns):
                    yield
                    for turns_of_side, service, load in zip(round_of_sides, services, loads):
                        turns_of_side.append(run(service, load, calls // turns, **shape))
                for values, turns_of_side in zip(result.values(), round_of_sides):
                    values.append(_means(turns_of_side))
    return [[samples(result.get(side)) for side in sides] for result in results]


def _means(results):
    """Returns the mean of each quantity."""
    return {key: statistics.fmean(result[key] for result in results) for key in results[0]}


def instructions(programs, side, calls):
    """Returns the user-space instructions of a service per call.

    They are the difference between a run with twice as many calls and a run with `calls`. So start-up, preparation and
    end do not count, because they are in both runs.
    """
    totals = [_total(programs, side, n) for n in (calls, 2 * calls)]
    return (totals[1] - totals[0]) / calls


# Seconds. The daemon does maintenance a second after its last call. When two commits are compared, this
# work must be part of both runs: without the pause it could be part of only one of them.
SETTLING = 2


def _total(programs, side, calls):
    with tempfile.TemporaryDirectory() as directory:
        output = os.path.join(directory, "callgrind.out")
        valgrind = ["valgrind", "--tool=callgrind", "-q", f"--callgrind-out-file={output}"]
        with Bus(programs) as bus, side.start(bus, valgrind) as service:
            side.prepare(service)(calls=calls)
            if not programs.has_yardsticks:
                time.sleep(SETTLING)
        with open(output) as file:
            return int(re.search(r"^(?:summary|totals): (\d+)", file.read(), re.MULTILINE)[1])
