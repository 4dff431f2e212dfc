"""What a system says for letters: views, reasons, how a game stands, what a story tells."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, TypeVar

from engine.codec import Record
from engine.dice import Dice
from engine.i18n import Said, all_of, say
from engine.seats import Seat

S = TypeVar("S")
O = TypeVar("O")  # noqa: E741 - an order
T = TypeVar("T", bound="Teller")

_NAMED = 2
"""The most names in a gist; more are only counted."""

View = Mapping[str, Any]
"""What one seat, or the public, may know: plain values for templates, built up from nothing.

Each system has types for its own views; code for all systems sees them as this one.
"""


FELT, DID, OTHERS = range(3)
"""The parts of a turn: what happened to the reader's side, what it did, and what others did."""


class Barred(NamedTuple, Generic[O]):
    """Orders that are not legal now, with the reason in half a line, and what would help."""

    orders: tuple[O, ...]
    why: str


def by_reason(found: Iterable[tuple[O, str]], reasons: Mapping[str, str]) -> list[Barred[O]]:
    """Return refused orders, grouped by reason; `reasons` holds each code's words."""
    orders: dict[str, list[O]] = {}
    for order, code in found:
        orders.setdefault(code, []).append(order)
    return [Barred(tuple(together), reasons[code]) for code, together in orders.items()]


class Tally(NamedTuple):
    """A message on some pieces, in two forms: for a few `names`, and for a `count` of more."""

    few: str
    many: str

    def of(self, names: Iterable[str]) -> Said:
        """Return the sentence for these names; each counts once."""
        # Not a set: names stay in the order of the events, the same on every machine.
        once = list(dict.fromkeys(names))
        if len(once) <= _NAMED:
            return say(self.few, names=all_of(once))
        return say(self.many, count=len(once))


_FACTS = 2
"""The most facts that a gist has of one side."""


def hits_of(count: int) -> list[Said]:
    """Return how many hits there were, nothing for none."""
    if not count:
        return []
    return [say("1 hit") if count == 1 else say("{count} hits", count=count)]


def by_side(own: Sequence[str], others: Sequence[str]) -> list[Said]:
    """Return what happened on the reader's side, and what on the other; the first facts of each."""
    found = []
    if own:
        found.append(say("on your side {facts}", facts=own[:_FACTS]))
    if others:
        found.append(say("on the other side {facts}", facts=others[:_FACTS]))
    return found


class Gist(NamedTuple):
    """A report in a few words each: what has happened, and how a seat stands now.

    Both are for the subject and for the first lines; `happened` is "" where nothing has.
    """

    happened: str
    stands: str


ASIDE, CHANGE, HARM, END = range(4)
"""How much a beat matters: nothing on its own, a new situation, harm, the end of somebody."""

Stakes = Mapping[str, Any]
"""What one more hit would do to either side: facts for a system's narrate.j2; empty for nothing."""


class Scene(NamedTuple):
    """A step as a story tells it: who ordered, whether only by caution, and what all may know."""

    n: int
    seat: Seat
    silent: bool
    events: Sequence[Any]


Beat = dict[str, Any]
"""What a story tells in one sentence: its `kind`, its `first` and `last` step, and facts."""


def missed(pairs: Iterable[tuple[str, str]]) -> list[Beat]:
    """Return the beats of attacks that missed, each by one and at another.

    In a beat each attacker missed each target: of two who missed one each it would tell more than
    what happened.
    """
    targets: dict[str, list[str]] = {}
    for by, at in dict.fromkeys(pairs):
        targets.setdefault(by, []).append(at)
    alike: dict[tuple[str, ...], list[str]] = {}
    for by, ats in targets.items():
        alike.setdefault(tuple(sorted(ats)), []).append(by)
    return [{"kind": "missed", "by": bys, "at": list(ats)} for ats, bys in alike.items()]


def every_event(scenes: Sequence[Scene]) -> list[Beat]:
    """Return a beat for each event; it has the words that a report has for that event."""
    return [
        {"kind": "event", "first": scene.n, "last": scene.n, "event": event}
        for scene in scenes
        for event in scene.events
    ]


