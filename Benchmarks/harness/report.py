"""The table on the terminal, and its values as JSON."""

import json
import os
import platform

from .figures import Curve, Figure

COLUMNS = "{:<44}{:>9} {:>24} {:>24}  {:>18}  {:<13}{}"


def print_group(group, results):
    """Prints the lines of a group under its name and the names of its two sides."""
    print(COLUMNS.format(f"[{group.name}]", "", group.subject, group.yardstick, "ratio", "bar", ""))
    for figure in _figures(results):
        print(COLUMNS.format(
            figure.name, figure.unit, _shown(figure.subject), _shown(figure.yardstick), _shown(figure.ratio), _bar(figure),
            _verdict(figure)).rstrip())
    print(flush=True)


def print_skipped(group, reason):
    """Prints that a group cannot be measured on this machine."""
    print(f"[{group.name}] skipped: {reason}\n", flush=True)


def print_bars(groups, with_all=False):
    """Prints every figure that has a bar again, or all figures, with full names."""
    columns = "{:<21}{:<%d}{:>24}  {:<13}{}" % (70 if with_all else 50)
    print(columns.format("all figures" if with_all else "all bars", "", "", "bar", "").rstrip())
    for group, results in groups:
        for name, figure in _full_names(_figures(results)):
            if with_all or figure.bar is not None:
                value = _shown(figure.ratio if figure.yardstick else figure.subject)
                print(columns.format(group.name, name, value, _bar(figure), _verdict(figure) or _values(figure)).rstrip())


def _full_names(figures):
    """Yields each figure with its full name: the name of its heading, followed by its own name."""
    heading = ""
    for figure in figures:
        is_under = figure.name.startswith(" ")
        heading = heading if is_under else figure.name.split(":")[0]
        yield (f"{heading}: {figure.name.strip()}" if is_under else figure.name), figure


def _figures(results):
    return [result for result in results if isinstance(result, Figure)]


def _shown(sample):
    """Returns the median, and the range from minimum to maximum if there are several rounds."""
    if sample is None:
        return ""
    if len(sample.values) == 1:
        return _number(sample.median)
    low, high = sample.range
    return f"{_number(sample.median)} ({_number(low)}–{_number(high)})"


def _number(value):
    size = abs(value)
    return f"{value:,.0f}" if size >= 1000 else f"{value:.1f}" if size >= 10 else f"{value:.2f}" if size >= 0.1 else f"{value:.2g}"


def _bar(figure):
    if figure.bar is None:
        return ""
    unit = "" if figure.yardstick else f" {figure.unit}"
    return f"{'≥' if figure.bar_is_least else '≤'} {figure.bar:.3g}{unit}"


def _values(figure):
    """Returns the medians of both sides."""
    return f"{_number(figure.subject.median)} beside {_number(figure.yardstick.median)} {figure.unit}"


def _verdict(figure):
    return {None: "", True: "reached", False: "MISSED"}[figure.verdict]


# MARK: JSON


def write_json(path, groups):
    """Writes every value of every round as JSON."""
    machine = {"system": platform.platform(), "processors": os.cpu_count()}
    content = [
        {"name": group.name, "subject": group.subject, "yardstick": group.yardstick,
         "figures": [_figure(figure) for figure in _figures(results)],
         "curves": [_curve(result) for result in results if isinstance(result, Curve)]}
        for group, results in groups
    ]
    with open(path, "w") as file:
        json.dump({"machine": machine, "groups": content}, file, indent=2, ensure_ascii=False)
        file.write("\n")


def _figure(figure):
    return {
        "name": figure.name.strip(), "unit": figure.unit, "subject": figure.subject.values,
        "yardstick": figure.yardstick.values if figure.yardstick else None,
        "ratio": figure.ratio.median if figure.ratio else None, "bar": figure.bar,
        "bar_is": "least" if figure.bar_is_least else "most", "is_reached": figure.verdict,
    }


def _curve(curve):
    return {"name": curve.name, "unit": curve.unit, "values": {str(size): s.values for size, s in curve.samples.items()}}
