"""What is worth telling of a fight: of each round, who was hit, who fell, rose, or missed."""

from collections.abc import Callable, Sequence
from typing import Any

from engine.briefing import Beat, Scene
from engine.starfarer import events as ev
from engine.starfarer.tables import AREAS
from engine.starfarer.view import level_name

_LONG, _SURE = 15, 80
"""The most MCS of a hit against the odds, and the least of a miss against them."""


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
    """Collects the beats round by round; rounds without an attack are one beat."""

    def __init__(self) -> None:
        self.beats: list[Beat] = []
        self._n = self._round = 0
        self._told: list[Beat] = []
        self._missed: list[tuple[str, str]] = []

    def closed(self, n: int, event: ev.Closed) -> None:
        """A round is played."""
        self.rest()
        self._n, self._round = n, event.round

    def rest(self) -> None:
        """Tell the round that was gathered."""
        told = self._told
        if self._missed:
            by, at = (list(dict.fromkeys(names)) for names in zip(*self._missed, strict=True))
            told = [*told, {"kind": "missed", "by": by, "at": at}]
        if not told and self._round:
            self._quiet()
        for number, beat in enumerate(told):
            turn = self._round if number == 0 else 0
            self.beats.append({"first": self._n, "last": self._n, **beat, "turn": turn})
        self._told, self._missed, self._round = [], [], 0

    def _quiet(self) -> None:
        last = self.beats[-1] if self.beats else None
        if last is not None and last["kind"] == "quiet":
            last |= {"last": self._n, "until": self._round}
            return
        facts = {"since": self._round, "until": self._round, "turn": 0}
        self.beats.append({"kind": "quiet", "first": self._n, "last": self._n, **facts})

    def attacked(self, n: int, event: ev.Attacked) -> None:
        """An attack; a miss is told with the others of its round, unless it was a sure hit."""
        if event.los is None:
            if event.mcs >= _SURE:
                self._told.append({"kind": "sure", **_facts(event)})
            else:
                self._missed.append((event.by, event.at))
        elif event.mcs <= _LONG:
            self._told.append({"kind": "long", **_facts(event)})

    def hit(self, n: int, event: ev.Hit) -> None:
        """A hit: what it wounds is told later."""
        blank = {"kind": "struck", "by": event.by, "at": event.at, "area": AREAS[event.area]}
        self._told.append({**blank, "shock": event.shock, "level": "", "fate": ""})

    def wounded(self, n: int, event: ev.Wounded) -> None:
        """A wound belongs to the hit before it; the further one of SF-31 is not told."""
        if self._told and not event.further and self._told[-1].get("at") == event.character:
            self._told[-1]["level"] = level_name(event.area, event.marked or event.level)

    def fell(self, n: int, event: ev.ShockChecked) -> None:
        """A shock check: who fails it falls."""
        if event.wakes is not None:
            self._fate(event.character, "unconscious")

    def out(self, n: int, event: ev.Out) -> None:
        """Somebody is out for good."""
        self._n = n
        self._fate(event.character, event.fate)

    def _fate(self, name: str, fate: str) -> None:
        last = self._told[-1] if self._told else None
        if last is not None and last["kind"] == "struck" and last["at"] == name:
            last["fate"] = fate
        else:
            self._told.append({"kind": "gone", "name": name, "fate": fate})

    def woke(self, n: int, event: ev.WakingChecked) -> None:
        """Somebody checked whether they wake."""
        if event.wakes is None:
            self._told.append({"kind": "woke", "name": event.character})

    def treated(self, n: int, event: ev.Treated) -> None:
        """Somebody was treated; only what helped is worth telling."""
        if event.stopped or event.steadied:
            facts = {"by": event.by, "at": event.at, "area": event.area}
            self._told.append({"kind": "treated", **facts})

    def over(self, n: int, event: ev.Over) -> None:
        """The fight is over."""
        self.rest()
        self.beats.append({"kind": "over", "first": n, "last": n, "why": event.why, "turn": 0})


def _facts(event: ev.Attacked) -> Beat:
    return {"by": event.by, "at": event.at, "mcs": event.mcs, "roll": event.roll}


_TOLD: dict[type, Callable[[_Teller, int, Any], None]] = {
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
