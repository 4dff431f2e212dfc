"""What happened in a period, as everybody may know it: results, honours, losses, new pilots."""

import json
from collections import Counter
from collections.abc import Iterable
from datetime import datetime
from typing import TypedDict

from peewee import ColumnBase, Expression

from engine import fair_dice
from engine.i18n import Said
from engine.letter_texts import Beat, View
from pbem.games import commitments, offers, step_log, stories
from pbem.games.offers import OpenChallenge
from pbem.games.persona_rules import persona_sheet
from pbem.games.punctuality import NamedReliability, reliability
from pbem.games.reports.battle_account import step_seen, told
from pbem.games.reports.template_facts import Ended, ended
from pbem.games.session import Session, game_id
from pbem.games.standings import Standings, standings
from pbem.i18n.days import day
from pbem.news import front_page, stored_issues
from pbem.news.front_page import DuelTold, Headline, Record
from pbem.people import career_log, nominations, personas
from pbem.people.scrub import scrubbed
from pbem.settings.sections import LeagueSettings
from pbem.storage import Entry, Game, Persona, Store, stored_games


class EntryLine(TypedDict):
    """A news line of a persona's career; `sheet` is as it is now."""

    name: str
    sheet: View
    kind: str
    points: int
    facts: dict[str, object]
    game: int | None
    day: str


class SystemEntries(TypedDict):
    """The news lines of personas of one system; `more` is how many personas are not listed."""

    system: str
    lines: list[EntryLine]
    more: int


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


class Seekers(TypedDict):
    """Who looks for an opponent: pilots on patrol, and challenges to anybody."""

    patrols: list[str]
    calls: list[OpenChallenge]


class Citation(TypedDict):
    """A medal for heroism, with what was written for it."""

    pilot: str
    game: int
    lines: list[str]
    whose: int


class PassedEditorial(TypedDict):
    """An editorial that the moderator has approved."""

    number: int
    by: str
    lines: list[str]
    whose: int | None


class ManyCommitments(TypedDict):
    """Commitments too many to be listed: their games, and the fingerprint of their list."""

    count: int
    first: int
    last: int
    fingerprint: str


class Commitments(TypedDict):
    """The commitments of a period: listed, or counted where they are many."""

    commitments: list[commitments.Committed]
    many_commitments: ManyCommitments | None


class IssueFacts(Commitments):
    """The news of a period; `quiet` says that there is none, `unlisted` counts other results."""

    entries: list[SystemEntries]
    results: list[Result]
    headline: Headline | None
    duel: DuelTold | None
    records: list[Record]
    citations: list[Citation]
    seekers: Seekers
    editorials: list[PassedEditorial]
    since: str
    until: str
    quiet: bool
    unlisted: int
    standings: list[Standings]
    reliability: list[NamedReliability]


MOST = 20
"""How many of each kind of news are shown at most; the others are counted."""
SEEKERS = 10
CAREERS = 5
WEIGHTS = {"medal": 6, "retired": 5, "award": 4, "died": 3, "promoted": 2, "enlisted": 0}
"""What makes a persona's news worth reading, by the kinds of its entries; others count 1."""
LINE = 240
"""The most characters of a battle's one line of story."""


