"""What letters show of a battle: views, pictures, stories."""

import json
import re
from collections.abc import Sequence
from xml.etree import ElementTree

import pytest

from engine.codec import plain
from engine.cortex import letter_remarks
from engine.cortex.attack_events import (
    AnyEvent,
    Arrived,
    Launched,
    MissileFlew,
    MissileGone,
    PointDefended,
    Struck,
)
from engine.cortex.chart import film, pictures
from engine.cortex.events import Closed, Defaulted, Gone, Refused, Signalled
from engine.cortex.model import Advantage, Lock, Missile
from engine.cortex.report import report
from engine.cortex.story_beats import story
from engine.cortex.tables import RANGES
from engine.cortex.view import view
from engine.letter_texts import Scene
from engine.pictures import FONT, wide
from engine.seats import REFEREE, Seat
from pbem.rendering.letter_script import text
from tests.engine.cortex.battles import GUN, Skirmish, battle, duel, fighter, idle, o, ship, shot
from tests.rendering.test_against import RENDERER

BLUE, RED = Seat("blue"), Seat("red")


def same(word: str) -> str:
    """Translate nothing."""
    return word


def mixed() -> Skirmish:
    """A wing and a ship against a fighter and a ship, with Advantage, a lock and a missile."""
    start = battle(
        [fighter("Ann"), fighter("Al"), ship("Ark")],
        [fighter("Bo"), ship("Bulk")],
        ranges={"Ann|Bo": "skirmish", "Al|Bo": "skirmish"},
    )
    return (
        start.wing("Ann", "Al")
        .having("Bo", stun=55, wound=100)
        .with_state(
            turn=2,
            vessels=start.having("Bo", stun=55, wound=100).battle.vessels,
            wings=(("Ann", "Al"),),
            advantages={"Ann|Bo": Advantage("Bo", 2), "Al|Bo": Advantage("Bo", 2)},
            locks=(Lock("Ark", "dart", "Bulk"),),
            missiles=(Missile("M1", "Bulk", "dart", "Al", 2, 2),),
        )
    )


def test_a_picture_says_all_that_it_shows_and_is_whole() -> None:
    (drawn,) = pictures(view(mixed().battle, BLUE), same)
    assert drawn.alt.startswith(
        "Ann: Bo at skirmish range with Advantage over it (2); Bulk at capital range; "
        "Ark: Bo at capital range; Bulk at capital range; Ark has a lock on Bulk (dart); "
        "M1 flies at Al, and hits in turn 4; Ann has 40 of 40 LP"
    )
    assert "Bo has 24.5 of 40 LP" in drawn.alt
    ElementTree.fromstring(drawn.svg)
    # The public sees it from the first team, and who plays sees its own rings.
    assert pictures(view(mixed().battle, None), same)[0].alt.startswith("Ann: ")
    assert pictures(view(mixed().battle, RED), same)[0].alt.startswith("Bo: Ann at skirmish range")


@pytest.mark.parametrize("kind", RANGES)
@pytest.mark.parametrize("count", [1, 2, 5, 12])
def test_no_sign_covers_the_word_of_a_ring(kind: str, count: int) -> None:
    names = [f"B{n}" for n in range(count)]
    pairs = {f"Ann|{name}": kind for name in names}
    start = battle([fighter("Ann")], [fighter(name) for name in names], ranges=pairs)
    (drawn,) = pictures(view(start.battle, BLUE), same)
    label = re.search(rf'<text x="(\d+)" y="(\d+)"[^>]*>{kind}</text>', drawn.svg)
    assert label
    x, y = int(label[1]), int(label[2])
    found = re.findall(r'<g transform="translate\((\d+) (\d+)\)"><(?:rect|circle)', drawn.svg)
    signs = {(int(one), int(other)) for one, other in found}
    assert len(signs) > count
    for one, other in signs:
        across = abs(one - x) >= wide(kind, FONT) / 2 + 20
        assert across or abs(other - (y - 8)) >= 20 + FONT / 2, (one, other)


