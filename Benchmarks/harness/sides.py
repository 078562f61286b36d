"""The compared services, and their loads."""

from functools import partial

from .service import DAEMON, Service

ECHO, STORE, KEEPER, SIGNALLING_STORE = (f"org.dragboard.Yardstick{number}" for number in (1, 2, 3, 4))
TEXT = "string:" + "x" * 40
END = ("uint32:0", "int32:-1")


class Side:
    """A service and its load: a function that prepares the service, and returns a function that makes the calls."""

    def __init__(self, name, load, program, *options):
        self.name, self.prepare, self.program, self.options = name, load, program, options

    def start(self, bus, before=(), environment=None):
        """Returns the service on the bus. The words `before` precede its command."""
        options = [option.format(home=bus.home) for option in self.options]
        return Service(bus, self.name, [*before, bus.programs[self.program], *options], environment)


def daemon(load=None, *options):
    return Side(DAEMON, load, "dragboardd", *options)


def echo(load=None, *options):
    return Side(ECHO, load, "echo", *options)


def signalling_echo(load):
    """The C echo that sends a signal before each answer: an insert that stores nothing."""
    return Side(ECHO, load, "echo", "-t")


def store(load):
    """The C store that commits each insert."""
    return Side(STORE, load, "store", "{home}/store")


def grouped_store(load):
    """The C store with group commit."""
    return Side(STORE, load, "store", "-g", "{home}/grouped-store")


def signalling_store(load):
    """The C store that commits each insert and sends a signal for it, as the contract requires."""
    return Side(SIGNALLING_STORE, load, "store", "-t", "{home}/signalling-store")


def grouped_signalling_store(load):
    """The same with group commit."""
    return Side(SIGNALLING_STORE, load, "store", "-g", "-t", "{home}/grouped-signalling-store")


def keeper(load):
    """The C service that stores and reports as much as the daemon, and commits each insert."""
    return Side(KEEPER, load, "keeper", "{home}/keeper")


def grouped_keeper(load):
    """The same with group commit."""
    return Side(KEEPER, load, "keeper", "-g", "{home}/grouped-keeper")


# MARK: Loads


def index_paths(service):
    """GetIndexPath of an existing row."""
    return partial(service.call, "GetIndexPath", f"string:{service.answer('InsertText', *END, TEXT)}")


def inserts(service):
    """InsertText at the end."""
    return partial(service.call, "InsertText", *END, TEXT)


def pages(service):
    """GetRows of a board that has 50 rows."""
    return partial(service.call, "GetRows", "uint32:0", "uint32:0", "uint32:50")


def filled_pages(service):
    """GetRows of 50 rows, which are inserted first."""
    service.call("InsertTexts", *END, "texts:50:40")
    return pages(service)


def drags(service):
    """Drags of a text to the board, of three calls each."""
    return lambda calls: service.bus.run("drags", service.name, calls)