class News:
    """The news of the time after `since`, up to and including `until` (UTC)."""

    def __init__(
        self, store: Store, since: datetime, until: datetime, league: LeagueSettings
    ) -> None:
        self.store, self.since, self.until, self.league = store, since, until, league
        numbers = self._ended()
        self.ended = len(numbers)
        # The latest alone: each is opened, and there may be thousands.
        self.battles = [Session(store, store.get(Game, n)) for n in numbers[-front_page.LATEST :]]
        self.best = front_page.swung_most(self.battles)
        self._records = front_page.records(store, self.battles, frozenset(numbers))

    def facts(self, most: int = MOST) -> IssueFacts:
        """Return the news for a template, of each kind `most` at most, and the others counted."""
        battles, entries, citations = self.battles, self._entries(most), self._citations(most)
        seekers, editorials = self._seekers(most), self.editorials(most)
        waiting = seekers["patrols"] or seekers["calls"]
        quiet = not (battles or entries or citations or waiting or editorials)
        # Standings by themselves are not news.
        ranked = [] if quiet else [_cut(one) for one in standings(self.store)]
        shown = battles[-most:]
        return {
            "entries": entries,
            "headline": front_page.headline(battles, self.best),
            "duel": front_page.duel(self.best) if self.best else None,
            "records": self._records,
            "results": [self._result(session) for session in shown],
            "citations": citations,
            "seekers": seekers,
            "editorials": editorials,
            "since": self._day(self.since),
            "until": self._day(self.until),
            "quiet": quiet,
            **self._commitments(most),
            "unlisted": self.ended - len(shown),
            "standings": ranked,
            "reliability": self._reliability(ranked),
        }

    def _commitments(self, most: int) -> Commitments:
        """Return the commitments of the period, or their number and the fingerprint of their list.

        All readers see the same, so nobody can be shown another list (docs/dice.md).
        """
        made = commitments.pledges(self.store, made__gt=self.since, made__lte=self.until)
        if len(made) <= most:
            return {"commitments": [*map(commitments.facts, made)], "many_commitments": None}
        found = [(one.id, one.commitment) for one in made]
        fingerprint = fair_dice.fingerprint([[game_id(n), text] for n, text in found])
        many: ManyCommitments = {
            "count": len(found),
            "first": found[0][0],
            "last": found[-1][0],
            "fingerprint": fingerprint,
        }
        return {"commitments": [], "many_commitments": many}

    def _day(self, when: datetime) -> Said:
        return day(when.astimezone(self.league.zone))

    def _within(self, moment: ColumnBase) -> Expression:
        # One bound counts and the other does not, so each moment belongs to one issue.
        within: Expression = (moment > self.since) & (moment <= self.until)
        return within

    def _entries(self, most: int) -> list[SystemEntries]:
        """Return the news lines of careers by system, of the personas whose news weigh most."""
        weights: Counter[int] = Counter()
        told = career_log.news_within(self.store, self.since, self.until)
        for entry in told:
            number = entry.persona_id
            weights[number] = max(weights[number], WEIGHTS.get(entry.kind, 1))
        rows = self.store.by_key(Persona, weights)
        systems: dict[str, list[int]] = {}
        for number, row in rows.items():
            systems.setdefault(row.system, []).append(number)
        found = list[SystemEntries]()
        for system, numbers in systems.items():
            # Of equal weight the latest comes first.
            best = sorted(numbers, key=lambda number: (-weights[number], -number))[:most]
            shown = [
                self._line(one, rows[one.persona_id]) for one in told if one.persona_id in best
            ]
            found.append({"system": system, "lines": shown, "more": len(numbers) - len(best)})
        return found

    def _line(self, entry: Entry, row: Persona) -> EntryLine:
        return {
            "name": row.name,
            "sheet": persona_sheet(row),
            "kind": entry.kind,
            "points": entry.points,
            "facts": json.loads(entry.facts),
            "game": entry.game_id,
            "day": self._day(entry.at),
        }

    def _ended(self) -> list[int]:
        """Return the battles that ended, in that order; practice does not count."""
        return stored_games.ended_between(self.store, self.since, self.until)

    def _result(self, session: Session) -> Result:
        game, outcome = session.game, session.rules.outcome(session.state)
        view = session.rules.view(session.state, None)
        last = step_log.step(self.store, game.id, game.steps - 1)
        assert last is not None
        return {
            "number": game.id,
            "system": game.system,
            "day": self._day(game.ended or self.until),
            "teams": list(session.rules.teams(session.state)),
            "steps": front_page.length(session),
            "major": game.major == "approved",
            "outcome": ended(outcome) if outcome else None,
            "story": self._story(game),
            "beats": told(session.rules, [step_seen(session.rules, last, None)]),
            "view": view,
            # Templates choose their phrases by it (decision 0029).
            "game": {"commitment": game.commitment},
        }

    def _story(self, game: Game) -> StoryLine | None:
        """Return the last line that a player wrote about a battle in public."""
        facts = stories.stories_of(self.store, game.id)
        lines = [
            (one, line.strip()) for one in facts for line in self._lines(one.text, one.player_id)
        ]
        story, line = next(((s, text) for s, text in reversed(lines) if text), (None, ""))
        cut = line if len(line) <= LINE else line[:LINE].rsplit(" ", 1)[0] + " …"
        return {"seat": story.seat, "line": cut, "whose": story.player_id} if story else None

    def _lines(self, text: str, writer: int | None) -> list[str]:
        """Return the lines of a player's text that may be printed."""
        # Tokens, keys and addresses in a player's words must not reach others (fault 60).
        return scrubbed(self.store, text.splitlines(), writer)

    def _citations(self, most: int) -> list[Citation]:
        """Return the latest medals for heroism, with their citations."""
        found = nominations.given_within(self.store, self.since, self.until)[-most:]
        return [
            {
                "pilot": self.store.get(Persona, one.persona_id).name,
                "game": one.game_id,
                "lines": self._lines(one.citation, one.player_id),
                "whose": one.player_id,
            }
            for one in found
        ]

    def _seekers(self, most: int) -> Seekers:
        """Return who looks for an opponent now."""
        # As things are now: a pilot who has found an opponent since is left out.
        most = min(most, SEEKERS)
        names = [one.ones[0].name for one in offers.all_open(self.store, patrol=True)[:most]]
        return {"patrols": names, "calls": [one.facts() for one in offers.calls(self.store, most)]}

    def _reliability(self, ranked: Iterable[Standings]) -> list[NamedReliability]:
        """Return how the players of the listed pilots meet their deadlines, by pilots' names."""
        names = [line["name"] for one in ranked for line in one["careers"]]
        rows = [row for one in names if (row := personas.named(self.store, one)) is not None]
        # Each player once, by the name that stands first.
        firsts = {row.player_id: row.name for row in reversed(rows)}
        found: list[NamedReliability] = [
            {"name": row.name, **reliability(self.store, self.league, row.player_id)}
            for row in rows
            if firsts[row.player_id] == row.name
        ]
        return [one for one in found if one["asked"]]

    def editorials(self, most: int) -> list[PassedEditorial]:
        """Return the first editorials that the moderator has approved; others wait."""
        # Without a lower bound: one that was approved late is printed in the next issue.
        passed = stored_issues.editorials(self.store, state="passed", made__lte=self.until)
        return [
            {
                "number": one.id,
                "by": one.by,
                "lines": self._lines(one.text, one.player_id),
                "whose": one.player_id,
            }
            for one in passed[:most]
        ]


def _cut(found: Standings) -> Standings:
    """Return standings with only the best careers, and the others counted."""
    careers = found["careers"]
    more = found["more"] + max(len(careers) - CAREERS, 0)
    # An issue is printed once for all readers, so it lists nobody's own careers.
    return {**found, "careers": careers[:CAREERS], "more": more, "own": []}
