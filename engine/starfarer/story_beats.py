"""What is worth telling of a fight: of each round, who was hit, who fell, rose, or missed."""

from collections.abc import Callable, Sequence
from typing import Any

from engine.letter_texts import ASIDE, CHANGE, END, HARM, Beat, Scene, Stakes, Teller, missed, tell
from engine.seats import Seat
from engine.starfarer import events as ev
from engine.starfarer.bots import life
from engine.starfarer.model import Battle, active
from engine.starfarer.tables import AREAS
from engine.starfarer.view import level_name

_LONG, _SURE = 15, 80
"""The most MCS of a hit against the odds, and the least of a miss against them."""


def story(scenes: Sequence[Scene]) -> list[Beat]:
    """Return the beats of some steps, in their order."""
    return tell(_Teller(), _TELLING, scenes)


def weight(beat: Beat) -> int:
    """Return how much a beat matters to who reads of the round."""
    if beat.get("fate"):
        return END
    return HARM if beat.get("level") else ASIDE if beat["kind"] == "quiet" else CHANGE


def stakes(battle: Battle, seat: Seat) -> Stakes:
    """Return who of each side is hurt the worst and still fights, with percent of full strength."""
    team = next(sheet.team for sheet in battle.sheets.values() if sheet.seat == seat)
    sides: dict[str, list[str]] = {"own": [], "foe": []}
    for name in active(battle):
        sides["own" if battle.sheets[name].team == team else "foe"].append(name)
    found: dict[str, object] = {"own": None, "foe": None}
    for which, names in sides.items():
        left, who = min(((life(battle, name), name) for name in names), default=(100, ""))
        if left < 100 and not battle.over:
            found[which] = {"name": who, "left": left}
    return found if any(found.values()) else {}


_MUCH = 3
"""Of a round with so many beats misses are not told."""


class _Teller(Teller):
    """Collects the beats round by round; rounds without a hit are one beat."""

    def __init__(self) -> None:
        super().__init__()
        self._missed: list[tuple[str, str]] = []

    def closed(self, n: int, event: ev.Closed) -> None:
        """A round is played."""
        self.turn(n, event.round)

    def gathered(self) -> list[Beat]:
        """Return what is worth telling of the round; those who only missed come last.

        A miss at somebody who fell in that round is not worth telling, and none is where much else
        happened. A round of misses alone is quiet.
        """
        gathered = super().gathered()
        fell = {beat.get("at", beat.get("name")) for beat in gathered if beat.get("fate")}
        if 0 < len(gathered) < _MUCH:
            gathered += missed([(by, at) for by, at in self._missed if at not in fell])
        self._missed = []
        return gathered

    def attacked(self, n: int, event: ev.Attacked) -> None:
        """An attack. A miss is listed with those of its round, unless it was very likely to hit."""
        # Misses are many, and one sentence for all of a round is enough.
        if event.los is None:
            if event.mcs >= _SURE:
                self._gathered.append({"kind": "sure", **_facts(event)})
            else:
                self._missed.append((event.by, event.at))
        elif event.mcs <= _LONG:
            self._gathered.append({"kind": "long", **_facts(event)})

    def hit(self, n: int, event: ev.Hit) -> None:
        """A hit: what it wounds is told later."""
        blank = {"kind": "struck", "by": event.by, "at": event.at, "area": AREAS[event.area]}
        self._gathered.append({**blank, "shock": event.shock, "level": "", "fate": ""})

    def wounded(self, n: int, event: ev.Wounded) -> None:
        """A wound belongs to the hit before it; the further one of SF-31 is left out."""
        if self._gathered and not event.further and self._gathered[-1].get("at") == event.character:
            self._gathered[-1]["level"] = level_name(event.area, event.marked or event.level)

    def fell(self, n: int, event: ev.ShockChecked) -> None:
        """A shock check: a character who fails it falls."""
        if event.wakes is not None:
            self._falls(event.character, "unconscious", event.by)

    def out(self, n: int, event: ev.Out) -> None:
        """Somebody is out for good."""
        self._n = n
        self._falls(event.character, event.fate, event.by)

    def _falls(self, name: str, fate: str, by: str | None) -> None:
        """Tell that somebody falls, with the hit that did it."""
        # Hits of one phase take effect together, so it need not be the one that was told last.
        hits = [b for b in self._gathered if b["kind"] == "struck" and b["by"] == by]
        hit = next((one for one in reversed(hits) if one["at"] == name), None)
        if hit is None:
            self._gathered.append({"kind": "gone", "name": name, "fate": fate})
        else:
            hit["fate"] = fate

    def woke(self, n: int, event: ev.WakingChecked) -> None:
        """Somebody checked whether they wake."""
        if event.wakes is None:
            self._gathered.append({"kind": "woke", "name": event.character})

    def treated(self, n: int, event: ev.Treated) -> None:
        """Somebody was treated; only what helped is worth telling."""
        if event.stopped or event.steadied:
            facts = {"by": event.by, "at": event.at, "area": event.area}
            self._gathered.append({"kind": "treated", **facts})

    def over(self, n: int, event: ev.Over) -> None:
        """The fight is over."""
        self.alone(n, "over", why=event.why)


def _facts(event: ev.Attacked) -> Beat:
    return {"by": event.by, "at": event.at, "mcs": event.mcs, "roll": event.roll}


_TELLING: dict[type, Callable[[_Teller, int, Any], None]] = {
    ev.Closed: _Teller.closed,
    ev.Attacked: _Teller.attacked,
    ev.Hit: _Teller.hit,
    ev.Wounded: _Teller.wounded,
    ev.ShockChecked: _Teller.fell,
    ev.Out: _Teller.out,
    ev.WakingChecked: _Teller.woke,
    ev.Treated: _Teller.treated,
    ev.Over: _Teller.over,
}


_EVEN = 60
"""Added to each team's people: the more it is, the less a small advantage says."""


def lead(battle: Battle) -> int:
    """Return about how many of 100 fights like this one the first team would win."""
    if battle.winner is not None:
        return 100 if battle.winner == battle.teams[0].name else 0
    left = [sum(life(battle, name) for name in team.members) for team in battle.teams]
    # Squared: twice as many people win far more than twice as often.
    weights = [(one + _EVEN // 4) ** 2 for one in left]
    return 100 * weights[0] // sum(weights)
