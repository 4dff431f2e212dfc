"""What is told first: who is out of a battle, and what it or an order brings to a career."""

from email.message import EmailMessage
from pathlib import Path

import pytest

from pbem.people import personas
from pbem.storage import Entry
from tests.by_mail.test_what_next import (
    GROUPS,
    LANGUAGES,
    SQUADRONS,
    SQUADS,
    final,
    met,
    recorded,
)
from tests.support.harness import League, Person, duel, open_league, play_on
from tests.support.players import STANDING, plain


def opening(letter: EmailMessage) -> str:
    """Return the first paragraph of a letter below the line for replies, on one line."""
    return " ".join(plain(letter).replace("\r\n", "\n").split("\n\n")[1].split())


def begins(letter: EmailMessage, moment: str) -> bool:
    return moment in letter["Subject"] and moment in opening(letter)


@LANGUAGES
@pytest.mark.parametrize("system", ["starfarer", "cortex", "blackskies"])
def test_a_first_victory_begins_the_winners_letter(
    tmp_path: Path, system: str, language: str
) -> None:
    orders = {"starfarer": SQUADS, "cortex": GROUPS, "blackskies": SQUADRONS}[system]
    moment = {"en": "Ravens has a first victory", "de": "Der erste Sieg für Ravens"}[language]
    with open_league(tmp_path, systems=(system,)) as league:
        ann, bob = met(league, orders, language)
        bob.new()
        final(league, ann, "FORFEIT 1 Kites")
        assert begins(ann.letters[-1], moment)
        assert "first victory" not in plain(bob.new()[-1])


@LANGUAGES
@pytest.mark.league(systems=("blackskies",))
def test_a_second_victory_is_no_moment(league: League, language: str) -> None:
    ann, _ = met(league, SQUADRONS, language)
    recorded(league, "Ravens", wins=1)
    final(league, ann, "FORFEIT 1 Kites")
    assert not {"first victory", "erste Sieg"} & {*opening(ann.letters[-1]).split(". ")}
    assert "Ravens has" not in ann.letters[-1]["Subject"]


@LANGUAGES
def test_a_promotion_begins_the_last_letter(league: League, language: str) -> None:
    ann, bob = duel(league)
    for person in (ann, bob):
        person.ask(f"LANGUAGE {language}", person.last_about("Welcome"))
        person.reply(STANDING, person.last_about("[G1"))
    for name in ("Hawk", "Kestrel"):
        recorded(league, name, missions=3, kills=4)
    play_on(league, ann, bob)
    lost = {"en": "Kestrel has lost the ship. ", "de": "Kestrel hat das Schiff verloren. "}
    promoted = {"en": "Hawk is promoted to Ensign", "de": "Hawk ist befördert: Fähnrich"}
    kills = {"en": "Hawk has 5 kills now", "de": "Hawk hat jetzt 5 Abschüsse"}
    assert begins(ann.letters[-1], lost[language] + promoted[language])
    assert kills[language] in opening(ann.letters[-1])
    # Of another's career only what all can see stands there.
    assert lost[language] in opening(bob.letters[-1])
    assert "Hawk is" not in opening(bob.letters[-1])


@pytest.fixture
def rich(league: League, ann: Person) -> Person:
    """A player whose pilot Hawk has HP enough for a promotion."""
    ann.ask("ENLIST Hawk FOR cartel WEAPONS 12 PILOTING 12 SENSORS 12 SHIP Angela 313B")
    recorded(league, "Hawk", hp=60, hp_total=60)
    ann.ask("SHEET Hawk")
    return ann


REWARDS = {
    "en": {
        "trained": "Hawk has trained: Weapons +5",
        "upgraded": "The ship of Hawk is a Mark 2 now",
        "promoted": "Hawk is promoted to Ensign",
        "new_ship": "Hawk has a new ship, the Brandy 417A",
    },
    "de": {
        "trained": "Hawk hat geübt: Waffen +5",
        "upgraded": "Das Schiff von Hawk hat jetzt die Ausbaustufe 2",
        "promoted": "Hawk ist befördert: Fähnrich",
        "new_ship": "Hawk hat ein neues Schiff: Brandy 417A",
    },
}
"""What the answer to SPEND begins with, by the entry that the die brings."""


@LANGUAGES
def test_a_reward_begins_with_what_it_brings(league: League, rich: Person, language: str) -> None:
    rich.ask(f"LANGUAGE {language}")
    letter = rich.ask("SPEND 5 FOR Hawk ON weapons 5 / shields / Brandy 417A")
    row = personas.named(league.store, "Hawk")
    assert row is not None
    kind = league.store.all(Entry.select().where(Entry.persona == row.id).order_by(Entry.id))[
        -1
    ].kind
    assert begins(letter, REWARDS[language][kind])


def test_a_choice_and_a_farewell_begin_with_what_they_bring(league: League, rich: Person) -> None:
    recorded(league, "Hawk", owed={"what": "ship", "points": 0})
    assert "Hawk has a new ship, the Brandy 417A" in rich.ask("CHOOSE Brandy 417A")["Subject"]
    rich.ask("RESIGN Hawk")
    assert "Hawk has resigned" in rich.ask("YES")["Subject"]
