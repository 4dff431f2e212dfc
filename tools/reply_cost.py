"""`python -m tools.reply_cost`: what one reply with one order costs, in calls and files.

`python -m tools.reply_cost ordinary` takes a letter with a greeting, two orders, a sentence and a
name instead.

A league with two duels is set up in a folder of its own. A first reply warms up caches and
templates; the second is traced, from the raw letter that is kept to the answer that is queued. The
other side of its duel has not ordered yet, so the answer is an acknowledgement.

Counted are calls of functions, methods and lambdas that are written in Python. A generator counts
once, however often it is resumed, and comprehensions do not count, because newer Pythons make no
call for them. Functions in C are not counted. A file counts if at least one of its functions ran.
"""

import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from types import CodeType, FrameType

from peewee import fn

from benchmarks.sample_league import BEGIN, League, settings
from pbem.storage import Outgoing

_ROOT = Path(__file__).parents[1]
_OURS = ("engine", "pbem")
_ORDINARY = "Hello,\n\nTARGET\nFIRE\n\nHawk waits for his moment in the dark.\n\nAnn"
_COMPREHENSIONS = {"<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>"}


@dataclass(frozen=True, slots=True)
class Trace:
    """How often each function ran while a letter was answered."""

    calls: Counter[CodeType]

    @property
    def ours(self) -> Counter[CodeType]:
        """The calls of functions in our own files, `engine` and `pbem`."""
        return Counter({code: n for code, n in self.calls.items() if _place(code) in _OURS})

    @property
    def files(self) -> Counter[str]:
        """The calls in each of our own files, by its path from the repository's root."""
        found: Counter[str] = Counter()
        for code, count in self.ours.items():
            found[str(Path(code.co_filename).relative_to(_ROOT))] += count
        return found

    @property
    def places(self) -> Counter[str]:
        """The calls in each package: ours, libraries, `templates`, and Python's own."""
        found: Counter[str] = Counter()
        for code, count in self.calls.items():
            found[_place(code)] += count
        return found


def _place(code: CodeType) -> str:
    """Return the package that a function belongs to."""
    file = Path(code.co_filename)
    if "site-packages" in file.parts:
        return file.parts[file.parts.index("site-packages") + 1]
    if file.suffix == ".j2":
        return "templates"
    return file.relative_to(_ROOT).parts[0] if file.is_relative_to(_ROOT) else "Python"


@contextmanager
def _traced(calls: Counter[CodeType]) -> Iterator[None]:
    """Count the functions that are entered while the block runs."""
    # A generator that is resumed has the frame of its first call. All are kept until the end, so
    # that no frame gets the id of an earlier one.
    entered: dict[int, FrameType] = {}

    def count(frame: FrameType, event: str, _: object) -> None:
        if event == "call" and id(frame) not in entered:
            entered[id(frame)] = frame
            if frame.f_code.co_name not in _COMPREHENSIONS:
                calls[frame.f_code] += 1

    sys.setprofile(count)
    try:
        yield
    finally:
        sys.setprofile(None)


def trace(webmail: bool = False, text: str = "TARGET") -> Trace:
    """Set up a league, answer one reply to warm up, and return the trace of the second.

    A letter from a `webmail` program has an HTML form too, which is read and compared.
    """
    with TemporaryDirectory() as folder, closing(League(settings(Path(folder)))) as league:
        pairs = league.pair(2)
        league.challenge(pairs)
        warm, cold = (next(one for one in pair if one.player.webmail == webmail) for pair in pairs)
        league.take([league.reply(warm, text)])
        letter, store = league.reply(cold, text), league.service.ports.store
        calls: Counter[CodeType] = Counter()
        before = store.scalar(Outgoing.select(fn.MAX(Outgoing.id)))
        with _traced(calls):
            league.keep([letter])
            league.service.round(BEGIN).answer_all()
        [answer] = store.all(Outgoing.select().where(Outgoing.id > before))
        if answer.kind != "ack":
            raise RuntimeError(f"the answer is of the kind {answer.kind}")
    return Trace(calls)


def main() -> int:
    """Print the figures; `functions` adds each function of ours, `webmail` takes such a letter."""
    text = _ORDINARY if "ordinary" in sys.argv[1:] else "TARGET"
    found = trace("webmail" in sys.argv[1:], text)
    ours, files = found.ours, found.files
    print(f"{found.calls.total()} calls in all")
    print(f"{ours.total()} calls of {len(ours)} functions in {len(files)} files of our own\n")
    for file, calls in files.most_common():
        print(f"{calls:6} {file}")
        if "functions" in sys.argv[1:]:
            of_it = [(n, code) for code, n in ours.items() if code.co_filename.endswith(file)]
            for n, code in sorted(of_it, key=lambda one: -one[0]):
                print(f"{n:14} {code.co_qualname}")
    print("\nand elsewhere")
    for place, calls in found.places.most_common():
        if place not in _OURS:
            print(f"{calls:6} {place}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
