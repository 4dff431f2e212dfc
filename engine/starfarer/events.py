"""What can happen in a fight."""

from typing import Literal

from engine.events import Event, SecretEvent
from engine.seats import Seat
from engine.starfarer.model import Plan

GoneFate = Literal["dead", "surrendered", "left"]


class Planned(SecretEvent, frozen=True):
    """A seat filed a plan; nobody else learns of it (SF-6)."""

    plan: Plan


class Refused(SecretEvent, frozen=True):
    """An action of a plan was refused when its turn came; only its own seat learns of it (SF-43).

    `index` is the plan's, and `at` whom the action was for, where it was for somebody.
    """

    character: str
    index: int
    do: str
    at: str | None
    reason: str


class Closed(Event, frozen=True):
    """The referee ended the time for plans, and the round is played."""

    round: int


class Rolled(Event, frozen=True):
    """A character rolled its initiative; `ap` is what it has now (SF-4, SF-10)."""

    character: str
    roll: int
    modifier: int
    ap: int


class Began(Event, frozen=True):
    """A character began a phase with so many action points (SF-5, SF-15)."""

    character: str
    ap: int


class Acted(Event, frozen=True):
    """A character carried an action out; `at` is whom it is for, if anybody (SF-8)."""

    character: str
    do: str
    at: str | None = None


class LimbChecked(Event, frozen=True):
    """A character tried to use an injured limb (SF-28)."""

    character: str
    area: int
    mcs: int
    roll: int
    passed: bool


class Defended(Event, frozen=True):
    """A character evaded or parried; `value` is what that is worth (SF-15)."""

    character: str
    do: str
    mcs: int
    roll: int
    value: int


class Aborted(Event, frozen=True):
    """A character evades or parries at once, at the price of its next phase (SF-16).

    `modifier` is added for the entry that is next then (SF-10).
    """

    character: str
    do: str
    modifier: int
    ap: int


class Attacked(Event, frozen=True):
    """A to-hit roll; `bracket` is None for melee, and `los` None for a miss (SF-12 to SF-14)."""

    by: str
    at: str
    weapon: str
    distance: int
    bracket: str | None
    ease: int
    mcs: int
    roll: int
    los: int | None


class Hit(Event, frozen=True):
    """A hit: what armour left of it, and what it does (SF-18 to SF-21).

    `armour` is the rating, `left` the DR that is left, `shock` and `wound` the damage; without
    any the hit changes nothing. `seat` is whose character is hit.
    """

    seat: Seat
    by: str
    at: str
    area: int
    armour: int
    left: int
    shock: int
    wound: int


class Wounded(Event, frozen=True):
    """A wound by its level; `marked` is the level as marked, None where no circle was free (SF-23).

    `further` is the wound of SF-31; `bleeding` is what the wound adds to its area (SF-35).
    """

    character: str
    area: int
    level: int
    marked: int | None
    further: bool
    bleeding: int


class ShockChecked(Event, frozen=True):
    """A shock check; `wakes` is the round of the first waking check if it failed (SF-29, SF-30).

    `by` is the character whose hit called for it, None where it was bleeding.
    """

    character: str
    mcs: int
    roll: int
    wakes: int | None
    by: str | None = None


class Out(Event, frozen=True):
    """A character is out of the fight for good; `why` is what killed it, or `forfeit`.

    `by` is the character whose hit killed it at once.
    """

    character: str
    fate: GoneFate
    why: str = ""
    by: str | None = None


class Moved(Event, frozen=True):
    """A character moved; it may stand off the field then, and has left (SF-37)."""

    character: str
    start: int
    end: int


class Posed(Event, frozen=True):
    """A character dropped, or rose (SF-37)."""

    character: str
    prone: bool


class Treated(Event, frozen=True):
    """A character treated somebody: how much bleeding stopped, what was steadied (SF-36)."""

    by: str
    at: str
    area: str
    mcs: int
    roll: int
    stopped: int
    steadied: bool


class Ended(Event, frozen=True):
    """A phase is over: `spent` are the action points that it cost, `modifier` is added (SF-10)."""

    character: str
    spent: int
    modifier: int
    ap: int


class TakenBack(Event, frozen=True):
    """The modifier of an entry that was not reached is taken off again (SF-10)."""

    character: str
    modifier: int
    ap: int


class WakingChecked(Event, frozen=True):
    """A waking check; `wakes` is the round of the next one, None if the character woke (SF-32)."""

    character: str
    mcs: int
    roll: int
    wakes: int | None


class Bled(Event, frozen=True):
    """A character took shock by its bleeding (SF-38)."""

    character: str
    shock: int


class ClockMoved(Event, frozen=True):
    """The clock of a bleeding area went up, or it was rolled what stopped (SF-35)."""

    character: str
    area: int
    clock: int
    mcs: int | None = None
    roll: int | None = None
    stopped: int = 0


class SurvivalChecked(Event, frozen=True):
    """A survival check (SF-33)."""

    character: str
    mcs: int
    roll: int
    passed: bool


class OutOfDanger(Event, frozen=True):
    """A character that had to check its survival has no reason to any more (SF-33)."""

    character: str


class Opened(Event, frozen=True):
    """The next round is open for plans; `quiet` rounds had no to-hit roll (SF-39)."""

    round: int
    quiet: int


class Decided(Event, frozen=True):
    """One team alone is left, and the referee is to rule on the aftermath (SF-40)."""

    winner: str | None
    quiet: int


class Healed(Event, frozen=True):
    """Somebody's wounds and shock are healed (SF-40)."""

    character: str


class Freed(Event, frozen=True):
    """A prisoner goes free (SF-40)."""

    character: str


class Over(Event, frozen=True):
    """The fight is over; `why` is `alone`, `quiet` or `ruled` (SF-39)."""

    winner: str | None
    why: str
    quiet: int


AnyEvent = (
    Planned | Refused | Closed | Rolled | Began | Acted | LimbChecked | Defended | Aborted
    | Attacked | Hit | Wounded | ShockChecked | Out | Moved | Posed | Treated | Ended | TakenBack
    | WakingChecked | Bled | ClockMoved | SurvivalChecked | OutOfDanger | Opened | Over
    | Decided | Healed | Freed
)  # fmt: skip
