"""What a unit's orders bring: they are carried out alone, and what they change is said in words."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from typing import Any

from engine.cortex.attack_events import Attacked, MissileGone, Tricked
from engine.cortex.chances import pilot_dice
from engine.cortex.default_targets import meant
from engine.cortex.events import Avoided, Forwarded, Gone, Joined, Manned, Refused, RunMade
from engine.cortex.legal import poised
from engine.cortex.model import Battle, Filing, Order, Orders
from engine.cortex.queries import band_of, unit_of
from engine.cortex.stages import play_alone
from engine.cortex.tables import OUTFLOWN, RANGES, TENTHS, die
from engine.cortex.turn_state import Doing, Turn, succeeds
from engine.dice import Dice
from engine.events import Event
from engine.i18n import Said, all_of, say
from engine.letter_texts import Alone, Difference, Effects
from engine.seats import Seat


def _alone(battle: Battle, seat: Seat, filed: Filing, dice: Dice) -> Alone:
    """Carry out a unit's orders, while all others do no more than to defend."""
    assert isinstance(filed, Orders)
    orders, play = meant(battle, filed).orders, poised(battle, dice)
    play_alone(play, filed.unit, orders)
    return Alone(play.battle, play.events, _succeeded(orders, play.events), _held(play, filed.unit))


def _succeeded(orders: Sequence[Order], events: Sequence[Event]) -> bool:
    """Return whether the last order was a success."""
    do = orders[-1].do if orders else ""
    if do == "ram":
        return any(isinstance(event, Avoided) and not event.passed for event in events)
    if do in ("strafe", "trick"):
        return any(isinstance(event, RunMade | Tricked) and event.passed for event in events)
    if do == "outfly":
        return any(isinstance(event, MissileGone) for event in events)
    attacks = [event for event in events if isinstance(event, Attacked)]
    if attacks and not attacks[-1].hit:
        return False
    if do == "fire" and any(isinstance(one, Gone) and one.name == orders[-1].at for one in events):
        return True  # an earlier shot has put the target out, so that the last is not fired
    # Earlier shots may miss: the chance is that of the last one.
    return not any(map(_fails, (event for event in events if event not in attacks)))


def _fails(event: Event) -> bool:
    if isinstance(event, Manned):
        return not succeeds(event.throw, event.needed)
    if isinstance(event, Joined | Forwarded):
        return not event.passed
    return isinstance(event, Refused)


def _held(play: Turn, unit: str) -> dict[str, Any]:
    """Return what holds for a unit for the rest of the turn, as far as its orders made it hold."""
    if unit in play.battle.spotters:
        return {"spots": play.spots[unit]} if unit in play.spots else {}
    members = unit_of(play.battle, unit)
    doing, first = play.doing[members[0]], Doing(steps=dict(play.battle.vessels[unit].next))
    held = {
        one.name: getattr(doing, one.name)
        for one in fields(doing)
        if getattr(doing, one.name) != getattr(first, one.name)
    }
    if doing.defends:
        held["defends"] = "+".join(
            die(step) for step in pilot_dice(play, members, doing.defence) if step
        )
    if play.commands.get(unit):
        held["commands"] = play.commands[unit]
    return held


def _words(
    battle: Battle, seat: Seat, filed: Filing, differences: Sequence[Difference]
) -> Iterator[Said]:
    assert isinstance(filed, Orders)
    own = unit_of(battle, filed.unit) if filed.unit in battle.sheets else (filed.unit,)
    gone = _fates(differences)
    if _gives_up(gone):
        yield say("out of the battle for good")
        return
    yield from _harm(battle, own, differences)
    for one in gone:
        yield from _fate(one)
    yield from _ranges(battle, own, differences)
    for one in differences:
        if one.where[0] == "holds":
            yield from _holding(one.where[1], one)
        elif one.where[0] in _TOLD:
            yield from _TOLD[one.where[0]](own, one)


