"""What templates were compiled to, kept between runs of the program, for it takes a while."""

import hashlib
import os
from contextlib import suppress
from functools import cache
from importlib.metadata import version
from pathlib import Path
from pickle import UnpicklingError

from jinja2.bccache import Bucket, FileSystemBytecodeCache

from pbem import words


class Compiled(FileSystemBytecodeCache):
    """Files of bytecode; those of other templates, or of another program, are written anew."""

    def get_source_checksum(self, source: str) -> str:
        """Give a checksum of a template and of the code that compiles it."""
        return super().get_source_checksum(_compiler() + source)

    def load_bytecode(self, bucket: Bucket) -> None:
        """Take what was compiled, unless it is damaged."""
        try:
            super().load_bytecode(bucket)
        except (OSError, EOFError, ValueError, TypeError, UnpicklingError):
            bucket.reset()

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep what was compiled, if there is room for it."""
        with suppress(OSError):
            super().dump_bytecode(bucket)


def make_room(folder: Path) -> None:
    """Make a folder for it, if that can be."""
    with suppress(OSError):
        folder.mkdir(mode=0o700, exist_ok=True)


def kept_in(folder: Path | None, what: str) -> Compiled | None:
    """Give what is kept in a folder for some templates; None where there is no such folder.

    A folder of anybody else's is left alone, since what stands in it is run.
    """
    ours = folder is not None and folder.is_dir() and folder.stat().st_uid == os.geteuid()
    return Compiled(str(folder), f"{what}-%s.cache") if ours else None


@cache
def _compiler() -> str:
    """Give a digest of all code that has a part in what templates become."""
    rooms = [Path(__file__).parent, Path(words.__file__).parent]
    files = sorted(file for room in rooms for file in room.glob("*.py"))
    code = [version("jinja2").encode(), *(file.read_bytes() for file in files)]
    return hashlib.sha256(b"".join(code)).hexdigest()
