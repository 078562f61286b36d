"""The table on the terminal, and the same in JSON."""

import json
import os
import platform

COLUMNS = "{:<34}{:>10} {:>20} {:>20}  {:>20}  {:<8}"


def print_group(subject, yardstick, figures):
    """One group of lines under the names of its two sides."""
    print(COLUMNS.format("", "unit", subject, yardstick, "ratio", "bar"))
    for figure in figures:
        print(COLUMNS.format(
            figure.name, figure.unit, _shown(figure.subject), _shown(figure.yardstick),
            _shown(figure.ratio), _bar(figure)))
    print()


def _shown(sample):
    """The median, and least to most where there are several rounds."""
    if len(sample.values) == 1:
        return _number(sample.median)
    low, high = sample.range
    return f"{_number(sample.median)} ({_number(low)}–{_number(high)})"


def _number(value):
    return f"{value:,.0f}" if value >= 1000 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def _bar(figure):
    if figure.bar is None:
        return ""
    return f"{'≥' if figure.bar_is_least else '≤'} {figure.bar:g}"


def write_json(path, groups):
    """Every value of every round."""
    machine = {"system": platform.platform(), "processors": os.cpu_count()}
    content = [
        {"subject": subject, "yardstick": yardstick, "figures": [_json(f) for f in figures]}
        for subject, yardstick, figures in groups
    ]
    with open(path, "w") as file:
        json.dump({"machine": machine, "groups": content}, file, indent=2, ensure_ascii=False)
        file.write("\n")


def _json(figure):
    return {
        "name": figure.name.strip(), "unit": figure.unit, "subject": figure.subject.values,
        "yardstick": figure.yardstick.values, "ratio": figure.ratio.median, "bar": figure.bar,
        "bar_is": "least" if figure.bar_is_least else "most",
    }