_PIECES = ("vessels", "spotters")


def _fates(differences: Sequence[Difference]) -> list[Difference]:
    """Return the differences that say who is out."""
    return [one for one in differences if one.where[0] in _PIECES and one.where[-1] == "fate"]


def _gives_up(fates: Sequence[Difference]) -> bool:
    """Return whether somebody surrenders or withdraws."""
    return any(one.sure in ("surrendered", "withdrawn") for one in fates)


def _harm(battle: Battle, own: Sequence[str], differences: Sequence[Difference]) -> Iterator[Said]:
    """Tell what harm is done on the average, and how much each could take."""
    harm: dict[str, float] = {}
    for one in differences:
        if one.where[0] in (*_PIECES, "sites") and one.where[-1] in ("stun", "wound"):
            harm[one.where[1]] = harm.get(one.where[1], 0.0) + one.mean()
    for name, tenths in harm.items():
        points, left = round(tenths / TENTHS), round(_left(battle, name) / TENTHS)
        if len(harm) > 1 or name in own:
            yield say("about {points} of {left} LP of {name}", points=points, left=left, name=name)
        else:
            yield say("about {points} of {left} LP", points=points, left=left)


def _left(battle: Battle, name: str) -> int:
    """Return how much more something can take, in tenths of a point."""
    if name in battle.sites:
        return battle.sites[name].lp * TENTHS - battle.sites[name].wound
    piece = battle.vessels.get(name) or battle.spotters[name]
    sheet = battle.sheets.get(name) or battle.spotters[name]
    return sheet.lp * TENTHS - piece.stun - piece.wound


def _fate(one: Difference) -> Iterator[Said]:
    fates = [fate for fate in one.after if fate != "active"]
    likely = 2 * len(fates) >= len(one.after)
    name = one.where[1]
    yield say("{name} likely out", name=name) if likely else say("{name} perhaps out", name=name)


def _ranges(
    battle: Battle, own: Sequence[str], differences: Sequence[Difference]
) -> Iterator[Said]:
    """Tell the ranges that change; the members of a wing are all at the same ones."""
    found: dict[int, list[str]] = {}
    for one in differences:
        if one.where[0] == "ranges" and own[0] in one.where[1].split("|"):
            other = next(name for name in one.where[1].split("|") if name != own[0])
            found.setdefault(one.sure, []).append(other)
    for distance, names in found.items():
        if battle.atmosphere:
            yield say("{feet} feet from {names}", feet=distance, names=all_of(names))
        else:
            far = _FAR[RANGES[band_of(battle, distance)]]
            yield say("{range} of {names}", range=far, names=all_of(names))


def _locked(own: Sequence[str], one: Difference) -> Iterator[Said]:
    for lock in one.sure or ():
        if lock not in one.before:
            yield say("a lock on {name}, which LAUNCH needs", name=lock.at)


def _flying(own: Sequence[str], one: Difference) -> Iterator[Said]:
    before, after = (
        {missile.id: missile for missile in some} for some in (one.before, one.after[0])
    )
    for known, missile in after.items():
        was = before.get(known)
        if was is None:
            turns = missile.turns
            yield (
                say("hits in {turns} turns if not stopped", turns=turns)
                if turns > 1
                else say("hits next turn if not stopped")
            )
        elif was.at != missile.at:
            yield say("{missile} flies at {name} instead", missile=known, name=missile.at)
        elif was.outflown != missile.outflown:
            yield say("{rolled} of {needed} rolled", rolled=missile.outflown, needed=OUTFLOWN)
    for known in before:
        if known not in after:
            yield say("{missile} is gone", missile=known)


def _winged(own: Sequence[str], one: Difference) -> Iterator[Said]:
    wing = next((wing for wing in one.after[0] if own[0] in wing), ())
    yield say("in one wing: {names}", names=all_of(wing)) if wing else say("on its own")


