"""What a game's letters show: the facts that templates get, by name and type."""

from collections.abc import Mapping, Sequence
from typing import TypedDict

from engine.letter_texts import Beat, View
from engine.ruleset import Outcome
from engine.seats import Seat
from pbem.games.offered_orders import Offered
from pbem.games.reports import seat_facts
from pbem.games.reports.battle_account import Passage, SeenStep, ShownStory
from pbem.games.reports.opening import Opening
from pbem.games.reports.shortening import Run, Summary
from pbem.games.session import Weighed
from pbem.outgoing.outbox import Reply
from pbem.people import career_log


class Moment(TypedDict):
    """A time in words: in somebody's own zone, and in UTC."""

    local: str
    utc: str


class GameFacts(TypedDict):
    """What each letter about a game shows of it."""

    number: int
    id: str
    title: str
    sheets: bool
    doctrines: bool
    script: bool
    turn: int
    practice: bool
    friendly: bool
    staged: bool
    bots: str
    commitment: str


class AboutPlace(TypedDict):
    """What each letter about a place in a game has: its reply address, system, and game."""

    reply: Reply
    system: str
    game: GameFacts


class Ended(TypedDict):
    """How a battle ended: the winning side, or None in a draw or where nobody is left."""

    winner: str | None
    drawn: bool


class Account(TypedDict):
    """A battle's public account; the secret is "" until it is over."""

    game: GameFacts
    view: View
    steps: list[SeenStep]
    passages: list[Passage]
    outcome: Ended | None
    secret: str


class Career(TypedDict):
    """What a battle has changed in a persona's career, and its sheet after it."""

    sheet: View
    changes: list[career_log.ShownEntry]


class Acting(TypedDict):
    """A seat that is asked for orders, and what it may order; nothing where that is secret.

    `ahead`: another must act before it, and its orders count as soon as it is its turn.
    """

    seat: Seat
    ahead: bool
    offers: list[Offered]


class PublicTurn(TypedDict):
    """What everybody may know of the turn that a battle waits for; nobody acts once it is over.

    `hidden`: not all may read what is ordered. `together`: all order at once. `awaiting` is the
    question that the moderator must answer first, or "". `medals`: who fought may be nominated.
    So many deadlines in a row as are `misses_allowed` forfeit the battle.
    """

    acting: list[Acting]
    hidden: bool
    together: bool
    awaiting: str
    deadline: Moment | None
    misses_allowed: int
    medals: bool


class Ending(TypedDict, total=False):
    """What only the last report shows.

    `tale` is what mattered most of the whole battle, with its turning point. `heir` is a name for
    the next persona where this one's fighting is over, or "". `bar` says why the persona can't
    fight again now, or "", and `foes_bar` why another of the battle can't. `again` is whether the
    same may fight each other again, now or later; `spends` whether the persona may spend a point
    now.
    """

    outcome: Ended
    tale: list[Beat]
    persona: View | None
    changes: list[career_log.ShownEntry]
    heir: str
    bar: str
    foes_bar: str
    again: bool
    spends: bool


class Crews(TypedDict, total=False):
    """What only the first report shows: the teams of a team battle, and the moderator's words.

    `left_out` are the lines of a doctrine that can't be followed, each with the reason, and
    `nameless` says which of those that are in force lack a name.
    """

    crews: list[seat_facts.Crew]
    briefing: tuple[str, ...]
    left_out: list[tuple[str, str]]
    nameless: list[str]


class Nominated(TypedDict):
    """A nomination for a medal; `whose` is the number of the player whose words the citation is."""

    number: int
    pilot: str
    game: int
    by: str
    citation: str
    whose: int
    yours: bool
    endorsed: int
    needed: int


class TurnFacts(Ending):
    """The facts of a turn's report to a seat; `ack` is what its letter was understood as.

    `runs` are the steps again, those that may be told together in one list. A `whole` report shows
    what has not changed, too; for others `earlier` is the view that the last letter showed, and
    `refused` what was not so then. `ahead` is where the seat is asked, but another must
    act before it.
    `unconfirmed` are orders that were done at the deadline, though nobody had confirmed them.
    """

    view: View
    earlier: View | None
    opening: Opening
    summary: Summary
    whole: bool
    runs: list[Run]
    stories: list[ShownStory]
    opponents: list[str]
    offers: list[Offered]
    plan: list[Offered]
    refused: list[seat_facts.Barred]
    sheet: seat_facts.ShownSheet
    deadline: Moment | None
    away: list[str]
    own_away: bool
    asked: bool
    ahead: bool
    awaiting: str
    waiting_for: list[Seat]
    draw_offered: list[str]
    team: seat_facts.Team | None
    out_of_reach: list[str]
    misses: int
    vacant: list[str]
    own_vacant: bool
    misses_allowed: int
    silence: seat_facts.Silence
    halted: int
    ack: Mapping[str, object] | None
    unconfirmed: list[str]


class RefusedLine(TypedDict):
    """A line of a message that could not be done: an order as it was written, and why.

    `hint` is what may help, or "".
    """

    line: str
    why: str
    hint: str


class PublicReply(TypedDict):
    """What a message in a thread is told there, for all to read (templates/posts/reply.j2).

    `name` is whom it tells: a pilot's, or a player's; `notice` is all there is to say, or "".
    `done` are the orders as understood; `asked` those that YES does. `elsewhere`: there is more to
    say, which only the writer is told.
    """

    name: str
    notice: str
    done: Sequence[Weighed]
    refused: Sequence[RefusedLine]
    asked: Sequence[str]
    waiting_for: Sequence[Seat]
    deadline: Moment | None
    elsewhere: bool


def ended(outcome: Outcome) -> Ended:
    """Return how a battle ended, for a template."""
    return {"winner": outcome.winner, "drawn": outcome.drawn}
