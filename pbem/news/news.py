"""What happened in a period, as everybody may know it: results, honours, losses, new pilots."""

import json
from collections import Counter
from collections.abc import Iterable
from datetime import datetime
from typing import TypedDict

from engine import codec
from engine.i18n import Said
from engine.ruleset import Beat, View
from pbem.games import commitments
from pbem.games.account import step_seen, told
from pbem.games.facts import Ended, ended
from pbem.games.offers import OpenChallenge, facts_of, offer_of
from pbem.games.punctuality import NamedReliability, reliability
from pbem.games.session import Session, career_of, piece_of
from pbem.games.standings import Standings, standings
from pbem.i18n.days import day
from pbem.scrub import scrubbed
from pbem.settings.sections import LeagueSettings
from pbem.storage import Game, Store


class EntryLine(TypedDict):
    """A news line of a persona's career."""

    name: str
    side_title: str
    kind: str
    points: int
    facts: dict[str, object]
    game: int | None
    day: str


class SystemEntries(TypedDict):
    """The news lines of the personas of one system."""

    system: str
    lines: list[EntryLine]


class StoryLine(TypedDict):
    """The last line that a player wrote about a battle in public."""

    seat: str
    line: str
    whose: int | None


class Result(TypedDict):
    """A battle that ended; `beats` tell its last step."""

    number: int
    system: str
    day: str
    teams: list[str]
    steps: int
    major: bool
    outcome: Ended | None
    story: StoryLine | None
    beats: list[Beat]
    view: View
    game: dict[str, str]


class Blows(TypedDict):
    """How often a side was hit."""

    side: str
    count: int


class Best(TypedDict):
    """The most even battle: the hits of the side that was hit least, and of both."""

    number: int
    least: int
    total: int
    steps: int
    blows: list[Blows]


class Citation(TypedDict):
    """A medal for heroism, with what was written for it."""

    pilot: str
    game: int
    lines: list[str]
    whose: int


class PassedEditorial(TypedDict):
    """An editorial that the moderator has approved."""

    by: str
    lines: list[str]
    whose: int | None


class IssueFacts(TypedDict):
    """All news of a period; `quiet` says that there is none."""

    entries: list[SystemEntries]
    results: list[Result]
    best: Best | None
    citations: list[Citation]
    challenges: list[OpenChallenge]
    editorials: list[PassedEditorial]
    since: str
    until: str
    quiet: bool
    commitments: list[commitments.Committed]
    unlisted: int
    standings: list[Standings]
    reliability: list[NamedReliability]


MOST = 60
"""How many news items of one kind are shown, the latest; the others are counted."""
CAREERS = 10
LINE = 240
"""The most characters of a battle's one line of story."""


