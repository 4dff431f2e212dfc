"""What can happen in a battle; `apply` defines how each event changes its state."""

from engine.events import Event
from engine.starpilot.model import Fate, Lock, Shot, Weapon


class Begun(Event, frozen=True):
    """A team starts, by the rolls (in team order) or by agreement (no rolls; SP-9)."""

    team: str
    rolls: tuple[int, ...] = ()


class Tied(Event, frozen=True):
    """Both teams rolled the same initiative and roll again (SP-9)."""

    roll: int


class Tried(Event, frozen=True):
    """A pilot used a command; `chance` in percent and `roll` are None where none is rolled.

    `locked` is whether the pilot had a lock on the one it names.
    """

    pilot: str
    command: str
    at: str | None = None
    chance: int | None = None
    roll: int | None = None
    success: bool = True
    locked: bool = False


class Moved(Event, frozen=True):
    """A pair's range changed, and its Advantage is gone (SP-14)."""

    pilot: str
    foe: str
    range: int


class Positioned(Event, frozen=True):
    """A pair's Advantage changed to a pilot or to nobody (SP-15)."""

    pilot: str
    foe: str
    holder: str | None


class Located(Event, frozen=True):
    """A pilot found opponents (SP-12)."""

    pilot: str
    foes: tuple[str, ...]


class Locked(Event, frozen=True):
    """A pilot has a lock on an opponent (SP-16)."""

    by: str
    on: str


class Shooting(Event, frozen=True):
    """A shot is in flight (SP-19)."""

    by: str
    at: str
    weapon: Weapon
    origin: int


class Evaded(Event, frozen=True):
    """A defence cancelled shots or locks of opponents (SP-21)."""

    pilot: str
    shots: tuple[Shot, ...]
    locks: tuple[Lock, ...]


class Faded(Event, frozen=True):
    """The locks that a pilot held from its previous turn lapsed (SP-11, step 4)."""

    by: str
    on: tuple[str, ...]


class Landed(Event, frozen=True):
    """A shot reached its target with a number of hits (SP-20)."""

    by: str
    at: str
    weapon: Weapon
    hits: int


class Hit(Event, frozen=True):
    """One hit: its roll, the stat struck, and the stat's value after it (SP-26)."""

    by: str
    at: str
    roll: int
    stat: int
    value: int
    ignored: bool
    wounds: bool


class Destroyed(Event, frozen=True):
    """A ship was destroyed by an opponent's hits (SP-26)."""

    pilot: str
    by: str


class Bailed(Event, frozen=True):
    """The standard ejection of a destroyed ship's pilot (SP-27)."""

    pilot: str
    chance: int
    roll: int
    success: bool


class Left(Event, frozen=True):
    """A pilot is out of the battle; `by` is the opponent who has the kill or the prize."""

    pilot: str
    fate: Fate
    by: str | None = None


class Scored(Event, frozen=True):
    """A pilot earned HP, in tenths, for a kill, a prize, a teammate's, or a way out (SP-28)."""

    pilot: str
    hp: int
    why: str


class Paid(Event, frozen=True):
    """A pilot lost unspent HP, in tenths (SP-22, SP-28)."""

    pilot: str
    hp: int


class Acted(Event, frozen=True):
    """A pilot's turn is over; `edge` means that it began at Extreme to all and did not escape."""

    pilot: str
    edge: bool


class Passed(Event, frozen=True):
    """The other team's turn begins (SP-10)."""

    team: str


class Restarted(Event, frozen=True):
    """Neither team escaped from Extreme: all return to Far, and who starts is rolled (SP-24)."""


class Over(Event, frozen=True):
    """The battle is over; there is no winner in a draw (SP-28, SP-28c, SP-29).

    `why` is `alone`, `quiet`, or `ruled`: the referee's seat ordered a draw.
    """

    winner: str | None
    drawn: bool = False
    why: str = ""


# Every kind by name: a stored event is decoded to one of these.
AnyEvent = (
    Begun | Tied | Tried | Moved | Positioned | Located | Locked | Shooting | Evaded | Faded
    | Landed | Hit | Destroyed | Bailed | Left | Scored | Paid | Acted | Passed | Restarted | Over
)  # fmt: skip
