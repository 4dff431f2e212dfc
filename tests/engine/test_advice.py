"""What letters say beside orders: what each does, why one is refused, what happened in short."""

from typing import Any

import pytest

from engine.codec import change
from engine.letter_texts import Gist, missed
from engine.preview.effects import effect
from engine.seats import Seat
from engine.starpilot import events as ev
from engine.starpilot.model import Lock, Order, Shot
from engine.starpilot.rules import STARPILOT as RULES
from engine.starpilot.tables import BEAMS, ELECTRONICS
from tests.support.letter_samples import Duel
from tests.support.team_samples import Melee

HAWK, KESTREL, KEY = Seat("Hawk"), "Kestrel", "Hawk|Kestrel"


def found(**changes: Any) -> Any:
    """Return a duel in which both have found each other, and Hawk is to act."""
    battle = Duel().play(1).state
    pilots = {
        name: change(pilot, found=frozenset(battle.pilots) - {name})
        for name, pilot in battle.pilots.items()
    }
    return change(battle, turn=battle.pilots["Hawk"].card.team, pilots=pilots, **changes)


def paired(**changes: Any) -> Any:
    battle = found()
    return change(battle, pairs={KEY: change(battle.pairs[KEY], **changes)})


def shot_away(battle: Any, stat: int) -> Any:
    pilot = battle.pilots["Hawk"]
    stats = tuple(0 if n == stat else value for n, value in enumerate(pilot.stats))
    return change(battle, pilots=battle.pilots | {"Hawk": change(pilot, stats=stats)})


def reasons(battle: Any) -> dict[str, str]:
    """Return why each order is refused."""
    shown = RULES.telling.barred(battle, HAWK)
    return {RULES.format(order): barred.why for barred in shown for order in barred.orders}


def effects(battle: Any) -> dict[str, str]:
    """Return what each legal order brings."""
    offers = [offer.order for offer in RULES.offers(battle, HAWK)]
    return {RULES.format(order): effect(RULES, battle, HAWK, order) for order in offers}


def test_before_anybody_is_found_one_reason_stands_for_most_orders() -> None:
    shown = reasons(Duel().play(1).state)
    assert shown["FIRE"] == shown["EJECT"] == "nobody has been found yet; SCAN first"
    assert "SCAN" not in shown
    assert shown["ESCAPE"] == "only from Extreme range; OPEN leads there"


@pytest.mark.parametrize(
    ("battle", "order", "why"),
    [
        (found(), "FIRE", "you need the Advantage (DOGFIGHT) or a lock (TARGET)"),
        (found(), "LAUNCH", "this ship has no Missiles"),
        (found(), "EJECT", "only when a shot or a lock threatens you"),
        (paired(advantage=KESTREL), "FIRE", "Kestrel has the Advantage; DOGFIGHT ends it"),
        (paired(range=2), "FIRE", "no shot reaches to Extreme range; CLOSE first"),
        (shot_away(found(), BEAMS), "FIRE", "the stat Beams is shot away"),
        (shot_away(found(), ELECTRONICS), "SCAN", "the stat Electronics is shot away"),
    ],
)
def test_a_refused_order_is_listed_with_its_reason(battle: Any, order: str, why: str) -> None:
    assert reasons(battle)[order] == why


def test_every_order_is_either_offered_or_refused() -> None:
    for battle in (found(), paired(range=2), paired(advantage="Hawk"), Duel().play(1).state):
        offered, refused = set(effects(battle)), set(reasons(battle))
        assert not offered & refused
        assert len(offered | refused) == 13  # all but HOLD


def test_an_effect_says_what_an_order_changes_now() -> None:
    locked = found(locks=(Lock("Hawk", KESTREL, fresh=False), Lock(KESTREL, "Hawk", fresh=False)))
    shown = effects(locked)
    assert shown["FIRE"] == "1 hit if not stopped, Structure is at 3"
    assert shown["JINK"] == "breaks the lock of Kestrel"
    assert shown["TARGET"] == "renews your lock"
    assert shown["CLOSE"] == "to Near"
    coming = effects(found(shots=(Shot(KESTREL, "Hawk", "launch", 1),)))
    assert coming["ECM"] == "saves you 3 hits"
    assert coming["JINK"] == "changes nothing now"
    assert coming["EJECT"] == "you get out alive, the ship is lost"
    ahead, behind = effects(paired(advantage="Hawk")), effects(paired(advantage=KESTREL, range=0))
    assert ahead["CLOSE"] == "to Near, your Advantage ends"
    assert ahead["DOGFIGHT"] == "changes nothing now"
    assert behind["DOGFIGHT"] == "takes away Kestrel's Advantage"
    assert behind["OPEN"] == "to Far, takes away Kestrel's Advantage"
    assert effects(paired(range=2))["ESCAPE"] == "you leave the battle, alive"
    fought = effects(found(fought=True))
    assert fought["SURRENDER"] == "you are out, and a prisoner, 1 HP for Kestrel"
    assert effects(found())["SCAN"] == "changes nothing now"
    assert effects(found())["JINK"] == "nothing comes at you now"
    assert effects(Duel().play(1).state)["SCAN"] == "finds Kestrel"


