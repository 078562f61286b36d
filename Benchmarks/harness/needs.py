"""The needs of a group on the machine. If they are not met, the group is left out, and the table states the reason."""

import shutil
import tempfile


class Missing(Exception):
    """Something that the machine does not have."""


def require(*programs):
    for program in programs:
        if not shutil.which(program):
            raise Missing(f"{program} is not installed")


def require_space(size):
    """Requires free bytes on the disk with the homes of the buses."""
    directory = tempfile.gettempdir()
    if shutil.disk_usage(directory).free < size:
        raise Missing(f"{directory} has less than {size / 1e9:.1f} GB of free space; set TMPDIR to another directory")
