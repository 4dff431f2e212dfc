"""At least one test for each ruling of rules/starfarer.md from SF-41 to SF-44, named after it."""

from typing import Any

import pytest

from tests.engine.starfarer.skirmishes import (
    CHEST,
    KNIFE,
    LEFT_LEG,
    PISTOL,
    RIGHT_ARM,
    SHOOT,
    act,
    ann,
    bo,
    character,
    duel,
    fight,
    treats,
    ward,
    wound,
)

REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"round": 2}, "wrong round"),
    ({"character": "Zed"}, "unknown character"),
    ({"plan": [[act("hold"), act("hold")]]}, "too many actions"),
    ({"plan": [[act("hold")], [act("hold"), act("dance")]]}, "too many actions"),
    ({"plan": [[act("dance", if_="tired")]]}, "unknown action"),
    ({"plan": [[act("hold", else_=act("dance"))]]}, "unknown action"),
    ({"plan": [[act("attack", if_="tired", with_="bow")]]}, "unknown condition"),
    ({"plan": [[act("attack", with_="bow", at="Zed")]]}, "unknown weapon"),
    ({"plan": [[act("parry", with_="bow")]]}, "unknown weapon"),
    ({"plan": [[act("parry", with_="pistol", arm="third")]]}, "wrong weapon"),
    ({"plan": [[act("attack", at="Ann", arm="third")]]}, "bad target"),
    ({"plan": [[act("aim", at="Zed")]]}, "bad target"),
    ({"plan": [[act("treat", at="Bo", area="toe")]]}, "bad target"),
    ({"plan": [[act("treat", at="nearest", area=CHEST)]]}, "bad target"),
    ({"plan": [[act("move", toward="Ann", to=3)]]}, "bad target"),
    ({"plan": [[act("move", toward="Zed")]]}, "bad target"),
    ({"plan": [[act("move")]]}, "bad move"),
    ({"plan": [[act("move", toward="Bo", to=3)]]}, "bad move"),
    ({"plan": [[act("treat", area="toe")]]}, "bad area"),
    ({"plan": [[act("treat")]]}, "bad area"),
    ({"plan": [[act("attack", arm="third")]]}, "bad arm"),
    ({"plan": [[act("parry", arm="both")]]}, "bad arm"),
    ({"plan": [[act("hold")]], "abort": "drop"}, "unknown action"),
]


@pytest.mark.parametrize(("changes", "reason"), REFUSED)
def test_sf_41_why_a_plan_is_refused(changes: dict[str, Any], reason: str) -> None:
    given = duel()
    entry = given.entry("Ann", act("hold")) | changes
    assert given.refusal(entry) == reason


def test_sf_41_the_tests_come_in_their_order() -> None:
    over = duel().plan("Ann", act("yield")).round(1, 1)
    late = {"round": 9, "character": "Zed", "plan": [[act("dance")]]}
    assert over.refusal(late) == "over"
    assert over.refusal({"round": 1, "end": True}) == "over"
    given = duel()
    assert given.refusal(late) == "wrong round"
    assert given.refusal({"round": 2, "end": True}) == "wrong round"
    bad = {"round": 1, "character": "Ann", "plan": [[act("dance")]]}
    for fate in ("dead", "surrendered", "left"):
        assert given.having("Ann", fate=fate).refusal(bad) == "out of the fight"
    assert given.having("Ann", fate="unconscious").refusal(bad) == "unconscious"


def test_sf_41_keys_without_a_use_do_nothing() -> None:
    given = duel(multiple=True, declaration=True)
    useless = {"with_": "bow", "arm": "third", "at": "Zed", "area": "toe", "toward": "Zed", "to": 1}
    for do in ("evade", "drop", "hold", "yield"):
        assert given.refusal(given.entry("Ann", act(do, **useless))) is None
    evaded = given.plan("Ann", act("evade", at="Bo", within=0)).round(1, 1, 50)
    assert [(event.do, event.at) for event in evaded.events_of("Acted")] == [("evade", None)]
    four = [act("hold")] * 4
    assert given.refusal(given.entry("Ann", four)) is None
    assert given.refusal(given.entry("Ann", [*four, act("hold")])) == "too many actions"


def test_sf_42_a_name_may_be_that_of_one_who_is_gone() -> None:
    given = fight([ann()], [bo(), character("Cy", 30)]).having("Bo", fate="dead")
    assert given.plan("Ann", SHOOT).round(1, 1).refused == [(0, "bad target")]


def test_sf_42_a_refused_plan_leaves_the_earlier_one_in_force() -> None:
    given = duel().plan("Ann", act("drop"))
    assert given.refusal(given.entry("Ann", act("dance"))) == "unknown action"
    assert given.round(1, 1).acted == ["Ann drop"]