def test_all_fates_are_drawn_and_the_end_without_rings() -> None:
    for fate in ("disabled", "destroyed", "surrendered", "withdrawn", "jumped"):
        shown = duel().having("Bo", fate=fate)
        assert f"Bo is {fate}" in pictures(view(shown.battle, BLUE), same)[0].alt
    over = duel().having("Bo", fate="destroyed").with_state(over=True, winner="blue").battle
    assert pictures(view(over, BLUE), same)[0].alt == "Ann has 40 of 40 LP; Bo is destroyed."


def test_a_view_is_plain_and_holds_no_orders_of_others() -> None:
    ready = mixed().turn(idle("Ann"), start=(1,) * 8).battle
    for seat in (BLUE, RED, None, REFEREE):
        seen = view(ready, seat)
        assert json.loads(json.dumps(seen)) == seen
    assert view(mixed().battle, BLUE)["to_order"] == ["Ann", "Ark"]
    assert view(mixed().battle, None)["to_order"] == []


def test_a_gist_tells_what_happened_to_one_s_own_first() -> None:
    start = battle([fighter("Ann"), fighter("Al")], [fighter("Bo"), fighter("Bea"), fighter("Cy")])
    gone = [Gone("Bo", "destroyed"), Gone("Al", "disabled"), Gone("Cy", "destroyed")]
    blue, red = (letter_remarks.gist(start.battle, gone, seat) for seat in (BLUE, RED))
    assert blue.happened == "on your side Al disabled; on the other side Bo and Cy destroyed"
    assert red.happened == "on your side Bo and Cy destroyed; on the other side Al disabled"
    assert (blue.stands, red.stands) == ("turn 1, 2 against 3", "turn 1, 3 against 2")
    hits = [Struck("Bo", RED, "Ann", 10, 0), Struck("Ann", BLUE, "Bo", 0, 0)]
    assert letter_remarks.gist(start.battle, hits, BLUE).happened == "on the other side 1 hit"
    both = [Gone("Al", "destroyed"), *hits]
    told = "on your side Al destroyed; on the other side 1 hit"
    assert letter_remarks.gist(start.battle, both, BLUE).happened == told
    assert letter_remarks.gist(start.battle, hits[1:], BLUE).happened == "nobody was hit"
    german = RENDERER.letters("de")
    assert german.from_string("{{ said }}").render(said=red.happened) == (
        "bei dir Bo und Cy zerstört; beim Gegner Al außer Gefecht"
    )


def written(
    macro: str,
    played: Skirmish,
    seat: Seat | None,
    events: Sequence[AnyEvent],
    language: str = "en",
) -> str:
    """A turn in words, as `turn` or `brief` of tell.j2 tells it."""
    shown = view(played.battle, seat)
    step = {"n": 1, "report": plain(report(events, shown))}
    source = f'{{% import "cortex/tell.j2" as tell %}}{{{{ tell.{macro}(step, view, "") }}}}'
    return RENDERER.letters(language).from_string(source).render(step=step, view=shown)


def brief(played: Skirmish, language: str = "en") -> str:
    """A turn as it is told in short to blue."""
    told = text(written("brief", played, BLUE, played.events, language))
    return " ".join(told.split())


def test_no_item_of_a_report_is_empty() -> None:
    """A missile that arrives flew on before that, which is not worth an item."""
    start = battle([fighter("Ann"), fighter("Al")], [fighter("Bo")])
    flying = start.with_state(missiles=(Missile("M1", "Ann", "dart", "Bo", 1, 0),))
    played = flying.turn(idle("Ann"), idle("Al"), idle("Bo"), dice=(2,) * 4)
    assert any(isinstance(one, MissileFlew) for one in played.events)
    lines = text(written("turn", played, BLUE, played.events))
    assert "- Missile M1 hits Bo" in lines
    assert "-" not in map(str.strip, lines.splitlines())


def test_no_part_of_a_report_is_empty() -> None:
    start = battle([fighter("Ann"), fighter("Al")], [fighter("Bo")])
    lines = text(written("turn", start, BLUE, [Closed(1), MissileFlew("M1", 0), Defaulted("Ann")]))
    assert "What your side did:" in lines
    assert "What the other side did:" not in lines