def _readied(own: Sequence[str], one: Difference) -> Iterator[Said]:
    """Tell what is made ready for later turns: aims, and help for stations and weapons."""
    if one.where[2] == "aim" and one.where[-1] == "at":
        yield say("aims at {name} instead", name=one.after[0])
    elif one.where[2] == "aim" and one.where[-1] == "steps":
        yield say("{steps} for its next shot", steps=_steps(one.after[0]))
    elif one.where[2] == "aim" and one.after[0] is not None:
        yield say("{steps} for its next shot", steps=_steps(one.after[0].steps))
    elif one.where[2] == "next":
        more = _mean(one)
        if more:
            yield say("{steps} for {what} next turn", steps=_steps(more), what=_what(one.where[3]))


def _holding(what: str, one: Difference) -> Iterator[Said]:
    """Tell what holds for the rest of the turn."""
    if what == "defends":
        yield say("defends with {dice}", dice=one.after[0])
    elif what == "dodge":
        yield say("attacks at it need about {needed}", needed=_mean(one))
    elif what in ("gunnery", "helm"):
        if _mean(one):
            yield say("{steps} for {what}", steps=_steps(_mean(one)), what=_USES[what])
    elif what == "defence" and _mean(one):
        yield say("{steps} for its defence", steps=_steps(_mean(one)))
    elif what == "steps":
        for to in one.after[0] or ():
            more = round(sum((now or {}).get(to, 0) for now in one.after) / len(one.after))
            yield say("{steps} for {what} this turn", steps=_steps(more), what=_what(to))
    elif what == "commands":
        for at, to, steps in one.after[0]:
            yield say(
                "{steps} for {what} of {name} next turn, if FORWARD succeeds",
                steps=_steps(steps),
                what=_what(to),
                name=at,
            )
    elif what in ("shield", "strafing", "spots"):
        yield say(_NAMING[what], name=one.after[0])
    elif what in _HOLDS:
        yield _HOLDS[what]


def _mean(one: Difference) -> int:
    return round(sum(value or 0 for value in one.after) / len(one.after) - (one.before or 0))


def _steps(number: int) -> Said:
    return (
        say("{number} step", number=f"{number:+d}")
        if abs(number) == 1
        else say("{number} steps", number=f"{number:+d}")
    )


def _what(to: str) -> str:
    return say(to) if to in ("pilot", "guns", "sensors", "comms") else to


_FAR = {
    "skirmish": say("skirmish range"),
    "capital": say("capital range"),
    "short": say("short range"),
    "long": say("long range"),
}
_USES = {"gunnery": say("its attacks"), "helm": say("its flying")}
_NAMING = {
    "shield": "{name} takes the hits",
    "strafing": "safe from the guns of {name}",
    "spots": "{name} is marked for bombardment",
}
_HOLDS = {
    "exposed": say("easy to hit this turn"),
    "silent": say("its point defence is silent"),
    "jumping": say("jumps away at the end of the turn"),
}
_TOLD: Mapping[str, Any] = {
    "locks": _locked,
    "missiles": _flying,
    "wings": _winged,
    "vessels": _readied,
}


def _harm_done(battle: Battle, filed: Filing, differences: Sequence[Difference]) -> float:
    """Return the points that others take; what a missile will do is not known yet, and counts 1."""
    assert isinstance(filed, Orders)
    # The missiles that fly at who gives up vanish, which harms nobody.
    if _gives_up(_fates(differences)):
        return 0
    own = unit_of(battle, filed.unit) if filed.unit in battle.sheets else (filed.unit,)
    hurt = [one for one in differences if one.where[-1] in ("stun", "wound")]
    points = sum(one.mean() for one in hurt if one.where[1] not in own) / TENTHS
    return points + any(one.where[0] == "missiles" for one in differences)


EFFECTS: Effects[Battle, Filing] = Effects(alone=_alone, words=_words, harm=_harm_done)
