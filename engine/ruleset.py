"""The form of a rule system: a value made of functions, small at its core, with optional parts."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, Generic, NamedTuple, TypeVar

from engine.campaign import Blueprints, Campaign
from engine.codec import Tagged
from engine.dice import Dice
from engine.i18n import Said
from engine.letter_texts import Telling, View
from engine.order_translations import Translation
from engine.pictures import Picture
from engine.seats import Audience, Seat

S = TypeVar("S")
O = TypeVar("O")  # noqa: E741 - an order


COST = 1000
"""About what an order costs at most where a system does not say, in units of a Budget."""


UNTOLD = -1
"""The chance of an order that a die decides, where the chance itself would reveal a secret."""


class LegalOrder(NamedTuple, Generic[O]):
    """A legal order with its chance in percent, UNTOLD, or None where no die decides."""

    order: O
    chance: int | None


@dataclass(frozen=True, slots=True)
class Near:
    """A line that is nearly an order: never executed, answered with a hint.

    `hint` is the order that may be meant, or a sentence; with `why` it says what is wrong.
    `several` are the orders that may be meant, where there is more than one.
    """

    text: str
    hint: str
    why: bool = False
    several: tuple[str, ...] = ()

    @property
    def meant(self) -> tuple[str, ...]:
        """Return the orders that may be meant, each as a player would write it."""
        # A hint that can be translated is a sentence about the line, and not an order to be copied.
        sentence = self.why or isinstance(self.hint, Said) or not self.hint
        return self.several or (() if sentence else (self.hint,))

    @property
    def is_plain(self) -> bool:
        """Return whether a single order may be meant, so that a yes is enough."""
        return len(self.meant) == 1 and not self.why


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended: the winning team, or None in a draw or where nobody is left."""

    winner: str | None
    drawn: bool


class Question(NamedTuple):
    """What the rules leave to a person: the question, and the referee's orders that answer it.

    Each of the `rulings` is in canonical text, for the referee's seat; the first is the usual one.
    `text` begins in small letters, and ends without a full stop.
    """

    text: str
    rulings: tuple[str, ...]


class Phase(NamedTuple):
    """Who may order now, who must, and whether the game is over.

    `may` are the seats that still take part, so that their orders may still count. `owing` holds
    those that a step waits for, each with the names of its pieces that have no order yet; ("",) is
    a seat that is a piece itself. In a `simultaneous` phase the orders of all are collected, and
    the referee's END resolves them; otherwise each order is a step of its own. Where nobody owes
    anything and there is no `outcome`, the next step needs no orders, and is the referee's to take;
    but while it is `awaiting` a ruling, nothing is owed and nothing goes on until a person has
    ruled.
    """

    may: tuple[Seat, ...]
    owing: Mapping[Seat, tuple[str, ...]]
    simultaneous: bool = False
    outcome: Outcome | None = None
    awaiting: Question | None = None


@dataclass(frozen=True, slots=True)
class RefusedOrder:
    """An order that was refused when its time came: its index in the scenario, and why."""

    index: int
    reason: str


@dataclass(frozen=True, slots=True)
class Entered(Generic[O]):
    """An order of a scenario: whose it is, and under which indices its refusal is listed."""

    seat: Seat
    order: O
    indices: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Scenario(Generic[S, O]):
    """How battles are written in the replay format.

    `order` reads the entry of an index; it raises SetupError. Where an entry holds several orders,
    `orders` reads them all; refusals are then listed by index, and not as they happen. `refused`
    returns what an event says of an order that was taken, and of which a part was refused later.
    """

    state: Callable[[S], dict[str, Any]]
    order: Callable[[S, Any, int], tuple[Seat, O]]
    orders: Callable[[S, list[Any]], Sequence[Entered[O]]] | None = None
    refused: Callable[[Any], RefusedOrder | None] = lambda event: None


@dataclass(frozen=True, slots=True, kw_only=True)
class Conditions(Generic[S]):
    """What IF may ask: `read` returns a condition's canonical text, or raises OrderError.

    `holds` returns whether it is true for a seat, from the point of view of one of its pieces.
    """

    read: Callable[[str], str]
    holds: Callable[[S, Seat, str, str], bool]


