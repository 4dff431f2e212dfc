"""What letters say and show of a fight: gists, what is not possible, pictures, stories, views."""

import json
import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Any
from xml.etree import ElementTree

import pytest

from engine.codec import change, plain
from engine.dice import SeededDice
from engine.letter_texts import Scene
from engine.preview.effects import effect
from engine.seats import REFEREE, Seat
from engine.starfarer import bots, letter_remarks
from engine.starfarer.chart import film, pictures
from engine.starfarer.doctrines import doctrine
from engine.starfarer.events import (
    Aborted,
    Acted,
    AnyEvent,
    Attacked,
    Began,
    Bled,
    ClockMoved,
    Closed,
    Defended,
    Ended,
    Hit,
    LimbChecked,
    Posed,
    Refused,
    ShockChecked,
    WakingChecked,
    Wounded,
)
from engine.starfarer.model import Battle, End, Plan, to_plan
from engine.starfarer.report import report
from engine.starfarer.report_types import Blow
from engine.starfarer.resolve import resolve
from engine.starfarer.rules import STARFARER
from engine.starfarer.story_beats import lead, story
from engine.starfarer.view import view
from engine.starfarer.written_orders import parse
from pbem.rendering.letter_script import text
from tests.engine.starfarer.skirmishes import (
    CHEST,
    LEFT_LEG,
    SHOOT,
    act,
    ann,
    bo,
    duel,
    fight,
    gun,
    ward,
    wound,
)
from tests.rendering.test_against import RENDERER

RED, BLUE = Seat("red"), Seat("blue")


def same(word: str) -> str:
    """Translate nothing."""
    return word


def fought(battle: Battle, rounds: int = 40) -> list[tuple[Battle, tuple[object, ...]]]:
    """Let sound bots fight, and return the fight after each round with its events."""
    dice, found = SeededDice(b"fight", "", 0, b""), []
    while not battle.over and len(found) < rounds:
        while names := to_plan(battle):
            seat = battle.sheets[names[0]].seat
            battle, _ = resolve(battle, {seat: [bots.sound(battle, seat, dice)]}, dice)
        battle, events = resolve(battle, {}, dice)
        found.append((battle, events))
    return found


def three() -> Battle:
    """A fight of three teams."""
    return fight([ann()], [bo()], [{**ann(30), "name": "Cy"}]).battle


def test_a_gist_says_who_fell_on_which_side_and_who_is_left() -> None:
    start = gun(4).having("Bo", shock=90)
    hit = start.plan("Ann", SHOOT).round(1, 1, 14, 95)
    found = letter_remarks.gist(hit.battle, hit.events, RED)
    assert found.happened == "on the other side Bo unconscious"
    # At most one team has anybody active, so that nothing is left to stand.
    assert found.stands == ""
    assert (
        letter_remarks.gist(hit.battle, hit.events, BLUE).happened == "on your side Bo unconscious"
    )
    hurt = gun(4).plan("Ann", SHOOT).round(1, 1, 14, 5)
    assert letter_remarks.gist(hurt.battle, hurt.events, BLUE).happened == "on your side Bo wounded"
    quiet = duel().plan("Ann", act("hold")).having("Bo", ap=-50)
    assert letter_remarks.gist(quiet.battle, quiet.events, RED).stands == "round 1, 1 against 1"


def test_a_gist_tells_everybody_once_as_they_are_now() -> None:
    fell, woke = ShockChecked("Bo", 30, 90, 4, "Ann"), WakingChecked("Bo", 50, 3, None)
    stayed = ShockChecked("Bo", 30, 9, None, "Ann")
    battle = duel().battle
    for events, told in (
        ((fell, woke), "on the other side Bo awake again"),
        ((stayed,), "nobody was hit"),
        ((), ""),
    ):
        assert letter_remarks.gist(battle, events, RED).happened == told
    out = duel().having("Bo", fate="dead").battle
    assert letter_remarks.gist(out, (fell, woke, fell), RED).happened == "on the other side Bo dead"


