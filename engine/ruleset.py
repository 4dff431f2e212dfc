"""The form of a rule system: a plain value made of functions."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, Literal, NamedTuple, TypeVar

from engine.briefing import Barred, Beat, Gist, Scene
from engine.codec import Tagged
from engine.dice import Dice
from engine.i18n import Said, say
from engine.order_words import Translation
from engine.seats import Audience, Seat

S = TypeVar("S")
O = TypeVar("O")  # noqa: E741 - an order


class Offer(NamedTuple, Generic[O]):
    """A legal order with its chance in percent, None where no die decides."""

    order: O
    chance: int | None


@dataclass(frozen=True, slots=True)
class Near:
    """A line that is nearly an order: never executed, answered with a hint.

    `why` is true where the hint says what is wrong, rather than which order may be meant, and
    `several` are those that may be meant where there is more than one.
    """

    text: str
    hint: str
    why: bool = False
    several: tuple[str, ...] = ()

    @property
    def meant(self) -> tuple[str, ...]:
        """Return the orders that may be meant, each as a player would write it."""
        sentence = self.why or isinstance(self.hint, Said) or not self.hint
        return self.several or (() if sentence else (self.hint,))


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended: the winning side, or None in a draw or where nobody is left."""

    winner: str | None
    drawn: bool


View = Mapping[str, Any]
"""What one seat, or the public, may know: plain values for templates, built up from nothing.

Each system types its own views; this is how they look to who knows no system.
"""


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
"""A calendar day in the league's time zone, such as 2026-11-02; later days sort later."""


class Nouns(NamedTuple):
    """What a system's personas are called: one of them, several, and none."""

    one: str
    many: str
    none: str


PILOTS = Nouns(say("pilot"), say("pilots"), say("no pilot"))
Account = Literal["", "earned", "spent", "lost", "buried"]


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of a persona's career: what happened to it, with facts for a template.

    `points`, in tenths, are earned, spent, lost, or buried with a persona that is gone: above 0
    where it gains them, below 0 where it loses them. `news` marks what a newspaper should report.
    """

    kind: str
    account: Account = ""
    points: int = 0
    news: bool = False
    facts: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Change:
    """A persona as it is from now on, and the entries that record how it changed."""

    persona: Persona
    entries: tuple[Entry, ...] = ()


@dataclass(frozen=True, slots=True)
class Bid:
    """Points to be spent on a reward: the order in canonical text, the points, the choices."""

    text: str
    points: int
    choices: str


class Standing(NamedTuple):
    """How far a persona has come: a greater `merit` ranks higher, `figures` can be added up."""

    merit: tuple[int, ...]
    figures: dict[str, int]


class Specimen(NamedTuple):
    """A new persona to test a system's balance with: its kind, such as a ship, and its build."""

    kind: str
    build: str
    persona: Persona


