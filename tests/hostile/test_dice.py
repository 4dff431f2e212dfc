"""Dice that nobody can choose (issue 11, section 6; docs/dice.md)."""

import hashlib
import json
from collections.abc import Iterator
from copy import deepcopy
from email.message import EmailMessage
from pathlib import Path
from random import Random
from typing import Any

import pytest

from engine import fair_dice
from engine.dice import KeyedDice, canonical, digest, trial_key
from engine.fair_dice import Ground, Words
from pbem.games import export
from pbem.games.step_log import with_words
from pbem.people import personas
from pbem.storage import Game, Place, Pledge, Step
from tests.games.test_verify import BATTLES as DUELS
from tests.games.test_verify_skies import BATTLES as SKIES
from tests.support.forging import Check, Parts, by_engine, checking, committed, path_of
from tests.support.harness import (
    League,
    Person,
    duel,
    play_on,
)
from tests.support.paths import DOCS
from tests.support.players import HAWK, KESTREL, PATIENT, STANDING, attached, words
from tests.support.trial_counts import tries

TRIES, CHANCE = 40, 36
SECRET = bytes(range(32))


# ---- who knows the secret, and not the opponent's words ---------------------------------------


def of_version_1(n: int, salt: str) -> bytes:
    """The key of a step in version 1: the acting seat's order and SALT alone."""
    return trial_key(SECRET, "G1", n, digest(json.dumps(["FIRE", f"SALT {salt}"])))


def of_version_2(n: int, salt: str, foe: Words) -> bytes:
    """The key of a step in version 2."""
    me = fair_dice.words_of(f"<{n}@home.example>", [salt])
    ground = Ground(SECRET, "c" * 64, "5" * 64, "", {"Hawk": me, "Kestrel": foe})
    return ground.step(n, {"Hawk": me, "Kestrel": foe}, [("Hawk", "FIRE")])


def hits(key: bytes) -> bool:
    """Return whether the roll of a key is a hit."""
    return KeyedDice(key).roll(100, "FIRE") <= CHANCE


def test_hostile_dice_version_1_let_who_knew_the_secret_choose() -> None:
    """This is what was seen."""
    won = [any(hits(of_version_1(n, f"{t}")) for t in range(TRIES)) for n in range(400)]
    assert all(won)


def test_hostile_dice_cannot_be_chosen_without_the_words_of_the_other() -> None:
    """The best of 40 SALTs, by a guess at the other's words, wins as often as any."""
    guess, won = fair_dice.no_words(), 0
    for n in range(2000):
        salts = [f"{t}" for t in range(TRIES)]
        best = next((s for s in salts if hits(of_version_2(n, s, guess))), salts[0])
        won += hits(of_version_2(n, best, fair_dice.words_of(f"<{n}.kestrel@home.example>", [])))
    assert 0.32 < won / 2000 < 0.40


def test_hostile_dice_can_be_chosen_by_who_knows_all_words_as_the_table_says() -> None:
    """The referee together with a player: docs/dice.md says so in plain words."""
    foe = fair_dice.words_of("<1.kestrel@home.example>", [])
    assert all(any(hits(of_version_2(n, f"{t}", foe)) for t in range(TRIES)) for n in range(100))
    docs = (DOCS / "dice.md").read_text("utf-8")
    assert "The one of the two whose letter is handled last before a step can choose" in docs


@pytest.mark.parametrize(
    ("link", "salts", "chosen"),
    [("", (), False), ("the link", (), True), ("the link", ("in private",), False)],
)
def test_hostile_dice_posts_are_as_secret_as_the_link_as_the_table_says(
    link: str, salts: tuple[str, ...], chosen: bool
) -> None:
    """By who knows the secret, the names of all posts, and perhaps, from a backup, the link."""
    won, posts = 0, 500
    for n in range(posts):
        told = fair_dice.words_of(f"forum 5 {n}", [], link)
        best = next((f"{t}" for t in range(TRIES) if hits(of_version_2(n, f"{t}", told))), "0")
        words = fair_dice.words_of(f"forum 5 {n}", salts, "the link")
        won += hits(of_version_2(n, best, words))
    assert won == posts if chosen else 0.28 < won / posts < 0.44


