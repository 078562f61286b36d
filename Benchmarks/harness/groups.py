"""The groups of measurements, in the order of the table."""

from dataclasses import dataclass
from typing import Callable

from . import boards, calls, command, files, history, instructions, others, peers, retention, startup


@dataclass
class Group:
    """Figures that are measured together: a subject, compared with its yardstick.

    `measure` is a generator for `measure.in_turns`.
    """

    name: str
    subject: str
    yardstick: str
    measure: Callable
    left_out: str = ""
    """The reason why the group does not compare two commits; empty if it does."""


GROUPS = [
    Group("instructions-path", "dragboardd", "C echo", instructions.index_path),
    Group("instructions-rows", "dragboardd", "C rows", instructions.rows),
    Group("instructions-insert", "dragboardd", "C store", instructions.insert),
    Group("instructions-drop", "dragboardd", "C echo, store", instructions.drop),
    Group("path", "dragboardd", "C echo", calls.index_path),
    Group("insert", "dragboardd", "C store", calls.insert),
    Group("insert-first", "dragboardd", "C store", calls.first_inserts),
    Group("inserts", "dragboardd", "C store, grouped", calls.inserts),
    Group("sqlite", "dragboardd", "SQLite, no bus", calls.without_bus,
          left_out="it compares a C program without a bus; `insert` and `inserts` have the same calls"),
    Group("slow-disk", "64 outstanding", "one", calls.slow_disk),
    Group("size", "1,000,000 rows", "100 rows", boards.costs),
    Group("memory", "dragboardd", "", boards.memory),
    Group("start", "dragboardd", "C echo", startup.activation),
    Group("gpaste", "dragboardd", "GPaste", peers.adding, left_out="it compares GPaste; `insert` has the same call"),
    Group("gpaste-memory", "dragboardd", "GPaste", peers.gpaste_memory,
          left_out="it compares GPaste; `memory` has the daemon with 10,000 rows"),
    Group("copyq-memory", "dragboardd", "CopyQ", peers.copyq_memory,
          left_out="it compares CopyQ; `memory` has the daemon without rows"),
    Group("subscribers", "100 subscribers", "none", others.subscribers),
    Group("large-drop", "10,000 rows", "idle", others.large_drops),
    Group("crowd", "beside a crowd", "idle", others.crowd),
    Group("siege", "dragboardd", "C echo", others.siege),
    Group("long-calls", "dragboardd", "C echo", others.long_calls),
    Group("transfer", "dragboardd", "cp, synced", files.transfers),
    Group("promises", "during ten loads", "idle", files.small_calls),
    Group("history", "1,000,000 rows", "10,000 rows", history.board_size),
    Group("retention", "100,000 copies", "5,000 copies", retention.copies),
    Group("command", "dragboard", "busctl", command.first_byte),
    Group("command-screen", "100,000 rows", "10 rows", command.first_screen),
    Group("command-large", "dragboard", "list", command.whole_board),
    Group("difference", "difference", "sort", history.difference,
          left_out="it measures the model without a daemon; `history` has ApplyOrder"),
]


def chosen(names):
    """Returns the groups that have one of these names, or a name that begins with one of them and a hyphen.

    Without names, returns all groups.
    """
    return [group for group in GROUPS if not names or any(f"{group.name}-".startswith(f"{name}-") for name in names)]
