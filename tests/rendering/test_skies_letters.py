"""Letters of a Black Skies battle: complete in words, read by a person, and no line an order."""

import re
from functools import cache, partial
from typing import Any

import pytest

from engine.blackskies import legal
from engine.blackskies.rules import BLACKSKIES
from engine.codec import plain
from engine.dice import SeededDice
from engine.play import bot_flyer, play_on, seen
from engine.preview.effects import tried
from engine.seats import Seat
from pbem.games.offered_orders import Offered
from pbem.games.reports.battle_account import passages, reported
from pbem.games.reports.opening import opening, tale
from pbem.games.reports.seat_facts import barred_of
from tests.rendering.test_letter_templates import PRESS
from tests.support.letter_samples import REPLY, Duel
from tests.support.snapshot import matches

ONE = 50
"""After more turns than these a letter tells all of them."""
VULTURES = Seat("Vultures")
_MUSTER = (
    "Vultures WITH Red: 2 Black Tiger SKILL 2 1; Gold: 1 Nightjar SKILL 3",
    "Hawks WITH Blue: 2 Grey Fox SKILL 2; Grey: 1 Porcupine SKILL 2",
)


@cache
def battle(most: int) -> tuple[Any, list[Any]]:
    """A battle of two squadrons after some turns, and the events of each."""
    campaign = BLACKSKIES.campaign
    assert campaign is not None
    one, other = map(campaign.enlist, _MUSTER)
    state, told = BLACKSKIES.setup(campaign.melee((one,), (other,), "Hawks")), []
    dice, whims = (SeededDice(use, "G12", 0, b"") for use in (b"dice", b"whims"))
    flyers = {s: bot_flyer(BLACKSKIES, "sound", s, whims) for s in BLACKSKIES.seats(state)}
    for turn in play_on(BLACKSKIES, state, flyers, dice):
        state = turn.state
        told.append(turn.events)
        if len(told) == most:
            break
    return state, told


def step(number: int, events: Any, seat: Seat | None) -> dict[str, Any]:
    """A step in a report's form."""
    shown = [plain(event) for event in seen(BLACKSKIES, events, seat)]
    blank = {
        "seat": "",
        "order": "",
        "source": "",
        "passed": [],
        "alike": "",
        "struck": [],
        "words": {},
        "proxied": [],
        "rolls": [],
    }
    return {
        "n": number,
        "undo": None,
        "ended": None,
        "void": False,
        "events": shown,
        "digest": "",
        **blank,
    }


def facts(most: int, seat: Seat) -> dict[str, Any]:
    """The facts of a report after some turns."""
    state, told = battle(most)
    over = BLACKSKIES.outcome(state)
    report = Duel().play(1).report("Hawk")
    shown = told if most > ONE else told[-1:]
    steps = [step(n, events, seat) for n, events in enumerate(shown, len(told) - len(shown))]
    view = BLACKSKIES.view(state, seat)
    gist = BLACKSKIES.telling.gist(state, [event for events in shown for event in events], seat)
    return report | {
        "game": {**report["game"], "title": BLACKSKIES.title},
        "player": {"name": "Anna"},
        "reply": REPLY,
        "pictures": [],
        "view": view,
        "steps": steps,
        "runs": [[one] for one in reported(BLACKSKIES, steps, view)],
        "refused": barred_of(BLACKSKIES, state, seat),
        "summary": {"happened": gist.happened, "stands": gist.stands, "shown": []},
        "earlier": None,
        "opening": opening(BLACKSKIES, state, seat, steps, None),
        "tale": tale(BLACKSKIES, steps, []),
        "plan": plan(state, seat),
        "passages": passages(BLACKSKIES, steps, []),
        "offers": [
            offered(state, seat, offer.order, offer.chance)
            for offer in BLACKSKIES.offers(state, seat)
        ],
        "sheet": {
            "queue": ["Red: BREAK LEFT"],
            "standing": ["IF CRIPPLED: Red: WITHDRAW"],
            "held": [],
            "nameless": [],
            "asking": "",
        },
        "silence": {"on_file": False, "forfeits": False, "orders": ["Red: STEADY", "Gold: STEADY"]},
        "asked": over is None,
        "awaiting": "",
        "waiting_for": [],
        "outcome": over and {"winner": over.winner, "drawn": over.drawn},
        "secret": "00" * 32,
        "persona": None,
        "changes": [],
        "heir": "",
        "bar": "",
        "foes_bar": "",
        "again": True,
    }


