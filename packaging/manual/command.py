"""The pages of `dragboard` and its subcommands, from the command's own description."""

import json
import re
import subprocess

import mdoc

VARIABLES = [
    ("COLUMNS", "The width of tables, if the terminal does not report its width."),
    ("DBUS_SESSION_BUS_ADDRESS", "The address of the bus, unless --address is given."),
    ("DRAGBOARD_BOARD", "The board, unless --board is given; 'default' if it is not set."),
    ("NO_COLOR", "Any text except an empty one switches colours off."),
]
EDITOR = [
    ("TMPDIR", "The directory of the edited file; /tmp if it is not set."),
    ("VISUAL , EDITOR", "The editor, as a shell command; vi if neither is set."),
]


class Command:
    """The command or a subcommand, as `--experimental-dump-help` describes it."""

    def __init__(self, description):
        self.names = [*description.get("superCommands", []), description["commandName"]]
        self.aliases = description.get("aliases", [])
        self.abstract = description["abstract"]
        self.arguments = [each for each in description.get("arguments", []) if each["shouldDisplay"]]
        self.default = description.get("defaultSubcommand")
        blocks = description.get("discussion", "").split("\n\n")
        self.examples = [line for block in blocks if block.startswith("EXAMPLES:")
                         for line in block.split("\n")[1:]]
        self.exit_codes = [block for block in blocks if block.startswith("Exit codes: ")]
        self.discussion = [block for block in blocks
                           if block and not re.match("EXAMPLES:|Exit codes: ", block)]
        self.subcommands = [Command(each) for each in description.get("subcommands", [])
                            if each["shouldDisplay"] and each["commandName"] != "help"]

    @property
    def page_name(self):
        return "-".join(self.names)

    def synopsis(self):
        """Returns the lines of the command line, one for each argument."""
        lines = [f".Nm {mdoc.word(' '.join(self.names))}"]
        if self.subcommands:
            return [*lines, ".Ar subcommand", ".Op Ar argument ..."]
        return lines + [synopsis(argument) for argument in self.arguments
                        if name(argument) not in ("--help", "--version")]

    def options(self):
        """Returns the list of arguments and options, each with its meaning."""
        return mdoc.tagged((term(argument), meaning(argument)) for argument in self.arguments)


def name(argument):
    """Returns the name of an option, with its hyphens; None for an argument without a name."""
    preferred = argument.get("preferredName")
    return preferred and ("-" if preferred["kind"] == "short" else "--") + preferred["name"]


def values(argument):
    """Returns the placeholder of an option's value; "" for other arguments."""
    return f" Ar {argument['valueName']}" if argument["kind"] == "option" else ""


def synopsis(argument):
    """Returns an argument of the command line: in brackets if optional, with dots if repeatable."""
    shown = (f"Ar {argument['valueName']}" if argument["kind"] == "positional"
             else mdoc.option(name(argument)) + values(argument))
    shown += " ..." if argument["isRepeating"] else ""
    return f".Op {shown}" if argument["isOptional"] else f".{shown}"


def term(argument):
    """Returns the term of an argument in a list, with all its names."""
    if argument["kind"] == "positional":
        return f"Ar {argument['valueName']}"
    names = sorted(argument["names"], key=lambda each: each["kind"] != "short")
    return " , ".join(mdoc.option(("-" if each["kind"] == "short" else "--") + each["name"])
                      for each in names) + values(argument)


def meaning(argument):
    """Returns the meaning of an argument, with its possible values and its default."""
    notes = []
    if argument.get("allValues") and argument["kind"] != "flag":
        notes.append("one of " + ", ".join(argument["allValues"]))
    if argument.get("defaultValue") and argument["kind"] != "flag":
        notes.append(f"default: {argument['defaultValue']}")
    words = argument.get("abstract", "")
    return words + (f" ({'; '.join(notes)})" if notes else "")


def exit_status(words):
    """Returns the list of exit codes in a text such as `Exit codes: 0 done; 64 wrong usage.`"""
    entries = words.removeprefix("Exit codes: ").rstrip(".").split("; ")
    numbered = [re.match(r"(\d+) (.*)", entry, re.DOTALL) for entry in entries]
    return mdoc.tagged((f"Li {entry[1]}", entry[2].replace("\n", " ")) for entry in numbered)


def environment(command):
    """Returns the list of environment variables that the command reads."""
    texts = [*command.discussion, *(meaning(each) for each in command.arguments)]
    editor = EDITOR if any("$EDITOR" in words for words in texts) else []
    return mdoc.tagged((f"Ev {variable}", words) for variable, words in VARIABLES + editor)


def subcommand_pages(command):
    """Returns the description of the subcommands.

    The command's own page has one line for each of them; the page of a subcommand has everything.
    """
    if len(command.names) == 1:
        return mdoc.tagged((f"Xr {each.page_name} 1", each.abstract) for each in command.subcommands)
    lines = []
    for each in command.subcommands:
        also = [f"Alias: {alias}." for alias in each.aliases]
        also += ["This is the default subcommand."] if each.names[-1] == command.default else []
        lines += [f".Ss {' '.join(each.names)}", *each.synopsis(), ".Pp",
                  *mdoc.paragraphs([" ".join([each.abstract, *also]), *each.discussion]),
                  *each.options()]
    return lines


def page(command, root, system, date):
    """Returns the page of the command or of a subcommand."""
    description = [command.abstract, *command.discussion]
    if command.aliases:
        description.append(f"Aliases: {', '.join(command.aliases)}.")
    siblings = root.subcommands if command is root else []
    also = sorted({("dragboard", 1), ("dragboardd", 1), *((each.page_name, 1) for each in siblings)}
                  - {(command.page_name, 1)})
    if command.page_name in ("dragboard-clipboard", "dragboard-link"):
        also.append((command.page_name, 8))
    codes = [*command.exit_codes, *root.exit_codes][0]
    title = command.abstract[0].lower() + command.abstract[1:].rstrip(".")
    sections = [
        mdoc.section("SYNOPSIS", *command.synopsis()),
        mdoc.section("DESCRIPTION", *mdoc.paragraphs(description), *command.options()),
        mdoc.section("SUBCOMMANDS", *subcommand_pages(command)) if command.subcommands else [],
        mdoc.section("ENVIRONMENT", *environment(command)),
        mdoc.section("EXIT STATUS", *exit_status(codes)),
        mdoc.section("EXAMPLES", *mdoc.display(command.examples)),
        mdoc.section("SEE ALSO", *mdoc.references(also)),
    ]
    return mdoc.page(command.page_name, title, system, date, sections)


def pages(program, system, date):
    """Returns all pages by their names."""
    dump = subprocess.run([program, "--experimental-dump-help"], check=True, capture_output=True)
    root = Command(json.loads(dump.stdout)["command"])
    return {each.page_name: page(each, root, system, date) for each in [root, *root.subcommands]}
