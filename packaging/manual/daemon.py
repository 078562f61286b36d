"""The page of `dragboardd`, from its help."""

import re
import subprocess

import mdoc
from command import exit_status

FILES = [
    ("~/.local/share/dragboard", "The boards, where neither --data nor XDG_DATA_HOME says otherwise."),
    ("~/.config/dragboard/config.toml", "The configuration, where XDG_CONFIG_HOME does not say otherwise."),
]
FOLDERS = [
    ("DBUS_SESSION_BUS_ADDRESS", "The bus to serve where --address does not say."),
    ("XDG_CONFIG_HOME", "The folder in which dragboard/config.toml is read."),
    ("XDG_DATA_HOME", "The folder in which dragboard/ holds the boards."),
]
EXAMPLES = [
    "  dragboardd --max-rows 5000 &",
    "  DRAGBOARD_LOAD_TIMEOUT=60 dragboardd",
    "  dragboardd --data /srv/boards --address unix:path=/run/shared/bus",
    "  journalctl --user --unit dragboardd",
]
# One to a line; what has no value is a flag, and has no variable.
OPTION = re.compile(r"^  (--[a-z-]+)(?: (\S+))? {2,}(.*)", re.MULTILINE)


def pages(program, system, date):
    """The page by its name."""
    shown = subprocess.run([program, "--help"], check=True, capture_output=True, text=True).stdout
    blocks = shown.rstrip("\n").split("\n\n")
    usage, description = blocks[0], blocks[1].replace("\n", " ")
    configuration, codes = (block.replace("\n", " ") for block in blocks[-2:])
    options = OPTION.findall(shown)
    entries = [(mdoc.option(name) + (f" Ar {value.lower()}" if value else ""), words[0].upper() + words[1:] + ".")
               for name, value, words in options]
    entries.append(("Fl \\-help , Fl \\-version", "Show the help or the version, and exit."))
    variables = [(f"Ev {variable(name)}", f"As {name}.") for name, value, _ in options if value]
    sections = [
        mdoc.section("SYNOPSIS", ".Nm", ".Op Fl \\-option Ar value ..."),
        mdoc.section("DESCRIPTION", mdoc.text(description), *mdoc.tagged(entries),
                     ".Pp", mdoc.text(configuration)),
        mdoc.section("ENVIRONMENT", *mdoc.tagged(
            variables + [(f"Ev {name}", words) for name, words in FOLDERS])),
        mdoc.section("FILES", *mdoc.tagged((f"Pa {mdoc.literal(path)}", words)
                                           for path, words in FILES)),
        mdoc.section("EXIT STATUS", *exit_status(codes)),
        mdoc.section("EXAMPLES", *mdoc.display(EXAMPLES)),
        mdoc.section("SEE ALSO", *mdoc.references(
            [("dbus-daemon", 1), ("dragboard", 1), ("systemd.unit", 5)])),
    ]
    title = description.split(", as ")[0]
    assert usage.startswith("usage: dragboardd ")
    return {"dragboardd": mdoc.page("dragboardd", title[0].lower() + title[1:], system, date,
                                    sections)}


def variable(option):
    """The environment variable that stands for an option."""
    return "DRAGBOARD_" + option[2:].replace("-", "_").upper()
