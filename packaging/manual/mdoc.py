"""Text in the format mdoc(7)."""

import re


def text(words):
    """Returns running text, escaped so that it has no markup and that options can be copied."""
    words = words.replace("\\", "\\e")
    words = re.sub(r"(?<![\w-])-+[a-z][a-z-]*", lambda option: option[0].replace("-", "\\-"), words)
    return "\n".join(guarded(line) for line in sentences(words))


def sentences(words):
    """Returns each sentence as a line, as mdoc requires; the formatter adds the spaces."""
    return re.sub(r"(?<=[A-Za-z0-9)'][.:;]) (?=[A-Z])", "\n", words).split("\n")


def guarded(line):
    """Returns a line, escaped if it would begin like a request."""
    return "\\&" + line if line[:1] in (".", "'") else line


def literal(line):
    """Returns a typed line, escaped so that quotes, hyphens and tildes can be copied."""
    for character, escape in (("\\", "\\e"), ("-", "\\-"), ("'", "\\(aq"), ("`", "\\(ga"),
                              ("^", "\\(ha"), ("~", "\\(ti")):
        line = line.replace(character, escape)
    return guarded(line)


def word(name):
    """Returns a word as an argument of a macro, escaped so that mdoc does not interpret it."""
    name = name.replace("\\", "\\e").replace("-", "\\-")
    return f'"{name}"' if " " in name else "\\&" + name


def option(name):
    """Returns `Fl` and the name of an option, without the first hyphen."""
    return "Fl " + name[1:].replace("-", "\\-")


def section(name, *lines):
    """Returns the lines of a section."""
    return [f".Sh {name}", *lines]


def paragraphs(blocks):
    """Returns the lines of paragraphs; blocks that are indented by two spaces are shown literally."""
    lines = []
    for block in blocks:
        if lines:
            lines.append(".Pp")
        lines += display(block.split("\n")) if block.startswith("  ") else [text(block)]
    return lines


def display(lines):
    """Returns lines that are shown literally, in a display."""
    return [".Bd -literal -offset indent", *(literal(line[2:]) for line in lines), ".Ed"]


def tagged(entries):
    """Returns a list of terms, which are macro lines, each with its description."""
    lines = [".Bl -tag -width Ds"]
    for term, words in entries:
        lines += [f".It {term}", text(words)]
    return [*lines, ".El"]


def references(pages):
    """Returns the references to other pages, in the given order."""
    last = len(pages) - 1
    return [f".Xr {name} {volume}{' ,' if index < last else ''}"
            for index, (name, volume) in enumerate(pages)]


def page(name, title, system, date, sections):
    """Returns a page of section 1."""
    lines = [f".Dd {date}", f".Dt {name.upper()} 1", f".Os {system}", ".Sh NAME",
             f".Nm {name}", f".Nd {title}"]
    for body in sections:
        lines += body
    return "\n".join(lines) + "\n"
