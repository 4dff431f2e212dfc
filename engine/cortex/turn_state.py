"""A turn while it is played: its state, its dice, and the events so far, by `record`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from engine.codec import Record
from engine.cortex.apply import apply
from engine.cortex.events import Harm, Throw
from engine.cortex.model import Battle, Members, Order, Vessel, VesselSheet
from engine.cortex.queries import pilot, worst_pilot
from engine.cortex.tables import sides
from engine.dice import Dice
from engine.events import Play


@dataclass(slots=True)
class Doing:
    """What a vessel has done in a turn, and what holds for it until its end.

    `helm` counts for second-draft `evade` and `press`, `gunnery` for all attack rolls, `defence`
    for defence rolls, and `steps` by station or weapon. `closing` are the members of the unit that
    it closes with, and `dodge` the result of a second-draft `evade`.
    """

    actions: int = 0
    full: bool = False
    course: str | None = None
    closing: Members = ()
    closing_at: str | None = None
    given: set[str] = field(default_factory=set)
    defends: bool = False
    exposed: bool = False
    dodge: int | None = None
    strafing: str | None = None
    shield: str | None = None
    silent: bool = False
    jumping: bool = False
    stations: set[str] = field(default_factory=set)
    steps: dict[str, int] = field(default_factory=dict)
    helm: int = 0
    gunnery: int = 0
    defence: int = 0
    used: dict[str, int] = field(default_factory=dict)
    locks: dict[str, int] = field(default_factory=dict)


class Hit(Record, frozen=True):
    """A hit that may wait until all of the same initiative have acted (CX-19).

    `members` are the vessels of the unit at the time of the shot.
    """

    by: str
    members: Members
    scale: str
    harm: Harm
    called: str | None = None


class Deed(Record, frozen=True):
    """An order, the unit that carries it out, and the vessel whose pilot flies (CX-36)."""

    unit: str
    order: Order
    members: Members
    pilot: str


class Turn(Play[Battle]):
    """A battle while a turn is played, and the events that led there.

    `opened` are the ranges before they changed in this turn. `hits` is None while hits take effect
    at once. `spots` are the marks of the spotters that have spotted in this turn. `commands` are
    each vessel's assists to others that wait to be forwarded.
    """

    def __init__(self, battle: Battle, dice: Dice) -> None:
        super().__init__(battle, dice, apply)
        self.doing: dict[str, Doing] = {}
        self.initiative: dict[str, int] = {}
        self.opened: Mapping[str, int] = {}
        self.hits: list[Hit] | None = None
        self.spots: dict[str, str] = {}
        self.commands: dict[str, list[tuple[str, str, int]]] = {}

    def of(self, name: str) -> tuple[VesselSheet, Vessel]:
        """Return a vessel's sheet, and what has changed about it."""
        return self.battle.sheets[name], self.battle.vessels[name]

    def throw(self, why: str, attribute: int, skill: int, steps: int = 0, trait: int = 0) -> Throw:
        """Throw attribute die, skill die moved by steps, and trait die (CX-3)."""
        return self.throw_dice(why, (attribute, max(skill + steps, 0), trait))

    def throw_dice(self, why: str, dice: Sequence[int]) -> Throw:
        """Throw dice of these steps as they are."""
        results: list[int] = []
        for step in dice:
            # A die like d12+d4 draws its d12s first, as a replay lists its dice (CX-2).
            for one in sides(step):
                results.append(self.dice.roll(one, why))
        total = sum(results)
        # Step 0 is not a die (CX-2).
        thrown = tuple([step for step in dice if step])
        return Throw(thrown, tuple(results), total, botch=total == len(results))

    def fly(self, members: Members, why: str, steps: int = 0, trait: bool = False) -> Throw:
        """Throw a unit's Agility + Pilot, with the steps of CX-52 (CX-36)."""
        name = worst_pilot(self.battle, members)
        sheet = self.battle.sheets[name]
        person = pilot(sheet)
        moved = steps + self.doing[name].steps.get("pilot", 0)
        # Only the skill die moves, and not below step 0; `throw` sees to that (CX-3).
        return self.throw(
            f"{name} {why}", sheet.agility, person.skill, moved, person.trait if trait else 0
        )


def succeeds(throw: Throw, needed: int) -> bool:
    """Return whether a roll reaches its Difficulty; a botch never does (CX-4)."""
    return throw.total >= needed and not throw.botch
