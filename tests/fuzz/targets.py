"""The targets: functions of any bytes that must not raise, each for one package."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from random import Random
from typing import Any

from engine import codec, registry
from engine.dice import SeededDice
from engine.laws.random_games import setup_of
from engine.orders.orders_on_file import Sheet, lines
from engine.orders.reading import read_for
from engine.ruleset import Near, Ruleset
from engine.seats import REFEREE, Seat
from pbem.intake import new_text, read_letter
from pbem.routing import find_league_order as league
from tests.laws.systems import SAMPLES
from tests.support.paths import DOCS, LETTERS

_LANGUAGES = ("en", "de")


def reading(raw: bytes) -> None:
    """A letter: whatever its bytes are, it can be read, and no text in it can make a header."""
    read = read_letter(raw)
    for line in (read.subject, read.display_name, read.reason, read.sender or ""):
        assert "\r" not in line
        assert "\n" not in line
    assert all("@" in address for address in (*read.recipients, *read.failed))
    assert new_text(read, [b"\n\nTARGET Kestrel 56 % says the report"], str.isupper) is not None


def orders(raw: bytes) -> None:
    """A player's text: it is read in every system and language, and reads back to the same."""
    text = raw.decode("utf-8", "replace")
    for name, rules in registry.RULESETS.items():
        state, seat = _begun(name)
        for language in _LANGUAGES:
            read_for(rules, state, seat, text, language)
            _reads_back(rules, text, language)
    for line in text.splitlines():
        for language in _LANGUAGES:
            found = league.find(line, language)
            assert found is None or isinstance(found, Near) or found[0].pattern


def _reads_back(rules: Ruleset[Any, Any], text: str, language: str) -> None:
    written = read_for(rules, None, None, text, language)
    assert read_for(rules, None, None, "\n".join(written.queue)).queue == written.queue
    if written.standing is not None and lines(written.standing):
        answer = "\n".join(["STANDING", *lines(written.standing), "END"])
        assert read_for(rules, None, None, answer).standing == written.standing


@cache
def _begun(name: str) -> tuple[Any, Seat]:
    """Return a battle of a system at its beginning, and one who fights in it."""
    rules = registry.RULESETS[name]
    drawn = SAMPLES[name].setup if name in SAMPLES else None
    # A game from outside is drawn by its own trials, or played by some names.
    chance = SeededDice(b"fuzz", name, 0, b"")
    state = rules.setup(setup_of(rules, chance) if drawn is None else drawn(Random(7)))
    return state, next(seat for seat in rules.seats(state) if seat != REFEREE)


def coded(raw: bytes) -> None:
    """A record's JSON: it is refused with ValueError, or written again as the same."""
    kinds: list[Any] = [Sheet]
    for rules in registry.RULESETS.values():
        kinds += [rules.state, list[rules.event]]  # type: ignore[name-defined]
    for as_type in kinds:
        with suppress(ValueError):
            record = codec.decode(raw, as_type)
            text = codec.encode(record)
            assert codec.encode(codec.decode(text, as_type)) == text


TARGETS: dict[str, Callable[[bytes], None]] = {
    "reading": reading,
    "orders": orders,
    "codec": coded,
}


def seeds(name: str) -> Iterator[bytes]:
    """Return the seeds of a target: valid inputs."""
    if name == "reading":
        for file in sorted(LETTERS.glob("*.eml")):
            yield file.read_bytes()
    elif name == "orders":
        for order in league.ORDERS:
            yield order.example.encode()
        for file in ("player.md", "player.de.md"):
            text = (DOCS / file).read_text("utf-8")
            yield from (block.encode() for block in text.split("```")[1::2])
    else:
        for system in registry.RULESETS:
            state = _begun(system)[0]
            yield codec.encode(state).encode()
        yield codec.encode(Sheet()).encode()