@dataclass(frozen=True, slots=True, kw_only=True)
class Career:
    """What a system says of its personas outside of games, as pure functions.

    Personas: `enlist` reads a new one, `sheet` returns it for a template, and `points` what it has,
    in tenths: the sum of its entries. `standing` ranks it among those of its system. `began`
    returns what the first line of its career says, and `parts` the names that it contains,
    such as those of its elements.

    Games: `duel` and `melee` return set-ups. `bar` returns why two may not fight, `crowded` why a
    player may have no more personas, `too_many` why some are more than one side holds, and
    `available` why one may not fight on a day; None where nothing forbids it. `gone` describes one
    that is dead or struck off. `after` returns what a game that ended on a day changes for a
    persona that had a seat in it, and left it on that day or an earlier one; `major` returns what a
    game of note adds. `left` returns a persona that left a game on a day as it is free for others
    while that one goes on; None where it is bound until the end. `back` returns a persona that is
    taken back into such a game, by what it was before it left.

    Rewards, where `rewards` is true: `bid` reads what stands after SPEND, `reward` rolls for it,
    and `choose` takes what is then chosen. `endorsers` is how many the next medal needs.

    Bots: `sparring` returns a bot that a persona may practise with, `thrift` spends a bot's points
    if it would, and `fleets` holds those that balance is tested with, by class.

    What players choose: `lining` is an example of an order that changes how a persona enters its
    next battles, and `line_up` reads what stands behind the name in it. `terms` holds, by their
    first words, what a challenge may ask for: each returns a set-up changed by the words behind it.

    `enlist`, `bid`, `choose`, `line_up` and `terms` raise OrderError; `enlist` raises ForeignOrder
    for a text that does not have the system's form at all. `form` is an example of the whole order,
    `enlisting` the system's own word for ENLIST, and `nouns` are what letters call personas.
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
    after: Callable[[Persona, Any, Seat, Day, Day], Change]
    major: Callable[[Persona, Any, Seat], Change]
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
    too_many: Callable[[Sequence[Persona]], str | None] = lambda personas: None
    parts: Callable[[Persona], tuple[str, ...]] = lambda persona: ()
    left: Callable[[Persona, Any, Seat, Day], Persona | None] = lambda persona, state, seat, day: (
        None
    )
    back: Callable[[Persona, Persona], Persona] = lambda persona, before: persona
    lining: str = ""
    line_up: Callable[[Persona, str], Persona] = lambda persona, text: persona
    terms: Mapping[str, Callable[[dict[str, Any], str], dict[str, Any]]] = field(
        default_factory=dict
    )


class Blueprint(NamedTuple):
    """What a player has designed for personas to be made of: a name, and the system's record."""

    name: str
    record: dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Workshop:
    """What a system says of blueprints, as pure functions: players' own, and a league's stock.

    `stock` reads a league's plain values, or returns the usual stock for None, as a value of the
    system's own that the other functions get; it raises SetupError. `word` is the order that begins
    a blueprint, `form` an example of it, and `takes` returns whether a cleaned line below
    belongs to it. `read` raises OrderError, and so does `enlist`, which replaces Career's for a
    player who has blueprints. `uses` returns whether a persona depends on a blueprint, `crowded`
    returns why there may be no more; `sheet` returns one for a template, `view` the stock, and
    `stocked` the names of what is in it.
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
    stocked: Callable[[Any], tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Refusal:
    """An order that was refused when its time came: its index in the scenario, and why."""

    index: int
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Book:
    """What a system's rules print, as plain values for its templates.

    `topics` are the pages behind the first, each with what it tells; `tables` are their figures.
    `ships` returns what may be flown, by those `classes` that were named and by a league's stock.
    """

    topics: Mapping[str, str]
    tables: View
    classes: tuple[str, ...]
    ships: Callable[[Sequence[str], Any], View]


@dataclass(frozen=True, slots=True)
class Entered(Generic[O]):
    """An order of a scenario: whose it is, and under which indices its refusal is listed."""

    seat: Seat
    order: O
    indices: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Replayable(Generic[S, O]):
    """What a rule system needs to have its scenarios replayed, and no more.

    A step with an empty `to_act` before the end needs no orders and is the referee's to take.
    `resolve` returns the state after and the events that led to it. `refused` returns what an event
    says of an order that was taken, and of which a part was refused later. `scenario_order` reads
    the entry of that index. Where an entry holds several orders, `scenario_orders` reads them all;
    refusals are then listed by index, and not as they happen.
    """

    key: str
    setup: Callable[[Any], S]
    to_act: Callable[[S], tuple[Seat, ...]]
    refusal: Callable[[S, Seat, O], str | None]
    resolve: Callable[[S, Mapping[Seat, Sequence[O]], Dice], tuple[S, tuple[Any, ...]]]
    outcome: Callable[[S], Outcome | None]
    scenario_state: Callable[[S], dict[str, Any]]
    scenario_order: Callable[[S, Any, int], tuple[Seat, O]]
    scenario_orders: Callable[[S, list[Any]], Sequence[Entered[O]]] | None = None
    simultaneous: bool = False
    refused: Callable[[Any], Refusal | None] = lambda event: None


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruleset(Replayable[S, O]):
    """One rule system of one version.

    `parse` and `format` are inverse: parse(s, seat, format(o)) == o. `read` finds an order in a
    player's own line, and returns None for a line of story; without a battle its state is None.
    The events of `resolve` are those that `apply` folds to the state after. `foresee` returns the
    state as if it were a seat's turn now, to list what it may do then. `gloss` says in a few words
    what a legal order does, `barred` lists the orders that are not legal now, `vain` returns why
    an order can do nothing any more in the battle, and `gist` sums up events for a seat. `alike`
    returns the same text for steps that may be told together, such as a failure that is repeated,
    and "" for a step that is told alone. `bots` holds the bots by their strength, the weakest
    first; they choose by what their seat may know, and by dice of their own. `cost` returns about
    what an order of one costs at most, in units of a Budget. `struck` returns the seat that an
    event harms. `book` is what RULES and SHIPS print. `pictures` draws what a view shows, with
    words translated by the function that it gets. `film` draws a whole battle from the views after
    each of its steps. `story` returns what is worth telling of some steps, and `lead` about how
    many of 100 fights like this one the first side would win. `preset` returns, as lines in
    English, the standing orders that one of PRESETS means for a seat. `translations` are the order
    words of other languages, by the languages' codes.
    """

    title: str
    version: int
    credits: str
    state: type[S]
    event: Any
    seats: Callable[[S], tuple[Seat, ...]]
    side: Callable[[S, Seat], str]
    foresee: Callable[[S, Seat], S]
    legal: Callable[[S, Seat], Sequence[Offer[O]]]
    explain: Callable[[str], str]
    chance: Callable[[S, Seat, O], int | None]
    read: Callable[[S | None, Seat | None, str], O | Near | None]
    parse: Callable[[S, Seat, str], O]
    format: Callable[[O], str]
    condition: Callable[[str], str]
    holds: Callable[[S, Seat, str, str], bool]
    cautious: Callable[[S, Seat], O]
    bots: Mapping[str, Callable[[S, Seat, Dice], O]]
    struck: Callable[[Any], Seat | None]
    apply: Callable[[S, Any], S]
    audience: Callable[[Tagged], Audience]
    view: Callable[[S, Seat | None], View]
    gloss: Callable[[S, Seat, O], str] = lambda state, seat, order: ""
    barred: Callable[[S, Seat], Sequence[Barred[O]]] = lambda state, seat: ()
    vain: Callable[[S, Seat, O], str | None] = lambda state, seat, order: None
    alike: Callable[[Sequence[Any]], str] = lambda events: ""
    gist: Callable[[S, Sequence[Any], Seat], Gist] = lambda state, events, seat: Gist("", "")
    piece: Callable[[O], str] = lambda order: ""
    owing: Callable[[S, Seat], tuple[str, ...]] = lambda state, seat: ("",)
    career: Career | None = None
    workshop: Workshop | None = None
    book: Book | None = None
    pictures: Callable[[Any, Callable[[str], str]], tuple[Picture, ...]] = lambda view, word: ()
    film: Callable[[Sequence[Any], Callable[[str], str]], tuple[Picture, ...]] | None = None
    story: Callable[[Sequence[Scene]], list[Beat]] = lambda scenes: []
    lead: Callable[[S], int] = lambda state: 50
    preset: Callable[[S, Seat, str], Sequence[str]] | None = None
    cost: Callable[[S, str], int] = lambda state, strength: 1000
    translations: Mapping[str, Translation] = field(default_factory=dict)


AnyReplayable = Replayable[Any, Any]
"""The rules of some system, as far as a replay needs them."""

AnyRuleset = Ruleset[Any, Any]
"""The rules of some system, for code that hands its states and orders on and never looks inside."""