def test_all_that_one_unit_could_not_do_is_told() -> None:
    start = battle([fighter("Ann"), fighter("Al")], [fighter("Bo")])
    done = Signalled("Ann", "check_fire"), Signalled("Ann", "defend")
    refused = (
        Refused(BLUE, "Al", "lock", 0, "no lock"),
        Refused(BLUE, "Al", "spot", 1, "bad target"),
        Refused(BLUE, "Al", "spot", 2, "bad target"),
    )
    lines = " ".join(text(written("turn", start, BLUE, [*done, *refused])).split())
    assert "- Ann silences its point defence. Ann defends." in lines
    wrong = "the target was gone, or none for that"
    assert f"- Al could not lock a missile: no lock. Al could not spot: {wrong}." in lines
    assert lines.count("could not spot") == 1


def test_what_several_did_alike_is_told_once() -> None:
    start = battle([fighter("Ann"), fighter("Al")], [fighter("Bo")])
    refused = [Refused(BLUE, name, "lock", n, "no lock") for n, name in enumerate(("Ann", "Al"))]
    lines = " ".join(text(written("turn", start, BLUE, refused)).split())
    assert "- Ann and Al could not lock a missile: no lock." in lines


def test_a_film_shows_the_first_turn_and_the_last() -> None:
    start = duel()
    later = start.turn(shot("Ann", "Bo"), idle("Bo"), dice=(12, 8, 1, 3))
    (strip,) = film([view(start.battle, None), view(later.battle, None)], same)
    assert strip.alt == (
        "The battle in drawings: before the first turn blue 1, red 1; after turn 1 blue 1, red 1."
    )
    ElementTree.fromstring(strip.svg)
    assert film([view(start.battle, None)], same) == ()


def test_a_story_tells_hits_and_ends_and_joins_quiet_turns() -> None:
    first = duel().turn(idle("Ann"), idle("Bo"))
    second = first.turn(idle("Ann"), idle("Bo"))
    third = second.turn(shot("Ann", "Bo"), idle("Bo"), dice=(12, 8, 1, 3))
    fourth = third.turn(idle("Ann"), o("Bo", "surrender"))
    turns = (first, second, third, fourth)
    beats = story([Scene(n, BLUE, False, turn.events) for n, turn in enumerate(turns)])
    assert [beat["kind"] for beat in beats] == ["quiet", "struck", "gone", "over"]
    assert (beats[0]["since"], beats[0]["until"]) == (1, 2)
    assert (beats[1]["by"], beats[1]["at"], beats[1]["turn"]) == ("Ann", "Bo", 3)
    assert beats[2]["fate"] == "surrendered"
    assert beats[3]["winner"] == "blue"


def told(*turns: Skirmish) -> list[tuple[str, str, str]]:
    """Who struck whom in a story, and in which way."""
    beats = story([Scene(n, BLUE, False, turn.events) for n, turn in enumerate(turns)])
    return [(one["by"], one["at"], one["way"]) for one in beats if one["kind"] == "struck"]


def test_a_story_tells_what_struck() -> None:
    flak = {**GUN, "name": "flak", "pd": True, "range": "skirmish"}
    chase = {"range": "capital", "ranges": {"Ann|Bo": "capital", "Big|Bo": "skirmish"}}
    start = battle([fighter("Ann"), ship("Big", weapons=[flak])], [fighter("Bo")], **chase)
    orders = o("Ann", "close", at="Bo"), o("Big", "defend"), idle("Bo")
    assert told(start.turn(*orders, dice=[6, 5, 8])) == [("Big", "Ann", "defence")]
    shooting = duel().turn(shot("Ann", "Bo"), idle("Bo"), dice=(12, 8, 1, 3))
    assert told(shooting) == [("Ann", "Bo", "guns")]
    flying = duel().with_state(missiles=(Missile("M1", "Ann", "dart", "Bo", 1, 0),))
    assert told(flying.turn(idle("Ann"), idle("Bo"), dice=(2,) * 4)) == [("M1", "Bo", "missile")]