def test_what_is_not_possible_is_told_with_the_reason() -> None:
    found = {
        str(barred.why): [plan.entries[0][0][0] for plan in barred.orders if isinstance(plan, Plan)]
        for barred in letter_remarks.barred(duel().having("Ann", prone=True).battle, RED)
    }
    assert {one.do for one in found["only who stands can do that"]} == {"evade", "drop"}
    assert {one.weapon for one in found["the target is out of reach"]} == {"knife", "unarmed"}


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("Ann: TREAT left leg OF Cy", None),
        ("Ann: TREAT chest OF Cy", "there is nothing to treat"),
        ("Ann: EVADE; TREAT chest OF Cy", "there is nothing to treat"),
        ("Ann: TREAT chest OF Cy, ELSE TREAT left leg OF Cy", None),
        ("Ann: RISE", "only who lies on the ground can do that"),
        ("Ann: RISE, ELSE EVADE", None),
        ("Ann: DROP; RISE", None),
        ("Ann: ATTACK Bo WITH knife", None),
    ],
)
def test_an_action_that_would_fail_is_doubted(line: str, why: str | None) -> None:
    battle = ward(bleeding={LEFT_LEG: 2}).battle
    assert letter_remarks.doubt(battle, RED, parse(battle, RED, line)) == why


@pytest.mark.parametrize(
    ("changes", "first", "why"),
    [
        ({}, "attack", "best weapon against the nearest"),
        ({"prone": True}, "rise", "up, then the best weapon"),
        ({"wounds": {CHEST: wound(4)}}, "evade", "who is hurt evades first"),
        ({"wounds": {CHEST: wound(4)}, "prone": True}, "rise", "up, then the best weapon"),
        (
            {"wounds": {CHEST: wound(4), LEFT_LEG: wound(6)}},
            "attack",
            "best weapon against the nearest",
        ),
        ({"wounds": {LEFT_LEG: wound(6)}, "prone": True}, "attack", None),
    ],
)
def test_what_a_sound_bot_does_first_is_possible(
    changes: dict[str, Any], first: str, why: str | None
) -> None:
    battle = duel().having("Ann", **changes).battle
    plan = bots.sound(battle, RED, SeededDice(b"s", "", 0, b""))
    assert plan.entries[0][0][0].do == first
    assert letter_remarks.doubt(battle, RED, plan) is None
    assert why is None or bots.why(battle, RED, plan) == why


def test_an_effect_says_what_an_action_brings() -> None:
    battle = duel().battle
    plan = parse(battle, RED, "ATTACK Bo WITH pistol")
    assert letter_remarks.chance(battle, RED, plan) == 50

    def brings(line: str) -> str:
        return effect(STARFARER, battle, RED, parse(battle, RED, line))

    assert re.fullmatch(r"about \d+ Shock, wound: \w+.*", brings("ATTACK Bo WITH pistol"))
    assert re.fullmatch(r"attacks on you at about \d+ less Ease Factor", brings("EVADE"))
    assert brings("HOLD") == "changes nothing now"
    assert brings("DROP") == "lies down"


def test_pictures_say_all_that_they_show_and_are_whole() -> None:
    hurt = duel().having("Bo", shock=11, wounds={CHEST: wound(3)}, bleeding={CHEST: 2})
    field, bodies = pictures(view(hurt.battle, RED), same)
    assert "Bo of blue stands at 15" in field.alt
    assert bodies.alt == "Bodies: Bo chest (X at 3, bleeding 2), shock 11, level 0."
    for picture in (field, bodies):
        ElementTree.fromstring(picture.svg)
    unhurt = pictures(view(duel().battle, None), same)
    assert len(unhurt) == 1


def test_all_fates_are_drawn() -> None:
    for fate in ("unconscious", "dead", "surrendered", "left"):
        shown = duel().having("Bo", fate=fate, wakes=3 if fate == "unconscious" else None)
        field = pictures(view(shown.battle, RED), same)[0]
        assert f"Bo of blue {'lies ' if fate in ('dead', 'unconscious') else 'has '}" in field.alt


def test_a_film_shows_the_first_round_and_the_last() -> None:
    battle = three()
    views = [view(battle, None), *(view(one, None) for one, _ in fought(battle))]
    (strip,) = film(views, same)
    assert strip.alt.startswith("The fight in drawings: before the first round red 1, blue 1")
    assert "at the end" in strip.alt
    ElementTree.fromstring(strip.svg)
    assert film(views[:1], same) == ()


def test_a_view_is_plain_and_holds_no_plan_of_others() -> None:
    battle = duel().plan("Ann", act("attack", at="Bo")).battle
    for seat in (RED, BLUE, None, REFEREE):
        seen = view(battle, seat)
        assert json.loads(json.dumps(seen)) == seen
        assert ("ATTACK Bo" in json.dumps([own["plan"] for own in seen["mine"]])) == (seat == RED)
    hidden = change(battle, plans={})
    assert view(hidden, BLUE) == view(battle, BLUE)


