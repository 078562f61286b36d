"""Text as mdoc(7) takes it."""

import re


def text(words):
    """Words of running text: nothing in them is taken for markup, and options can be copied."""
    words = words.replace("\\", "\\e")
    words = re.sub(r"(?<![\w-])-+[a-z][a-z-]*", lambda option: option[0].replace("-", "\\-"), words)
    return "\n".join(guarded(line) for line in sentences(words))


def sentences(words):
    """A sentence to a line, as mdoc wants it: the formatter puts the space between them."""
    return re.sub(r"(?<=[a-z0-9)'][.:;]) (?=[A-Z])", "\n", words).split("\n")


def guarded(line):
    """A line that does not begin as a request would."""
    return "\\&" + line if line[:1] in (".", "'") else line


def literal(line):
    """A line as it is typed: quotes, hyphens and tildes stay what they are when they are copied."""
    for character, escape in (("\\", "\\e"), ("-", "\\-"), ("'", "\\(aq"), ("`", "\\(ga"),
                              ("^", "\\(ha"), ("~", "\\(ti")):
        line = line.replace(character, escape)
    return guarded(line)


def word(name):
    """A word as a macro's argument: neither a macro nor punctuation, whatever it looks like."""
    name = name.replace("\\", "\\e").replace("-", "\\-")
    return f'"{name}"' if " " in name else "\\&" + name


def option(name):
    """`.Fl` and the name of an option without its first hyphen."""
    return "Fl " + name[1:].replace("-", "\\-")


def section(name, *lines):
    """A section and what is in it."""
    return [f".Sh {name}", *lines]


def paragraphs(blocks):
    """Paragraphs, one of which is a list of words; those that are set in by two spaces stand as they are."""
    lines = []
    for block in blocks:
        if lines:
            lines.append(".Pp")
        lines += display(block.split("\n")) if block.startswith("  ") else [text(block)]
    return lines


def display(lines):
    """Lines that are shown as they are typed."""
    return [".Bd -literal -offset indent", *(literal(line[2:]) for line in lines), ".Ed"]


def tagged(entries):
    """A list of terms, each a macro line, and what is said of each."""
    lines = [".Bl -tag -width Ds"]
    for term, words in entries:
        lines += [f".It {term}", text(words)]
    return [*lines, ".El"]


def references(pages):
    """See also, sorted as mdoc wants them."""
    last = len(pages) - 1
    return [f".Xr {name} {volume}{' ,' if index < last else ''}"
            for index, (name, volume) in enumerate(pages)]


def page(name, title, system, date, sections):
    """A whole page of volume 1."""
    lines = [f".Dd {date}", f".Dt {name.upper()} 1", f".Os {system}", ".Sh NAME",
             f".Nm {name}", f".Nd {title}"]
    for body in sections:
        lines += body
    return "\n".join(lines) + "\n"
