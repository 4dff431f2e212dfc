"""What squadrons, squads and groups did in battles, and what that has left of them."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from tests.season.logged import Json


@dataclass(frozen=True, slots=True)
class Deeds:
    """What a squadron, squad or group did in one battle, and what that has left of its members.

    `left` says it in the words of the sheet, by member; who is unharmed is not in it.
    """

    won: bool
    felled: int
    lost: int
    left: Mapping[str, str] = field(default_factory=dict)


@dataclass(slots=True)
class Record:
    """What a squadron, squad or group has done, and what its last battle left of its members."""

    fights: int = 0
    wins: int = 0
    felled: int = 0
    lost: int = 0
    left: Mapping[str, str] = field(default_factory=dict)

    def book(self, deeds: Deeds) -> None:
        """Add one battle."""
        self.fights += 1
        self.wins += deeds.won
        self.felled += deeds.felled
        self.lost += deeds.lost
        self.left = deeds.left


def members(team: Json) -> list[Json]:
    """Return what a team consists of, whatever it is called."""
    parts = ("pilots", "elements", "characters", "vessels")
    return next(team[key] for key in parts if key in team)


def seated(setup: Json) -> dict[str, list[str]]:
    """Return the names of what each seat has, in the order of the set-up."""
    found: dict[str, list[str]] = {}
    for team in setup["teams"]:
        for one in members(team):
            found.setdefault(one["seat"], []).append(one["name"])
    return found


def own_name(seat: str, name: str) -> str:
    """Return a member's own name; where two have the same, its owner's stands before it."""
    return name.removeprefix(f"{seat} ").rstrip("'")
