"""What a newsletter puts first: the headline, the duel of the time, and records."""

from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple, TypedDict

from engine.letter_texts import Beat, View
from pbem.games import step_log
from pbem.games.reports import turning_points
from pbem.games.reports.battle_account import REMARKS, log_seen, told
from pbem.games.reports.template_facts import Ended, ended
from pbem.games.session import Session
from pbem.games.step_log import events_of
from pbem.storage import Game, Store, stored_games

LOW = 30
"""The winner's worst odds that make a headline, of 100."""
# Each of them is replayed for its odds, so not all can be.
LATEST = 60
"""How many of the latest battles are searched for the best stories."""
MOST_BEATS = 7
"""How many beats tell a turning point at most."""
FEW = 3
"""With fewer battles than these there are no records."""


class Headline(TypedDict):
    """The period's best story: its kind, the battle, who won against whom, and their worst odds."""

    kind: str
    number: int
    winner: str
    losers: list[str]
    low: int


class DuelTold(TypedDict):
    """The battle whose odds swung most, with its turning points, each as beats."""

    number: int
    system: str
    teams: list[str]
    steps: int
    outcome: Ended | None
    points: list[list[Beat]]
    view: View
    game: dict[str, str]


class Record(TypedDict):
    """A battle that set a record: the longest, quickest or hardest; `count` is of steps or hits.

    `title` is that of its system.
    """

    kind: str
    number: int
    system: str
    title: str
    teams: list[str]
    count: int


class _Swung(NamedTuple):
    """A battle with its widest swings."""

    width: int
    session: Session
    swings: list[turning_points.Swing]


def headline(battles: Sequence[Session], best: Session | None) -> Headline | None:
    """Return the best story: a win against the odds, a major battle, or the duel of the time."""
    won = [session for session in battles if _winner(session)]
    lows = {session.game.id: turning_points.lowest(session) for session in won}
    low = min(won, key=lambda session: (lows[session.game.id], session.game.id), default=None)
    if low is not None and lows[low.game.id] <= LOW:
        return _headed("comeback", low, lows[low.game.id])
    major = next((session for session in won if session.game.major == "approved"), None)
    if major is not None:
        return _headed("major", major)
    chosen = best if best is not None and _winner(best) else next(iter(won), None)
    return _headed("won", chosen) if chosen is not None else None


def _headed(kind: str, session: Session, low: int = 50) -> Headline:
    winner = _winner(session)
    losers = [name for name in _teams(session) if name != winner]
    return {"kind": kind, "number": session.game.id, "winner": winner, "losers": losers, "low": low}


def _winner(session: Session) -> str:
    outcome = session.rules.outcome(session.state)
    return (outcome and outcome.winner) or ""


def _teams(session: Session) -> list[str]:
    return list(session.rules.teams(session.state))


def swung_most(battles: Sequence[Session]) -> Session | None:
    """Return the battle whose two widest swings are widest together; of equals the earliest."""
    swung = [_swung(session) for session in battles]
    found = [one for one in swung if one.swings]
    return max(found, key=lambda one: (one.width, -one.session.game.id)).session if found else None


def _swung(session: Session) -> _Swung:
    # An issue shows two turning points of a battle, so no more count.
    widest = turning_points.swings(session)[:2]
    return _Swung(sum(one.width for one in widest), session, widest)


def duel(session: Session) -> DuelTold:
    """Return a battle as the newsletter tells it: its two turning points, in their order."""
    rules, game = session.rules, session.game
    outcome, steps = (
        rules.outcome(session.state),
        step_log.steps_of(session.store, game.id),
    )
    seen = [step for step in log_seen(rules, steps, None) if not step["void"]]
    return {
        "number": game.id,
        "system": game.system,
        "teams": _teams(session),
        "steps": length(session),
        "outcome": ended(outcome) if outcome else None,
        "points": points(told(rules, seen, _swung(session).swings)),
        "view": rules.view(session.state, None),
        # Templates choose their phrases by it, so all letters about a battle choose the same.
        "game": {"commitment": game.commitment},
    }


def length(session: Session) -> int:
    """Return how many steps a battle took, as its reports count them: 0 only begins it."""
    begun = step_log.step(session.store, session.game.id, 0)
    return session.game.steps - (begun is not None and begun.orders == "[]")


def points(beats: Sequence[Beat]) -> list[list[Beat]]:
    """Return each turning point with what happened there, of a long turn its end."""
    found, chain = list[list[Beat]](), list[Beat]()
    for beat in beats:
        # Where all order together, a step has many beats: any of them may have turned the battle.
        if beat["kind"] not in REMARKS and chain and chain[-1]["last"] != beat["last"]:
            chain = []
        chain.append(beat)
        if beat["kind"] == "turn":
            found.append(chain[-MOST_BEATS:])
            chain = []
    return found


def records(store: Store, battles: Sequence[Session], numbers: Collection[int]) -> list[Record]:
    """Return the records among the battles with these numbers, of each system by itself.

    They are the longest battle and the quickest victory of all so far, and of the latest battles,
    which are opened, the one with the most hits.
    """
    systems = dict.fromkeys(session.game.system for session in battles)
    by_system = [[one for one in battles if one.game.system == system] for system in systems]
    return [record for some in by_system for record in _records(store, some, numbers)]


def _records(store: Store, battles: Sequence[Session], numbers: Collection[int]) -> list[Record]:
    """Return the records among battles of one system."""
    # A turn of one system is no measure for those of another.
    lengths = stored_games.lengths(store, battles[0].game.system)
    if len(lengths) < FEW:
        return []
    most = lengths[-1][0]
    longest = next((n for steps, n in lengths if steps == most and n in numbers), None)
    quickest = _quickest(store, lengths)
    hits = {session.game.id: _hits(session) for session in battles}
    found = list[Record]()
    for kind, number in (("longest", longest), ("quickest", quickest)):
        if number in numbers:
            session = Session(store, store.get(Game, number))
            found.append(_record(kind, session, length(session)))
    if len(hits) >= FEW and any(hits.values()):
        hardest = max(battles, key=lambda session: hits[session.game.id])
        found.append(_record("hits", hardest, hits[hardest.game.id]))
    return found


def _quickest(store: Store, fought: Iterable[Sequence[int]]) -> int | None:
    """Return the first of some games, as steps and numbers, that somebody won."""
    numbers = (number for _, number in fought)
    return next((n for n in numbers if _winner(Session(store, store.get(Game, n)))), None)


def _hits(session: Session) -> int:
    """Return how many hits there were in a battle."""
    rules, steps = (
        session.rules,
        step_log.steps_of(session.store, session.game.id),
    )
    void = {step["n"] for step in log_seen(rules, steps, None) if step["void"]}
    return sum(
        rules.telling.struck(event) is not None
        for step in steps
        if step.n not in void
        for event in events_of(rules, step)
    )


def _record(kind: str, session: Session, count: int) -> Record:
    """Return a record of a battle, its winner first."""
    teams = sorted(_teams(session), key=lambda name: name != _winner(session))
    return {
        "kind": kind,
        "number": session.game.id,
        "system": session.game.system,
        "title": session.rules.title,
        "teams": teams,
        "count": count,
    }
