"""The shape of a rule system: a plain value made of functions."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, Literal, NamedTuple, TypeVar

from engine.codec import Tagged
from engine.dice import Dice
from engine.said import say
from engine.seats import Audience, Seat
from engine.tongue import Tongue

S = TypeVar("S")
O = TypeVar("O")  # noqa: E741 - an order


class Offer(NamedTuple, Generic[O]):
    """A legal order with its chance in percent, None where no die decides."""

    order: O
    chance: int | None


@dataclass(frozen=True, slots=True)
class Near:
    """A line that is nearly an order: never executed, answered with a hint.

    `why` where the hint is what stands in the way, and no order that may be meant.
    """

    text: str
    hint: str
    why: bool = False


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended: the winning side, or None in a draw or where nobody is left."""

    winner: str | None
    drawn: bool


View = dict[str, Any]
"""What one seat, or the public, may know: plain values for templates, built up and never cut."""


class Picture(NamedTuple):
    """A drawing as SVG, and a sentence that says all that it shows."""

    svg: str
    alt: str


@dataclass(frozen=True, slots=True)
class Persona:
    """A player's piece between games: its name, its side, and the system's own record of it."""

    name: str
    side: str
    record: dict[str, Any]


Day = str
"""A calendar day in the league's time zone, such as 2026-11-02; a later day sorts later."""


class Nouns(NamedTuple):
    """What a system's personas are called: one, several, and none of them."""

    one: str
    many: str
    none: str


PILOTS = Nouns(say("pilot"), say("pilots"), say("no pilot"))
Account = Literal["", "earned", "spent", "lost", "buried"]


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of a persona's career: what befell it, with facts for a template.

    `points`, in tenths, are earned, spent, lost, or buried with a persona that is gone: above 0
    where they come in, below 0 where they go. `news` is worth a newspaper's line.
    """

    kind: str
    account: Account = ""
    points: int = 0
    news: bool = False
    facts: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Change:
    """A persona as it is from now on, and the entries that tell how it came to that."""

    persona: Persona
    entries: tuple[Entry, ...] = ()


@dataclass(frozen=True, slots=True)
class Bid:
    """Points to be spent on a reward: the order in canonical text, the points, the choices."""

    text: str
    points: int
    choices: str


class Standing(NamedTuple):
    """How far a persona has come: `merit` is greater for the better, `figures` can be added up."""

    merit: tuple[int, ...]
    figures: dict[str, int]


class Specimen(NamedTuple):
    """A new persona to try a system's balance with: its kind, such as a ship, and its build."""

    kind: str
    build: str
    persona: Persona


@dataclass(frozen=True, slots=True, kw_only=True)
class Career:
    """What a system says of its personas outside of games, as pure functions.

    `points` are those that a persona has, in tenths: what its entries add up to.
    `duel` and `melee` give set-ups; `bar` says why two may not fight, `available` why one may not
    today, and `gone` tells of one that is dead or struck off. `after` gives what a game leaves of
    a persona that had a seat in it, `major` what it gets besides for a game of note. `bid` reads
    what stands in a SPEND, and `reward` rolls for it; `endorsers` is how many the next medal needs.
    `sparring` gives a house pilot that a persona may practise with, `thrift` spends a house
    pilot's points if it would, and `fleets` hold those that balance is tried with, by class.
    `standing` says how far a persona has come, among those of its system.
    `enlist`, `bid` and `choose` raise OrderError, `enlist` ForeignOrder for a text that has not
    the system's form at all. `form` is an example of the whole order, and `enlisting` the system's
    own word for it, beside ENLIST; `nouns` are what letters call personas; `began` gives what the
    first line of a career tells. `rewards` says whether there are any to spend points on.
    """

    enlist: Callable[[str], Persona]
    sheet: Callable[[Persona], View]
    points: Callable[[Persona], int]
    standing: Callable[[Persona], Standing]
    bar: Callable[[Persona, Persona], str | None]
    crowded: Callable[[Sequence[Persona], Persona], str | None]
    duel: Callable[[Persona, Persona, str | None], dict[str, Any]]
    melee: Callable[[Sequence[Persona], Sequence[Persona], str | None], dict[str, Any]]
    available: Callable[[Persona, Day], str | None]
    gone: Callable[[Persona], bool]
    after: Callable[[Persona, Any, Seat, Day], Change]
    major: Callable[[Persona, Any], Change]
    bid: Callable[[Persona, str, str, Day], Bid]
    reward: Callable[[Persona, Bid, Dice, Day], Change]
    choose: Callable[[Persona, str], Change]
    endorsers: Callable[[Persona], int]
    honour: Callable[[Persona], Change]
    resign: Callable[[Persona], Change]
    sparring: Callable[[Persona, Dice], Persona]
    thrift: Callable[[Persona, Dice, Day], Change | None]
    fleets: Mapping[str, tuple[Specimen, ...]]
    form: str
    enlisting: str = ""
    nouns: Nouns = PILOTS
    rewards: bool = True
    began: Callable[[Persona], View] = lambda persona: {}


