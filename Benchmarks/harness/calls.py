"""The cost, the latency and the rate of small calls, compared with C programs."""

from contextlib import ExitStack

from . import measure, sides
from .bus import Bus
from .figures import Figure
from .measure import Sample

ALONE = {"outstanding": 1}
CROWDS = {"64 outstanding": {"outstanding": 64}, "8 clients": {"clients": 8}, "64 clients": {"clients": 64}}


def index_path(programs, effort):
    """GetIndexPath, compared with a C echo of the same signature: one client and many, one outstanding call and many."""
    pair = [sides.daemon(sides.index_paths), sides.echo(sides.index_paths)]
    alone, *crowds = yield from measure.beside(programs, pair, [ALONE, *CROWDS.values()], effort.calls, effort.rounds)
    bars = {"64 outstanding": 0.9}
    return [
        Figure("GetIndexPath: service CPU", "µs/call", *_pair(alone, "cpu_us"), bar=1.25),
        *_latencies(alone, {}),
        Figure("  calls", "per s", *_pair(alone, "calls_per_s")),
        *_crowds(crowds, bars),
    ]


def insert(programs, effort):
    """InsertText, one call at a time, compared with the C store that commits each insert, and with C that stores as much."""
    four = [side(sides.inserts) for side in (sides.daemon, sides.store, sides.signalling_store, sides.keeper)]
    [(daemon, store, teller, keeper)] = yield from measure.beside(programs, four, [ALONE], effort.inserts, effort.rounds)
    alone = (daemon, store)
    return [
        Figure("InsertText: service CPU", "µs/call", *_pair(alone, "cpu_us")),
        *_latencies(alone, {"p50_us": 1.15}),
        Figure("  calls", "per s", *_pair(alone, "calls_per_s")),
        *_beside_other_c(daemon, store, teller, keeper),
    ]


def first_inserts(programs, effort):
    """The first 100 calls of InsertText after the start of a service, one at a time, compared with the C store."""
    results = ([], [])
    for _ in range(effort.rounds):
        pair = [sides.daemon(sides.inserts), sides.store(sides.inserts)]
        [pair] = yield from measure.beside(programs, pair, [ALONE], 100, 1)
        for result, sample in zip(results, pair):
            if sample:
                result.append({key: value.median for key, value in sample.items()})
    pair = [measure.samples(result) for result in results]
    return [
        Figure("InsertText, the first 100: service CPU", "µs/call", *_pair(pair, "cpu_us")),
        *_latencies(pair, {}),
    ]


def inserts(programs, effort):
    """Many simultaneous calls of InsertText, compared with the C store with group commit, and with C programs that store
    as much as the daemon, or nothing.
    """
    five = [
        side(sides.inserts)
        for side in (
            sides.daemon, sides.grouped_store, sides.grouped_signalling_store, sides.grouped_keeper, sides.signalling_echo)
    ]
    shapes = {"one outstanding": ALONE, **CROWDS}
    results = yield from measure.beside(programs, five, shapes.values(), effort.inserts, effort.rounds)
    (alone, *crowds) = [(daemon, store) for daemon, store, *_ in results]
    bars = {"64 outstanding": 1.0, "64 clients": 1.0}
    return [
        Figure("InsertText: one outstanding: calls", "per s", *_pair(alone, "calls_per_s")),
        *_crowds(crowds, bars),
        *(
            figure
            for name, (daemon, store, teller, keeper, echo) in zip(shapes, results)
            for figure in (
                *_beside_other_c(daemon, store, teller, keeper, f"{name}, "),
                *_beside(f"{name}, C echo with the signal", (echo, store)),
            )
        ),
    ]


def _beside(label, pair):
    """Returns three figures without a bar, which compare two sides; none if a side is left out."""
    return [] if None in pair else [
        Figure(f"{label}: calls", "per s", *_pair(pair, "calls_per_s")),
        Figure("  service CPU", "µs/call", *_pair(pair, "cpu_us")),
        Figure("  p50", "µs", *_pair(pair, "p50_us")),
    ]


def _beside_other_c(daemon, store, teller, keeper, shape=""):
    """Returns figures of the C store with signals, compared with the C store without signals, and of the daemon, compared
    with C that stores and reports as much.
    """
    return [
        *_beside(f"{shape}the C store with signals", (teller, store)),
        *_beside(f"{shape}beside C that stores as much", (daemon, keeper)),
    ]


def _crowds(crowds, bars):
    """Returns four figures for each combination of clients and outstanding calls. The bars apply to calls per second."""
    return [
        figure
        for name, crowd in zip(CROWDS, crowds)
        for figure in (
            Figure(f"{name}: calls", "per s", *_pair(crowd, "calls_per_s"), bar=bars.get(name), bar_is_least=True),
            Figure("  service CPU", "µs/call", *_pair(crowd, "cpu_us")),
            *_latencies(crowd, {}),
        )
    ]


def _latencies(results, bars):
    return [Figure(f"  {key[:3]}", "µs", *_pair(results, key), bar=bars.get(key)) for key in ("p50_us", "p99_us")]


def _pair(results, key):
    return [side and side[key] for side in results]


# MARK: Without a bus


def without_bus(programs, effort):
    """InsertText, compared with the same inserts into SQLite by a C program without a bus: one per commit, and 64."""
    names, figures = {1: "InsertText, one outstanding: calls", 64: "64 outstanding: calls"}, []
    results = {group: ([], [], [], []) for group in names}
    with ExitStack() as stack:
        bus = stack.enter_context(Bus(programs))
        side = sides.daemon(sides.inserts)
        daemon = stack.enter_context(side.start(bus))
        load = side.prepare(daemon)
        for _ in range(effort.rounds):
            yield
            for group, (calls, cpu, raw_calls, raw_cpu) in results.items():
                result = measure.run(daemon, load, effort.inserts, outstanding=group)
                report = bus.run("inserts", f"{bus.home}/raw", effort.inserts, group)
                calls.append(result["calls_per_s"])
                cpu.append(result["cpu_us"])
                raw_calls.append(effort.inserts / report["seconds"])
                raw_cpu.append(report["cpu_seconds"] / effort.inserts * 1e6)
    for group, (calls, cpu, raw_calls, raw_cpu) in results.items():
        figures.append(Figure(names[group], "per s", Sample(calls), Sample(raw_calls)))
        figures.append(Figure("  service CPU", "µs/call", Sample(cpu), Sample(raw_cpu)))
    return figures


# MARK: A slow disk


def slow_disk(programs, effort):
    """InsertText with 64 outstanding calls, compared with one, on a disk whose flush takes 4 ms.

    The C store with group commit is measured in the same way.
    """
    pair = [sides.daemon(sides.inserts), sides.grouped_store(sides.inserts)]
    environment = {"LD_PRELOAD": programs["slowdisk"]}
    shapes = [ALONE, CROWDS["64 outstanding"]]
    alone, crowd = [
        _pair(results, "calls_per_s") for results in (yield from measure.beside(
            programs, pair, shapes, effort.slow_inserts, effort.rounds, environment))
    ]
    return [
        Figure(name, "per s", crowd[side], alone[side], bar=bar, bar_is_least=True)
        for side, (name, bar) in enumerate([("InsertText, flush of 4 ms: calls", 30), ("  the C store: calls", None)])
    ]
