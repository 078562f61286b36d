"""The services that are measured beside each other, and the loads that they are given."""

from functools import partial

from .service import DAEMON, Service

ECHO, STORE, KEEPER, SIGNALLING_STORE = (f"org.dragboard.Yardstick{number}" for number in (1, 2, 3, 4))
TEXT = "string:" + "x" * 40
END = ("uint32:0", "int32:-1")


class Side:
    """A service, and the load that it is given: a function that prepares the service and gives one that makes the calls."""

    def __init__(self, name, load, program, *options):
        self.name, self.prepare, self.program, self.options = name, load, program, options

    def start(self, bus, before=(), environment=None):
        """The service on that bus, its command behind the words `before`."""
        options = [option.format(home=bus.home) for option in self.options]
        return Service(bus, self.name, [*before, bus.programs[self.program], *options], environment)


def daemon(load=None, *options):
    return Side(DAEMON, load, "dragboardd", *options)


def echo(load=None):
    return Side(ECHO, load, "echo")


def signalling_echo(load):
    """The C echo that sends a signal before each answer: an insert of which nothing is kept."""
    return Side(ECHO, load, "echo", "-t")


def store(load):
    """The C store that commits each insert."""
    return Side(STORE, load, "store", "{home}/store")


def grouped_store(load):
    """The C store with group commit."""
    return Side(STORE, load, "store", "-g", "{home}/grouped-store")


def signalling_store(load):
    """The C store that commits each insert and tells of it by a signal, as whoever keeps the contract has to."""
    return Side(SIGNALLING_STORE, load, "store", "-t", "{home}/signalling-store")


def grouped_signalling_store(load):
    """The same with group commit."""
    return Side(SIGNALLING_STORE, load, "store", "-g", "-t", "{home}/grouped-signalling-store")


def keeper(load):
    """C that keeps and tells as much as the daemon, and commits each insert."""
    return Side(KEEPER, load, "keeper", "{home}/keeper")


def grouped_keeper(load):
    """The same with group commit."""
    return Side(KEEPER, load, "keeper", "-g", "{home}/grouped-keeper")


# MARK: Loads


def index_paths(service):
    """GetIndexPath of a row that is there."""
    return partial(service.call, "GetIndexPath", f"string:{service.answer('InsertText', *END, TEXT)}")


def inserts(service):
    """InsertText at the end."""
    return partial(service.call, "InsertText", *END, TEXT)


def pages(service):
    """GetRows of a board that has 50 rows."""
    return partial(service.call, "GetRows", "uint32:0", "uint32:0", "uint32:50")


def filled_pages(service):
    """The same, where the rows are inserted first."""
    service.call("InsertTexts", *END, "texts:50:40")
    return pages(service)


def drags(service):
    """Whole drags of a text onto the board: three calls each."""
    return lambda calls: service.bus.run("drags", service.name, calls)
