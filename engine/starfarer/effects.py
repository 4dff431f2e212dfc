"""What an action brings: it is carried out alone, and what it changes is said in words."""

from collections.abc import Callable, Iterator, Mapping, Sequence

from engine.dice import Dice
from engine.i18n import Said, say
from engine.letter_texts import Alone, Difference, Effects
from engine.seats import Seat
from engine.starfarer.actions import Deed, carry_out
from engine.starfarer.events import Attacked, Defended, LimbChecked, Treated
from engine.starfarer.legal import first_possible, target_of
from engine.starfarer.model import Battle, Circles, Order, Plan, nearest
from engine.starfarer.tables import LEVELS
from engine.starfarer.turn_state import Intent, Round
from engine.starfarer.wounds import worst


def _alone(battle: Battle, seat: Seat, plan: Order, dice: Dice) -> Alone:
    """Carry out what a plan does first; who has no defence yet has none against it."""
    assert isinstance(plan, Plan)
    name, action = plan.character, first_possible(battle, plan)
    play = Round(battle, dice)
    play.intents = {name: Intent((((action,),),), None, None)}
    target = target_of(battle, name, action)
    aimed = target is not None and battle.bodies[name].aim == target
    carry_out(play, Deed(name, action, target, 0, aimed))
    return Alone(play.battle, play.events, all(map(_succeeds, play.events)))


def _succeeds(event: object) -> bool:
    """Return whether an event is no failure of who acts."""
    if isinstance(event, LimbChecked):
        return event.passed
    if isinstance(event, Attacked):
        return event.los is not None
    if isinstance(event, Defended):
        return event.value > 0
    return not isinstance(event, Treated) or event.steadied or event.stopped > 0


def _words(
    battle: Battle, seat: Seat, plan: Order, differences: Sequence[Difference]
) -> Iterator[Said]:
    assert isinstance(plan, Plan)
    name, action = plan.character, first_possible(battle, plan)
    found = {one.where[1:]: one for one in differences if one.where[0] == "bodies"}
    target = target_of(battle, name, action)
    if action.do == "attack":
        assert target is not None
        yield from _hit({field: one for (who, field), one in found.items() if who == target})
    elif (name, "fate") in found:
        yield _GONE[found[name, "fate"].sure]
    else:
        for (_, field), one in found.items():
            if field in _TOLD:
                yield from _TOLD[field](battle, name, one)


def _hit(found: Mapping[str, Difference]) -> Iterator[Said]:
    """Tell what a hit does on the average, and whether it fells who is hit."""
    shock = round(found["shock"].mean()) if "shock" in found else 0
    if not shock:
        yield say("armour stops nearly all of it")
        return
    yield say("about {shock} Shock", shock=shock)
    if "wounds" in found:
        made = sorted(_made(found["wounds"].before, after) for after in found["wounds"].after)
        # The one in the middle: where a hit lands, and so what it does, is up to the roll.
        if made[len(made) // 2]:
            yield say("wound: {level}", level=_LEVELS[made[len(made) // 2] - 1])
    fates = found["fate"].after if "fate" in found else ()
    felled = sum(fate != "active" for fate in fates)
    if felled and 2 * felled >= len(fates):
        yield say("likely out of the fight")
    elif felled:
        yield say("perhaps out of the fight")


_LEVELS = tuple(map(say, LEVELS))


def _made(before: Sequence[Circles], after: Sequence[Circles]) -> int:
    """Return the level of the worst wound that is new, 0 for none."""
    changed = (now for was, now in zip(before, after, strict=True) if now != was)
    return max(map(worst, changed), default=0)


def _evades(battle: Battle, name: str, one: Difference) -> Iterator[Said]:
    # What stands from before would end with the phase in which this one begins.
    yield say("attacks on you at about {ease} less Ease Factor", ease=_value(one))


def _parries(battle: Battle, name: str, one: Difference) -> Iterator[Said]:
    yield say("blows at you at about {ease} less Ease Factor", ease=_value(one))


def _value(one: Difference) -> int:
    return round(sum(map(int, one.after)) / len(one.after))


def _moves(battle: Battle, name: str, one: Difference) -> Iterator[Said]:
    foe, to = nearest(battle, name), one.sure
    yield say("to {metres} m", metres=to)
    if foe is not None:
        yield say("{metres} m from {name}", metres=abs(battle.bodies[foe].at - to), name=foe)


def _aims(battle: Battle, name: str, one: Difference) -> Iterator[Said]:
    if one.sure is None:
        yield say("ends the aim at {name}", name=one.before)
    else:
        yield say("Ease Factor 1 more for the next shot at {name}", name=one.sure)


def _lies(battle: Battle, name: str, one: Difference) -> Iterator[Said]:
    yield say("lies down") if one.sure else say("gets up")


def _staunches(battle: Battle, name: str, one: Difference) -> Iterator[Said]:
    yield say("bleeding about {points} less", points=round(-one.mean(sum)))


def _steadies(battle: Battle, name: str, one: Difference) -> Iterator[Said]:
    yield say("steadied")


_TOLD: Mapping[str, Callable[[Battle, str, Difference], Iterator[Said]]] = {
    "at": _moves,
    "prone": _lies,
    "bleeding": _staunches,
    "steadied": _steadies,
    "evade": _evades,
    "parry": _parries,
    "aim": _aims,
}
"""How a difference of a body reads that is no wound, by its field."""

_GONE = {
    "surrendered": say("out of the fight, a prisoner"),
    "left": say("out of the fight, off the field"),
}


def _harm(battle: Battle, plan: Order, differences: Sequence[Difference]) -> float:
    """Return the shock that others take."""
    name = plan.character if isinstance(plan, Plan) else ""
    shocks = [one for one in differences if one.where[0] == "bodies" and one.where[-1] == "shock"]
    return sum(one.mean() for one in shocks if one.where[1] != name)


EFFECTS: Effects[Battle, Order] = Effects(alone=_alone, words=_words, harm=_harm)
