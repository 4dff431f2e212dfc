"""Letters written at the terminal: those of one pilot, or of all players of one game."""

import re
import sys
from collections.abc import Sequence
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread
from time import monotonic, sleep

from engine.registry import RULESETS
from pbem.demo.duel import close, numbers, plainly
from pbem.demo.environment import Actor, Environment, play_until, set_up
from pbem.demo.letter import ShownLetter
from pbem.demo.mail_program import Mailer
from pbem.demo.players import (
    BEGINS,
    BJORN,
    CHALLENGED,
    CONFIRM,
    ENLISTED,
    FILED,
    PAUSE,
    WELCOME,
    Role,
)

_QUIET = 1.0
_ANSWER = 15.0
_LOOK = 0.5
"""How often is looked for letters while nothing is typed, in seconds."""

PERSON = Role("You", "you@home.example", False, "", ())
_NAMES = ("Ann", "Bob", "Cleo", "Dan", "Eve", "Finn", "Gwen", "Hugo")
_PLAYERS = [
    Role(
        name,
        f"{name.lower()}@home.example",
        False,
        f"JOIN {name}",
        ((CONFIRM, ("yes",)), (CHALLENGED, ("ACCEPT 1",))),
    )
    for name in _NAMES
]

_GREETING = """
You have a mail program, and the league's referee has an address. Your opponent is a scripted
player: Kestrel, of the alliance. Begin with a letter such as

  JOIN Your Name

The letters that come back say how to go on: enlist a pilot of another side, CHALLENGE Kestrel,
and send orders. A line with a single . sends your letter; an empty letter is one too. The end
of input (Ctrl-D) leaves.
"""
_ALL_ARE_YOU = """
You write for {players}, each with a mail program of their own. A line with a single . sends a
letter; the end of input (Ctrl-D) leaves. A first line such as AS {last} chooses who writes.
"""


@plainly
def play(out: Path) -> int:
    """Let a person write one side's letters, against a scripted pilot."""
    with set_up(out, PERSON, BJORN) as (demo, (person, other)):
        opponent = Actor(demo, other, BJORN)
        opponent.open()
        play_until(demo, [opponent], lambda: opponent.has_heard(ENLISTED))
        print(_GREETING)
        _converse(_Table(demo, [person], [opponent]))
    return 0


@plainly
def play_all(out: Path, system: str) -> int:
    """Let a person write the letters of all players of a game of some system."""
    match = RULESETS[system].match
    parts = _PLAYERS[: match.fewest if match is not None else 2]
    with set_up(out, *parts, system=system) as (demo, mailers):
        actors = [Actor(demo, *one) for one in zip(mailers, parts, strict=True)]
        _join(demo, actors)
        if match is not None:
            others = ", ".join(mailer.name for mailer in mailers[1:])
            demo.say(mailers[0], f"CHALLENGE {others} AT {system}", actors[0].heard[-1])
            play_until(demo, actors, lambda: all(one.has_heard(BEGINS) for one in actors))
        names = [mailer.name for mailer in mailers]
        print(_ALL_ARE_YOU.format(players=", ".join(names), last=names[-1]))
        table = _Table(demo, mailers, [])
        for mailer, actor in zip(mailers, actors, strict=True):
            table.show(mailer, actor.heard[-1])
        _converse(table)
    return 0


def _join(demo: Environment, actors: Sequence[Actor]) -> None:
    for actor in actors:
        actor.open()
    play_until(demo, actors, lambda: all(one.has_heard(WELCOME) for one in actors))


class _Table:
    """The people whose letters are written at the terminal, and the others who answer them."""

    def __init__(
        self, demo: Environment, people: Sequence[Mailer], others: Sequence[Actor]
    ) -> None:
        self.demo, self.people, self._others = demo, people, others
        self._latest: dict[Mailer, ShownLetter] = {}
        self._owing: list[Mailer] = []

    def show(self, mailer: Mailer, letter: ShownLetter) -> None:
        """Print a letter that came; one that asks for orders makes it its reader's turn."""
        self._latest[mailer] = letter
        # Taken out first, so that who is asked again comes after those who still owe orders.
        if re.search(f"{PAUSE}|{FILED}", letter.subject) and mailer in self._owing:
            self._owing.remove(mailer)
        if re.search(PAUSE, letter.subject):
            self._owing.append(mailer)
        head = f"TO {mailer.name.upper()}: {letter.subject}\n\n" if self.people[1:] else ""
        print(f"\n{head}{letter.text}\n{'=' * 72}", flush=True)

    @property
    def writer(self) -> Mailer:
        """Return who writes next: of those who owe orders the first to have been asked."""
        return next(iter(self._owing), self.people[0])

    def send(self, text: str) -> None:
        """Send what was typed as a reply to its writer's latest letter."""
        writer, text = self._signed(text)
        self.demo.say(writer, text, self._latest.get(writer))

    def _signed(self, text: str) -> tuple[Mailer, str]:
        """Return who writes a letter, and the letter without the line that says so."""
        first, _, rest = text.partition("\n")
        for mailer in self.people:
            if first.strip().lower() == f"as {mailer.name.lower()}":
                return mailer, rest
        return self.writer, text

    def hear(self) -> bool:
        """Show the letters that came, and let the others answer; return whether any came."""
        self.demo.league.check()
        heard = [(mailer, letter) for mailer in self.people for letter in self.demo.hear(mailer)]
        for mailer, letter in heard:
            self.show(mailer, letter)
        # Not any(), which would stop at the first who has mail.
        return sum(other.attend() for other in self._others) > 0 or bool(heard)


def _converse(table: _Table) -> None:
    """Send what the person types, and show what comes, until the input ends."""
    began, typed, more = monotonic(), _Typed(), True
    while more:
        whose = f", as {table.writer.name}" if table.people[1:] else ""
        print(f"Your letter{whose}:", flush=True)
        text, more = typed.letter(table)
        # An empty letter counts as well, but not at the end of the input.
        if text or more:
            table.send(text)
            _listen(table)
    close(table.demo.archive, [numbers(table.demo.archive, monotonic() - began)])


class _Typed:
    """The lines that the person types, read in a thread, so that letters are shown meanwhile."""

    def __init__(self) -> None:
        self._lines: SimpleQueue[str | None] = SimpleQueue()
        Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        for line in sys.stdin:
            self._lines.put(line)
        self._lines.put(None)

    def letter(self, table: _Table) -> tuple[str, bool]:
        """Return lines up to a single dot, and whether there may be more."""
        lines: list[str] = []
        while True:
            try:
                line = self._lines.get(timeout=_LOOK)
            except Empty:
                table.hear()
                continue
            if line is None:
                return "\n".join(lines).strip(), False
            if line.strip() == ".":
                return "\n".join(lines), True
            lines.append(line.rstrip("\r\n"))


def _listen(table: _Table) -> None:
    """Wait for an answer, and then until no more letters come."""
    until = monotonic() + _ANSWER
    while monotonic() < until:
        if table.hear():
            until = monotonic() + _QUIET
        sleep(0.05)