def test_sf_43_refusals_are_listed_as_they_happen_with_the_index_of_the_plan() -> None:
    red, blue = {"initiative": 19}, {"initiative": 10}
    given = duel(red=red, blue=blue).plan("Bo", act("hold")).plan("Bo", act("rise"))
    given = given.plan("Ann", act("rise", else_=act("attack", with_="knife")))
    # Ann has 20, Bo 11, Ann 10.
    played = given.round(1, 1)
    assert played.refused == [
        (2, "not prone"), (2, "out of reach"), (1, "not prone"),
        (2, "not prone"), (2, "out of reach"),
    ]  # fmt: skip


LATE: list[tuple[dict[str, Any], dict[str, Any], str]] = [
    (act("attack", at="Bo"), {"fate": "left"}, "bad target"),
    (act("aim", at="Bo"), {"fate": "surrendered"}, "bad target"),
    (act("attack"), {"fate": "unconscious"}, "bad target"),
    (act("move", toward="nearest"), {"fate": "unconscious"}, "bad target"),
    (act("move", toward="Bo"), {"fate": "dead"}, "bad target"),
    (act("attack", at="Bo"), {"fate": "unconscious"}, "down"),
]


@pytest.mark.parametrize(("action", "changes", "reason"), LATE)
def test_sf_44_targets_that_are_gone_or_down(
    action: dict[str, Any], changes: dict[str, Any], reason: str
) -> None:
    if changes["fate"] == "unconscious":
        changes = {**changes, "wakes": 9, "prone": True}
    assert duel().having("Bo", **changes).plan("Ann", action).round(1).refused == [(0, reason)]


@pytest.mark.parametrize(
    ("action", "own", "reason"),
    [
        (act("evade"), {"prone": True, "wounds": {LEFT_LEG: wound(6)}}, "prone"),
        (act("drop"), {"prone": True}, "prone"),
        (act("rise"), {"wounds": {LEFT_LEG: wound(6)}}, "not prone"),
        (act("rise"), {"prone": True, "wounds": {LEFT_LEG: wound(6)}}, "disabled"),
        (act("attack", with_="knife"), {"wounds": {RIGHT_ARM: wound(6)}}, "disabled"),
        (act("attack", with_="knife", arm="left"), {"wounds": {RIGHT_ARM: wound(6)}},
         "out of reach"),
        (act("treat", area=CHEST), {"wounds": {RIGHT_ARM: wound(6)}}, "disabled"),
        (act("treat", area=CHEST), {}, "nothing to treat"),
        (act("treat", area="shock"), {"shock": 599}, "nothing to treat"),
        (act("treat", area="shock"), {"shock": 600, "steadied": frozenset({"shock"})},
         "nothing to treat"),
        (act("treat", area=CHEST), {"wounds": {CHEST: wound(6)}, "steadied": frozenset({CHEST})},
         "nothing to treat"),
        (act("treat", area=LEFT_LEG), {"wounds": {LEFT_LEG: wound(6)}}, "nothing to treat"),
    ],
)  # fmt: skip
def test_sf_44_what_hinders_a_character_itself(
    action: dict[str, Any], own: dict[str, Any], reason: str
) -> None:
    assert duel().having("Ann", **own).plan("Ann", action).round(1, 1).refused == [(0, reason)]


def test_sf_44_the_tests_come_in_their_order() -> None:
    # `twice` before the target, the target before `within`, and that before `down`.
    given = duel(declaration=True, multiple=True).having("Bo", fate="left")
    both = [act("treat", area=CHEST), act("treat", area=CHEST)]
    again = given.having("Ann", bleeding={CHEST: 9}).plan("Ann", both).round(1, 50)
    assert again.refused == [(0, "twice")]
    gone = duel().having("Bo", fate="dead").plan("Ann", act("attack", at="Bo", within=1))
    assert gone.round(1).refused == [(0, "bad target")]
    down = duel().having("Bo", fate="unconscious", prone=True, wakes=9)
    assert down.plan("Ann", act("attack", at="Bo", within=1)).round(1).refused == []
    far = ward(5).having("Ann", wounds={RIGHT_ARM: wound(6)})
    assert treats(far, CHEST).refused == [(0, "disabled")]


def test_sf_44_out_of_range() -> None:
    red = {"weapons": [KNIFE, {**PISTOL, "range": 1}]}
    given = duel(31, red).plan("Ann", act("attack", with_="pistol"))
    assert given.round(1, 1).refused == [(0, "out of range")]
