"""An SMTP server that accepts letters as fast as they come, or refuses them when set to."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.servers.daemon import (
    LOOPBACK,
    Address,
    Daemon,
    free_address,
    open_folder,
    program,
    written,
)


@dataclass(frozen=True, slots=True)
class Sink:
    """A running sink, and the folder that it keeps letters in."""

    address: Address
    folder: Path

    def letters(self) -> list[bytes]:
        """Return the letters received, oldest first, under headers of the sink's own."""
        kept = sorted(self.folder.iterdir(), key=lambda letter: letter.stat().st_mtime_ns)
        return [letter.read_bytes() for letter in kept]


@contextmanager
def smtp_sink(*options: str, port: int | None = None, keep: bool = True) -> Iterator[Sink]:
    """Run Postfix's smtp-sink: `-r data` answers 4xx, `-f rcpt -B "552 5.2.2 Full"` refuses."""
    address = (LOOPBACK, port) if port else free_address()
    with open_folder() as folder:
        letters = folder / "letters"
        letters.mkdir()
        if os.geteuid() == 0:
            shutil.chown(letters, "nobody")
            options = ("-u", "nobody", *options)
        if keep:
            options = ("-d", f"{letters}/", *options)
        command = [program("smtp-sink") or "smtp-sink", *options, written(address), "100"]
        with Daemon(command, {address: b"220"}, folder / "log").running():
            yield Sink(address, letters)