class Blueprint(NamedTuple):
    """What a player has drawn for personas to be made of: a name, and the system's record."""

    name: str
    record: dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Workshop:
    """What a system says of blueprints, as pure functions: its players', and a league's stock.

    `stock` reads a league's plain values, or gives the usual stock for None, as a value of the
    system's own that the other functions are handed; it raises SetupError. `word` is the order
    that draws a blueprint, `form` an example of it, and `takes` tells whether a cleaned line below
    it belongs to it. `read` raises OrderError, and so does `enlist`, which is Career's for
    somebody who has blueprints. `uses` tells whether a persona hangs on a blueprint, `crowded`
    says why there may be no more; `sheet` shows one, and `view` the stock.
    """

    word: str
    form: str
    takes: Callable[[str], bool]
    stock: Callable[[Any], Any]
    read: Callable[[str, Any], Blueprint]
    enlist: Callable[[str, Any, Sequence[Blueprint]], Persona]
    uses: Callable[[Persona, Blueprint], bool]
    crowded: Callable[[Sequence[Blueprint]], str | None]
    sheet: Callable[[Blueprint, Any], View]
    view: Callable[[Any], View]


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruleset(Generic[S, O]):
    """One rule system of one version.

    A step with an empty `to_act` before the end needs no orders and is the referee's to take.
    `parse` and `format` are inverse: parse(s, seat, format(o)) == o. `read` finds an order in a
    player's own line, without a battle where the state is None, and gives None for a story line.
    `resolve` gives the state after and the events that `apply` folds to it; `foresee`
    gives the state as it would be if it were a seat's turn now, to say what it may then do.
    `house` holds the house's pilots by their strength, the weakest first; they choose by what
    their seat may know, and by dice of their own. `struck` names the seat that an event harms.
    `pictures` draws what a view tells, its words translated by the function that is handed over.
    `film` draws a whole battle from the views after each of its steps, where a system does that.
    `tongues` are the order words of other languages, by the languages' codes.
    """

    key: str
    title: str
    version: int
    credits: str
    state: type[S]
    event: Any
    setup: Callable[[Any], S]
    seats: Callable[[S], tuple[Seat, ...]]
    side: Callable[[S, Seat], str]
    to_act: Callable[[S], tuple[Seat, ...]]
    foresee: Callable[[S, Seat], S]
    legal: Callable[[S, Seat], Sequence[Offer[O]]]
    refusal: Callable[[S, Seat, O], str | None]
    explain: Callable[[str], str]
    chance: Callable[[S, Seat, O], int | None]
    read: Callable[[S | None, Seat | None, str], O | Near | None]
    parse: Callable[[S, Seat, str], O]
    format: Callable[[O], str]
    condition: Callable[[str], str]
    holds: Callable[[S, Seat, str, str], bool]
    cautious: Callable[[S, Seat], O]
    house: Mapping[str, Callable[[S, Seat, Dice], O]]
    struck: Callable[[Any], Seat | None]
    resolve: Callable[[S, Mapping[Seat, Sequence[O]], Dice], tuple[S, tuple[Any, ...]]]
    apply: Callable[[S, Any], S]
    audience: Callable[[Tagged], Audience]
    view: Callable[[S, Seat | None], View]
    outcome: Callable[[S], Outcome | None]
    scenario_state: Callable[[S], dict[str, Any]]
    scenario_order: Callable[[S, Any, str], tuple[Seat, O]]
    simultaneous: bool = False
    piece: Callable[[O], str] = lambda order: ""
    owing: Callable[[S, Seat], tuple[str, ...]] = lambda state, seat: ("",)
    career: Career | None = None
    workshop: Workshop | None = None
    pictures: Callable[[View, Callable[[str], str]], tuple[Picture, ...]] = lambda view, word: ()
    film: Callable[[Sequence[View], Callable[[str], str]], tuple[Picture, ...]] | None = None
    tongues: Mapping[str, Tongue] = field(default_factory=dict)
