"""Laws that every career keeps, tried on random ones."""

import re
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from engine.campaign import Change, Entry, Persona
from engine.dice import SeededDice
from engine.errors import OrderError
from engine.seats import Seat
from engine.starpilot.between_battles import CAMPAIGN
from engine.starpilot.persona_record import Pilot, decorations, is_gone, pilot_of
from engine.starpilot.tables import LIGHT, SHIPS
from tests.engine.test_campaign import SIDE_SHIPS, Flight, hawk
from tests.support.paths import ROOT
from tests.support.trial_counts import tries

TALES = ROOT / "templates" / "starpilot" / "career.j2"
TOLD = set(re.findall(r"macro (\w+)\(e\)", TALES.read_text("utf-8")))
"""The kinds of entries that a template has words for."""
FATES = ("active", "ejected", "ejected", "surrendered", "escaped", "escaped")


def flight(pilot: Persona, rng: Random) -> Flight:
    """What a random battle might do to a pilot."""
    fought = rng.random() < 0.9
    kills, prizes = (rng.randint(0, 2), rng.randint(0, 2)) if fought else (0, 0)
    fate = rng.choice(FATES) if rng.random() < 0.95 else "killed"
    return Flight(
        fate=fate,
        hp=10 * (kills + prizes) + (rng.choice((0, 3, 4, 7)) if fought else 0),
        hp_lost=min(2, pilot_of(pilot).hp) if fate in ("ejected", "surrendered") else 0,
        kills=kills,
        prizes=prizes,
        wounded=rng.random() < 0.2,
        fought=fought,
    )


def spend(pilot: Persona, day: str, rng: Random) -> Change:
    """Spend on a reward as much as is allowed."""
    bid = CAMPAIGN.rewards.bid(pilot, str(rng.randint(1, 5)), "", day)
    dice = SeededDice(rng.randbytes(32), "R1", 0, b"")
    return CAMPAIGN.rewards.reward(pilot, bid, dice, day)


def choose(pilot: Persona, rng: Random) -> Change:
    """Choose one of the rewards that wait."""
    owed = CAMPAIGN.sheet(pilot)["owed"] or {"options": ["beams"]}
    return CAMPAIGN.rewards.choose(pilot, rng.choice(owed["options"]))


def act(pilot: Persona, day: str, rng: Random) -> Change:
    """Do one random thing to a pilot; nothing where the rules refuse it."""
    what = rng.choice(("fly", "fly", "fly", "spend", "choose", "major", "honour"))
    try:
        if what == "spend":
            return spend(pilot, day, rng)
        if what == "choose":
            return choose(pilot, rng)
        if what == "honour":
            return CAMPAIGN.honours.honour(pilot)
        if what == "major":
            return CAMPAIGN.honours.major(
                pilot, Flight(fought=rng.random() < 0.9).battle(hawk()), Seat("Hawk")
            )
    except OrderError:
        return Change(pilot)
    free = CAMPAIGN.available(pilot, day) is None
    return flight(pilot, rng).after(pilot, day) if free else Change(pilot)


def check_books(pilot: Pilot, entries: list[Entry]) -> None:
    """HP earned are equal to those spent, lost, unspent and buried (SP-30)."""
    sums = {
        a: sum(e.points for e in entries if e.account == a)
        for a in ("earned", "spent", "lost", "buried")
    }
    assert all(e.account for e in entries if e.points)
    assert sums["earned"] == pilot.hp_total
    assert sums["earned"] == pilot.hp - sums["spent"] - sums["lost"] - sums["buried"]
    assert pilot.hp >= 0
    assert not (pilot.hp and is_gone(pilot))


def check_bounds(pilot: Pilot) -> None:
    """Aptitudes, Marks and ranks stay within the rule book's limits."""
    assert all(1 <= points <= 18 for points in (pilot.weapons, pilot.piloting, pilot.sensors))
    assert pilot.mark <= (15 if SHIPS[pilot.ship].weight == LIGHT else 63)
    assert SHIPS[pilot.ship].side == pilot.side
    assert 1 <= pilot.rank <= 5


@settings(deadline=None, max_examples=tries(150, 40))
@given(seed=st.integers(0, 2**32), side=st.sampled_from(sorted(SIDE_SHIPS)))
def test_a_career_keeps_its_books_and_bounds_and_loses_no_award(seed: int, side: str) -> None:
    rng, pilot = Random(seed), hawk(side)
    entries: list[Entry] = []
    told: set[str] = set()
    for number in range(60):
        worn = {d["code"].lstrip("0123456789") for d in decorations(pilot_of(pilot))}
        change = act(pilot, f"2026-{1 + number // 28:02}-{1 + number % 28:02}", rng)
        pilot, now = change.persona, pilot_of(change.persona)
        entries += change.entries
        told |= {e.facts["code"] for e in change.entries if "code" in e.facts}
        check_books(now, entries)
        check_bounds(now)
        assert {e.kind for e in change.entries} <= TOLD
        codes = {d["code"] for d in decorations(now)}
        assert worn <= {code.lstrip("0123456789") for code in codes}
        assert codes <= told


@settings(deadline=None, max_examples=tries(100, 30))
@given(seed=st.integers(0, 2**32))
def test_a_refusal_is_fit_to_be_mailed(seed: int) -> None:
    rng = Random(seed)
    words = (
        "weapons",
        "2",
        "piloting",
        "/",
        "beams",
        "Brandy 417A",
        "and",
        "18",
        "Rus 133-A",
        "hm",
        ",",
    )
    text = " ".join(rng.choices(words, k=rng.randint(0, 6)))
    pilot = hawk(hp=99, hp_total=99, weapons=rng.randint(10, 18), mark=rng.randint(0, 15))
    try:
        bid = CAMPAIGN.rewards.bid(pilot, str(rng.randint(0, 6)), text, "2026-11-02")
    except OrderError as error:
        assert 10 < len(str(error)) < 200  # noqa: PT017 - what is drawn may be right as well
    else:
        again = CAMPAIGN.rewards.bid(pilot, str(bid.points), bid.choices, "2026-11-02")
        assert again == bid
