"""STANDINGS: careers, sides and awards, by the names of pilots and nobody's address."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from engine.registry import campaigns
from pbem.games.persona_rules import piece_of
from pbem.games.reports.war_overview import state_of_war
from pbem.games.standings import MOST, Span, standings
from pbem.people import personas
from pbem.storage import Letter, Persona, Player, Store
from tests.support.grown_league import Steps, grow
from tests.support.harness import League, Person, duel, open_league
from tests.support.players import address_of, plain, words


def change(league: League, name: str, **record: object) -> None:
    """Change some of a pilot's record."""
    row = personas.named(league.store, name)
    assert row is not None
    personas.set_record(league.store, row, json.dumps(json.loads(row.record) | record))


def asked(person: Person) -> str:
    person.new()
    return words(person.ask("STANDINGS"))


def test_who_has_earned_more_stands_higher(tmp_path: Path) -> None:
    with open_league(tmp_path) as league:
        ann, _ = duel(league)
        change(league, "Hawk", hp_total=70, kills=7, missions=12, wounds=1)
        change(league, "Kestrel", hp_total=104, rank=2)
        found = asked(ann)
    assert "Place 1: Pilot Kestrel" in found
    assert "Place 2: Pilot Hawk" in found
    assert "10.4 HP earned in all" in found
    assert "7 HP earned in all, 12 missions, 7 kills, 0 prizes" in found
    assert "YOUR OWN" not in found
    assert found.count("Pilot Hawk, ") == 1
    assert "DECORATIONS - Pilot Hawk: Khrimata Commendation [KC]" in found


def test_equals_share_the_better_place(tmp_path: Path) -> None:
    with open_league(tmp_path) as league:
        duel(league)
        [found] = standings(league.store)
        assert [line["place"] for line in found["careers"]] == [1, 1]
        change(league, "Hawk", rank=5, retired=True)
        [found] = standings(league.store)
    assert [(line["place"], line["name"]) for line in found["hall"]] == [(1, "Hawk")]
    assert [line["place"] for line in found["careers"]] == [1, 2]


def test_sides_are_the_sums_of_their_pilots(tmp_path: Path) -> None:
    with open_league(tmp_path) as league:
        duel(league)
        change(league, "Hawk", hp_total=11, kills=1)
        change(league, "Kestrel", hp_total=9, prizes=2)
        [found] = standings(league.store)
    sums = [(side["figures"]["pilots"], side["figures"]["hp_total"]) for side in found["sides"]]
    assert sums == [(1, 11), (1, 9)]
    for figure in found["careers"][0]["figures"]:
        by_pilot = sum(line["figures"][figure] for line in found["careers"])
        assert by_pilot == sum(side["figures"][figure] for side in found["sides"])


def test_a_long_list_is_cut_and_says_so(league: League) -> None:
    ann, _ = duel(league)
    hawk = personas.named(league.store, "Hawk")
    assert hawk is not None
    for number in range(MOST):
        name = f"Wing {number}"
        player = league.store.get(Player, hawk.player_id).id
        personas.add(
            league.store,
            player=player,
            system=hawk.system,
            name=name,
            folded=name.lower(),
            side=hawk.side,
            record=hawk.record,
            joined=league.now,
        )
    [found] = standings(league.store)
    assert (len(found["careers"]), found["more"]) == (MOST, 2)
    assert f"{MOST - 8} more pilots are not listed" in asked(ann)


def test_standings_name_pilots_and_no_person(tmp_path: Path) -> None:
    with open_league(tmp_path) as league:
        ann, _ = duel(league)
        ann.new()
        text = plain(ann.ask("STANDINGS"))
    assert address_of("Bob") not in text
    assert "Bob Example" not in text


def test_a_league_without_pilots_says_so(ann: Person) -> None:
    assert "Nobody has been enlisted yet" in asked(ann)


@pytest.mark.parametrize(
    "ask",
    [
        standings,
        lambda store: standings(store, 1, Span(5, 20, "cartel")),
        lambda store: personas.rivals(store, 1, 20),
        state_of_war,
    ],
)
def test_lists_take_as_long_in_a_large_league(
    league: League, ask: Callable[[Store], object]
) -> None:
    """What was seen: STANDINGS took 8 ms in a small league, and 645 in one of 100,000 letters."""
    duel(league)
    taken = list[int]()
    for mark in ("x", "y"):
        grow(league.store, 20 * league.store.count(Letter.select()), mark)
        with Steps(league.store) as steps:
            ask(league.store)
        taken.append(steps.taken)
    assert taken[1] < 8 * taken[0], "of twenty times as many personas an index alone is read"


def test_standings_agree_with_what_the_rules_say_of_each_record(league: League) -> None:
    duel(league)
    row = league.store.get(Persona, 1)
    record = json.loads(row.record) | {"hp_total": 70}
    personas.set_record(league.store, row, json.dumps(record))
    grow(league.store, 5 * league.store.count(Letter.select()))
    [found] = standings(league.store)
    rows = league.store.all(Persona.select().order_by(Persona.id))
    campaign = campaigns()["starpilot"]
    known = {one.name: campaign.standing(piece_of(one)) for one in rows}
    best = sorted(known, key=lambda name: ([-n for n in known[name].merit], name))
    assert [one["name"] for one in found["careers"]] == best
    assert [one["figures"] for one in found["careers"]] == [known[name].figures for name in best]
    assert sum(side["figures"]["hp_total"] for side in found["sides"]) == 5 * 70
