"""The bots of Cortex: each beats the weaker ones, alike again, and knows no orders of others."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from engine.codec import change
from engine.cortex.attack_events import PointDefended
from engine.cortex.challenge import melee
from engine.cortex.doctrines import doctrine
from engine.cortex.model import HOLD, Battle, Missile, Order, Orders
from engine.cortex.persona_record import Group, Ship, persona_of
from engine.cortex.queries import seats, to_order
from engine.cortex.rules import CORTEX
from engine.cortex.sharp_bot import plans
from engine.cortex.sound_bot import sound
from engine.cortex.story_beats import lead
from engine.cortex.written_orders import MOST_ORDERS
from engine.dice import SeededDice
from engine.order_translations import DOCTRINES
from engine.orders.orders_on_file import Sheet, choices, lines
from engine.orders.reading import doctrine_orders
from engine.play import bot_flyer, play_on
from engine.preview import effects
from engine.preview.effects import tried
from engine.seats import Seat
from tests.engine.cortex.battles import FLAK, GUN, battle, crewed, fighter, ship, trooper
from tests.support.trial_counts import tries

GROUPS = {
    "fighters": ("fighter",) * 3,
    "mixed": ("fighter", "gunboat", "striker"),
    "a ship": ("frigate", "fighter"),
}


def match(kinds: tuple[str, ...]) -> Battle:
    """Two groups of the same kinds against each other."""
    ones, others = (
        persona_of(name, Group(tuple(Ship(f"{name} {n}", kind, "regular") for n, kind in every)))
        for name, every in (("Ash", list(enumerate(kinds, 1))), ("Bay", list(enumerate(kinds, 1))))
    )
    return CORTEX.setup(melee((ones,), (others,), None))


def wins(one: str, other: str, fights: int, kinds: tuple[str, ...]) -> int:
    """How many of some fights a strength wins, from both sides in turn."""
    won = 0
    for number in range(fights):
        state = match(kinds)
        first, second = seats(state)
        whims, dice = (SeededDice(use, "bots", number, b"") for use in (b"whims", b"dice"))
        own, foe = (first, second) if number % 2 else (second, first)
        flyers = {
            own: bot_flyer(CORTEX, one, own, whims),
            foe: bot_flyer(CORTEX, other, foe, whims),
        }
        for turn in play_on(CORTEX, state, flyers, dice):
            state = turn.state
        won += state.winner == own
    return won


@pytest.mark.parametrize("kinds", GROUPS.values(), ids=GROUPS)
def test_sound_beats_easy(kinds: tuple[str, ...]) -> None:
    fights = tries(100, 6)
    assert wins("sound", "easy", fights, kinds) >= 0.7 * fights


@pytest.mark.long
@pytest.mark.parametrize("what", GROUPS)
def test_sharp_beats_sound(what: str) -> None:
    fights = 20
    assert wins("sharp", "sound", fights, GROUPS[what]) >= 0.58 * fights


def expected(state: Battle, name: str) -> list[Orders]:
    """The sound orders of everybody but one."""
    return [sound(state, one) for one in to_order(state) if one != name]


def near(kinds: tuple[str, ...]) -> Battle:
    """A battle of two alike groups at skirmish range."""
    state = match(kinds)
    return change(state, ranges=dict.fromkeys(state.ranges, 0))


def test_only_who_is_shot_at_defends_and_no_shot_is_wasted_on_who_is_gone() -> None:
    state = near(GROUPS["fighters"])
    shot_at, other = (plans(state, one, expected(state, one))[0] for one in ("Ash 1", "Ash 2"))
    shots = [("fire", f"Bay {n}") for n in (1, 2, 3)]
    # To close with the target keeps it from getting away.
    assert [(one.do, one.at) for one in shot_at] == [("close", "Bay 1"), ("defend", None), *shots]
    assert [(one.do, one.at) for one in other] == [("close", "Bay 1"), *shots]


def test_who_is_shot_at_by_all_gets_out_of_their_reach() -> None:
    state = near(GROUPS["fighters"])
    own, _ = seats(state)
    chosen = CORTEX.bot("sharp")(state, own, SeededDice(b"whims", "", 0, b""))
    assert chosen.unit == "Ash 1"
    assert chosen.orders[0].do == "open"


def test_missiles_are_spread_over_those_who_need_them_and_locked_ahead() -> None:
    state = match(("striker",) * 3)
    filed = expected(state, "Ash 1")
    first = plans(state, "Ash 1", [one for one in filed if one.unit > "B"])[0]
    lock = ("lock", "Bay 1")
    assert [(one.do, one.at) for one in first] == [lock, ("launch", "Bay 1"), lock]
    # Two torpedoes are enough for the first striker, and friends launch those.
    spread = plans(state, "Ash 1", filed)[0]
    assert {one.at for one in spread} == {"Bay 2"}


def test_a_sound_captain_does_not_lock_on_whom_it_closes_with() -> None:
    state = match(("fighter", "interceptor"))
    for name in to_order(state):
        done = [one.do for one in sound(state, name).orders]
        assert not {"close", "lock"} <= set(done)


def test_a_bot_knows_nothing_of_the_orders_of_others() -> None:
    state = match(GROUPS["mixed"])
    own, foe = seats(state)
    filed = {name: (Order("surrender"),) for name, s in state.sheets.items() if s.seat == foe}
    for strength in CORTEX.strengths:
        chosen = [
            CORTEX.bot(strength)(known, own, SeededDice(b"whims", "", 0, b""))
            for known in (state, change(state, orders=filed))
        ]
        assert chosen[0] == chosen[1]


def test_who_is_ahead() -> None:
    found = battle([fighter("Lance")], [fighter("Raider")])
    assert lead(found.battle) == 50
    assert lead(found.having("Raider", wound=300).battle) > 60
    assert lead(found.having("Lance", fate="disabled").battle) < 10
    assert lead(found.with_state(over=True, winner="blue").battle) == 100


@pytest.mark.parametrize("which", DOCTRINES)
def test_doctrine_are_standing_orders_that_can_be_followed(which: str) -> None:
    blue = [fighter("Lance"), fighter("Gold"), trooper("Max"), ship("Bastion", crew=crewed())]
    state = battle(blue, [fighter("Raider")]).wing("Lance", "Gold").battle
    own, _ = seats(state)
    written = doctrine(state, own, which)
    found = doctrine_orders(CORTEX, state, own, which)
    assert found is not None
    assert found.standing is not None
    sheet = found.standing
    assert sorted(lines(sheet)) == sorted(written)
    reasons = {}
    for text in sheet.elses:
        order = CORTEX.parse(state, own, text)
        reasons[order.unit] = CORTEX.refusal(state, own, order)
    assert reasons == {"Lance": None, "Gold": "in a wing", "Max": None, "Bastion": None}


def standing(kinds: tuple[str, ...], which: str = "sound") -> list[str]:
    """What a doctrine means for the first of two alike groups."""
    state = match(kinds)
    return list(doctrine(state, seats(state)[0], which))


def test_a_doctrine_keeps_the_range_that_its_guns_reach() -> None:
    near, far = standing(("gunboat",))
    assert near.startswith("IF RANGE <= capital: Ash 1: ")
    assert "CLOSE ON" not in near
    assert far.startswith("ELSE: Ash 1: ")
    assert "CLOSE ON nearest" in far
    # Each Maul is a gun of its own.
    assert near.count("FIRE Maul AT nearest") == 2


def test_a_doctrine_launches_only_missiles_that_do_harm_and_spreads_them() -> None:
    assert not [line for line in standing(("fighter",)) if "LAUNCH" in line]
    launches = [line for line in standing(("striker", "striker")) if "LAUNCH" in line]
    for number, line in enumerate(launches, 1):
        assert line.startswith(
            "IF MISSILES >= 1 AND RANGE >= capital AND RANGE <= short: "
            f"Ash {number}: DEFEND, LOCK Torpedo ON Bay {number}, LAUNCH Torpedo AT Bay {number}, "
        )
    assert len(launches) == 2


def test_a_bold_doctrine_goes_for_the_weakest_and_a_careful_one_draws_back_when_hurt() -> None:
    assert standing(("fighter",), "bold")[-1].endswith("CLOSE ON weakest, FIRE Talon AT weakest")
    # Who follows it is shot at.
    back = "OPEN, DEFEND, FIRE Talon AT nearest"
    assert standing(("fighter",), "careful")[0] == f"IF HURT: Ash 1: {back}"
    # A striker's beam reaches farther, so that it need only leave who is right at it.
    back = "OPEN, DEFEND, FIRE Beam AT nearest"
    rules = standing(("striker",), "careful")
    assert f"IF HURT AND RANGE <= skirmish: Ash 1: {back}" in rules
    assert not [one for one in rules if "HURT" in one and "RANGE <= skirmish" not in one]


@pytest.mark.parametrize("which", DOCTRINES)
def test_a_doctrine_has_orders_for_who_leads_a_wing_next(which: str) -> None:
    begun = battle([fighter("Lance"), fighter("Gold"), fighter("Ash")], [fighter("Raider")])
    state = begun.wing("Lance", "Gold", "Ash").battle
    own, _ = seats(state)
    found = doctrine_orders(CORTEX, state, own, which)
    assert found is not None
    assert found.standing is not None
    sheet = found.standing
    later = begun.having("Lance", fate="destroyed").wing("Gold", "Ash").battle
    [chosen] = choices(CORTEX, later, own, sheet)
    assert chosen.order.unit == "Gold"


@pytest.mark.parametrize("which", DOCTRINES)
def test_point_defence_is_silent_for_the_sake_of_friends(which: str) -> None:
    guns = {"weapons": [GUN, FLAK]}
    blue = [fighter("Lance"), ship("Bastion", **guns)]
    state = battle(blue, [fighter("Raider")]).battle
    own, _ = seats(state)
    written = doctrine(state, own, which)
    silent = [line for line in written if "Bastion: " in line and "CHECK FIRE" in line]
    # Its guns reach farther than skirmish range, so there is a rule for each.
    assert len(silent) == (3 if which == "careful" else 2)
    assert len([line for line in written if line.startswith("IF ALONE")]) == len(silent)
    for friends, foes in ((blue[1:], 1), (blue, 2)):
        other = battle(friends, [fighter(f"Raider {n}") for n in range(foes)]).battle
        assert not [line for line in doctrine(other, own, which) if "CHECK FIRE" in line]


@pytest.mark.long
def test_a_sound_doctrine_holds_its_own_with_point_defence_aboard() -> None:
    """It won 3 of 40 such battles when its gunboat fired at its own fighters."""
    kinds, fights = ("fighter", "fighter", "fighter", "gunboat"), 40
    won = 0
    for number in range(fights):
        state = match(kinds)
        first, second = seats(state)
        own, foe = (first, second) if number % 2 else (second, first)
        found = doctrine_orders(CORTEX, state, own, "sound")
        assert found is not None
        assert found.standing is not None
        sheet = found.standing
        whims, dice = (SeededDice(use, "bots", number, b"") for use in (b"whims", b"dice"))
        flyers = {own: led_by(own, sheet), foe: bot_flyer(CORTEX, "sound", foe, whims)}
        for turn in play_on(CORTEX, state, flyers, dice):
            state = turn.state
            hits = [one for one in turn.events if isinstance(one, PointDefended)]
            assert not [one for one in hits if same_side(state, one)]
        won += state.winner == own
    assert won >= 0.35 * fights


def led_by(seat: Seat, sheet: Sheet) -> Callable[[Battle], Orders]:
    """Return what orders by a sheet."""

    def order(state: Battle) -> Orders:
        chosen = choices(CORTEX, state, seat, sheet)
        return chosen[0].order if chosen else CORTEX.cautious(state, seat)

    return order


def same_side(state: Battle, event: PointDefended) -> bool:
    """Return whether point defence fired at its own side."""
    return state.sheets[event.by].team == state.sheets[event.at].team


def test_a_doctrine_leaves_a_spotter_unseen() -> None:
    eye = {"name": "Eye", "alt": "d8", "gunnery": "d6", "lp": 10}
    eye |= {"designator": True, "uplink": "transceiver"}
    camp = {"name": "camp", "kind": "area", "lp": 20}
    state = battle([ship("Ann"), eye], [fighter("Bo")], sites=[camp]).battle
    own, _ = seats(state)
    found = doctrine_orders(CORTEX, state, own, "sound")
    assert found is not None
    assert found.standing is not None
    sheet = found.standing
    assert "ELSE: Eye: HOLD" in lines(sheet)
    chosen = {one.order.unit: one.order for one in choices(CORTEX, state, own, sheet)}
    assert chosen["Eye"].orders == (Order(HOLD),)


def test_the_cautious_order_is_the_default_of_the_rules() -> None:
    state = match(GROUPS["fighters"])
    own, _ = seats(state)
    assert CORTEX.cautious(state, own) == Orders("Ash 1", (Order(HOLD),))


def test_no_plan_holds_more_orders_than_a_unit_may_have() -> None:
    guns = [{**GUN, "name": f"gun {n}"} for n in range(MOST_ORDERS)]
    state = battle([ship("Ash", weapons=guns)], [ship("Bay"), ship("Cay"), ship("Day")]).battle
    state = change(state, ranges=dict.fromkeys(state.ranges, 0))
    lengths = {len(plan) for plan in plans(state, "Ash", expected(state, "Ash"))}
    assert max(lengths) == MOST_ORDERS


def test_the_harm_of_a_shot_is_told_as_it_is_on_the_average(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    state = match(GROUPS["fighters"])
    seat = CORTEX.to_act(state)[0]
    orders = "Ash 1: CLOSE ON Bay 1, FIRE Talon AT Bay 1"
    read = CORTEX.parse(state, seat, orders), CORTEX.parse(state, seat, f"{orders}, DEFEND")
    alone, defending = (tried(CORTEX, state, seat, one).harm for one in read)
    monkeypatch.setattr(effects, "_SUCCESSES", 400)
    monkeypatch.setattr(effects, "_TRIES", 1000)
    assert alone == defending == pytest.approx(tried(CORTEX, state, seat, read[0]).harm, rel=1 / 3)


def test_to_surrender_harms_nobody_although_missiles_vanish() -> None:
    state = change(
        match(GROUPS["fighters"]), missiles=(Missile("M1", "Bay 1", "Dart", "Ash 1", 2, 2),)
    )
    seat = CORTEX.to_act(state)[0]
    assert not tried(CORTEX, state, seat, CORTEX.parse(state, seat, "Ash 1: SURRENDER")).harm
