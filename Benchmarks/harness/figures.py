"""The results of a measurement, and the number of rounds and calls."""

from dataclasses import dataclass

from .measure import Sample

# The number of rounds if a round takes long; otherwise `Effort` decides.
LEAST_ROUNDS = 7


@dataclass
class Figure:
    """One line of the table: a quantity on both sides, their ratio, and the bar, the maximum (or minimum) of the ratio.

    Without a yardstick, the bar is the maximum (or minimum) of the quantity.
    """

    name: str
    unit: str
    subject: Sample
    yardstick: Sample = None
    bar: float = None
    bar_is_least: bool = False

    @property
    def ratio(self):
        """The ratio of the two sides; None without a yardstick, or if the yardstick is not above 0."""
        has_ratio = self.yardstick and min(self.yardstick.values) > 0
        return self.subject.over(self.yardstick) if has_ratio else None

    @property
    def verdict(self):
        """Whether the figure meets the bar; None without a bar."""
        if self.bar is None:
            return None
        value = (self.ratio or self.subject).median
        return value >= self.bar if self.bar_is_least else value <= self.bar


@dataclass
class Curve:
    """A cost for each size of the board: a sample for each size."""

    name: str
    unit: str
    samples: dict


@dataclass
class Effort:
    """The number of rounds, and of calls in each round."""

    rounds: int
    calls: int
    instruction_calls: int
    inserts: int
    slow_inserts: int
    edits: int
    starts: int
    drops: int

    @classmethod
    def full(cls):
        return cls(
            rounds=11, calls=10_000, instruction_calls=1_000, inserts=4_000, slow_inserts=128, edits=200, starts=9, drops=5)

    @classmethod
    def quick(cls):
        return cls(rounds=LEAST_ROUNDS, calls=2_000, instruction_calls=200, inserts=1_000, slow_inserts=64, edits=50, starts=3, drops=3)