def test_a_story_tells_each_round_once() -> None:
    found = fought(three())
    scenes = [Scene(n, RED, False, events) for n, (_, events) in enumerate(found)]
    beats = story(scenes)
    assert beats[-1]["kind"] == "over"
    turns = [beat["turn"] for beat in beats if beat["turn"]]
    assert all(one < other for one, other in pairwise(turns))


@pytest.mark.parametrize(("language", "round_"), [("en", "Round 8: "), ("de", "Runde 8: ")])
def test_a_round_has_its_number_however_it_begins(language: str, round_: str) -> None:
    narrate = RENDERER.letters(language).get_template("starfarer/narrate.j2").module
    lucky = Attacked("Ann", "Bo", "Lux 9", 5, "short", 10, 10, 8, 2)
    unlucky = Attacked("Ann", "Bo", "Lux 9", 5, "short", 90, 90, 97, None)
    for attack in (lucky, unlucky):
        [beat] = story([Scene(0, RED, False, [Closed(8), attack])])
        for number in (0, 1):
            told = getattr(narrate, beat["kind"])(beat, {}, lambda ways, n=number: ways[n])
            assert " ".join(told.split()).startswith(round_)
            assert "Bo" in told


def test_misses_are_told_beside_a_hit_or_two_and_alone_they_are_quiet() -> None:
    miss = Attacked("Cy", "Bo", "Lux 9", 5, "short", 50, 50, 60, None)
    hit = Hit(RED, "Ann", "Bo", 1, 0, 0, 5, 0)
    for hits, kinds in (
        (0, ["quiet"]),
        (1, ["struck", "missed"]),
        (2, ["struck", "struck", "missed"]),
        (3, ["struck", "struck", "struck"]),
    ):
        beats = story([Scene(0, RED, False, [Closed(1), miss, *[hit] * hits])])
        assert [beat["kind"] for beat in beats] == kinds


def test_who_falls_does_so_by_the_hit_that_did_it() -> None:
    hits = [Hit(RED, by, at, 1, 0, 0, 5, 0) for by, at in (("Ann", "Bo"), ("Bo", "Cy"))]
    check = ShockChecked("Bo", 30, 90, 4, "Ann")
    beats = story([Scene(0, RED, False, [Closed(1), *hits, check])])
    assert [(one["kind"], one["at"], one["fate"]) for one in beats] == [
        ("struck", "Bo", "unconscious"),
        ("struck", "Cy", ""),
    ]


def test_who_is_ahead_has_more_people_left() -> None:
    battle = duel().battle
    assert 45 <= lead(battle) <= 55
    hurt = duel().having("Bo", shock=500, wounds={CHEST: wound(5)}).battle
    assert lead(hurt) > 55
    assert lead(change(battle, over=True, winner="blue")) == 0


def test_every_line_of_a_doctrine_is_an_order() -> None:
    battle = three()
    for which in ("sound", "bold", "careful"):
        for line in doctrine(battle, RED, which):
            order = line.partition(": ")[2]
            assert parse(battle, RED, order)


def test_bots_know_no_plans_of_others() -> None:
    battle = duel().plan("Ann", act("yield")).battle
    hidden = change(battle, plans={})
    for choose in bots.BY_STRENGTH.values():
        one, other = (choose(b, BLUE, SeededDice(b"w", "", 1, b"")) for b in (battle, hidden))
        assert one == other


def test_the_referee_may_end_a_fight() -> None:
    battle = three()
    drawn, _ = resolve(
        battle, {REFEREE: [parse(battle, REFEREE, "DRAW")]}, SeededDice(b"", "", 0, b"")
    )
    assert (drawn.over, drawn.winner) == (True, None)
    orders = [parse(battle, REFEREE, f"FORFEIT {name}") for name in ("red", "blue")]
    left, _ = resolve(battle, {REFEREE: orders}, SeededDice(b"", "", 0, b""))
    assert (left.over, left.winner) == (True, "green")
    assert resolve(battle, {REFEREE: [End()]}, SeededDice(b"", "", 0, b""))[0].round == 2


