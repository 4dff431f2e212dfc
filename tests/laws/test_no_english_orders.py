"""No English word of an order stands in a German letter, but in players' own words.

German games of all systems are played, and every order and condition is mistyped once.
"""

import re
from collections.abc import Iterable, Iterator
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from pathlib import Path
from typing import cast

import pytest

from benchmarks.letters import HAND, KINDS, STANDING, fight
from engine.registry import RULESETS
from pbem.handlers.pages.topic_pages import TOPICS
from pbem.i18n.message_catalogue import read
from pbem.routing import find_league_order
from tests.support.each_system import SYSTEMS, first_reports
from tests.support.english_words import order_words, shown
from tests.support.harness import open_league
from tools.messages import LOCALE, entries

GERMAN = "de"
PLAYED = [(name, HAND) for name in KINDS if "eight" not in name and "four ch" not in name]
PLAYED += [(name, STANDING) for name in KINDS]
A_LETTER = 12
"""How many lines a letter asks for, each in a paragraph of its own."""


def html(letter: EmailMessage) -> str:
    body = letter.get_body(("html",))
    assert body is not None
    return str(body.get_content())


def leaks(letter: EmailMessage, own: str = "") -> list[str]:
    return shown(html(letter), GERMAN, own)


@pytest.mark.parametrize(("name", "way"), PLAYED)
def test_battles(tmp_path: Path, name: str, way: str) -> None:
    for member in fight(tmp_path, KINDS[name], 1, way, GERMAN):
        assert member.has("final")
        for row in member.received:
            letter = cast(EmailMessage, message_from_bytes(row.content, policy=default))
            assert leaks(letter) == [], (row.kind, letter["Subject"])


def mistyped(line: str) -> str:
    """Return a line whose longest word lacks a letter."""
    longest = max(re.findall(r"\w+", line), key=len)
    return line.replace(longest, longest[:-2] + longest[-1:], 1)


def battle_lines(system: str) -> Iterator[str]:
    """Yield each order and each condition of a system in German, right, alone and mistyped."""
    german = RULESETS[system].translations[GERMAN]
    orders = [words[0] for words in german.commands.values()]
    for order in orders:
        yield from (order, f"{order} Kites", f"{order} {order}", mistyped(order))
    for words in german.things.values():
        yield f"WENN {words[0]}: {orders[0]}"
        yield f"WENN {mistyped(words[0])}: {orders[0]}"


def league_lines(system: str) -> Iterator[str]:
    """Yield each example of a league order in German, right and mistyped, and all topics."""
    words = read((LOCALE,), GERMAN)
    for order in find_league_order.ORDERS:
        example = words.message(order.example)
        yield from (example, mistyped(example), mistyped(example.split(" ")[0]))
    for topic in TOPICS:
        yield f"HILFE {words.word(topic)}"
    for own in RULESETS[system].translations[GERMAN].league.get("RULES", {}).values():
        yield f"REGELN {system} {own[0]}"
    yield from ("BERICHT 1", "CHRONIK 1", "KARTE 1", "STATUS", "PARTIEN", "RANGLISTE")
    yield from (f"VORSCHAU\nDAUERBEFEHLE {preset}" for preset in ("solide", "mutig", "vorsichtig"))


LEAVING = ("LIGA", "ADRESSE", "NEUER", "SPRACHE", "ENTLASSEN", "JA", "POST", "FORMAT", "ERGEBEN")
"""What begins a line after which the next ones would be read otherwise."""


def asked(lines: Iterable[str]) -> Iterator[str]:
    """Yield letters with some of the lines in each."""
    kept = [one for one in dict.fromkeys(lines) if not one.startswith(LEAVING)]
    for at in range(0, len(kept), A_LETTER):
        yield "\n\n".join(kept[at : at + A_LETTER])


@pytest.mark.parametrize("lines", [battle_lines, league_lines])
@pytest.mark.parametrize("system", SYSTEMS)
def test_answers(tmp_path: Path, system: str, lines: type[Iterator[str]]) -> None:
    with open_league(tmp_path, language=GERMAN, systems=(system,)) as league:
        ann, _ = first_reports(league, system, GERMAN)
        report = ann.last_about("[G1-T1")
        for text in asked(lines(system)):
            league.later(1)
            ann.reply(text, report)
            for letter in ann.new():
                assert leaks(letter, text) == []


def test_sentences_of_the_program() -> None:
    ours = [e for _, e in entries(GERMAN) if any(name.endswith(".py") for name, _ in e.locations)]
    for entry in ours:
        words = re.findall(r"\b[^\W\d_]{3,}\b", re.sub(r"\{.*?\}", " ", str(entry.string)))
        assert [one for one in words if one.isupper() and one in order_words(GERMAN)] == []
