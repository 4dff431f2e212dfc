"""Lines of IRC, read and written; bytes that are no UTF-8 are taken for Latin-1."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from irctokens.line import build, tokenise

LONGEST = 16 * 1024
"""The most octets of a line that are read: tags may have 8,191, and the rest 512."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line: its command in capitals, its parameters, its source (nick!user@host), its tags."""

    command: str
    parameters: tuple[str, ...] = ()
    source: str = ""
    tags: Mapping[str, str] = field(default_factory=dict)

    @property
    def nick(self) -> str:
        """Return the nick of its source, or the name of a server."""
        return self.source.partition("!")[0]

    def word(self, number: int) -> str:
        """Return a parameter, counted from 0, or from the last one as -1; "" if there is none."""
        try:
            return self.parameters[number]
        except IndexError:
            return ""


def read(raw: bytes) -> Line:
    """Return what a line says. Raises ValueError."""
    try:
        found = tokenise(raw)
    except (IndexError, ValueError) as error:  # it expects a command in each line
        raise ValueError(f"this is no line of IRC: {raw[:80]!r}") from error
    return Line(found.command, tuple(found.params), found.source or "", found.tags or {})


def written(command: str, *parameters: str) -> bytes:
    """Return a line as it is sent. Raises ValueError for what would end it, or begin another."""
    if any(set(one) & {"\r", "\n", "\x00"} for one in parameters):
        raise ValueError(f"{command} with a line end")
    return build(command, list(parameters)).format().encode() + b"\r\n"


class Lines:
    """Cuts what comes from a server into lines; one that is too long is left out."""

    def __init__(self) -> None:
        self._rest, self._too_long = b"", False

    def cut(self, data: bytes) -> Iterator[bytes]:
        """Yield the lines that end in this data, without their ends; none is blank."""
        *whole, self._rest = (self._rest + data).split(b"\n")
        for line in whole:
            if not self._too_long and len(line) <= LONGEST and line.strip():
                yield line.rstrip(b"\r")
            self._too_long = False
        if len(self._rest) > LONGEST:
            self._rest, self._too_long = b"", True
