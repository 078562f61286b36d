"""Writes the manual pages: python3 packaging/manual FOLDER-OF-PROGRAMS FOLDER-FOR-PAGES."""

import pathlib
import subprocess
import sys

import command
import daemon

# The date of the latest review of all pages.
DATE = "November 22, 2026"


def main(programs, folder):
    folder.mkdir(parents=True, exist_ok=True)
    version = subprocess.run([programs / "dragboard", "--version"], check=True,
                             capture_output=True, text=True).stdout.strip()
    system = f"Dragboard {version}"
    pages = {**command.pages(programs / "dragboard", system, DATE),
             **daemon.pages(programs / "dragboardd", system, DATE)}
    for name, page in pages.items():
        (folder / f"{name}.1").write_text(page, encoding="utf-8")


if __name__ == "__main__":
    arguments = sys.argv[1:]
    if "-h" in arguments or "--help" in arguments:
        print(__doc__)
        sys.exit()
    if len(arguments) != 2 or any(argument.startswith("-") for argument in arguments):
        print("usage: python3 packaging/manual FOLDER-OF-PROGRAMS FOLDER-FOR-PAGES", file=sys.stderr)
        sys.exit(64)
    main(*map(pathlib.Path, arguments))
