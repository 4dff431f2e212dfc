"""Orders of Cortex as people write them: a line or a block, near misses, and German words."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.codec import change
from engine.cortex import written_orders
from engine.cortex.if_conditions import WORDS, condition, holds
from engine.cortex.legal import KNOWN
from engine.cortex.model import (
    HOLD,
    Advantage,
    Battle,
    Close,
    Draw,
    Forfeit,
    Lock,
    Missile,
    Order,
    Orders,
)
from engine.cortex.rules import CORTEX
from engine.cortex.tables import (
    NEAREST_FOE,
    NEXT_MISSILE,
    OPTIONS,
    PARTS,
    WEAKEST_FOE,
)
from engine.cortex.vocabulary import GERMAN
from engine.dice import SeededDice
from engine.errors import IllegalOrder, UnreadableOrder
from engine.orders.orders_on_file import Sheet, choices, extras
from engine.orders.reading import read_for
from engine.ruleset import Near
from engine.seats import REFEREE, Seat
from tests.engine.cortex.battles import battle, crewed, fighter, ship
from tests.support.trial_counts import tries

BLUE, RED = Seat("blue"), Seat("red")
EYE = {"name": "Eye", "alt": "d8", "lp": 10, "designator": True, "uplink": "transceiver"}
FIRST = [one for one in OPTIONS if one != "crew2"]


def field() -> Battle:
    """Two fighters and a spotter against a raider and a capital ship, over a port."""
    blue = [fighter("Lance"), fighter("Red Leader"), ship("Bastion", crew=crewed()), EYE]
    red = [fighter("Raider"), ship("Citadel", crew=crewed())]
    port = {"name": "port", "kind": "small city", "population": 9000}
    rock = {"name": "rock", "size": "medium", "speed": 4, "vector": "toward"}
    return battle(blue, red, sites=[port], obstacles=[rock], options=FIRST).battle


def read(line: str, seat: Seat = BLUE) -> str:
    """The canonical text of a line."""
    found = CORTEX.read(field(), seat, line)
    assert isinstance(found, Orders), found
    return CORTEX.format(found)


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("Lance: CLOSE ON Raider, FIRE cannon AT Raider", None),
        ("Lance: LOCK dart ON Citadel", None),
        ("Lance: LAUNCH dart AT Citadel", None),
        ("Lance: JOIN Red Leader", None),
        ("Lance: STRAFE Citadel", None),
        ("Lance: OUTFLY M1", None),
        ("Lance: TRICK M1 AROUND rock", None),
        ("Lance: TRICK M12 AROUND Raider", None),
        ("Lance: INTERCEPT M1 WITH gun", None),
        ("Bastion: FIRE 6 railguns AT Raider", "Bastion: FIRE 6 railgun AT Raider"),
        ("Bastion: INTERCEPT M1 WITH 2 flak", None),
        ("Bastion: COMMANDER ASSIST pilot", None),
        ("Bastion: executive assist sensors", "Bastion: EXECUTIVE ASSIST sensors"),
        ("Bastion: ASSIST gun OF Lance", None),
        ("Bastion: COMMS FORWARD", "Bastion: FORWARD"),
        ("Bastion: sensors: sense for railgun", "Bastion: SENSE FOR railgun"),
        ("Bastion: TACTICAL PLOT", "Bastion: PLOT"),
        ("Bastion: BOMBARD port WITH railgun, SPOTTER Eye", None),
        ("Bastion: BOMBARD port WITH 4 railguns", "Bastion: BOMBARD port WITH 4 railgun"),
        ("Eye: SPOT port", None),
        ("Eye: spot", "Eye: SPOT port"),
        ("Bastion: PRESS WITH railgun", None),
        ("Lance: FIRE cannon AT engines OF Raider", None),
        ("Lance: FIRE cannon AT Raider CALLED engines", "Lance: FIRE cannon AT engines OF Raider"),
        ("Lance: shoot at raider with the cannon", "Lance: FIRE cannon AT Raider"),
        ("Lance FIRE gun", "Lance: FIRE gun AT nearest"),
        ("Lance: LOCK", "Lance: LOCK dart ON nearest"),
        ("Lance: AIM gun AT the weakest", "Lance: AIM gun AT weakest"),
        ("Lance: close and fire cannon", "Lance: CLOSE ON nearest, FIRE cannon AT nearest"),
        ("Lance: OPEN; EVADE; KEEP", "Lance: OPEN, EVADE, KEEP"),
        ("Lance: DEFEND, then FIRE gun AT Raider", "Lance: DEFEND, FIRE gun AT Raider"),
        ("Lance: OUTFLY the missile", "Lance: OUTFLY missile"),
        ("Lance: CHECK FIRE", None),
        ("Lance: SHIELD WITH Red Leader", None),
        ("Lance: LEAVE", None),
        ("Lance: RAM Raider", None),
        ("Lance: WITHDRAW", None),
        ("Bastion: JUMP", None),
        ("Lance: SURRENDER", None),
        ("Lance: HOLD", None),
        ("- lance: strafe citadel, please.", "Lance: STRAFE Citadel"),
    ],
)
def test_orders_as_people_write_them(line: str, text: str | None) -> None:
    assert read(line) == (text or line)


def test_a_unit_is_ordered_in_a_line_or_in_a_block() -> None:
    lines = [
        "Lance: CLOSE ON Raider",
        "FIRE cannon AT Raider",
        "Red Leader:",
        "JOIN Lance",
        "Eye: SPOT port",
        "KEEP",
    ]
    assert gathered(lines) == [
        "Lance: CLOSE ON Raider, FIRE cannon AT Raider",
        "Red Leader: JOIN Lance",
        "Eye: SPOT port, KEEP",
    ]


def gathered(lines: list[str]) -> list[str | Near]:
    """What the lines of a letter of blue are together."""
    found = [CORTEX.read(field(), BLUE, line) for line in lines]
    texts = [CORTEX.format(part) for part in found if isinstance(part, Orders)]
    assert len(texts) == len(lines), found
    return list(CORTEX.gather(field(), BLUE, texts))


def test_orders_without_a_unit_and_a_unit_without_orders_are_near_misses() -> None:
    (near,) = gathered(["EVADE"])
    assert isinstance(near, Near)
    assert near.meant[:2] == ("Lance: EVADE", "Red Leader: EVADE")
    for lines in (["Lance:"], ["Lance: " + ", ".join(["HOLD"] * 25)]):
        (near,) = gathered(lines)
        assert isinstance(near, Near)
        assert near.why


@pytest.mark.parametrize(
    ("line", "hint"),
    [
        ("Lance: STRAFF Citadel", "Lance: STRAFE Citadel"),
        ("Lance: CLOSE ON Citadell", "Lance: CLOSE ON Citadel"),
        ("Lanse: EVADE", "Lance: EVADE"),
        ("Lance: FIRE", "gun"),
        ("Lance: FIRE cannon AT Zorro", "Raider"),
        ("Lance: FIRE cannon Raider Citadel", None),
        ("Bastion: BOMBARD WITH railgun, SPOTTER", "SPOTTER"),
        ("Bastion: ASSIST", "pilot"),
        ("Lance: JOIN", "your own side"),
        ("Bastion: PRESS WITH", "WITH"),
        ("Lance: EVADE Raider", "Raider"),
    ],
)
def test_a_near_miss_is_told_with_a_hint(line: str, hint: str | None) -> None:
    found = CORTEX.read(field(), BLUE, line)
    assert isinstance(found, Near), found
    assert (hint or "") in found.hint


@pytest.mark.parametrize("language", ["en", "de"])
def test_who_orders_a_piece_that_is_not_theirs_or_is_out_is_told_so(language: str) -> None:
    state = field()
    state = change(
        state, vessels=state.vessels | {"Lance": change(state.vessels["Lance"], fate="disabled")}
    )
    lines = "Raider: HOLD\nLance: HOLD\nBastion: HOLD"
    found = read_for(CORTEX, state, BLUE, lines, language)
    assert [near.hint for near in found.near] == [
        "Raider is not yours",
        "Lance is out of the battle: disabled",
    ]
    assert found.queue == ("Bastion: HOLD",)


@pytest.mark.parametrize(
    "line",
    [
        "",
        "Fire at will, my friends!",
        "We close on the enemy tomorrow.",
        "Hold the line.",
        "Press on regardless",
        "Lance: we should talk",
        "The commander is asleep.",
        "x" * 500,
    ],
)
def test_a_story_is_no_order(line: str) -> None:
    assert CORTEX.read(field(), BLUE, line) is None


def test_every_order_of_the_rules_can_be_said() -> None:
    assert {do for do in KNOWN if do not in _SAID} == set()


_SAID = {
    do
    for line in (
        "SURRENDER", "CHECK FIRE", "SHIELD WITH A", "ASSIST pilot", "FORWARD", "SENSE FOR pilot",
        "PLOT", "DEFEND", "EVADE", "PRESS", "JUMP", "SPOT A", "LEAVE", "JOIN A", "WITHDRAW",
        "CLOSE ON A", "OPEN", "RAM A", "STRAFE A", "FIRE b AT A", "AIM b AT A", "LOCK b ON A",
        "LAUNCH b AT A", "INTERCEPT M1 WITH b", "BOMBARD A WITH b", "OUTFLY M1",
        "TRICK M1 AROUND A",
    )
    for do in [written_orders.parse_parts(None, None, line).orders[0].do]
}  # fmt: skip


def test_parse_knows_the_rulings_and_wants_whole_orders() -> None:
    rulings = [CORTEX.parse(field(), REFEREE, text) for text in ("END", "DRAW", "FORFEIT red")]
    assert rulings == [Close(judged=True), Draw(), Forfeit(RED)]
    assert [CORTEX.format(one) for one in rulings] == ["END", "DRAW", "FORFEIT red"]
    for text in ("EVADE", "Lance:", "nonsense", "Lance: STRAFE Zorro"):
        with pytest.raises(UnreadableOrder):
            CORTEX.parse(field(), BLUE, text)


# parse(format(orders)) == orders

NAMES = st.sampled_from(("Lance", "Red Leader", "Fire Hawk", 'D, "elta"; OPEN', "20", "Né-é", "M1"))
AT = st.one_of(st.sampled_from((NEAREST_FOE, WEAKEST_FOE)), NAMES)
ARMS = st.sampled_from(("cannon", "missile", "left hand", "12", "M & k"))
GUNS = st.one_of(st.none(), st.integers(1, 6))
MISSILES = st.sampled_from((NEXT_MISSILE, "M1", "M999"))
ORDERS = st.one_of(
    st.builds(
        Order,
        st.just("fire"),
        at=AT,
        weapon=ARMS,
        guns=GUNS,
        called=st.one_of(st.none(), st.sampled_from(PARTS)),
    ),
    st.builds(Order, st.sampled_from(("aim", "lock", "launch")), at=AT, weapon=ARMS, guns=GUNS),
    st.builds(Order, st.just("intercept"), missile=MISSILES, weapon=ARMS, guns=GUNS),
    st.builds(Order, st.just("outfly"), missile=MISSILES),
    st.builds(Order, st.just("trick"), missile=MISSILES, at=AT),
    st.builds(
        Order,
        st.just("bombard"),
        at=NAMES,
        weapon=ARMS,
        guns=GUNS,
        spotter=st.one_of(st.none(), NAMES),
    ),
    st.builds(Order, st.sampled_from(("close", "ram", "strafe")), at=AT),
    st.builds(Order, st.sampled_from(("join", "shield", "spot")), at=NAMES),
    st.builds(
        Order,
        st.just("assist"),
        to=st.one_of(st.sampled_from(("pilot", "guns", "sensors", "comms")), ARMS),
        at=st.one_of(st.none(), NAMES),
        station=st.sampled_from((None, "commander", "executive")),
    ),
    st.builds(Order, st.just("sense"), to=st.one_of(st.just("pilot"), ARMS)),
    st.builds(Order, st.just("press"), weapon=st.one_of(st.none(), ARMS)),
    st.builds(
        Order,
        st.sampled_from(
            (HOLD, "open", "withdraw", "jump", "defend", "evade", "leave", "plot", "forward")
        ),
    ),
)
FILED = st.builds(
    Orders, NAMES, st.lists(ORDERS, min_size=1, max_size=5).map(tuple), keep=st.booleans()
)


@settings(deadline=None, max_examples=tries(300, 60))
@given(FILED)
def test_orders_that_are_written_are_read_again(filed: Orders) -> None:
    text = CORTEX.format(filed)
    assert written_orders.parse_parts(None, None, text) == filed
    german = GERMAN.shown(text)
    assert german != text
    assert GERMAN.order(german) == text


@settings(deadline=None, max_examples=tries(300, 60))
@given(st.text(max_size=120))
def test_any_line_can_be_read(line: str) -> None:
    for found in (field(), None):
        assert isinstance(CORTEX.read(found, BLUE, line), Orders | Near | None)


@pytest.mark.parametrize(
    ("line", "english"),
    [
        (
            "Lance: NÄHERN AN Raider, FEUERN cannon AUF Raider",
            "Lance: CLOSE ON Raider, FIRE cannon AT Raider",
        ),
        ("AUFSCHALTEN dart GEGEN Citadel", "LOCK dart ON Citadel"),
        ("Bastion: KOMMANDANT HELFEN Pilot", "Bastion: COMMANDER ASSIST pilot"),
        ("BOMBARDIERE port MIT railgun, BEOBACHTER Eye", "BOMBARD port WITH railgun, SPOTTER Eye"),
        ("Lance: ABHÄNGEN Rakete", "Lance: OUTFLY missile"),
        ("TÄUSCHEN M1 UM rock", "TRICK M1 AROUND rock"),
        (
            "Lance: FEUERN cannon AUF Triebwerke VON Raider",
            "Lance: FIRE cannon AT engines OF Raider",
        ),
        ("Lance: ABWARTEN", "Lance: HOLD"),
    ],
)
def test_german_words(line: str, english: str) -> None:
    assert GERMAN.order(line) == english


def test_a_mistyped_german_verb_is_nearly_an_order() -> None:
    assert GERMAN.nearly("Lance: AUSWEICHN") == "Lance: EVADE"
    assert GERMAN.nearly("Lance: ÖFFNEN, VERTEIDIGN") == "Lance: ÖFFNEN, DEFEND"
    assert GERMAN.nearly("Gestern war es schön") is None


# Standing orders

HELD = {
    "LOCKED ON": True, "LOCK": False, "MISSILE AT ME": True, "ADVANTAGE": True,
    "DISADVANTAGE": False, "IN WING": True, "HURT": False, "DAMAGED": False, "IMMOBILE": False,
    "ALONE": False, "LP <= 39": False, "LP <= 40": True, "LP >= 40": True, "ENEMIES <= 2": True,
    "RANGE <= skirmish": False, "RANGE = capital": True, "RANGE >= short": False,
    "TURN >= 2": False, "SPEED >= 8": True, "ENEMY SPEED <= 7": False, "ENEMY LP >= 40": True,
    "MISSILES >= 1": True,
}  # fmt: skip


@pytest.mark.parametrize("text", HELD)
def test_a_condition_is_asked_of_a_unit(text: str) -> None:
    found = battle([fighter("Lance"), fighter("Gold"), fighter("Ace")], [fighter("Raider")])
    found = found.with_state(
        wings=(("Lance", "Gold"),),
        locks=(Lock("Raider", "dart", "Gold"),),
        missiles=(Missile("M1", "Raider", "dart", "Lance", 1, 1),),
        advantages={"Lance|Raider": Advantage("Lance", 1)},
    )
    assert condition(text) == text
    assert holds(found.battle, BLUE, text, "Lance") is HELD[text]
    assert not holds(found.having("Lance", fate="disabled").battle, BLUE, text, "Lance")


@pytest.mark.parametrize(
    ("written", "text"),
    [
        ("lp<=5", "LP <= 5"),
        ("range skirmish", "RANGE = skirmish"),
        ("Range is SHORT", "RANGE = short"),
        ("missile at me", "MISSILE AT ME"),
    ],
)
def test_conditions_as_people_write_them(written: str, text: str) -> None:
    assert condition(written) == text


@pytest.mark.parametrize(
    ("written", "hint"),
    [("LOKED ON", "LOCKED ON"), ("LP", "LP <= 5"), ("RANGE 5", "RANGE <= skirmish"), ("FOO", "")],
)
def test_what_is_no_condition_has_a_hint(written: str, hint: str) -> None:
    with pytest.raises(UnreadableOrder) as raised:
        condition(written)
    assert raised.value.hint == hint


def test_every_condition_has_a_german_word() -> None:
    assert set(WORDS) <= set(GERMAN.things)
    assert condition(GERMAN.english("ENTFERNUNG <= weit")) == "RANGE <= short"
    assert GERMAN.thing("MISSILE AT ME") == "RAKETE AUF MICH"


# What a letter's orders become

DICE = SeededDice(b"orders", "", 0, b"")


def filed(text: str, found: Battle | None = None) -> tuple[Order, ...]:
    """The orders of a unit as they are filed."""
    found = found or field()
    order = CORTEX.parse(found, BLUE, text)
    after, _ = CORTEX.resolve(found, {BLUE: [order]}, DICE)
    assert isinstance(order, Orders)
    return after.orders[order.unit]


def test_the_nearest_and_the_weakest_are_named_when_orders_are_filed() -> None:
    near = {"Lance|Raider": 0, "Lance|Citadel": 1}
    found = battle([fighter("Lance")], [fighter("Raider"), ship("Citadel", lp=9)])
    found = found.with_state(ranges=near)
    assert filed("Lance: FIRE cannon AT nearest", found.battle)[0].at == "Raider"
    assert filed("Lance: FIRE gun AT weakest", found.battle)[0].at == "Citadel"
    assert filed("Lance: STRAFE nearest", found.battle)[0].at == "Citadel"
    assert filed("Lance: LOCK dart", found.battle)[0].at == "Citadel"
    locked = found.with_state(locks=(Lock("Lance", "dart", "Raider"),), ranges=near)
    assert filed("Lance: LAUNCH dart", locked.battle)[0].at == "Raider"


def test_a_missile_that_is_not_named_is_the_next_to_arrive() -> None:
    found = battle([fighter("Lance"), ship("Bastion")], [fighter("Raider")])
    flying = tuple(
        Missile(f"M{n}", "Raider", "dart", at, turns, 0)
        for n, (at, turns) in enumerate((("Lance", 2), ("Bastion", 1), ("Lance", 1)), 1)
    )
    found = found.with_state(missiles=flying, launched=3)
    assert filed("Lance: OUTFLY missile", found.battle)[0].missile == "M3"
    assert filed("Bastion: INTERCEPT missile WITH flak", found.battle)[0].missile == "M2"


def test_to_hold_is_to_have_no_orders() -> None:
    assert filed("Lance: HOLD") == ()
    assert [one.do for one in filed("Lance: HOLD, FIRE gun AT Raider")] == ["fire"]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("Lance: SENSE FOR pilot", "wrong station"),
        ("Lance: PLOT", "rule off"),
        ("Lance: INTERCEPT M1 WITH gun", None),
        ("Lance: LAUNCH dart AT Raider", "no lock"),
        ("Lance: LOCK dart ON Raider, LAUNCH dart AT Raider", None),
        ("Lance: FIRE cannon AT Raider", None),
        ("Lance: SHIELD WITH Red Leader", "bad wing"),
        ("Lance: JUMP", "no drive"),
        ("Lance: PLOT, EVADE", None),
        ("Bastion: STRAFE Raider", "wrong scale"),
        ("Bastion: BOMBARD port WITH railgun", None),
        ("Lance: BOMBARD port WITH gun", "out of range"),
        ("Lance: STRAFE Raider", "bad target"),
    ],
)
def test_orders_of_which_none_can_be_done_are_refused_at_once(
    text: str, reason: str | None
) -> None:
    found = field()
    order = CORTEX.parse(found, BLUE, text)
    assert CORTEX.refusal(found, BLUE, order) == reason
    if reason is not None:
        assert CORTEX.telling.explain(reason)
        with pytest.raises(IllegalOrder):
            CORTEX.resolve(found, {BLUE: [order]}, DICE)


def test_a_member_of_a_wing_may_leave_it_though_nothing_waits_for_its_orders() -> None:
    found = battle([fighter("Lance"), fighter("Gold")], [fighter("Raider")]).wing("Lance", "Gold")
    state = found.battle
    sheet = Sheet(("Lance: DEFEND", "Gold: LEAVE, FIRE gun AT Raider"))
    assert CORTEX.owing(state, BLUE) == ("Lance",)
    assert [one.order.unit for one in choices(CORTEX, state, BLUE, sheet)] == ["Lance"]
    (choice,) = extras(CORTEX, state, BLUE, sheet)
    assert CORTEX.format(choice.order) == "Gold: LEAVE, FIRE gun AT Raider"
    assert extras(CORTEX, state, BLUE, Sheet(("Gold: DEFEND",))) == []
