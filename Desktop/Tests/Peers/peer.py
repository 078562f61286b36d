"""The common parts of the peers, which do the same as `../DragPeer/main.c` in other toolkits."""

import base64
import sys


def content():
    """Returns the dragged types in order, with their bytes."""
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
    """Returns whether the peer requests a move for drops."""
    return sys.argv[1] == "move"


def say(line):
    print(line, flush=True)


def say_got(name, data):
    """Prints dropped content: text with escapes, other content in Base64."""
    if name.startswith("text/"):
        shown = data.decode(errors="replace")
        for plain, escaped in [("\\", "\\\\"), ("\n", "\\n"), ("\r", "\\r"), ('"', '\\"')]:
            shown = shown.replace(plain, escaped)
    else:
        shown = base64.b64encode(data).decode()
    say(f"got {name} {shown}")
