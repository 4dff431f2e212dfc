"""What is worth telling of a battle: who was struck, missed or lost; and who is ahead."""

from collections.abc import Callable, Sequence
from math import exp, log
from typing import Any

from engine.blackskies import events as ev
from engine.blackskies.design import Design
from engine.blackskies.model import Battle, Fighter, active, design_of
from engine.blackskies.tables import shielded
from engine.letter_texts import CHANGE, END, HARM, Beat, Scene, Stakes, Teller, missed, tell
from engine.seats import Seat

_LONG, _SURE = 12, 2
"""What a die must show at least for a long shot, and at most for a sure one."""
_DYING = 2
"""The most hull of a fighter at which a near miss is worth telling."""


def story(scenes: Sequence[Scene]) -> list[Beat]:
    """Return the beats of some steps, in their order."""
    return tell(_Teller(), _TELLING, scenes)


def weight(beat: Beat) -> int:
    """Return how much a beat matters to who reads of the turn."""
    if beat.get("lost") or beat["kind"] == "left":
        return END
    return HARM if beat.get("damage") else CHANGE


def stakes(battle: Battle, seat: Seat) -> Stakes:
    """Return the fighter of each side that one more hit is most likely to destroy.

    Each has its name and the chance in percent, of a hit by the strongest weapon of the others.
    """
    side = next(one.side for one in battle.elements.values() if one.seat == seat)
    found = {"own": _weakest(battle, side), "foe": _weakest(battle, 1 - side)}
    return {} if battle.over or not any(found.values()) else found


def _weakest(battle: Battle, side: int) -> dict[str, object] | None:
    fighters = [
        (fighter, element)
        for element in battle.elements.values()
        if element.side == side
        for fighter in active(battle, element.name)
    ]
    dice = [
        weapon.die
        for element in battle.elements.values()
        if element.side != side and active(battle, element.name)
        for weapon in design_of(battle, element).weapons
    ]
    chances = [
        (_lost(design_of(battle, element), fighter, max(dice, default=0)), fighter)
        for fighter, element in fighters
    ]
    chance, fighter = max(chances, key=lambda one: one[0], default=(0, None))
    return {"name": fighter.name, "chance": chance} if fighter and chance else None


def _lost(design: Design, fighter: Fighter, die: int) -> int:
    """Return the chance in percent that a hit with this die destroys a fighter (BS-21)."""
    if not die:
        return 0
    sides = shielded(die, design.shields)
    return round(100 * max(sides - design.armour - fighter.hull + 1, 0) / sides)


