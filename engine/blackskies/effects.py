"""What a card brings: it is played alone, and where it leads and whom it hits is said in words."""

from collections.abc import Iterator, Sequence

from engine.blackskies.apply import apply
from engine.blackskies.events import Flown
from engine.blackskies.geometry import bearing, norm, tenths
from engine.blackskies.model import Battle, Order, active, enemies
from engine.blackskies.resolve import play_alone
from engine.dice import Dice
from engine.events import Play
from engine.i18n import Said, say
from engine.letter_texts import Alone, Difference, Effects
from engine.seats import Seat

ARCS = (
    say("ahead"),
    say("ahead left"),
    say("behind left"),
    say("behind"),
    say("behind right"),
    say("ahead right"),
)


def _alone(battle: Battle, seat: Seat, order: Order, dice: Dice) -> Alone:
    """Play an element's card while all others stay where they are."""
    play = Play(battle, dice, apply)
    play_alone(play, order)
    success = all(event.mastered for event in play.events if isinstance(event, Flown))
    return Alone(play.battle, play.events, success)


def _words(
    battle: Battle, seat: Seat, order: Order, differences: Sequence[Difference]
) -> Iterator[Said]:
    if order.command != "fly":
        left = say("leaves the battle, alive and free")
        yield left if order.command == "withdraw" else say("out of the battle, and lost")
        return
    found = {one.where: one for one in differences}
    lead = active(battle, order.element)[0]
    yield from _flight(battle, order.element, found, lead.name)
    yield from _damage(battle, order.element, found)


def _flight(
    battle: Battle, element: str, found: dict[tuple[str, ...], Difference], lead: str
) -> Iterator[Said]:
    """Tell a new speed at the end of the flight, how far the nearest enemy is then, and where."""

    def now(*where: str, instead: int) -> int:
        return int(found[where].sure) if where in found else instead

    own, fighter = battle.elements[element], battle.fighters[lead]
    speed = now("elements", element, "speed", instead=own.speed)
    if speed != own.speed:
        yield say("speed {speed}", speed=speed)
    heading = now("elements", element, "heading", instead=own.heading)
    q = now("fighters", lead, "q", instead=fighter.q)
    r = now("fighters", lead, "r", instead=fighter.r)
    foes = [(norm(foe.q - q, foe.r - r), foe) for _, foe in enemies(battle, own.side)]
    n, foe = min(foes, key=lambda pair: pair[0])
    arc = bearing(foe.q - q, foe.r - r, heading)
    whole, part = divmod(tenths(n), 10)
    inches = say("{whole}.{part}", whole=whole, part=part) if part else str(whole)
    if arc is None:
        yield say("at the spot of {name}", name=foe.name)
    else:
        yield say("{name} at {inches} inches, {arc}", name=foe.name, inches=inches, arc=ARCS[arc])


def _damage(
    battle: Battle, element: str, found: dict[tuple[str, ...], Difference]
) -> Iterator[Said]:
    """Tell the damage done on the average to each enemy, and taken from asteroids."""
    own = battle.elements[element].fighters
    for (first, name, *last), one in ((w, o) for w, o in found.items() if len(w) > 2):
        if first == "fighters" and last == ["hull"] and round(-one.mean()):
            lost = round(-one.mean())
            if name in own:
                yield say("about {damage} damage by asteroids", damage=lost)
            else:
                yield say(
                    "about {damage} of hull {hull} of {name}",
                    damage=lost,
                    name=name,
                    hull=one.before,
                )


def _harm(battle: Battle, order: Order, differences: Sequence[Difference]) -> float:
    own = battle.elements[order.element].fighters
    hulls = [one for one in differences if one.where[0] == "fighters" and one.where[-1] == "hull"]
    return -sum(one.mean() for one in hulls if one.where[1] not in own)


EFFECTS: Effects[Battle, Order] = Effects(alone=_alone, words=_words, harm=_harm)
