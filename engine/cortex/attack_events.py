"""What attacks, hits, missiles and bombardments can make happen."""

from typing import Literal

from engine.cortex.events import AnyTurnEvent, Harm, Throw
from engine.cortex.model import Aim, Members, Missile, Scatter
from engine.events import Event
from engine.seats import Seat


class PointDefended(Event, frozen=True):
    """Point defence fired at a unit that enters; there is no throw where it cannot roll (CX-48)."""

    by: str
    weapon: str
    at: str
    needed: int
    throw: Throw | None
    harm: Harm | None


class Attacked(Event, frozen=True):
    """An attack roll: `fire`, `lock`, `intercept` or `bombard` (CX-7, CX-9).

    `by` is the vessel whose gunners fire, `spotter` the one who rolls instead of them. `needed` is
    the Difficulty, and `defended` the roll that made it.
    """

    do: str
    unit: str
    by: str
    weapon: str
    guns: int
    at: str
    throw: Throw
    needed: int
    defended: Throw | None = None
    hit: bool = False
    harm: Harm | None = None
    called: str | None = None
    spotter: str | None = None


class Aimed(Event, frozen=True):
    """A weapon was aimed (CX-13)."""

    name: str
    weapon: str
    aim: Aim


class AimEnded(Event, frozen=True):
    """A weapon that was aimed has fired (CX-13)."""

    name: str
    weapon: str


class GunsLost(Event, frozen=True):
    """A weapon has fewer guns, or missiles: fired, damaged or destroyed (CX-16, CX-34)."""

    name: str
    weapon: str
    left: int
    why: Literal["fired", "damage"]


class Struck(Event, frozen=True):
    """A hit took effect on a vessel or spotter, in tenths of its own points (CX-11, CX-38).

    `by` is what struck it, `seat` that of its owner, and `die` the roll that chose the member.
    """

    name: str
    seat: Seat
    by: str
    stun: int
    wound: int
    die: int | None = None


class HitLost(Event, frozen=True):
    """A hit is lost, because its unit has no active vessel any more (CX-19)."""

    by: str
    members: Members


class Resisted(Event, frozen=True):
    """A vessel resisted a called shot (CX-14)."""

    name: str
    called: str
    needed: int
    throw: Throw
    passed: bool


class DamageRolled(Event, frozen=True):
    """Battle damage was rolled; `what` is None where nothing applies, or it is widespread."""

    name: str
    die: int
    added: int
    what: str | None


class Damaged(Event, frozen=True):
    """Sensors, drive or engines are damaged, for the rest of the battle (CX-34)."""

    name: str
    what: str


class Slowed(Event, frozen=True):
    """A vessel's Speed is halved (CX-14, CX-34)."""

    name: str
    speed: int


class Locked(Event, frozen=True):
    """A weapon has a lock on a target (CX-41)."""

    by: str
    weapon: str
    at: str


class Launched(Event, frozen=True):
    """A missile was launched, which ends its lock (CX-42)."""

    missile: Missile


class MissileGone(Event, frozen=True):
    """A missile is gone: shot down, out-flown, tricked away or arrived."""

    id: str
    why: Literal["intercepted", "outflown", "tricked", "arrived"]


class Outflown(Event, frozen=True):
    """A pilot tried to out-fly a missile; `total` is what the rolls add up to (CX-44)."""

    unit: str
    id: str
    throw: Throw
    total: int


class Tricked(Event, frozen=True):
    """A pilot tried to distract a missile; `other` is None if nobody rolls against it (CX-45)."""

    unit: str
    id: str
    at: str
    throw: Throw
    other: Throw | None
    passed: bool


class MissileTurned(Event, frozen=True):
    """A missile flies at another vessel now (CX-45)."""

    id: str
    at: str


class MissileFlew(Event, frozen=True):
    """A turn came off a missile's flight (CX-42)."""

    id: str
    turns: int


class Arrived(Event, frozen=True):
    """A missile has arrived: its dice, and in how many each caught vessel has a share (CX-46)."""

    id: str
    step: int
    results: tuple[int, ...]
    shares: dict[str, int]


class Spotted(Event, frozen=True):
    """A spotter designated a mark (CX-70)."""

    name: str
    at: str


class Shelled(Event, frozen=True):
    """A bombardment hit a site, which has that Wound now (CX-67)."""

    name: str
    wound: int


class Scattered(Event, frozen=True):
    """A bombardment missed its mark; `scatter` says where it fell (CX-68)."""

    at: str
    die: int
    scatter: Scatter
    step: int = 0
    results: tuple[int, ...] = ()


class OnTarget(Event, frozen=True):
    """The last bombardment of a site was a hit, so that no scatter is noted."""

    name: str


class Detected(Event, frozen=True):
    """A spotter was detected by its signal (CX-72)."""

    name: str


AnyEvent = (
    AnyTurnEvent
    | PointDefended | Attacked | Aimed | AimEnded | GunsLost | Struck | HitLost | Resisted
    | DamageRolled | Damaged | Slowed | Locked | Launched | MissileGone | Outflown | Tricked
    | MissileTurned | MissileFlew | Arrived | Spotted | Shelled | Scattered | OnTarget | Detected
)  # fmt: skip
"""All events of Cortex."""
