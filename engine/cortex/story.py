"""What is worth telling of a battle: of each turn, who was hit, who is out, what missiles did."""

from collections.abc import Callable, Sequence
from typing import Any

from engine.briefing import Beat, Scene
from engine.cortex import events as ev
from engine.cortex import shots
from engine.cortex.tables import TENTHS


def story(scenes: Sequence[Scene]) -> list[Beat]:
    """Return the beats of some steps, in their order."""
    teller = _Teller()
    for scene in scenes:
        for event in scene.events:
            told = _TOLD.get(type(event))
            if told is not None:
                told(teller, scene.n, event)
    teller.rest()
    return teller.beats


class _Teller:
    """Collects the beats turn by turn; turns without a hit are one beat."""

    def __init__(self) -> None:
        self.beats: list[Beat] = []
        self._n = self._turn = 0
        self._told: list[Beat] = []

    def closed(self, n: int, event: ev.Closed) -> None:
        """A turn is played."""
        self.rest()
        self._n, self._turn = n, event.turn

    def rest(self) -> None:
        """Tell the turn that was gathered."""
        if not self._told and self._turn:
            self._quiet()
        for number, beat in enumerate(self._told):
            turn = self._turn if number == 0 else 0
            self.beats.append({"first": self._n, "last": self._n, **beat, "turn": turn})
        self._told, self._turn = [], 0

    def _quiet(self) -> None:
        last = self.beats[-1] if self.beats else None
        if last is not None and last["kind"] == "quiet":
            last |= {"last": self._n, "until": self._turn}
            return
        facts = {"since": self._turn, "until": self._turn, "turn": 0}
        self.beats.append({"kind": "quiet", "first": self._n, "last": self._n, **facts})

    def struck(self, n: int, event: shots.Struck) -> None:
        """A hit; those of one on the same vessel are told together."""
        harm = event.stun + event.wound
        last = self._told[-1] if self._told else None
        same = last is not None and last["kind"] == "struck" and not last["fate"]
        if last is not None and same and (last["by"], last["at"]) == (event.by, event.name):
            last["points"] += harm // TENTHS
            return
        facts = {"by": event.by, "at": event.name, "points": harm // TENTHS, "fate": ""}
        self._told.append({"kind": "struck", **facts})

    def out(self, n: int, event: ev.Gone) -> None:
        """Somebody is out of the battle."""
        self._n = n
        last = self._told[-1] if self._told else None
        if last is not None and last["kind"] == "struck" and last["at"] == event.name:
            last["fate"] = event.fate
        else:
            self._told.append({"kind": "gone", "name": event.name, "fate": event.fate})

    def launched(self, n: int, event: shots.Launched) -> None:
        """A missile was launched."""
        facts = {"by": event.missile.by, "at": event.missile.at, "id": event.missile.id}
        self._told.append({"kind": "launched", **facts})

    def missed(self, n: int, event: shots.MissileGone) -> None:
        """A missile was got rid of."""
        if event.why != "arrived":
            self._told.append({"kind": "shaken", "id": event.id, "why": event.why})

    def joined(self, n: int, event: ev.Joined) -> None:
        """Somebody joined a wing."""
        if event.passed:
            self._told.append({"kind": "joined", "name": event.name, "at": event.at})

    def shelled(self, n: int, event: shots.Shelled) -> None:
        """A site was bombarded."""
        self._told.append({"kind": "shelled", "name": event.name, "points": event.wound // TENTHS})

    def ended(self, n: int, event: ev.Ended) -> None:
        """The turn is over, and perhaps the battle."""
        if event.over:
            self.rest()
            facts = {"kind": "over", "first": n, "last": n, "winner": event.winner, "turn": 0}
            self.beats.append(facts)


_TOLD: dict[type, Callable[[_Teller, int, Any], None]] = {
    ev.Closed: _Teller.closed,
    ev.Gone: _Teller.out,
    ev.Joined: _Teller.joined,
    ev.Ended: _Teller.ended,
    shots.Struck: _Teller.struck,
    shots.Launched: _Teller.launched,
    shots.MissileGone: _Teller.missed,
    shots.Shelled: _Teller.shelled,
}
