"""What goes on in the league, for its moderator: battles, challenges, players and rulings.

`pbem status` prints it, and `GM STATUS` sends it. Nothing here shows what is secret in a battle.
"""

import json
import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from engine.i18n import all_of, say, unpacked
from pbem.games import offers, ruling_log
from pbem.games.offers import listed
from pbem.games.session import Session
from pbem.outgoing.moderator_letter import decisions
from pbem.people import players
from pbem.settings import Settings
from pbem.storage import Game, Place, Player, Store, stored_games

log = logging.getLogger("pbem")

LATELY = timedelta(days=14)
"""Who joined since then is new, and who has not written since then is silent."""
_RULINGS = 10
"""How many of the latest rulings are listed."""

Moment = Callable[[datetime], str]
"""Writes a time for the reader."""


@dataclass(frozen=True, slots=True)
class Section:
    """A heading, and a sentence for each of what stands below it."""

    heading: str
    lines: Sequence[str]


@dataclass(frozen=True, slots=True)
class Battle:
    """A battle on one line: who fights, and whose orders are missing by when.

    `late` are the players who are waited for, each with the seat and the deadlines that they have
    missed in a row.
    """

    number: int
    system: str
    teams: tuple[str, ...]
    turn: int
    running: bool
    begun: datetime
    deadline: datetime | None
    paused: bool
    practice: bool
    late: tuple[tuple[str, str, int], ...]
    winner: str | None = None

    def line(self, moment: Moment) -> str:
        """Return it as a sentence."""
        about = say(
            "game {number}, {system}: {teams}",
            number=self.number,
            system=self.system,
            teams=against(self.teams),
        )
        if self.practice:
            about = say("{game} (practice)", game=about)
        if not self.running:
            return say("{game}; won by {winner}", game=about, winner=self.winner or say("nobody"))
        about = say("{game}; turn {turn}, {due}", game=about, turn=self.turn, due=self._due(moment))
        if not self.late:
            return about
        return say("{game}; waits for {players}", game=about, players=all_of(self._late()))

    def _due(self, moment: Moment) -> str:
        if self.deadline is not None:
            return say("due {when}", when=moment(self.deadline))
        return say("paused") if self.paused else say("without a deadline")

    def _late(self) -> list[str]:
        return [
            say(
                "{player} ({seat}; deadlines missed in a row: {misses})",
                player=player,
                seat=seat,
                misses=misses,
            )
            if misses
            else say("{player} ({seat})", player=player, seat=seat)
            for player, seat, misses in self.late
        ]


def against(teams: Iterable[str]) -> str:
    """Return the teams of a battle as its title has them: `Hawk against Kestrel`."""
    first, *others = teams
    for other in others:
        first = say("{one} against {other}", one=first, other=other)
    return first


def battles(store: Store, games: Iterable[Game]) -> list[Battle]:
    """Return battles, each on a line, without those at which the program fails."""
    found = list[Battle]()
    for game in games:
        # One damaged battle must not hide all others; `pbem fsck` tells what is wrong with it.
        with store.alone(log, "game %d can't be listed", game.id):
            found.append(_battle(store, game))
    return found


def _battle(store: Store, game: Game) -> Battle:
    session = Session(store, game)
    outcome = session.rules.outcome(session.state)
    return Battle(
        number=game.id,
        system=session.rules.title,
        teams=tuple(map(str, session.rules.teams(session.state))),
        turn=game.turn,
        running=game.running,
        begun=game.begun,
        deadline=game.deadline,
        paused=game.paused is not None,
        practice=game.practice,
        late=tuple(_late(store, place) for place in session.places.values() if _is_late(place)),
        winner=outcome.winner if outcome else None,
    )


def _is_late(place: Place) -> bool:
    return place.asked and not place.answered


def _late(store: Store, place: Place) -> tuple[str, str, int]:
    return store.get(Player, place.player_id).name, place.seat, place.misses


def challenges(store: Store, moment: Moment) -> Iterator[str]:
    """Yield the open challenges and patrols, a sentence each."""
    for offer in offers.all_open(store):
        text = say(
            "number {number}: {one} against {other}, since {when}",
            number=offer.number,
            one=listed(offer.ones),
            other=offer.opponents,
            when=moment(offer.row.made),
        )
        if offer.silent:
            text = say("{text}; waits for {pilots}", text=text, pilots=listed(offer.silent))
        yield text
    for patrol in offers.all_open(store, patrol=True):
        yield say(
            "{pilot} is on patrol since {when}",
            pilot=patrol.ones[0].name,
            when=moment(patrol.row.made),
        )


def newcomers(store: Store, now: datetime) -> list[Player]:
    """Return who joined lately and has confirmed it, the latest first."""
    return [one for one in players.confirmed(store) if one.joined > now - LATELY][::-1]


def silent(store: Store, now: datetime) -> list[Player]:
    """Return the players of running battles who have not written lately, the longest first."""
    bound = stored_games.players(store, game__running=True)
    found = (
        one
        for one in store.by_key(Player, bound).values()
        if one.confirmed and not one.banned and one.heard <= now - LATELY
    )
    return sorted(found, key=lambda one: one.heard)


def rulings(store: Store, moment: Moment) -> Iterator[str]:
    """Yield the latest rulings, a sentence each, the newest first."""
    for one in ruling_log.latest(store, _RULINGS):
        text = unpacked(json.loads(one.said)) if one.said else one.text
        yield say("{when}, game {game}: {text}", when=moment(one.made), game=one.game_id, text=text)


def sections(
    store: Store, settings: Settings, now: datetime, moment: Moment, most: int
) -> list[Section]:
    """Return what goes on in the league, with at most `most` lines in each section.

    Sections without a line are left out.
    """
    running = stored_games.latest(store, most + 1, running=True)
    found: tuple[tuple[str, Iterable[str]], ...] = (
        (say("What waits for you"), decisions(store, settings, now)),
        (say("Running games"), (one.line(moment) for one in battles(store, running))),
        (say("Open challenges"), challenges(store, moment)),
        (say("New players"), (_since(one, one.joined, moment) for one in newcomers(store, now))),
        (
            say("Silent, though a game goes on"),
            (_since(one, one.heard, moment) for one in silent(store, now)),
        ),
        (say("Latest rulings"), rulings(store, moment)),
    )
    whole = ((heading, list(lines)) for heading, lines in found)
    return [Section(heading, _cut(lines, most)) for heading, lines in whole if lines]


def _since(player: Player, when: datetime, moment: Moment) -> str:
    return say("{player}, since {when}", player=player.name, when=moment(when))


def _cut(lines: Sequence[str], most: int) -> list[str]:
    return [*lines[:most], *([say("and more")] if len(lines) > most else [])]
