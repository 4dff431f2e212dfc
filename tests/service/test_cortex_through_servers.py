"""Cortex through Dovecot and Postfix: a battle of task groups, and a moderator's bombardment."""

import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from pbem.games import export
from pbem.storage import Game
from tests.servers.host import MailHost
from tests.servers.posted import Posted
from tests.servers.postfix import Postfix
from tests.support.harness import Person
from tests.support.paths import ROOT
from tests.support.players import address_of, words

pytestmark = pytest.mark.services

GROUPS = {
    "Ann": "GROUP Ravens WITH Lance: fighter, veteran; Red: 3 fighters; Citadel: frigate",
    "Bob": "VERBAND Milane MIT Blau: 3 Jagdbomber, Veteranen; Fort: Fregatte",
}


@pytest.fixture
def people(
    tmp_path: Path, installed: MailHost, postfix: Postfix
) -> Iterator[tuple[Person, Person]]:
    """Two players, each with a task group; Ann is the moderator too, and Bob writes German."""
    league = Posted(tmp_path, systems=("cortex",), moderator=address_of("Ann"))
    league.through(installed, postfix, GROUPS)
    with closing(league), closing(league.mailbox), closing(league.transport):
        ann, bob = (league.person(name) for name in GROUPS)
        for person in (ann, bob):
            person.join()
            if person is bob:
                person.ask("LANGUAGE de")
            person.ask(GROUPS[person.name])
        yield ann, bob


def fought_out(league: Posted, people: tuple[Person, Person]) -> None:
    """Let both follow standing orders until the battle is over."""
    game = league.store.all(Game.select().order_by(Game.id.desc()).limit(1))[0].id
    for person, orders in zip(people, ("STANDING sound", "DAUERBEFEHLE solide"), strict=True):
        person.reply(orders, person.last_about(f"[G{game}-"))
    for _ in range(40):
        league.work()
        if not league.store.get(Game, game).running:
            return
        for person, ready in zip(people, ("READY", "BEREIT"), strict=True):
            person.new()
            person.reply(ready, person.last_about(f"[G{game}-"))
    raise AssertionError(f"game {game} goes on and on")


def test_two_task_groups_fight_to_the_end(people: tuple[Person, Person]) -> None:
    ann, bob = people
    league = ann.league
    ann.ask("CHALLENGE Milane WITH Ravens\nSALT through the servers")
    bob.new()
    bob.ask("ANNEHMEN 1")
    ann.new()
    ann.reply(
        "Lance: LOCK Dart ON Fort\nRed 2: JOIN Red 1\nRed 3: JOIN Red 1\nRed 1: DEFEND\n"
        "Citadel: COMMANDER ASSIST guns, PLOT, FIRE 6 Railgun AT Fort, LOCK Javelin ON Blau 3",
        ann.last_about("[G1-"),
    )
    league.work()
    bob.ask("Blau 1: ERFASSEN Torpedo AUF Citadel\nBEREIT", bob.last_about("[G1-"))
    league.work()
    ann.new()
    text = words(ann.last_about("[G1-T2"))
    for phrase in (
        "Initiative, the highest first",
        "joins the wing of",
        "Citadel at Fort: 6 Railgun",
        "locked",
    ):
        assert phrase in text
    fought_out(league, people)
    for person, over in ((ann, "is over"), (bob, "ist vorbei")):
        person.new()
        assert person.last_about(over)
    assert all(found.ok for found in export.verify(export.export(league.store, league.game)))


def test_a_moderators_bombardment_is_fought_to_the_end(people: tuple[Person, Person]) -> None:
    ann, _ = people
    league = ann.league
    scenario = json.loads((ROOT / "examples/cortex/bombardment.json").read_text("utf-8"))
    first, *rest = scenario["seats"]
    seats = {first: "Ann Example"} | dict.fromkeys(rest, "Bob Example")
    text = json.dumps(scenario | {"seats": seats})
    ann.write(f"KEY {ann.key}\nGM BATTLE\n{text}")
    league.work()
    for person in people:
        person.new()
    fought_out(league, people)
    assert all(found.ok for found in export.verify(export.export(league.store, league.game)))
