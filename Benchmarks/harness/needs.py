"""What a group needs of the machine; one whose needs are not met is left out, and the table says why."""

import shutil
import tempfile


class Missing(Exception):
    """Something that the machine does not have."""


def require(*programs):
    for program in programs:
        if not shutil.which(program):
            raise Missing(f"{program} is not installed")


def require_space(size):
    """So many bytes free where homes are."""
    directory = tempfile.gettempdir()
    if shutil.disk_usage(directory).free < size:
        raise Missing(f"{directory} has not {size / 1e9:.1f} GB free; TMPDIR names another directory")
