"""The instructions of a service in user space, counted by callgrind.

The counts are the same in every run, so they show every change of the code.
"""

from . import measure, sides
from .bus import Bus
from .figures import Figure
from .measure import Sample


def index_path(programs, effort):
    """GetIndexPath, compared with a C echo of the same signature."""
    pair = [sides.daemon(sides.index_paths), sides.echo(sides.index_paths)]
    return [Figure("GetIndexPath", "per call", *(yield from _counts(programs, pair, effort)), bar=1.15)]


def rows(programs, effort):
    """A page, compared with a C service that has the same rows in memory and replies with the same bytes."""
    pair = [sides.daemon(sides.filled_pages), sides.echo(sides.pages)]
    if programs.has_yardsticks:
        _check_bytes(programs, pair)
    return [Figure("GetRows, 50 rows", "per call", *(yield from _counts(programs, pair, effort)), bar=1.5)]


def _check_bytes(programs, pair):
    """Checks that both pages have the same size, apart from padding: the order of the attributes is not defined, and the
    padding depends on it.
    """
    lengths = []
    for side in pair:
        with Bus(programs) as bus, side.start(bus) as service:
            lengths.append(side.prepare(service)(calls=1)["bytes"])
    if abs(lengths[0] - lengths[1]) > 8:
        raise RuntimeError(f"the two pages have {lengths[0]} and {lengths[1]} bytes")


def insert(programs, effort):
    """A durable insert, compared with the C store that commits each insert, and with C that stores and reports as much."""
    daemon, store, teller, keeper, echo = yield from _counts(
        programs, [
            side(sides.inserts)
            for side in (sides.daemon, sides.store, sides.signalling_store, sides.keeper, sides.signalling_echo)
        ], effort)
    return [
        Figure("InsertText", "per call", daemon, store, bar=1.3),
        Figure("  C echo with the signal", "per call", echo, store),
        Figure("  the C store with signals", "per call", teller, store),
        Figure("  beside C that stores as much", "per call", daemon, keeper),
    ]


def drop(programs, effort):
    """A drag of one text, compared with three echo calls of the same signatures and an insert of the C store, or of the C
    program that stores as much as the daemon.
    """
    drag, *others = yield from _counts(programs, [
        sides.daemon(sides.drags), sides.echo(sides.drags), sides.store(sides.inserts), sides.keeper(sides.inserts),
        sides.echo(sides.inserts),
    ], effort)
    name = "BeginTextDrag, ProposeDrop, PerformDrop"
    if not programs.has_yardsticks:
        return [Figure(name, "per drag", drag)]
    echoes, store, keeper, echo = [sample.median for sample in others]
    return [
        Figure(name, "per drag", drag, Sample([echoes + store]), bar=1.4),
        Figure("  the insert without its call", "per drag", drag, Sample([echoes + store - echo])),
        Figure("  an insert that stores as much", "per drag", drag, Sample([echoes + keeper])),
    ]


def _counts(programs, all_sides, effort):
    """Returns a sample of each side; None for a side that is left out."""
    yield
    return [
        Sample([measure.instructions(programs, side, effort.instruction_calls)]) if programs.include(side) else None
        for side in all_sides
    ]
