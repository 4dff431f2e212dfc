"""What is worth telling of a battle, and who is ahead."""

from collections.abc import Callable, Sequence
from typing import Any

from engine.cortex import attack_events
from engine.cortex import events as ev
from engine.cortex.attack_events import AnyEvent
from engine.cortex.default_targets import life
from engine.cortex.model import Battle
from engine.cortex.queries import active_in, team_of
from engine.cortex.sound_bot import strengths
from engine.cortex.tables import TENTHS
from engine.cortex.ways_of_attack import Ways, note
from engine.letter_texts import ASIDE, CHANGE, END, HARM, Beat, Scene, Stakes, Teller, tell
from engine.seats import Seat


def story(scenes: Sequence[Scene]) -> list[Beat]:
    """Return the beats of some steps, in their order."""
    return tell(_Teller(), _TELLING, scenes)


def weight(beat: Beat) -> int:
    """Return how much a beat matters to who reads of the turn."""
    if beat.get("fate"):
        return END
    if beat.get("harm", 0) >= TENTHS or beat["kind"] == "shelled":
        return HARM
    return ASIDE if beat["kind"] == "quiet" else CHANGE


def stakes(battle: Battle, seat: Seat) -> Stakes:
    """Return the damaged vessel of each side that has the fewest Life Points left, with those."""
    team = team_of(battle, seat)
    if team is None or battle.over:
        return {}
    found = {"own": _weakest(battle, team), "foe": _weakest(battle, 1 - team)}
    return found if any(found.values()) else {}


def _weakest(battle: Battle, team: int) -> dict[str, object] | None:
    left = [(life(battle, name), name) for name in active_in(battle, team)]
    hurt = [(points, name) for points, name in left if points < battle.sheets[name].lp * TENTHS]
    if not hurt:
        return None
    points, name = min(hurt, key=lambda one: one[0])
    # A vessel with less than a point still flies.
    return {"name": name, "left": max(points // TENTHS, 1), "of": battle.sheets[name].lp}


class _Teller(Teller):
    """Collects the beats turn by turn; turns without a hit are one beat."""

    def __init__(self) -> None:
        super().__init__()
        self._ways = Ways()
        self._bombards = ""

    def closed(self, n: int, event: ev.Closed) -> None:
        """A turn is played."""
        self.turn(n, event.turn)

    def attacked(self, n: int, event: AnyEvent) -> None:
        """Somebody attacked, or collided."""
        note(self._ways, event)
        if isinstance(event, attack_events.Attacked) and event.do == "bombard":
            self._bombards = event.by

    def arrived(self, n: int, event: attack_events.Arrived) -> None:
        """A missile arrived; unless a hit of it follows, it found nobody."""
        self.attacked(n, event)
        self._gathered.append({"kind": "shaken", "id": event.id, "why": "arrived"})

    def struck(self, n: int, event: attack_events.Struck) -> None:
        """A hit. Those of one attacker on the same vessel make one beat."""
        spent = {"kind": "shaken", "id": event.by, "why": "arrived"}
        self._gathered = [beat for beat in self._gathered if beat != spent]
        harm = event.stun + event.wound
        facts = {"by": event.by, "at": event.name, "fate": ""}
        # Hits may take effect long after the shot, so it is known by who fired what last.
        facts["way"] = self._ways.get(event.by, "guns")
        last = self._gathered[-1] if self._gathered else None
        if last is not None and last.items() >= ({"kind": "struck"} | facts).items():
            last["harm"] += harm
            return
        self._gathered.append({"kind": "struck", **facts, "harm": harm})

    def out(self, n: int, event: ev.Gone) -> None:
        """Somebody is out of the battle."""
        # A vessel may also go between turns, by a forfeit.
        self._n = n
        last = self._gathered[-1] if self._gathered else None
        shot = event.fate in ("destroyed", "disabled")
        # Then it belongs to the hit that was told last, if that was its own.
        if shot and last is not None and last["kind"] == "struck" and last["at"] == event.name:
            last["fate"] = event.fate
        else:
            self._gathered.append({"kind": "gone", "name": event.name, "fate": event.fate})

    def launched(self, n: int, event: attack_events.Launched) -> None:
        """A missile was launched. Those of a turn are one beat."""
        shot = {"by": event.missile.by, "at": event.missile.at, "id": event.missile.id}
        earlier = next((beat for beat in self._gathered if beat["kind"] == "launched"), None)
        if earlier is None:
            self._gathered.append({"kind": "launched", "shots": [shot]})
        else:
            earlier["shots"].append(shot)

    def missed(self, n: int, event: attack_events.MissileGone) -> None:
        """A missile was shot down, out-flown or tricked."""
        if event.why != "arrived":
            self._gathered.append({"kind": "shaken", "id": event.id, "why": event.why})

    def joined(self, n: int, event: ev.Joined) -> None:
        """Somebody joined a wing."""
        if event.passed:
            self._gathered.append({"kind": "joined", "name": event.name, "at": event.at})

    def shelled(self, n: int, event: attack_events.Shelled) -> None:
        """A site was bombarded by whose shot came last, and has that damage now."""
        facts = {"kind": "shelled", "by": self._bombards, "name": event.name}
        last = self._gathered[-1] if self._gathered else None
        if last is None or not last.items() >= facts.items():
            self._gathered.append(dict(facts))
        self._gathered[-1]["wound"] = event.wound

    def ended(self, n: int, event: ev.Ended) -> None:
        """The turn is over, and perhaps the battle."""
        if event.over:
            self.alone(n, "over", why="alone", winner=event.winner)

    def over(self, n: int, event: ev.Over) -> None:
        """The league has ended the battle."""
        self.alone(n, "over", why=event.why, winner=event.winner)


_TELLING: dict[type, Callable[[_Teller, int, Any], None]] = {
    ev.Closed: _Teller.closed,
    ev.Gone: _Teller.out,
    ev.Joined: _Teller.joined,
    ev.Ended: _Teller.ended,
    ev.Over: _Teller.over,
    ev.Avoided: _Teller.attacked,
    attack_events.Attacked: _Teller.attacked,
    attack_events.PointDefended: _Teller.attacked,
    attack_events.Arrived: _Teller.arrived,
    attack_events.Struck: _Teller.struck,
    attack_events.Launched: _Teller.launched,
    attack_events.MissileGone: _Teller.missed,
    attack_events.Shelled: _Teller.shelled,
}


_EVEN = 10
"""Added to each team's vessels: the more it is, the less a small advantage says."""


def lead(battle: Battle) -> int:
    """Return about how many of 100 battles like this one the first team would win."""
    if battle.winner is not None:
        return 100 if battle.winner == battle.teams[0].name else 0
    # Squared: twice the strength wins far more than twice as often.
    ones, others = ((value + _EVEN) ** 2 for value in strengths(battle))
    return round(100 * ones / (ones + others))