class News:
    """The news of the time after `since`, up to and including `until` (UTC)."""

    def __init__(
        self, store: Store, since: datetime, until: datetime, league: LeagueSettings
    ) -> None:
        self.store, self.since, self.until, self.league = store, since, until, league

    def facts(self) -> IssueFacts:
        """Return all news, for a template."""
        battles, entries, citations = self._ended(), self._entries(), self._citations()
        challenges, editorials = self._challenges(), self._editorials()
        quiet = not (battles or entries or citations or challenges or editorials)
        ranked = [] if quiet else [_cut(one) for one in standings(self.store)]
        return {
            "entries": entries,
            "results": [self._result(session) for session in battles[-MOST:]],
            "best": best(battles),
            "citations": citations,
            "challenges": challenges,
            "editorials": editorials,
            "since": self._day(self.since),
            "until": self._day(self.until),
            "quiet": quiet,
            "commitments": commitments.listed(self.store.pledges.all(**self._within("made"))),
            "unlisted": max(len(battles) - MOST, 0),
            "standings": ranked,
            "reliability": self._reliability(ranked),
        }

    def _day(self, when: datetime) -> Said:
        return day(when.astimezone(self.league.zone))

    def _within(self, name: str) -> dict[str, datetime]:
        return {f"{name}__gt": self.since, f"{name}__lte": self.until}

    def _entries(self) -> list[SystemEntries]:
        """Return the news lines of careers, grouped by system."""
        found: dict[str, list[EntryLine]] = {}
        for entry in self.store.entries.all(news=True, **self._within("at")):
            row = self.store.personas.get(entry.persona_id)
            line: EntryLine = {
                "name": row.name,
                "side_title": career_of(row).sheet(piece_of(row)).get("side_title", row.side),
                "kind": entry.kind,
                "points": entry.points,
                "facts": json.loads(entry.facts),
                "game": entry.game_id,
                "day": self._day(entry.at),
            }
            found.setdefault(row.system, []).append(line)
        return [{"system": system, "lines": lines} for system, lines in found.items()]

    def _ended(self) -> list[Session]:
        """Return the battles that ended, in that order; practice does not count."""
        games = self.store.games.all(running=False, practice=False, **self._within("ended"))
        ordered = sorted(games, key=lambda game: (game.ended or self.until, game.id))
        return [Session(self.store, game) for game in ordered]

    def _result(self, session: Session) -> Result:
        game, outcome = session.game, session.rules.outcome(session.state)
        view = session.rules.view(session.state, None)
        [last] = self.store.steps.all(game=game.id, n=game.steps - 1)
        return {
            "number": game.id,
            "system": game.system,
            "day": self._day(game.ended or self.until),
            "teams": [team["name"] for team in view["teams"]],
            "steps": game.steps,
            "major": game.major == "approved",
            "outcome": ended(outcome) if outcome else None,
            "story": self._story(game),
            "beats": told(session.rules, [step_seen(session.rules, last, None)]),
            "view": view,
            "game": {"commitment": game.commitment},
        }

    def _story(self, game: Game) -> StoryLine | None:
        """Return the last line that a player wrote about a battle in public."""
        facts = self.store.stories.all(game=game.id, public=True)
        lines = [
            (one, line.strip()) for one in facts for line in self._lines(one.text, one.player_id)
        ]
        story, line = next(((s, text) for s, text in reversed(lines) if text), (None, ""))
        cut = line if len(line) <= LINE else line[:LINE].rsplit(" ", 1)[0] + " …"
        return {"seat": story.seat, "line": cut, "whose": story.player_id} if story else None

    def _lines(self, text: str, writer: int | None) -> list[str]:
        """Return the lines of a player's text that may be printed."""
        return scrubbed(self.store, text.splitlines(), writer)

    def _citations(self) -> list[Citation]:
        """Return the medals for heroism, with their citations."""
        found = self.store.nominations.all(state="given", **self._within("given"))
        return [
            {
                "pilot": self.store.personas.get(one.persona_id).name,
                "game": one.game_id,
                "lines": self._lines(one.citation, one.player_id),
                "whose": one.player_id,
            }
            for one in found
        ]

    def _challenges(self) -> list[OpenChallenge]:
        """Return the challenges of this time that are still open."""
        found = self.store.challenges.all(state="open", **self._within("made"))
        return [facts_of(offer_of(self.store, one)) for one in found[-MOST:]]

    def _reliability(self, ranked: Iterable[Standings]) -> list[NamedReliability]:
        """Return how the players of the listed pilots meet their deadlines, by pilots' names."""
        names = [line["name"] for one in ranked for line in one["careers"]]
        rows = [row for row in map(self.store.persona_named, names) if row is not None]
        found: list[NamedReliability] = [
            {"name": row.name, **reliability(self.store, self.league, row.player_id)}
            for row in rows
        ]
        return [one for one in found if one["asked"]]

    def _editorials(self) -> list[PassedEditorial]:
        """Return the editorials that the moderator has approved."""
        found = self.store.editorials.all(state="passed", made__lte=self.until)
        return [
            {"by": one.by, "lines": self._lines(one.text, one.player_id), "whose": one.player_id}
            for one in found
        ]


def best(ended: Iterable[Session]) -> Best | None:
    """Return the most even battle: the one in which the side that was hit less was hit most.

    Of equals the one with more hits in all comes first, then the shorter one.
    """
    ranked = [(_blows(session), session) for session in ended]
    met = [(blows, session) for blows, session in ranked if min(blows.values()) > 0]
    if not met:
        return None
    blows, session = max(met, key=lambda one: (*_measure(one[0]), -one[1].game.steps))
    return {
        "number": session.game.id,
        "least": min(blows.values()),
        "total": blows.total(),
        "steps": session.game.steps,
        "blows": [{"side": side, "count": count} for side, count in blows.items()],
    }


def _measure(blows: Counter[str]) -> tuple[int, int]:
    return min(blows.values()), blows.total()


def _blows(session: Session) -> Counter[str]:
    """Return how often each side was hit."""
    rules = session.rules
    blows = Counter({rules.side(session.state, seat): 0 for seat in rules.seats(session.state)})
    for step in session.store.steps.all(game=session.game.id):
        for event in codec.decode(step.events, list[rules.event]):  # type: ignore[name-defined]
            struck = rules.struck(event)
            if struck is not None:
                blows[rules.side(session.state, struck)] += 1
    return blows


def _cut(found: Standings) -> Standings:
    """Return standings with only the best careers, and the others counted."""
    careers = found["careers"]
    more = found["more"] + max(len(careers) - CAREERS, 0)
    return {**found, "careers": careers[:CAREERS], "more": more, "own": []}
