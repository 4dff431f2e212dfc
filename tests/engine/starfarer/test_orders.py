"""Plans as people write them: one phase a line, near misses, and German words."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.errors import UnreadableOrder
from engine.orders.line_shapes import clean
from engine.orders.reading import read_for
from engine.ruleset import Near
from engine.seats import REFEREE, Seat
from engine.starfarer import written_orders
from engine.starfarer.model import Action, Battle, Draw, End, Forfeit, Plan
from engine.starfarer.rules import STARFARER
from engine.starfarer.tables import AREAS, SHOCK
from engine.starfarer.vocabulary import GERMAN
from tests.engine.starfarer.skirmishes import LEFT_LEG, ann, bo, character, duel, fight, ward
from tests.support.trial_counts import tries

RED, BLUE = Seat("red"), Seat("blue")


def lone() -> Battle:
    """Ann against Bo."""
    return duel().battle


def pair() -> Battle:
    """Ann and Cy against Bo and a man with an odd name."""
    return fight([ann(), character("Cy", 1)], [bo(), character("With Left", 20)]).battle


def one(battle: Battle, line: str) -> Action:
    """The only action of a line."""
    found = written_orders.read(battle, RED, line)
    assert isinstance(found, Plan), found
    return found.entries[0][0][0]


def test_who_is_unconscious_can_be_ordered_about_by_name_alone() -> None:
    mates = fight([ann(), character("Cy", 1)], [bo()])
    battle = mates.having("Cy", fate="unconscious", wakes=9, prone=True).battle
    plan = written_orders.read(battle, RED, "Cy: EVADE")
    assert plan == Plan("Cy", (((Action("evade"),),),))
    assert STARFARER.refusal(battle, RED, plan) == "unconscious"
    assert written_orders.read(battle, RED, "EVADE") == Plan("Ann", (((Action("evade"),),),))


@pytest.mark.parametrize(
    ("line", "action"),
    [
        ("ATTACK Bo WITH pistol", Action("attack", at="Bo", weapon="pistol")),
        ("Ann: shoot at the nearest", Action("attack", at="nearest")),
        ("Ann attack bo with the knife, please", Action("attack", at="Bo", weapon="knife")),
        ("ATTACK", Action("attack")),
        ("ATTACK Bo WITHIN 20m FINISH", Action("attack", at="Bo", within=20, finish=True)),
        ("ATTACK left hand", Action("attack", arm="left")),
        ("- AIM AT Bo.", Action("aim", at="Bo")),
        ("EVADE", Action("evade")),
        ("dodge", Action("evade")),
        ("PARRY WITH knife", Action("parry", weapon="knife")),
        ("MOVE TO 20", Action("move", to=20)),
        ("MOVE TO -3 metres", Action("move", to=-3)),
        ("MOVE TOWARD Bo", Action("move", toward="Bo")),
        ("MOVE Bo", Action("move", toward="Bo")),
        ("TREAT chest", Action("treat", area="chest")),
        ("TREAT RIGHT ARM OF Ann", Action("treat", at="Ann", area="right arm")),
        ("TREAT shock", Action("treat", area="shock")),
        ("Lie down", Action("drop")),
        ("STAND UP", Action("rise")),
        ("HOLD", Action("hold")),
        ("SURRENDER", Action("yield")),
        ("IF ENGAGED: EVADE", Action("evade", when="engaged")),
        ("If not engaged then evade", Action("evade", when="clear")),
    ],
)
def test_an_action_as_people_write_it(line: str, action: Action) -> None:
    assert one(lone(), line) == action


def test_what_to_do_else_and_several_actions_of_a_phase() -> None:
    found = written_orders.read(
        lone(), RED, "IF ENGAGED: ATTACK WITH knife, ELSE EVADE AND TREAT chest"
    )
    assert isinstance(found, Plan)
    attack = Action("attack", when="engaged", weapon="knife")
    treat = Action("treat", area="chest")
    assert found.entries == (((attack, Action("evade")), (treat,)),)


def test_a_plan_of_several_lines() -> None:
    lines = ["Ann: ATTACK Bo", "AIM AT Bo", "Cy:", "EVADE", "ABORT: EVADE", "KEEP", "Ann: HOLD"]
    assert _gathered(pair(), lines) == [
        "Ann: ATTACK Bo; AIM AT Bo; HOLD",
        "Cy: EVADE; ABORT: EVADE; KEEP",
    ]


def test_who_has_one_character_need_not_name_it() -> None:
    assert _gathered(lone(), ["ATTACK Bo", "EVADE"]) == ["Ann: ATTACK Bo; EVADE"]


def test_parts_without_a_name_are_near_misses_where_there_are_several_characters() -> None:
    (near,) = _gathered(pair(), ["EVADE"])
    assert near == Near("EVADE", "Ann: EVADE", several=("Ann: EVADE", "Cy: EVADE"))


def test_a_plan_without_a_phase_and_one_with_too_many_are_near_misses() -> None:
    for lines in (["KEEP"], ["Ann:"], ["HOLD"] * 13):
        (near,) = _gathered(lone(), lines)
        assert isinstance(near, Near)
        assert near.why


@pytest.mark.parametrize(
    ("line", "hint"),
    [
        ("ATTCK Bo", "Ann: ATTACK Bo"),
        ("Ann: ATTACK Boo", None),
        ("ATTACK Bob", None),
        ("ATTACK Bo WITH pistl", "Ann: ATTACK Bo WITH pistol"),
        ("IF ENGAGD: EVADE", "Ann: IF ENGAGED: EVADE"),
        ("ATTACK Bo, EVADE", None),
        ("IF: EVADE", None),
        ("TREAT", None),
        ("MOVE TO", None),
        ("ABORT: HOLD", None),
        ("IF NOT HURT: EVADE", None),
        ("EVADE Bo", None),
    ],
)
def test_a_near_miss_is_told_with_a_hint(line: str, hint: str | None) -> None:
    found = written_orders.read(lone(), RED, line)
    assert isinstance(found, Near), found
    assert (found.hint == hint) if hint else found.why


@pytest.mark.parametrize(
    ("line", "hint"),
    [
        ("Ann: TREAT Cy", "behind TREAT stands what is treated: Ann: TREAT left leg OF Cy"),
        ("Ann: TREAT", "behind TREAT stands what is treated: Ann: TREAT left leg OF Cy"),
        ("Ann: TREAT Ann", "there is nothing to treat"),
        ("Ann: VERSORGEN Cy", "behind TREAT stands what is treated: Ann: VERSORGEN linkes Bein"),
    ],
)
def test_who_names_no_area_to_treat_is_told_the_orders_that_are_possible(
    line: str, hint: str
) -> None:
    battle = ward(bleeding={LEFT_LEG: 2}).battle
    language = "de" if "VERSORGEN" in line else "en"
    (near,) = read_for(STARFARER, battle, RED, line, language).near
    assert near.hint.startswith(hint)


@pytest.mark.parametrize(
    "line",
    [
        "",
        "Hold the line, friends!",
        "Attack is the best defence.",
        "We move to the next town tomorrow.",
        "Ann: we should talk",
        "If only I had a gun",
        "keep your head down",
        "Bo drops his knife.",
        "else",
        "x" * 500,
        '"' * 90,
    ],
)
def test_a_story_is_no_plan(line: str) -> None:
    assert written_orders.read(lone(), RED, line) is None


def test_who_orders_a_character_that_is_not_theirs_or_is_out_is_told_so() -> None:
    battle = fight([character("Kitai", 0), ann()], [bo()]).having("Kitai", fate="dead").battle
    found = read_for(STARFARER, battle, RED, "Bo: HOLD\nKitai: HOLD\nAnn: HOLD")
    assert [near.hint for near in found.near] == [
        "Bo is not yours",
        "Kitai is out of the fight: dead",
    ]


def test_a_mistyped_character_is_told_with_a_hint() -> None:
    battle = fight([character("Kitai", 0), ann()], [bo()]).battle
    found = written_orders.read(battle, RED, "Kitia: ATTACK Bo")
    assert isinstance(found, Near)
    assert found.hint == "Kitai: ATTACK Bo"
    found = written_orders.read(battle, RED, "Zorro: ATTACK Bo")
    assert isinstance(found, Near)
    assert found.meant == ("Kitai: ATTACK Bo", "Ann: ATTACK Bo")


def test_parse_wants_a_whole_plan_and_knows_the_rulings() -> None:
    battle = pair()
    for text in ("EVADE", "Ann:", "nonsense", "Ann: ATTACK Zorro"):
        with pytest.raises(UnreadableOrder):
            written_orders.parse(battle, RED, text)
    rulings = [
        written_orders.parse(battle, REFEREE, text) for text in ("END", "DRAW", "FORFEIT red")
    ]
    assert rulings == [End(), Draw(), Forfeit(RED)]
    assert [written_orders.format_order(one) for one in rulings] == ["END", "DRAW", "FORFEIT red"]
    with pytest.raises(UnreadableOrder, match="END, DRAW, FORFEIT"):
        written_orders.parse(battle, REFEREE, "WIN")


def _gathered(battle: Battle, lines: list[str]) -> list[str | Near]:
    found = [written_orders.read(battle, RED, line) for line in lines]
    texts = [written_orders.format_order(part) for part in found if isinstance(part, Plan)]
    assert len(texts) == len(lines), found
    return written_orders.gather(battle, RED, texts)


# read(write(plan)) == plan

NAMES = st.sampled_from(("Ann", "Cy", "With Left", 'D, "elta"; EVADE', "nearest one", "20", "Né-é"))
FOES = st.one_of(st.none(), st.just("nearest"), NAMES)
WEAPONS = st.one_of(st.none(), st.sampled_from(("2500j", "left hand", "Mono & knife", "12m")))
ARMS = st.sampled_from((None, "right", "left"))
METRES = st.one_of(st.none(), st.integers(-9, 300_000))
ACTIONS = st.one_of(
    st.builds(Action, st.just("attack"), st.none(), FOES, METRES, st.booleans(), WEAPONS, ARMS),
    st.builds(Action, st.just("aim"), st.none(), FOES, METRES, st.booleans()),
    st.builds(Action, st.just("parry"), weapon=WEAPONS, arm=ARMS),
    st.builds(Action, st.just("move"), to=st.integers(-99, 300_000)),
    st.builds(Action, st.just("move"), toward=st.one_of(st.just("nearest"), NAMES)),
    st.builds(
        Action,
        st.just("treat"),
        at=st.one_of(st.none(), NAMES),
        area=st.sampled_from((*AREAS, SHOCK)),
    ),
    st.builds(Action, st.sampled_from(("evade", "drop", "rise", "hold", "yield"))),
)
CONDITIONAL = st.builds(
    lambda action, when: Action(**{**_fields(action), "when": when}),
    ACTIONS,
    st.sampled_from((None, "engaged", "clear", "hurt", "bleeding")),
)


def _fields(action: Action) -> dict[str, Any]:
    return {key: getattr(action, key) for key in Action.__struct_fields__}


ENTRIES = st.lists(
    st.lists(CONDITIONAL, min_size=1, max_size=3).map(tuple), min_size=1, max_size=4
).map(tuple)
PLANS = st.builds(
    Plan,
    NAMES,
    st.lists(ENTRIES, min_size=1, max_size=4).map(tuple),
    st.sampled_from((None, "evade", "parry")),
    keep=st.booleans(),
)


@settings(deadline=None, max_examples=tries(300, 60))
@given(PLANS)
def test_a_plan_that_is_written_is_read_again(plan: Plan) -> None:
    text = written_orders.format_order(plan)
    assert written_orders.parse_parts(None, None, text) == plan
    assert clean(text) in (text, "") or '"' in text or text.endswith("hand")


@settings(deadline=None, max_examples=tries(300, 60))
@given(PLANS)
def test_a_plan_shown_in_german_is_read_again(plan: Plan) -> None:
    text = written_orders.format_order(plan)
    german = GERMAN.shown(text)
    assert german != text
    assert GERMAN.order(german) == text


@settings(deadline=None, max_examples=tries(300, 60))
@given(st.text(max_size=120))
def test_any_line_can_be_read(line: str) -> None:
    for battle in (lone(), None):
        found = written_orders.read(battle, RED, line)
        assert found is None or isinstance(found, Plan | Near)


@pytest.mark.parametrize(
    ("line", "english"),
    [
        ("ANGREIFEN Bo MIT pistol", "ATTACK Bo WITH pistol"),
        ("Ann: Schieße auf den nächsten", "Ann: ATTACK nearest"),
        ("WENN BEDRÄNGT: ANGREIFEN MIT knife, SONST AUSWEICHEN", None),
        ("VERSORGEN Brust VON Ann", "TREAT chest OF Ann"),
        ("GEHEN ZU Bo", "MOVE TOWARD Bo"),
        ("GEHE NACH 20", "MOVE TO 20"),
        ("ABBRUCH: AUSWEICHEN", "ABORT: EVADE"),
        ("BEIBEHALTEN", "KEEP"),
    ],
)
def test_german_words(line: str, english: str | None) -> None:
    found = GERMAN.order(line)
    assert found == (english or "IF ENGAGED: ATTACK WITH knife, ELSE EVADE")


def test_a_mistyped_german_verb_and_a_line_without_german() -> None:
    assert GERMAN.nearly("ANGRIEFEN Bo") == "ATTACK Bo"
    assert GERMAN.nearly("Ann: AUSWEICHN") == "Ann: EVADE"
    assert GERMAN.nearly("Gestern war es schön") is None
    assert GERMAN.order("ATTACK Bo") is None
    assert GERMAN.shown("Ann: EVADE") == "Ann: AUSWEICHEN"
