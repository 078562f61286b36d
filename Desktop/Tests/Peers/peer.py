"""What the peers of every toolkit have in common: see `../DragPeer/main.c`, which they do the same as."""

import base64
import sys


def content():
    """The types that are held out, in order, and their bytes."""
    parts = []
    for argument in sys.argv[2:]:
        name, text = argument.split("|", 1)
        if text.startswith("@"):
            with open(text[1:], "rb") as file:
                parts.append((name, file.read()))
        else:
            parts.append((name, text.encode()))
    return parts


def wants_move():
    """Whether a drop is to be a move."""
    return sys.argv[1] == "move"


def say(line):
    print(line, flush=True)


def say_got(name, data):
    """Prints what was dropped: text with escapes, anything else in Base64."""
    if name.startswith("text/"):
        shown = data.decode(errors="replace")
        for plain, escaped in [("\\", "\\\\"), ("\n", "\\n"), ("\r", "\\r"), ('"', '\\"')]:
            shown = shown.replace(plain, escaped)
    else:
        shown = base64.b64encode(data).decode()
    say(f"got {name} {shown}")
