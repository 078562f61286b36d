"""The pages of `dragboard`, from what the command says of itself."""

import json
import re
import subprocess

import mdoc

VARIABLES = [
    ("COLUMNS", "How wide tables are where the terminal does not say."),
    ("DBUS_SESSION_BUS_ADDRESS", "The bus to use where --address does not say."),
    ("NO_COLOR", "Anything but an empty text switches colours off."),
]
EDITOR = [
    ("TMPDIR", "Where the file lies that is edited; /tmp where it is not set."),
    ("VISUAL , EDITOR", "The editor, as a shell takes it; vi where neither is set."),
]


class Command:
    """A subcommand, or the command itself, as `--experimental-dump-help` tells of it."""

    def __init__(self, told):
        self.names = [*told.get("superCommands", []), told["commandName"]]
        self.aliases = told.get("aliases", [])
        self.abstract = told["abstract"]
        self.arguments = [each for each in told.get("arguments", []) if each["shouldDisplay"]]
        self.default = told.get("defaultSubcommand")
        blocks = told.get("discussion", "").split("\n\n")
        self.examples = [line for block in blocks if block.startswith("EXAMPLES:")
                         for line in block.split("\n")[1:]]
        self.exit_codes = [block for block in blocks if block.startswith("Exit codes: ")]
        self.discussion = [block for block in blocks
                           if block and not re.match("EXAMPLES:|Exit codes: ", block)]
        self.subcommands = [Command(each) for each in told.get("subcommands", [])
                            if each["shouldDisplay"] and each["commandName"] != "help"]

    @property
    def page_name(self):
        return "-".join(self.names)

    def synopsis(self):
        """The command line, an argument to a line."""
        lines = [f".Nm {mdoc.word(' '.join(self.names))}"]
        if self.subcommands:
            return [*lines, ".Ar subcommand", ".Op Ar argument ..."]
        return lines + [synopsis(argument) for argument in self.arguments
                        if name(argument) not in ("--help", "--version")]

    def options(self):
        """Arguments and options with what each is for."""
        return mdoc.tagged((term(argument), meaning(argument)) for argument in self.arguments)


def name(argument):
    """The name of an option, with its hyphens; None for an argument without."""
    preferred = argument.get("preferredName")
    return preferred and ("-" if preferred["kind"] == "short" else "--") + preferred["name"]


def values(argument):
    """What stands for an option's value."""
    return f" Ar {argument['valueName']}" if argument["kind"] == "option" else ""


def synopsis(argument):
    """An argument of a command line: optional in brackets, with dots where it can be repeated."""
    shown = (f"Ar {argument['valueName']}" if argument["kind"] == "positional"
             else mdoc.option(name(argument)) + values(argument))
    shown += " ..." if argument["isRepeating"] else ""
    return f".Op {shown}" if argument["isOptional"] else f".{shown}"


def term(argument):
    """An argument as the head of a list's entry, with all its names."""
    if argument["kind"] == "positional":
        return f"Ar {argument['valueName']}"
    names = sorted(argument["names"], key=lambda each: each["kind"] != "short")
    return " , ".join(mdoc.option(("-" if each["kind"] == "short" else "--") + each["name"])
                      for each in names) + values(argument)


def meaning(argument):
    """What an argument is for, with its values, and its value where none is given."""
    notes = []
    if argument.get("allValues") and argument["kind"] != "flag":
        notes.append("one of " + ", ".join(argument["allValues"]))
    if argument.get("defaultValue") and argument["kind"] != "flag":
        notes.append(f"{argument['defaultValue']} where it is not given")
    words = argument.get("abstract", "")
    return words + (f" ({'; '.join(notes)})" if notes else "")


def exit_status(words):
    """`Exit codes: 0 done; 64 wrong usage.` as a list; words in front of no number come last."""
    entries = words.removeprefix("Exit codes: ").rstrip(".").split("; ")
    numbered = [re.match(r"(\d+) (.*)", entry, re.DOTALL) for entry in entries]
    return mdoc.tagged((f"Li {entry[1]}", entry[2].replace("\n", " ")) for entry in numbered)


def environment(command):
    """The variables that the command heeds."""
    told = [*command.discussion, *(meaning(each) for each in command.arguments)]
    editor = EDITOR if any("$EDITOR" in words for words in told) else []
    return mdoc.tagged((f"Ev {variable}", words) for variable, words in VARIABLES + editor)


def subcommand_pages(command):
    """What is said of the subcommands: a line each on the command's own page, all of it on that of a subcommand."""
    if len(command.names) == 1:
        return mdoc.tagged((f"Xr {each.page_name} 1", each.abstract) for each in command.subcommands)
    lines = []
    for each in command.subcommands:
        also = [f"Also {alias}." for alias in each.aliases]
        also += ["What is meant without a subcommand."] if each.names[-1] == command.default else []
        lines += [f".Ss {' '.join(each.names)}", *each.synopsis(), ".Pp",
                  *mdoc.paragraphs([" ".join([each.abstract, *also]), *each.discussion]),
                  *each.options()]
    return lines


def page(command, root, system, date):
    """The page of a command or subcommand."""
    description = [command.abstract, *command.discussion]
    if command.aliases:
        description.append(f"Can be written {' and '.join(command.aliases)}, too.")
    siblings = root.subcommands if command is root else []
    also = sorted({("dragboard", 1), ("dragboardd", 1), *((each.page_name, 1) for each in siblings)}
                  - {(command.page_name, 1)})
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
    """Every page by its name."""
    dump = subprocess.run([program, "--experimental-dump-help"], check=True, capture_output=True)
    root = Command(json.loads(dump.stdout)["command"])
    return {each.page_name: page(each, root, system, date) for each in [root, *root.subcommands]}