# ---- a thousand mutations ----------------------------------------------------------------------


def leaves(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The places of all values in a value."""
    if path:
        yield path
    pairs: Any = enumerate(value) if isinstance(value, list) else ()
    for key, inner in value.items() if isinstance(value, dict) else pairs:
        yield from leaves(inner, (*path, key))


def other(value: Any, rng: Random) -> Any:
    """Another value in a value's place."""
    if isinstance(value, bool):
        return rng.choice([not value, int(value), None])
    if isinstance(value, int):
        return rng.choice([value + 1, value - 1, -value or 7, float(value) + 0.5, str(value)])
    if isinstance(value, str):
        at = rng.randrange(len(value) + 1)
        return rng.choice([value[:at] + "x" + value[at:], value[1:] or "y", value + " ", None])
    if isinstance(value, list):
        return rng.choice([[*value, 1], value[1:] or [[]], [*value, *value] or [0], value[::-1]])
    if isinstance(value, dict):
        kept = dict(list(value.items())[1:])
        return rng.choice([kept or {"x": 1}, {**value, "x": 1}, {**value, "": None}, []])
    return rng.choice([0, "", [], False])


def mutated(parts: Parts, rng: Random, *under: Any) -> tuple[Parts, tuple[Any, ...]]:
    """Parts with one field changed, and which."""
    found = deepcopy(parts)
    while canonical(found) == canonical(parts):
        found = deepcopy(parts)
        place: Any = found
        for key in under:
            place = place[key]
        path = rng.choice([one for one in leaves(place) if len(under) + len(one) > 1])
        for key in path[:-1]:
            place = place[key]
        place[path[-1]] = other(place[path[-1]], rng)
    return found, (*under, *path)


SMALL = {
    "starpilot": [DUELS[name] for name in ("house", "undone to the start", "forfeits", "agreed")],
    "blackskies": [SKIES[name] for name in ("mates", "undone", "agreed", "forfeit")],
}


@pytest.mark.parametrize("system", SMALL)
def test_hostile_dice_every_changed_field_is_caught(
    system: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the program and by the script, under new seals; docs/dice.md lists no exception."""
    by_script = checking(path_of(system), tmp_path, monkeypatch)
    battles, rng = [make() for make in SMALL[system]], Random(11)
    _all_are_caught((mutated(rng.choice(battles), rng) for _ in range(tries(500, 60))), by_script)


@pytest.mark.parametrize("system", SMALL)
def test_hostile_dice_every_changed_set_up_is_caught_even_if_committed_to_anew(
    system: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    by_script = checking(path_of(system), tmp_path, monkeypatch)
    battles, rng = [make() for make in SMALL[system]], Random(12)
    found = [mutated(rng.choice(battles), rng, 0, "setup") for _ in range(tries(60, 20))]
    _all_are_caught(iter(found), by_script)
    for parts, _ in found:
        committed(parts)
    _all_are_caught(iter(found), by_script)


def _all_are_caught(found: Iterator[tuple[Parts, tuple[Any, ...]]], by_script: Check) -> None:
    passed = []
    for parts, path in found:
        text = export.write(parts)
        passed += [(check, path) for check in (by_engine, by_script) if check(text)[0] == 0]
    assert passed == []


# ---- by mail -----------------------------------------------------------------------------------

pytestmark = pytest.mark.league(patrol_bots="easy", patrol_hours=10)


@pytest.fixture
def people(league: League) -> tuple[Person, Person]:
    """Two people with a pilot each."""
    ann, bob = league.person("Ann"), league.person("Bob")
    for person, pilot in ((ann, HAWK), (bob, KESTREL)):
        person.join()
        person.ask(pilot)
        person.new()
    return ann, bob


def receipt(letter: EmailMessage) -> str:
    """The receipt of the dice that is attached to a letter."""
    return attached(letter)["receipt.txt"].decode()


def promised(letter: EmailMessage, game: int) -> str:
    """The commitment to a game's dice that is attached to a letter."""
    told = json.loads(attached(letter)[f"receipt-G{game}.txt"].splitlines()[-1])
    assert told.keys() == {"format", "game", "commitment"}
    return str(told["commitment"])


def everything(letter: EmailMessage) -> str:
    """All that a letter tells: its header, its texts, and its attachments, decoded."""
    parts = [part.get_payload(decode=True) for part in letter.walk() if not part.is_multipart()]
    return str(letter["Subject"]) + "".join(
        part.decode("utf-8", "replace") for part in parts if isinstance(part, bytes)
    )


def print_of(person: Person) -> str:
    """The fingerprint of the letter that a person sent last, by their own mail program."""
    return hashlib.sha256(str(person.sent[-1]["Message-ID"]).encode()).hexdigest()


def test_hostile_dice_are_committed_to_before_the_other_accepts(
    league: League, people: tuple[Person, Person]
) -> None:
    ann, bob = people
    acknowledged = promised(ann.ask("CHALLENGE Kestrel WITH Hawk\n\nSALT early"), 1)
    challenged = promised(bob.new()[-1], 1)
    pledge = league.store.get(Pledge, 1)
    assert pledge.commitment == acknowledged == challenged
    assert league.store.count(Game.select()) == 0
    bob.ask("ACCEPT 1\n\nSALT late")
    assert pledge.commitment in receipt(ann.new()[-1])
    assert league.game.id == pledge.id
    before = json.loads(league.game.words)
    assert before["Hawk"] == {"letter": print_of(ann), "salts": ["early"]}
    assert before["Kestrel"] == {"letter": print_of(bob), "salts": ["late"]}


def test_hostile_dice_are_committed_to_anew_where_a_pilot_has_changed(
    league: League, people: tuple[Person, Person]
) -> None:
    ann, bob = people
    ann.ask("CHALLENGE Kestrel WITH Hawk")
    bob.new()
    row = personas.named(league.store, "Hawk")
    assert row is not None
    record = json.loads(row.record)
    personas.set_record(league.store, row, json.dumps(record | {"hp": 17}))
    refused = bob.ask("ACCEPT 1")
    fresh = league.store.get(Pledge, 2)
    assert "has changed since it was made" in words(refused)
    assert fresh.commitment == promised(refused, 2) == promised(ann.new()[-1], 2)
    assert league.store.count(Game.select()) == 0
    bob.ask("ACCEPT 1")
    assert (league.game.id, league.game.commitment) == (2, fresh.commitment)


def test_hostile_dice_of_a_patrol_are_committed_to_before_anybody_comes(
    league: League, people: tuple[Person, Person]
) -> None:
    ann, bob = people
    answer = ann.ask("PATROL WITH Hawk")
    pledge = league.store.get(Pledge, 1)
    assert pledge.commitment == promised(answer, 1)
    assert json.loads(pledge.terms) == {"patrol": "Hawk"}
    bob.ask("PATROL WITH Kestrel")
    assert league.game.commitment == pledge.commitment
    assert set(json.loads(league.game.words)) == {"Hawk", "Kestrel"}


@pytest.mark.parametrize("order", ["PRACTICE WITH Hawk", "PATROL WITH Hawk"])
def test_hostile_dice_a_house_pilot_s_battle_is_checked_from_its_commitment(
    league: League, people: tuple[Person, Person], order: str
) -> None:
    ann = people[0]
    ann.ask(order)
    league.later(11)
    ann.new()
    pledge = league.store.get(Pledge, 1)
    assert pledge.commitment in "".join(map(everything, ann.letters))
    for _ in range(60):
        if not league.game.running:
            break
        ann.reply(f"{STANDING}READY", ann.last_about("[G1"))
        league.work()
    assert not league.game.running
    text = league.service.export(league.game)
    assert by_engine(text)[0] == 0
    assert json.loads(text)[0]["house"] == league.game.bots


def test_hostile_dice_whims_of_house_pilots_depend_on_the_secret() -> None:
    """In version 1 they came of a constant key, so that a player could foresee them."""
    expected = {"Hawk": fair_dice.words_of("<1@home.example>", [])}
    grounds = [Ground(bytes([n]) * 32, "c", "5", "easy", expected) for n in range(9)]
    assert len({ground.whims(3, expected) for ground in grounds}) == 9
    assert len({fair_dice.sparring(ground.secret, "G1", expected) for ground in grounds}) == 9


def test_hostile_dice_words_in_reports_are_those_that_entered(
    league: League, people: tuple[Person, Person]
) -> None:
    ann, bob = people
    ann.ask("CHALLENGE Kestrel WITH Hawk FIRST me")
    bob.new()
    bob.ask("ACCEPT 1")
    ann.new()
    ann.reply("SCAN\nSALT mine alone")
    league.work()
    mine = print_of(ann)
    bob.reply("SCAN")
    league.work()
    report = receipt(ann.last)
    assert mine in report
    assert "mine alone" in report
    steps = with_words(
        league.store,
        league.store.all(Step.select().where(Step.game == 1, Step.n >= 1).order_by(Step.id)),
    )
    assert {json.loads(step.words)["Hawk"]["letter"] for step in steps} == {mine}
    assert json.loads(steps[-1].words)["Kestrel"]["letter"] == print_of(bob)


def test_hostile_dice_nobody_is_told_another_s_words_before_the_end(
    league: League, people: tuple[Person, Person]
) -> None:
    ann, bob = people
    ann.ask("CHALLENGE Kestrel WITH Hawk FIRST me\nSALT annish early")
    bob.new()
    bob.ask("ACCEPT 1\nSALT bobbish early")
    ann.new()
    prints = []
    for n in range(3):
        if league.game.running:
            bob.reply(f"{PATIENT}\nSALT bobbish {n}", bob.last_about("[G1"))
            ann.reply(f"SCAN\nSCAN\nSALT annish {n}", ann.last_about("[G1"))
            league.work()
            prints.append(print_of(bob))
            ann.ask("RECEIPTS 1")
    text = "".join(map(everything, ann.letters))
    assert "annish 0" in text
    assert not any(mark[:16] in text for mark in prints)
    assert "bobbish" not in text
    bob.reply("SURRENDER", bob.last_about("[G1"))
    league.work()
    ann.reply("SCAN", ann.last_about("[G1"))
    league.work()
    if not league.game.running:
        final = receipt(ann.last)
        assert "bobbish" in final
        assert prints[0][:16] in final


def test_hostile_dice_orders_by_proxy_are_marked_and_add_no_words(
    league: League, people: tuple[Person, Person]
) -> None:
    ann, bob = people
    ann.ask("CHALLENGE Kestrel WITH Hawk FIRST me")
    bob.new()
    bob.ask("ACCEPT 1")
    bob.reply(PATIENT)
    league.work()
    early = json.loads(league.game.words)["Hawk"]
    league.rule("PROXY Hawk IN 1\nSCAN\nSALT chosen")
    step = league.store.all(Step.select().where(Step.game == 1, Step.n >= 1).order_by(Step.id))[0]
    assert json.loads(step.proxied) == ["Hawk"]
    assert json.loads(step.words)["Hawk"] == early
    league.work()
    assert "The moderator gave the orders of Hawk" in words(bob.last)


def test_hostile_dice_of_a_whole_duel_verify(league: League, tmp_path: Path) -> None:
    ann, bob = duel(league)
    for person in (ann, bob):
        person.reply(STANDING)
    league.work()
    play_on(league, ann, bob)
    text = league.service.export(league.game)
    with pytest.MonkeyPatch.context() as patch:
        by_script = checking(path_of("starpilot"), tmp_path, patch)
        assert by_engine(text)[0] == by_script(text)[0] == 0


@pytest.mark.parametrize("text", ["MAP\nSALT too", "SALT too\nSTATUS", "SALT too"])
def test_hostile_dice_a_salt_counts_with_and_without_a_question(league: League, text: str) -> None:
    ann, _ = duel(league)
    ann.reply(text)
    assert ann.new()
    [place] = league.store.all(
        Place.select().where(Place.game == league.game.id, Place.seat == "Hawk").order_by(Place.id)
    )
    assert json.loads(place.words)["salts"] == ["too"]
    assert league.game.steps == 1