class _Teller(Teller):
    """Collects the beats turn by turn; turns without a shot are one beat."""

    def __init__(self) -> None:
        super().__init__()
        self._hulls: dict[str, int] = {}
        self._clear()

    def _clear(self) -> None:
        self._fire: dict[str, Beat] = {}
        self._done: list[Beat] = []
        self._vain: list[tuple[str, str]] = []
        self._remarks: list[Beat] = []
        self._astray: list[str] = []

    def closed(self, n: int, event: ev.Closed) -> None:
        """A turn is played."""
        self.turn(n, event.turn)

    def gathered(self) -> list[Beat]:
        """Return what is worth telling of the turn: what did no harm, then all else in its order.

        So nobody is told to have fired, or to have been fired at, after their end.
        """
        struck = {one.get("at") for one in self._done}
        misses = missed(pair for pair in self._vain if pair[1] not in struck)
        gathered = [*self._slipped(), *misses, *self._done, *self._remarks]
        self._clear()
        return gathered

    def _slipped(self) -> list[Beat]:
        return [{"kind": "slipped", "elements": self._astray}] if self._astray else []

    def begun(self, n: int, event: ev.Begun) -> None:
        """It was rolled who moves first."""
        self.alone(n, "begun", side=event.first)

    def flown(self, n: int, event: ev.Flown) -> None:
        """An element flew; only a card that was not mastered is worth telling."""
        if not event.mastered:
            self._astray.append(event.element)

    def fired(self, n: int, event: ev.Fired) -> None:
        """A weapon was fired. Hits on one target are a beat, unless an end must be told between."""
        if event.hits:
            blank: Beat = {"kind": "struck", "at": event.at, "by": [], "hits": 0}
            fire = self._fire.setdefault(event.at, blank | {"damage": 0, "lost": ""})
            # A shooter is named once for all its weapons.
            fire["by"] += [event.by] if event.by not in fire["by"] else []
            fire["hits"] += event.hits
            # Each beat stands where its last hit fell.
            self._done = [*(one for one in self._done if one is not fire), fire]
        else:
            self._vain.append((event.by, event.at))
        self._remark(event)

    def _remark(self, event: ev.Fired) -> None:
        """Note a long shot that hits, a sure one that misses, and a near miss that would kill."""
        best, needed = max(event.rolls, default=0), event.needed
        near = needed - best == 1 and self._hulls.get(event.at, _DYING + 1) <= _DYING
        what = "long" if event.hits and needed >= _LONG else ""
        what = what or ("" if event.hits else "sure" if needed <= _SURE else "near" if near else "")
        # One remark a turn: more would be noise.
        if what and event.rolls and not self._remarks:
            facts = {"by": event.by, "at": event.at, "needed": needed, "roll": best}
            self._remarks.append({"kind": what, **facts})

    def hit(self, n: int, event: ev.Hit) -> None:
        """A hit did its damage."""
        self._hulls[event.at] = event.hull
        fire = self._fire[event.at]
        fire |= {"damage": fire["damage"] + event.damage, "hull": event.hull}

    def destroyed(self, n: int, event: ev.Destroyed) -> None:
        """A fighter was lost: to a shot, or to an asteroid. What it did before is told before."""
        self._done[-1]["lost"] = event.by or True
        self._fire = {at: one for at, one in self._fire.items() if event.fighter not in one["by"]}

    def grazed(self, n: int, event: ev.Grazed) -> None:
        """A fighter hit an asteroid. Hits that it took before are told before."""
        self._hulls[event.fighter] = event.hull
        self._fire.pop(event.fighter, None)
        facts = {"fighter": event.fighter, "damage": event.damage, "hull": event.hull}
        self._done.append({"kind": "grazed", "lost": False, **facts})

    def left(self, n: int, event: ev.Left) -> None:
        """An element left the battle."""
        self._done.append({"kind": "left", "element": event.element, "fate": event.fate})
        self._n = n

    def over(self, n: int, event: ev.Over) -> None:
        """The battle is over."""
        self.alone(n, "over", why=event.why)


_TELLING: dict[type, Callable[[_Teller, int, Any], None]] = {
    ev.Closed: _Teller.closed,
    ev.Begun: _Teller.begun,
    ev.Flown: _Teller.flown,
    ev.Fired: _Teller.fired,
    ev.Hit: _Teller.hit,
    ev.Destroyed: _Teller.destroyed,
    ev.Grazed: _Teller.grazed,
    ev.Left: _Teller.left,
    ev.Over: _Teller.over,
}


_HULL = 2.1
"""The weight of the hull that a side has left; how many fighters share it hardly counts."""


def lead(battle: Battle) -> int:
    """Return how many of 100 battles like this one the first side would win."""
    if battle.winner is not None:
        return 100 if battle.winner == battle.sides[0].name else 0
    return round(100 / (1 + exp(_weighed(battle, 1) - _weighed(battle, 0))))


def _weighed(battle: Battle, side: int) -> float:
    hull = sum(
        battle.fighters[name].hull
        for element in battle.elements.values()
        for name in element.fighters
        if element.side == side and battle.fighters[name].fate == "active"
    )
    # Half a point more, since the logarithm of 0 is not a number.
    return _HULL * log(hull + 0.5)
