"""Plots of costs over the size of the board, as SVG: both axes are logarithmic, and each curve is a line."""

from html import escape
from math import ceil, floor, log10

from .figures import Curve

WIDTH, HEIGHT = 720, 420
LEFT, RIGHT, TOP, BOTTOM = 70, 230, 40, 50
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")


def write_plots(directory, groups):
    """Writes a file for each group that has curves."""
    for group, results in groups:
        curves = [result for result in results if isinstance(result, Curve)]
        if curves:
            (directory / f"{group.name}.svg").write_text(_plot(curves))


def _plot(curves):
    values = [value for curve in curves for sample in curve.samples.values() for value in sample.range]
    sizes = [size for curve in curves for size in curve.samples if size > 0]
    across = _Axis(sizes, LEFT, WIDTH - RIGHT)
    up = _Axis(values, HEIGHT - BOTTOM, TOP)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" font-family="sans-serif" font-size="12">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
        f'<text x="{LEFT}" y="{TOP - 16}">{escape(curves[0].unit)}</text>',
        f'<text x="{WIDTH - RIGHT}" y="{HEIGHT - 10}" text-anchor="end">rows of the board</text>',
        *_grid(across, up),
    ]
    for number, curve in enumerate(curves):
        parts += _line(curve, across, up, COLOURS[number % len(COLOURS)], TOP + 18 * number)
    return "\n".join([*parts, "</svg>", ""])


class _Axis:
    """Returns the powers of ten between `start` and `end`."""

    def __init__(self, values, start, end):
        self.low, self.high = floor(log10(min(values))), ceil(log10(max(values)))
        self.high = max(self.high, self.low + 1)
        self.start, self.end = start, end

    def place(self, value):
        return self.start + (self.end - self.start) * (log10(value) - self.low) / (self.high - self.low)

    @property
    def ticks(self):
        return [10**power for power in range(self.low, self.high + 1)]


def _grid(across, up):
    line = '<line x1="{:.1f}" y1="{:.1f}" x2="{:.1f}" y2="{:.1f}" stroke="#ddd"/>'
    label = '<text x="{:.1f}" y="{:.1f}" text-anchor="{}">{}</text>'
    for value in across.ticks:
        x = across.place(value)
        yield line.format(x, up.start, x, up.end)
        yield label.format(x, up.start + 18, "middle", f"{value:,}")
    for value in up.ticks:
        y = up.place(value)
        yield line.format(across.start, y, across.end, y)
        yield label.format(across.start - 8, y + 4, "end", f"{value:,}")


def _line(curve, across, up, colour, y):
    """Draws the medians, the range from minimum to maximum at each median, and the name at the right."""
    points = [(across.place(size), sample) for size, sample in sorted(curve.samples.items()) if size > 0]
    path = " ".join(f"{x:.1f},{up.place(sample.median):.1f}" for x, sample in points)
    yield f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>'
    for x, sample in points:
        low, high = (up.place(value) for value in sample.range)
        yield f'<line x1="{x:.1f}" y1="{low:.1f}" x2="{x:.1f}" y2="{high:.1f}" stroke="{colour}"/>'
        yield f'<circle cx="{x:.1f}" cy="{up.place(sample.median):.1f}" r="3" fill="{colour}"/>'
    yield f'<text x="{WIDTH - RIGHT + 16}" y="{y + 4}" fill="{colour}">{escape(curve.name)}</text>'