def test_a_report_tells_deeds_in_the_order_of_initiative() -> None:
    began, limb, ended = Began("Ann", 6), LimbChecked("Ann", 3, 50, 9, True), Ended("Ann", 5, 0, 1)
    shot = Attacked("Ann", "Bo", "gun", 9, "short", 4, 60, 70, None)
    abort, off = Aborted("Bo", "evade", -3, 2), Defended("Bo", "evade", 50, 9, 3)
    back, down = Attacked("Bo", "Cy", "gun", 9, "short", 4, 60, 70, None), Posed("Bo", True)
    clock, bled = ClockMoved("Ann", CHEST, 3), Bled("Bo", 1)
    phase = (began, limb, shot, abort, off, ended, Began("Bo", 4), back, down, Ended("Bo", 4, 0, 0))
    people = [{"name": name, "team": team} for name, team in (("Ann", 1), ("Bo", 2), ("Cy", 1))]
    told = report([Closed(2), *phase, clock, bled], {"side": 1, "pilots": people})
    assert told.round == 2
    in_order = ((began, limb, shot), (abort, off), (Began("Bo", 4), back), (down,))
    assert told.points == in_order
    assert told.upkeep == ((bled,),)
    assert report(phase, {"side": None, "pilots": people}).points == in_order


def test_a_short_report_tells_how_everybody_fared_one_s_own_first() -> None:
    one, other = Hit(RED, "Bo", "Ann", CHEST, 2, 9, 3, 4), Hit(BLUE, "Ann", "Bo", CHEST, 9, 0, 0, 0)
    wounded = Wounded("Ann", CHEST, 2, 2, False, 1)
    fell, woke = ShockChecked("Bo", 20, 80, 3, "Ann"), WakingChecked("Bo", 40, 9, None)
    people = [{"name": "Ann", "team": 1}, {"name": "Bo", "team": 2}]
    events = [fell, one, wounded, other, woke]
    ann_s, bo_s = report(events, {"side": 1, "pilots": people}).felt
    assert (ann_s.name, ann_s.mine, ann_s.fate) == ("Ann", True, ())
    assert ann_s.blows == (Blow("Bo", CHEST, ("Light",)),)
    assert (bo_s.blows, bo_s.fate, bo_s.again) == ((), (woke,), True)


@pytest.mark.parametrize(
    ("language", "words"),
    [
        (
            "en",
            (
                "Bo could not treat anybody (Ann): out of reach.",
                "Attacks of Bo miss Cy.",
                "The hit ends the aim of Ann at Cy.",
                "The armour of Cy holds against Bo.",
                "An injured limb of Bo fails (right arm).",
                "An attack of Ann misses Bo.",
                "Ann fails to evade.",
            ),
        ),
        (
            "de",
            (
                "Angriffe von Bo verfehlen Cy.",
                "Der Treffer bringt Ann vom Zielen auf Cy ab.",
                "Die Rüstung von Cy hält gegen Bo.",
                "Bei Bo versagt ein verletztes Glied (rechter Arm).",
                "Ein Angriff von Ann verfehlt Bo.",
                "Ann kann nicht ausweichen.",
            ),
        ),
    ],
)
def test_what_one_s_own_side_did_in_vain_stands_in_the_short_form(
    language: str, words: Sequence[str]
) -> None:
    """Of a round only the hits were left: neither a miss nor an aim that a hit ended was told."""
    people = [{"name": "Ann", "team": 1}, {"name": "Bo", "team": 1}, {"name": "Cy", "team": 2}]
    missed = Attacked("Bo", "Cy", "Sarn 40", 5, "short", 8, 40, 91, None)
    events: list[AnyEvent] = [
        Acted("Ann", "aim", "Cy"),
        Acted("Bo", "aim", "Cy"),
        Acted("Bo", "attack", "Cy"),
        missed,
        Hit(BLUE, "Cy", "Ann", 1, 2, 9, 3, 0),
        Hit(BLUE, "Cy", "Bo", 1, 2, 9, 3, 0),
        missed,
        Hit(RED, "Bo", "Cy", 1, 9, 0, 0, 0),
        Refused(BLUE, "Bo", 0, "treat", "Ann", "out of reach"),
        LimbChecked("Bo", 3, 40, 90, False),
        Attacked("Ann", "Bo", "Sarn 40", 5, "short", 8, 40, 91, None),
        Defended("Ann", "evade", 35, 90, 0),
        Defended("Ann", "evade", 35, 95, 0),
    ]

    def told(side: int) -> str:
        shown = {"side": side, "pilots": people}
        step = {"n": 1, "report": plain(report(events, shown))}
        source = '{% import "starfarer/tell.j2" as tell %}{{ tell.brief(step, view, "") }}'
        found = RENDERER.letters(language).from_string(source).render(step=step, view=shown)
        return " ".join(text(found).split())

    assert [one for one in words if told(1).count(one) != 1] == []
    assert not any(one in told(2) for one in words)
