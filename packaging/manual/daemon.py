"""The page of `dragboardd`, from its help."""

import re
import subprocess

import mdoc
from command import exit_status

FILES = [
    ("~/.local/share/dragboard", "The boards, unless --data or XDG_DATA_HOME sets another directory."),
    ("~/.config/dragboard/config.toml", "The configuration, unless XDG_CONFIG_HOME sets another directory."),
]
FOLDERS = [
    ("DBUS_SESSION_BUS_ADDRESS", "The address of the bus, unless --address is given."),
    ("XDG_CONFIG_HOME", "The directory that contains dragboard/config.toml."),
    ("XDG_DATA_HOME", "The directory that contains dragboard/, the directory of the boards."),
]
EXAMPLES = [
    "  dragboardd --max-rows 5000 &",
    "  DRAGBOARD_LOAD_TIMEOUT=60 dragboardd",
    "  dragboardd --data /srv/boards --address unix:path=/run/shared/bus",
    "  journalctl --user --unit dragboardd",
]
# A line of the help with an option. An option without a value is a flag, and has no variable.
OPTION = re.compile(r"^  (--[a-z-]+)(?: (\S+))? {2,}(.*)", re.MULTILINE)


def pages(program, system, date):
    """Returns the page by its name."""
    shown = subprocess.run([program, "--help"], check=True, capture_output=True, text=True).stdout
    blocks = shown.rstrip("\n").split("\n\n")
    usage, description = blocks[0], blocks[1].replace("\n", " ")
    configuration, codes = (block.replace("\n", " ") for block in blocks[-2:])
    options = OPTION.findall(shown)
    entries = [(mdoc.option(name) + (f" Ar {value.lower()}" if value else ""), words[0].upper() + words[1:] + ".")
               for name, value, words in options]
    entries.append(("Fl \\-help , Fl \\-version", "Show the help or the version, and exit."))
    variables = [(f"Ev {variable(name)}", f"The same as {name}.") for name, value, _ in options if value]
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
    """Returns the environment variable for an option."""
    return "DRAGBOARD_" + option[2:].replace("-", "_").upper()