@pytest.mark.parametrize("language", ["en", "de"])
def test_every_way_to_be_struck_has_words(language: str) -> None:
    narrate = RENDERER.letters(language).get_template("cortex/narrate.j2").module
    said = set[str]()
    for way in ("guns", "defence", "missile", "collision"):
        for fate, harm in (("destroyed", 90), ("disabled", 90), ("", 10), ("", 5), ("", 0)):
            beat = {"turn": 0, "way": way, "by": "Bo", "at": "Ann", "fate": fate, "harm": harm}
            words = narrate.struck(beat, {}, lambda some: some[-1]).strip()
            assert "Ann" in words
            assert "Bo" in words
            said.add(words)
    assert len(said) == 20
    assert not [one for one in said if " 1 points" in one or " 1 Punkte" in one]


def test_a_short_report_says_that_it_was_point_defence_and_whose() -> None:
    fired = PointDefended("Big", "Flak", "Ann", 19, None, None)
    struck = Struck("Ann", BLUE, "Big", 50, 100)
    theirs = battle([fighter("Ann")], [ship("Big")])
    own = battle([fighter("Ann"), ship("Big")], [fighter("Bo")])
    for fight, more in ((theirs, ""), (own, ", which fires at its own side too")):
        shown = written("brief", fight, None, [fired, struck])
        words = f"Ann takes 5 Stun and 10 Wound from the point defence of Big{more}."
        assert words in re.sub("<[^>]*>|[^ -~]", "", shown)


def test_what_one_s_own_side_did_in_vain_stands_in_the_short_form() -> None:
    """Of a turn in which all of it failed only "Nobody was harmed." was left."""
    start = battle([fighter("Ann"), fighter("Al")], [fighter("Bo")])
    played = start.turn(o("Ann", "withdraw"), shot("Al", "Bo"), idle("Bo"), dice=(1, 2, 12))
    ranged = "Ann could not withdraw: the range was wrong."
    assert brief(played) == f"Turn 1. {ranged} A shot of Al misses Bo."
    assert "Ein Schuss von Al verfehlt Bo." in brief(played, "de")
    both = start.turn(shot("Ann", "Bo"), shot("Al", "Bo"), idle("Bo"), dice=(1, 2, 12) * 2)
    assert brief(both) == "Turn 1. Shots of Ann and Al miss Bo."
    theirs = text(written("brief", both, RED, both.events))
    assert "Nobody was harmed." in " ".join(theirs.split())


def test_the_way_of_each_missile_stands_in_the_short_form_and_in_the_story() -> None:
    """One whose target was out of the battle before it arrived was never mentioned again."""
    start = battle([fighter("Ann"), fighter("Al")], [fighter("Bo"), fighter("Cy")])
    missile = Missile("M1", "Ann", "dart", "Bo", 1, 0)
    flying = start.with_state(missiles=(missile,))
    gone = flying.having("Bo", wound=2000, fate="disabled")
    late = gone.turn(idle("Ann"), idle("Al"), idle("Cy"), dice=(2,) * 4)
    assert brief(late) == "Turn 1. Missile M1 finds nobody there any more."
    assert brief(late, "de").endswith("Rakete M1 trifft dort niemanden mehr.")
    beats = story([Scene(1, BLUE, False, late.events)])
    assert [(one["kind"], one["id"], one["why"]) for one in beats] == [("shaken", "M1", "arrived")]
    stopped: list[AnyEvent] = [
        Arrived("M1", 0, (1,), {"Bo": 4}),
        Struck("Bo", RED, "M1", 0, 0),
    ]
    launched: list[AnyEvent] = [Launched(missile), MissileGone("M1", "intercepted")]
    for events, words in (
        (stopped, "The armour of Bo holds against M1."),
        (launched, "Ann launches dart at Bo: missile M1,"),
        (launched, "Missile M1 is shot down."),
    ):
        assert words in " ".join(text(written("brief", start, RED, events)).split())
    assert [one["kind"] for one in story([Scene(1, BLUE, False, stopped)])] == ["struck"]
