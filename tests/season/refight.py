"""Battles of squadrons, squads and groups, fought again by naive referees from their exports.

Nothing here reads what the engine made of them: the orders and the dice of an export are enough.
"""

import json
from collections.abc import Callable, Mapping
from typing import Any, Protocol

from engine.seats import REFEREE
from tests.oracle import naive_starfarer
from tests.oracle.blackskies import referee as naive_skies
from tests.season.deeds import Deeds, members, own_name, seated
from tests.season.groups import Groups
from tests.season.logged import Json, card, plan

LEVELS = ("Graze", "Light", "Medium", "Heavy", "Severe", "Mortal")
VITAL = ("head", "chest", "abdomen")
Die = Callable[[int, str], int]


class Refought(Protocol):
    """A battle in the hands of a naive referee, which takes the steps of an export."""

    over: bool

    def take(self, orders: list[tuple[str, str]]) -> None:
        """Take one step: players' orders, then what the referee rules."""

    def state(self) -> Json:
        """Return the state as replays show it."""

    def deeds(self, seat: str, team: str) -> Deeds:
        """Return what a seat of a team did."""


def refight(text: str) -> dict[str, Deeds]:
    """Fight an exported battle again, and return what each seat did in it.

    Dice must have as many sides as they are rolled with here, and the last state be the same.
    """
    head, *steps, result = json.loads(text)
    rolls = ((sides, shown) for step in steps for sides, shown, _ in step["rolls"])

    def die(sides: int, why: str) -> int:
        logged, shown = next(rolls)
        assert logged == sides, (head["id"], why)
        return int(shown)

    battle: Refought = _REFEREES[head["system"]](head["setup"], die)
    for step in steps:
        battle.take(step["orders"])
    assert next(rolls, None) is None, head["id"]
    state = json.loads(json.dumps(battle.state()))
    assert (battle.over, state) == (True, result["state"]), head["id"]
    assert (state["winner"], state["winner"] is None) == (result["winner"], result["drawn"])
    teams = {one["seat"]: team["name"] for team in head["setup"]["teams"] for one in members(team)}
    return {seat: battle.deeds(seat, team) for seat, team in teams.items()}


class Skies(naive_skies.Battle):
    """A battle of Black Skies."""

    drawn = False

    def __init__(self, setup: Json, die: Die) -> None:
        super().__init__(setup, die)
        self.seated = seated(setup)

    def take(self, orders: list[tuple[str, str]]) -> None:
        """File the cards, and close the turn; the roll for who moves first is a step, too."""
        for seat, text in orders:
            word, _, whom = text.partition(" ")
            if seat != REFEREE:
                assert self.give(card(text) | {"turn": self.turn}) is None, (seat, text)
            elif word == "END":
                self.give({"turn": self.turn, "end": True})
            elif word == "FORFEIT":
                for name in self.seated[whom]:
                    self.leave(name, "surrender")
                self.look_for_the_end()
            else:
                self.over = self.drawn = True

    def winner(self) -> str | None:
        """Return nobody for a draw that was agreed."""
        return None if self.drawn else super().winner()

    def deeds(self, seat: str, team: str) -> Deeds:
        """Return a squadron's kills and losses; nothing else is left of a battle."""
        own = [self.fighters[f] for e in self.seated[seat] for f in self.elements[e]["fighters"]]
        lost = sum(one["fate"] == "destroyed" for one in own)
        return Deeds(self.winner() == team, sum(one["kills"] for one in own), lost)


class Squads(naive_starfarer.Fight):
    """A fight of Starfarer, with whom everybody has felled."""

    def __init__(self, setup: Json, die: Die) -> None:
        super().__init__(setup, die)
        self.seated = seated(setup)
        self.felled = dict.fromkeys(self.bodies, 0)

    def take(self, orders: list[tuple[str, str]]) -> None:
        """File the plans, and play the round."""
        for seat, text in orders:
            word, _, whom = text.partition(" ")
            if seat != REFEREE:
                filed = plan(text) | {"round": self.round}
                assert self.refusal(filed) is None, (seat, text)
                self.give(0, filed)
            elif word == "END":
                self.play_round()
            elif word == "FORFEIT":
                self._forfeit(whom)
            else:
                self.over = True

    def _forfeit(self, seat: str) -> None:
        """Let a seat surrender; the last team has won (SF-39)."""
        for body in self.present():
            if body["name"] in self.seated[seat]:
                self.out(body, "surrendered")
        left = {body["team"] for body in self.active()}
        if len(left) <= 1:
            self.over, self.winner = True, next(iter(left), None)

    def attack(self, body: Json, action: Json, count: int, aim: str | None) -> None:
        """Credit whoever knocks somebody out, or kills."""
        target = self.object_of(body, action)
        assert target is not None
        before = target["fate"]
        super().attack(body, action, count, aim)
        self.felled[body["name"]] += target["fate"] != before

    def deeds(self, seat: str, team: str) -> Deeds:
        """Return what a squad did, and the wounds that it came back with (SF-40)."""
        names = self.seated[seat]
        lost = sum(self.bodies[name]["fate"] == "dead" for name in names)
        left = {own_name(seat, name): _wounds(self.bodies[name]) for name in names}
        hurt = {name: phrase for name, phrase in left.items() if phrase}
        return Deeds(self.winner == team, sum(self.felled[n] for n in names), lost, hurt)


def _wounds(body: Json) -> str:
    """Return what is left of a character, as its squad's sheet says it."""
    areas = [_area(area, marks) for area, marks in body["wounds"].items() if any(marks)]
    if body["fate"] == "dead" or not areas:
        return "dead" if body["fate"] == "dead" else ""
    return f"{'; '.join(areas)}; shock {body['shock']}"


def _area(area: str, marks: list[str]) -> str:
    """Return an area's wounds in words: `chest Light (XX /)`."""
    worst = max(level for level, made in enumerate(marks) if made)
    maimed = LEVELS[worst] == "Mortal" and area not in VITAL
    return f"{area} {'Maimed' if maimed else LEVELS[worst]} ({' '.join(filter(None, marks))})"


_REFEREES: Mapping[str, Callable[[Json, Die], Any]] = {
    "blackskies": Skies,
    "starfarer": Squads,
    "cortex": Groups,
}
