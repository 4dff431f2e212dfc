"""Fifty machines without a mark answer each letter of ours for a week: at most one, or three."""

import html
from datetime import timedelta
from email.message import EmailMessage
from hashlib import sha256
from typing import Any

import pytest

from pbem.intake import read_letter
from pbem.storage import Block, Leave, Offer, Persona, Place, Player, Subscription
from tests.support.harness import League, Person, duel
from tests.support.players import REFEREE, parsed, plain
from tests.support.unmarked_machines import MACHINES, QUOTES, Machine

STEP = 7
"""Hours between one answer and the next."""


def answer_of(
    machine: Machine, sender: str, at: Any, number: int, quote: str, ours: bytes
) -> bytes:
    """Return what a machine writes to a letter of ours, b"" for none; `at` is the time."""
    told = parsed(ours) if ours else EmailMessage()
    facts = {
        "n": 4711 + 13 * number,
        "code": sha256(f"{machine.subject} {number}".encode()).hexdigest()[:10],
        "re": told["Subject"] or "hello",
        "date": at.strftime("%A, %d %B %Y %H:%M"),
    }
    letter = EmailMessage()
    letter["From"], letter["Subject"] = sender, machine.subject.format(**facts)
    letter["To"] = told["Reply-To"] or REFEREE
    letter["Message-ID"] = f"<{facts['code']}@machine.example>"
    if told["Message-ID"]:
        letter["In-Reply-To"] = told["Message-ID"]
    text, below = machine.text.format(**facts), plain(told) if ours else ""
    if quote == "in HTML":
        lines = "".join(f"<div>{html.escape(line)}</div>" for line in below.splitlines())
        letter.set_content(f"<p>{html.escape(text)}</p>{lines}", subtype="html")
        return bytes(letter)
    quoted = {
        "nothing": "",
        "marked": "Referee wrote:\n" + "".join(f"> {line}\n" for line in below.splitlines()),
        "bare": below,
        "without the marker": "\n".join(one for one in below.splitlines() if "##-" not in one),
        "as a copy": f"--- Your message ---\n\nSubject: {told['Subject']}\nTo: {sender}\n\n{below}",
    }
    letter.set_content(f"{text}\n\n{quoted[quote]}\n")
    return bytes(letter)


def books(league: League) -> list[Any]:
    """Return what an order could change."""
    store = league.store
    sheets = [
        (place.seat, place.sheet, place.answered)
        for place in store.all(Place.select().order_by(Place.id))
    ]
    players = [
        row.changed(heard=league.now) for row in store.all(Player.select().order_by(Player.id))
    ]
    models = (Persona, Offer, Leave, Subscription, Block)
    return [sheets, players, *([*store.each(model)] for model in models)]


def answers(league: League, machine: Machine, sender: str, quote: str, tokens: bool) -> int:
    """Return how many letters a machine gets in a week because it answers each of ours."""
    found, start, number = 0, league.now, 0
    while league.now - start < timedelta(days=7):
        ours = [raw for to, raw in league.post.letters if to == sender]
        raw = answer_of(machine, sender, league.now, number, quote, (ours or [b""])[-1])
        assert read_letter(raw).klass == "human", "it bears a mark"
        if not tokens:
            head = parsed(raw)
            raw = raw.replace(str(head["To"]).encode(), REFEREE.encode())
        before, sent = books(league), len(league.post.letters)
        league.drop(raw)
        league.work()
        league.send()
        assert books(league) == before
        assert league.last_letter().error == ""
        found += sum(to == sender for to, _ in league.post.letters[sent:])
        number += 1
        league.later(STEP)
        # What the league sends by itself, such as a report, is no answer.
        league.work()
        league.send()
    return found


@pytest.mark.parametrize("number", range(0, len(MACHINES), 3))
def test_fault_22_a_stranger_machine_gets_one_letter_a_week(league: League, number: int) -> None:
    sender, quote = f"{number}@office.example", QUOTES[number // 3 % len(QUOTES)]
    assert answers(league, MACHINES[number], sender, quote, True) <= 1


@pytest.fixture
def ann(league: League) -> Person:
    return duel(league)[0]


@pytest.mark.parametrize("number", range(len(MACHINES)))
def test_a_machine_at_a_players_address_gets_three_letters_a_week(
    league: League, ann: Person, number: int
) -> None:
    quote = QUOTES[number % len(QUOTES)]
    assert answers(league, MACHINES[number], ann.address, quote, number % 5 > 0) <= 3