def offered(state: Any, seat: Seat, order: Any, chance: int | None) -> Offered:
    """An order as a report offers it."""
    trial = partial(tried, BLACKSKIES, state, seat, order)
    return Offered(BLACKSKIES.format(order), chance, trial, BLACKSKIES.why(state, seat, order))


def plan(state: Any, seat: Seat) -> list[Offered]:
    """A whole turn as a report suggests it."""
    dice, told = SeededDice(b"plan", "G12", 0, b""), []
    while seat in BLACKSKIES.to_act(state):
        order = BLACKSKIES.bots.choose["sound"](state, seat, dice)
        told.append(offered(state, seat, order, legal.chance(state, seat, order)))
        state, _ = BLACKSKIES.resolve(state, {seat: [order]}, dice)
    return told


LETTERS = {"skies-turn": ("turn", 2), "skies-final": ("final", 99)}


@pytest.mark.parametrize("name", LETTERS)
def test_letters_are_as_they_were_reviewed(name: str) -> None:
    kind, most = LETTERS[name]
    made = PRESS.page(kind, "blackskies", **facts(most, VULTURES))
    assert matches(f"letters/{name}.txt", f"Subject: {made.subject}\n\n{made.text}")
    assert max(map(len, made.text.splitlines())) <= 72


@pytest.mark.parametrize("name", LETTERS)
def test_german_letters_are_as_they_were_reviewed(name: str) -> None:
    kind, most = LETTERS[name]
    made = PRESS.page(kind, "blackskies", "de", **facts(most, VULTURES))
    assert matches(f"letters/de/{name}.txt", f"Subject: {made.subject}\n\n{made.text}")
    assert max(map(len, made.text.splitlines())) <= 72


def test_every_kind_of_event_has_its_words() -> None:
    text = PRESS.page("turn", "blackskies", **facts(2, VULTURES)).text
    assert "the first card is played by Hawks" in " ".join(text.split())
    for number in range(1, len(battle(99)[1]) + 1):
        assert PRESS.page("history", "blackskies", **facts(number, VULTURES), rulings=[]).text


def test_a_squadron_is_shown_on_its_sheet() -> None:
    campaign = BLACKSKIES.campaign
    assert campaign is not None
    sheet = campaign.sheet(campaign.enlist(_MUSTER[0]))
    final = facts(99, VULTURES) | {"persona": sheet}
    text = PRESS.page("final", "blackskies", **final).text
    assert f"worth {sheet['worth']} points" in " ".join(text.split())
    whole = {"sheet": sheet, "changes": [], "nomination": None, "spends": False}
    text = PRESS.page("career", "blackskies", **facts(99, VULTURES) | whole).text
    assert "2 and 1" in text


def test_a_fighter_that_is_called_after_its_squadron_names_it_once() -> None:
    situation = PRESS.letters("en").get_template("blackskies/situation.j2").module
    facts = {"team": "Kites", "design": "Gadfly", "fate": "active", "hull": 3, "full": 4}
    facts |= {"kills": 0}
    told = [situation.result({"name": name} | facts) for name in ("Kites Red 1", "Blue 1")]
    assert "Kites Red 1 (Gadfly) came through" in clear(told[0])
    assert "Blue 1 of Kites (Gadfly) came through" in clear(told[1])


def clear(told: str) -> str:
    """Return words without the marks of bold type."""
    return re.sub("[^ -~]|<[^>]*>", "", told)