def test_an_order_that_can_do_nothing_any_more_is_in_vain() -> None:
    assert RULES.telling.vain(found(), HAWK, Order("SCAN")) == "nobody is left to find"
    assert RULES.telling.vain(Duel().play(1).state, HAWK, Order("SCAN")) is None
    assert (
        RULES.telling.vain(shot_away(found(), BEAMS), HAWK, Order("FIRE"))
        == "the stat Beams is shot away"
    )
    assert RULES.telling.vain(found(), HAWK, Order("FIRE", "Kite")) == "Kite is out of the battle"
    assert RULES.telling.vain(found(), HAWK, Order("FIRE")) is None


def test_among_several_an_opponent_is_named_only_where_it_makes_a_difference() -> None:
    battle = RULES.foresee(Melee().play(12).state, HAWK)
    shown = reasons(battle)
    assert "FIRE Merlin" in shown
    assert "LAUNCH" in shown
    assert "FIRE Kestrel" in effects(battle)


def test_a_gist_says_what_concerns_the_reader_first() -> None:
    struck = [
        ev.Tried("Hawk", "FIRE", KESTREL, 42, 7),
        ev.Landed("Hawk", KESTREL, "fire", 1),
        ev.Landed("Hawk", KESTREL, "fire", 1),
        ev.Landed(KESTREL, "Hawk", "launch", 3),
    ]
    shown = RULES.telling.gist(paired(advantage=KESTREL), struck, HAWK)
    assert shown == Gist(
        "you hit Kestrel twice; Kestrel hit you 3 times", "Far range, Kestrel has the Advantage"
    )
    wound = ev.Hit("Hawk", KESTREL, 97, 6, 1, ignored=False, wounds=True)
    told = RULES.telling.gist(paired(), [*struck[:2], wound], HAWK).happened
    assert told == "Kestrel is wounded; you hit Kestrel once"
    gone = RULES.telling.gist(paired(), [wound, ev.Left(KESTREL, "killed", "Hawk")], HAWK)
    assert gone.happened == "Kestrel was killed"
    missed = [ev.Tried("Hawk", "FIRE", KESTREL, 42, 97, success=False)]
    assert RULES.telling.gist(found(), missed, HAWK).happened == "your FIRE failed"
    assert RULES.telling.gist(found(), missed, Seat(KESTREL)).happened == "nobody was hit"
    assert RULES.telling.gist(found(), [], HAWK) == Gist("", "Far range")


def test_only_steps_with_no_consequence_are_alike() -> None:
    failed = ev.Tried("Hawk", "SCAN", None, 33, 90, success=False)
    again = ev.Tried("Hawk", "SCAN", None, 33, 77, success=False)
    other = ev.Tried("Hawk", "SCAN", None, 42, 77, success=False)
    ended = ev.Acted("Hawk", edge=False)
    assert RULES.telling.alike([failed, ended]) == RULES.telling.alike([again, ended]) != ""
    assert RULES.telling.alike([other, ended]) != RULES.telling.alike([failed, ended])
    assert RULES.telling.alike([failed, ev.Landed(KESTREL, "Hawk", "fire", 1), ended]) == ""
    assert RULES.telling.alike([ended]) == ""


def test_misses_are_told_together_only_where_all_missed_all() -> None:
    def told(*pairs: str) -> list[tuple[str, str]]:
        beats = missed((pair[0], pair[1]) for pair in pairs)
        return [("".join(beat["by"]), "".join(beat["at"])) for beat in beats]

    # Two who missed one each did not miss two each.
    assert told("AX", "BY") == [("A", "X"), ("B", "Y")]
    assert told("AX", "AY", "BY", "BX") == [("AB", "XY")]
    assert told("AX", "BX", "AX") == [("AB", "X")]
    assert told("AX", "XA") == [("A", "X"), ("X", "A")]