class Alone(NamedTuple):
    """What is there after an order was carried out alone, and the events that led there.

    `holds` is what the order makes hold for the rest of the turn, where that is no part of the
    state; what is there by default is left out. `success` is whether the dice were with the order.
    """

    state: Any
    events: Sequence[Any]
    success: bool
    holds: Mapping[str, Any] = {}


class Difference(NamedTuple):
    """A place in a state where an order that was carried out alone made a difference.

    `where` are the fields and keys that lead there. `after` is what stood there after each time
    that the order succeeded.
    """

    where: tuple[str, ...]
    before: Any
    after: tuple[Any, ...]

    @property
    def sure(self) -> Any:
        """Return what stands there after each success, None where it depends on further dice."""
        return self.after[0] if self.after.count(self.after[0]) == len(self.after) else None

    def mean(self, amount: Callable[[Any], float] = float) -> float:
        """Return by how much an amount grows in the mean."""
        return sum(map(amount, self.after)) / len(self.after) - amount(self.before)


@dataclass(frozen=True, slots=True, kw_only=True)
class Effects(Generic[S, O]):
    """How the effect of an order is found.

    `words` say what differs once one order was carried out that may be given now. `alone` carries
    it out, as if its moment had come and nobody else did anything; where it is None, it is a step
    of its own. `harm` returns how much it harms opponents on the average, in points of the system.
    """

    words: Callable[[S, Seat, O, Sequence[Difference]], Iterable[str]]
    harm: Callable[[S, O, Sequence[Difference]], float] = lambda state, order, differences: 0
    alone: Callable[[S, Seat, O, Dice], Alone] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Telling(Generic[S, O]):
    """What a system can say for letters beyond its view; each has a default that says less.

    `explain` puts the reason of a refusal in words, and `lasting` are those that no later turn
    removes. `doubt` returns why a legal order would come to nothing as things stand. By `effects`
    letters say what an order brings, `barred` lists the orders that are not legal now, `vain`
    returns why an order can do nothing any more in the battle, and `gist` sums up events for a
    seat. `chance` returns that of an order which need not be among those offered; where it is None,
    only offers have chances.
    `alike` returns the same text for steps that may be told together, such as a failure that is
    repeated, and "" for a step that is told alone. `struck` returns the seat that an event harms.
    `report` returns a turn as reports tell it, from its events and the view of the reader; what it
    returns is the step's `report` in the macros `turn` and `brief` of tell.j2. Where it is None,
    each event is told by its macro.
    `story` returns what is worth telling of some steps, by default each event in the words of a
    report; `weight` how much one of its beats matters, and `stakes` what a seat may lose or win
    next. `lead` returns about how many of 100 fights like this one the first team would win; where
    it is None, reports say nothing of that.
    """

    explain: Callable[[str], str] = lambda reason: reason
    lasting: frozenset[str] = frozenset()
    chance: Callable[[S, Seat, O], int | None] | None = None
    doubt: Callable[[S, Seat, O], str | None] | None = None
    effects: Effects[S, O] | None = None
    barred: Callable[[S, Seat], Sequence[Barred[O]]] = lambda state, seat: ()
    vain: Callable[[S, Seat, O], str | None] = lambda state, seat, order: None
    gist: Callable[[S, Sequence[Any], Seat], Gist] = lambda state, events, seat: Gist("", "")
    alike: Callable[[Sequence[Any]], str] = lambda events: ""
    struck: Callable[[Any], Seat | None] = lambda event: None
    report: Callable[[Sequence[Any], View], Record] | None = None
    story: Callable[[Sequence[Scene]], list[Beat]] = every_event
    weight: Callable[[Beat], int] = lambda beat: ASIDE
    stakes: Callable[[S, Seat], Stakes] = lambda state, seat: {}
    lead: Callable[[S], int] | None = None


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
            # Quiet turns in a row are one sentence, or a long battle would be a list of them.
            last |= {"last": self._n, "until": self._turn}
        else:
            self._add({"kind": "quiet", "since": self._turn, "until": self._turn, "turn": 0})

    def _add(self, beat: Beat) -> None:
        self.beats.append({"first": self._n, "last": self._n, **beat})

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
