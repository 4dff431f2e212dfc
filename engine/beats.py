"""How a system that plays by turns gathers what a story tells of them."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from engine.briefing import Beat, Scene

T = TypeVar("T", bound="Teller")


class Teller:
    """Collects beats turn by turn; turns in which nothing is worth telling are one beat.

    A system adds a method for each event that it tells of.
    """

    def __init__(self) -> None:
        self.beats: list[Beat] = []
        self._gathered: list[Beat] = []
        self._n = self._turn = 0

    def turn(self, n: int, turn: int) -> None:
        """Begin a turn, which step n plays."""
        self.rest()
        self._n, self._turn = n, turn

    def gathered(self) -> list[Beat]:
        """Return what is worth telling of the turn, and forget it."""
        gathered, self._gathered = self._gathered, []
        return gathered

    def rest(self) -> None:
        """Tell the turn that was gathered; its first beat says which turn it is."""
        gathered = self.gathered()
        if not gathered and self._turn:
            self._quiet()
        for beat in gathered:
            self._add(beat | {"turn": self._turn})
            self._turn = 0
        self._turn = 0

    def _quiet(self) -> None:
        last = self.beats[-1] if self.beats else None
        if last is not None and last["kind"] == "quiet":
            last |= {"last": self._n, "until": self._turn}
        else:
            self._add({"kind": "quiet", "since": self._turn, "until": self._turn, "turn": 0})

    def _add(self, beat: Beat) -> None:
        self.beats.append({"first": self._n, "last": self._n, **beat})

    def fate(self, name: str, fate: str) -> None:
        """Tell that somebody is out; it belongs to the hit that was told last, if it was theirs."""
        last = self._gathered[-1] if self._gathered else None
        if last is not None and last["kind"] == "struck" and last["at"] == name:
            last["fate"] = fate
        else:
            self._gathered.append({"kind": "gone", "name": name, "fate": fate})

    def alone(self, n: int, kind: str, **facts: object) -> None:
        """Tell something that is of no turn, after the turn before it."""
        self.rest()
        self.beats.append({"kind": kind, "first": n, "last": n, **facts, "turn": 0})


def tell(
    teller: T, telling: Mapping[type, Callable[[T, int, Any], None]], scenes: Sequence[Scene]
) -> list[Beat]:
    """Return the beats of some steps: each event is told by the method for its type, if any."""
    for scene in scenes:
        for event in scene.events:
            method = telling.get(type(event))
            if method is not None:
                method(teller, scene.n, event)
    teller.rest()
    return teller.beats