@dataclass(frozen=True, slots=True, kw_only=True)
class Bots(Generic[S, O]):
    """Who plays for a seat without a player.

    `choose` holds the bots by their strength, the weakest first; they choose by what their seat may
    know, and by dice of their own. `why` says in at most five words why the sound one gives an
    order. `cost` returns about what an order of one costs at most, in units of a Budget. Where
    seats have secrets, `imagine` returns a state as it may be by what a seat may know: PREVIEW
    plays on from such states, and never from the true one.
    """

    choose: Mapping[str, Callable[[S, Seat, Dice], O]]
    why: Callable[[S, Seat, O], str] = lambda state, seat, order: ""
    imagine: Callable[[S, Seat, Dice], S] | None = None
    cost: Callable[[S, str], int] = lambda state, strength: COST


@dataclass(frozen=True, slots=True, kw_only=True)
class Pictures:
    """What is drawn, with words translated by the function that each gets.

    `draw` draws what a view shows; `film` a whole battle from the views after each of its steps.
    """

    draw: Callable[[Any, Callable[[str], str]], tuple[Picture, ...]]
    film: Callable[[Sequence[Any], Callable[[str], str]], tuple[Picture, ...]] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Book:
    """What a system's rules print, as plain values for its templates.

    `topics` are the further pages, each with its subject; `tables` are their figures. `contents`
    are words by which somebody may ask for a topic, and which its page does not hold.
    `ships` returns what may be flown, by those `classes` that were named and by a league's stock;
    it is None where nothing is chosen.
    """

    topics: Mapping[str, str] = field(default_factory=dict)
    contents: Mapping[str, str] = field(default_factory=dict)
    tables: View = field(default_factory=dict)
    classes: tuple[str, ...] = ()
    ships: Callable[[Sequence[str], Any], View] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Trials:
    """What the laws (engine/laws) need to try a system.

    `setup` draws a random set-up; where it is None, specimens of the campaign fight duels.
    `succeeded` returns whether a step's events tell that its order had the success whose chance was
    offered; where it is None, chances are not tried.
    """

    setup: Callable[[Dice], Any] | None = None
    succeeded: Callable[[Sequence[Any]], bool] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """How players begin a game of a system without a campaign: by their names.

    `fewest` and `most` players may play. `setup` returns a set-up from their names, the one who
    asked for the game first; each name is a seat's.
    """

    fewest: int
    most: int
    setup: Callable[[Sequence[str]], dict[str, Any]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Replayable(Generic[S, O]):
    """The part of a rule system that replays its scenarios.

    `key` is a word of small letters and digits. Lists name systems by their `rank`, the lowest
    first, and then by their keys.
    `setup` raises SetupError that names the field. `refusal` returns why an order is not legal now,
    as a code, or None. `resolve` returns the state after and the events that led to it.
    """

    key: str
    setup: Callable[[Any], S]
    phase: Callable[[S], Phase]
    refusal: Callable[[S, Seat, O], str | None]
    resolve: Callable[[S, Mapping[Seat, Sequence[O]], Dice], tuple[S, tuple[Any, ...]]]
    scenario: Scenario[S, O] | None = None
    rank: int = 100

    def outcome(self, state: S) -> Outcome | None:
        """Return how a game ended, or None while it goes on."""
        return self.phase(state).outcome

    def to_act(self, state: S) -> tuple[Seat, ...]:
        """Return the seats that a step waits for."""
        return tuple(self.phase(state).owing)


def _as_they_are(state: Any, seat: Seat | None, texts: Sequence[str]) -> Sequence[str | Near]:
    return texts


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruleset(Replayable[S, O]):
    """One rule system of one version: its functions, and its optional parts.

    `teams` returns each team's seats, in set-up order. `offers` returns what a seat may order, and
    `cautious` what it does where its player orders nothing. `read` finds an order in a player's own
    line, and returns None for a line of story; without a battle its state is None. `parse` and
    `format` are inverse: parse(s, seat, format(o)) == o. The events of `resolve` are those that
    `apply` folds to the state after. `audience` returns who may know an event; a `view` is what a
    seat, or the public, may know, built up from nothing.

    `rolled` returns who may know a die while the game is on, by the reason that it was rolled for;
    where it is None everybody does. Once the game is over everybody may know all dice.

    `foresee` returns the state as if it were a seat's turn now, to list what it may do then.
    `piece` returns the piece that an order is for, in a system where a seat commands several.
    `gather` puts together what several lines of a letter say of one order: it gets the texts of a
    queue, and returns those of whole orders, or near misses. `leaving` are the words of orders with
    which a piece leaves the battle for good: players are asked sooner whether they mean one.
    `optional` returns the pieces of a seat that may have orders now, although no step waits for
    them. `keeps` returns whether an order stays in its queue once it was followed, until another
    for its piece replaces it. `forced` returns the order of a seat whose turn it is if it has no
    choice, which the referee then gives for it, and None where it has one. `usual` is
    whether a league that names no systems plays it; it is False for a system that an upgrade adds.
    A system has a `campaign`, or else a `match`. `doctrines` returns, as lines in English, the
    standing orders that one of DOCTRINES, which everybody has, means for a seat. `translations` are
    the order words of other languages, by the languages' codes. `book` is what RULES and SHIPS
    print.
    """

    title: str
    version: int
    credits: str
    # Types of stored states and events, so that JSON is decoded to what the rules know.
    state: type[S]
    event: Any
    teams: Callable[[S], Mapping[str, tuple[Seat, ...]]]
    offers: Callable[[S, Seat], Sequence[LegalOrder[O]]]
    cautious: Callable[[S, Seat], O]
    read: Callable[[S | None, Seat | None, str], O | Near | None]
    parse: Callable[[S, Seat, str], O]
    format: Callable[[O], str]
    apply: Callable[[S, Any], S]
    audience: Callable[[Tagged], Audience]
    view: Callable[[S, Seat | None], View]
    rolled: Callable[[str], Audience] | None = None
    foresee: Callable[[S, Seat], S] = lambda state, seat: state
    piece: Callable[[O], str] = lambda order: ""
    gather: Callable[[S | None, Seat | None, Sequence[str]], Sequence[str | Near]] = _as_they_are
    leaving: frozenset[str] = frozenset()
    optional: Callable[[S, Seat], tuple[str, ...]] = lambda state, seat: ()
    keeps: Callable[[O], bool] = lambda order: False
    forced: Callable[[S, Seat], O | None] = lambda state, seat: None
    usual: bool = True
    conditions: Conditions[S] | None = None
    campaign: Campaign | None = None
    match: Match | None = None
    bots: Bots[S, O] | None = None
    pictures: Pictures | None = None
    telling: Telling[S, O] = field(default_factory=Telling)
    trials: Trials = Trials()
    doctrines: Callable[[S, Seat, str], Sequence[str]] | None = None
    translations: Mapping[str, Translation] = field(default_factory=dict)
    book: Book | None = None

    @property
    def gathers(self) -> bool:
        """Return whether several lines of a letter may be one order."""
        return self.gather is not _as_they_are

    @property
    def blueprints(self) -> Blueprints | None:
        """Return what the system says of blueprints, if it has any."""
        return None if self.campaign is None else self.campaign.blueprints

    @property
    def strengths(self) -> tuple[str, ...]:
        """Return the strengths of the system's bots, the weakest first."""
        return () if self.bots is None else tuple(self.bots.choose)

    def leaves(self, order: str) -> bool:
        """Return whether an order, as its canonical text, leaves a battle for good."""
        return not self.leaving.isdisjoint(re.split(r"\W+", order))

    def bot(self, strength: str) -> Callable[[S, Seat, Dice], O]:
        """Return the bot of a strength; where the system has none of it, it orders with caution.

        A game may have begun with bots that a later version of its system lacks.
        """
        found = None if self.bots is None else self.bots.choose.get(strength)
        return found or (lambda state, seat, dice: self.cautious(state, seat))

    def why(self, state: S, seat: Seat, order: O) -> str:
        """Return in a few words why the sound bot gives an order, "" where nobody says."""
        return "" if self.bots is None else self.bots.why(state, seat, order)

    def cost(self, state: S, strength: str) -> int:
        """Return about what an order of a bot costs at most, in units of a Budget."""
        return COST if self.bots is None else self.bots.cost(state, strength)

    def seats(self, state: S) -> tuple[Seat, ...]:
        """Return everyone who plays, team by team."""
        return tuple(chain.from_iterable(self.teams(state).values()))

    def side(self, state: S, seat: Seat) -> str:
        """Return the team that a seat belongs to."""
        return next(team for team, seats in self.teams(state).items() if seat in seats)

    def owing(self, state: S, seat: Seat) -> tuple[str, ...]:
        """Return the pieces of a seat that have no order yet, and that a step waits for."""
        return self.phase(state).owing.get(seat, ())


AnyReplayable = Replayable[Any, Any]
"""The rules of some system, as far as a replay needs them."""

AnyRuleset = Ruleset[Any, Any]
"""The rules of some system, for code that hands its states and orders on and never looks inside."""
