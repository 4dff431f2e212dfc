"""What can happen in a battle except attacks, and the rolls that events record."""

from typing import Literal

from engine.codec import Record
from engine.cortex.model import Advantage, Fate, Members, Orders
from engine.events import Event, SecretEvent


class Throw(Record, frozen=True):
    """A roll: the steps of its dice as thrown, what each fell on, and whether all show 1 (CX-4)."""

    dice: tuple[int, ...]
    results: tuple[int, ...]
    total: int
    botch: bool


class Harm(Record, frozen=True):
    """What a hit would do before scale and armour (CX-10).

    `basic` is the Basic damage, `dice` the steps of the damage dice, and `results` how they fell.
    """

    basic: int
    stun: int
    wound: int
    dice: tuple[int, ...] = ()
    results: tuple[int, ...] = ()


class ObstacleMet(Event, frozen=True):
    """A random obstacle was rolled: its size, speed and vector (CX-27)."""

    name: str
    size: str
    speed: int
    vector: str


class Prepared(Event, frozen=True):
    """All random obstacles are rolled, and the first turn is open."""


class Filed(SecretEvent, frozen=True):
    """A seat filed a unit's orders; nobody else learns of them (CX-17)."""

    filed: Orders


class Refused(SecretEvent, frozen=True):
    """An order was refused when its time came; only its own seat learns of it."""

    unit: str
    do: str
    index: int
    reason: str


class Closed(Event, frozen=True):
    """The referee closed the turn; steps for this turn count from now on (CX-52, CX-55)."""

    turn: int


class Defaulted(Event, frozen=True):
    """A unit without orders defends (CX-18)."""

    unit: str


class Began(Event, frozen=True):
    """A unit rolled for Advantage, or its initiative; its worst pilot is `by` (CX-23)."""

    unit: str
    by: str
    dogfight: bool
    throw: Throw


class Positioned(Event, frozen=True):
    """Advantage is set again for all pairs (CX-24)."""

    advantages: dict[str, Advantage]


class Gone(Event, frozen=True):
    """A vessel or spotter is out of the battle for good (CX-12, CX-21)."""

    name: str
    fate: Fate


class Signalled(Event, frozen=True):
    """An order without dice or effect on the state was carried out: check_fire, defend, jump …

    `at` is whom or what it is for.
    """

    unit: str
    do: str
    at: str | None = None


class Manned(Event, frozen=True):
    """A station made its roll; `steps` is what that adds, or would add (CX-51 to CX-59)."""

    unit: str
    do: str
    station: str
    at: str
    to: str
    needed: int
    throw: Throw
    steps: int


class Prompted(Event, frozen=True):
    """A station or weapon of a vessel gets more steps in the coming turn (CX-52, CX-55)."""

    name: str
    to: str
    steps: int


class Forwarded(Event, frozen=True):
    """Comms forwarded a vessel's commands to others, or lost them (CX-53)."""

    unit: str
    throw: Throw
    passed: bool


class WingChanged(Event, frozen=True):
    """The wings are these now: somebody joined or left one (CX-35)."""

    name: str
    wings: tuple[Members, ...]


class Joined(Event, frozen=True):
    """A fighter tried to join a wing (CX-35)."""

    name: str
    at: str
    needed: int
    throw: Throw
    passed: bool


class Ranged(Event, frozen=True):
    """Ranges of these pairs have changed (CX-20)."""

    ranges: dict[str, int]


class Avoided(Event, frozen=True):
    """A unit tried to avoid a collision; `throw` is None where no dice decided it (CX-28)."""

    unit: str
    by: str
    at: str
    needed: int
    throw: Throw | None
    passed: bool


class RunMade(Event, frozen=True):
    """A strafing run was rolled for (CX-31)."""

    unit: str
    at: str
    needed: int
    throw: Throw
    passed: bool


class Ended(Event, frozen=True):
    """The turn is over, and the battle too where one team is left, or none (CX-22).

    `still` and `harmless` count as those of Battle do.
    """

    turn: int
    over: bool
    winner: str | None = None
    still: int = 0
    harmless: int = 0


class Over(Event, frozen=True):
    """The league has ended the battle: a draw, a forfeit, or too long without harm (CX-22)."""

    winner: str | None
    why: Literal["ruled", "quiet", "forfeit"]


AnyTurnEvent = (
    ObstacleMet | Prepared | Filed | Refused | Closed | Defaulted | Began | Positioned | Gone
    | Signalled | Manned | Prompted | Forwarded | WingChanged | Joined | Ranged | Avoided | RunMade
    | Ended | Over
)  # fmt: skip
