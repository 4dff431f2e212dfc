"""Challenges that are not accepted yet: the pilots of the teams, and whose answer is missing."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TypedDict

from engine.i18n import say
from engine.names import quoted
from pbem.deadlines import due
from pbem.games.persona_rules import is_over
from pbem.people import absences
from pbem.settings.sections import LeagueSettings
from pbem.storage import Challenge, Persona, Store, Summons

SEATS = "SEATS"
"""The word of a challenge to anybody that says how many may play."""

TEAMS = ("one", "other", "third", "fourth")
"""What the database calls the teams of a challenge, the challenger's first."""


class OpenChallenge(TypedDict):
    """An open challenge on one line, each team as a sentence lists it, and what it asks for.

    With `anybody` any other player may take it.
    """

    number: int
    one: str
    other: str
    anybody: bool
    terms: str
    system: str


@dataclass(frozen=True, slots=True)
class Offer:
    """A challenge with the pilots of its teams, each in the order in which they were named.

    In a duel each team has one pilot. `silent` are the pilots whose players have not accepted yet.
    A challenge to anybody has no others, or those who have taken one of its seats.
    """

    challenge: Challenge
    teams: tuple[tuple[Persona, ...], ...]
    silent: tuple[Persona, ...]

    @property
    def ones(self) -> tuple[Persona, ...]:
        """Return the challenger's team."""
        return self.teams[0]

    @property
    def others(self) -> tuple[Persona, ...]:
        """Return the pilots of all other teams."""
        return tuple(row for team in self.teams[1:] for row in team)

    @property
    def pilots(self) -> tuple[Persona, ...]:
        """Return all pilots, the challenger's team first."""
        return self.ones + self.others

    @property
    def is_duel(self) -> bool:
        """Return whether it is one against one."""
        return len(self.ones) == 1 and len(self.others) <= 1

    @property
    def to_anybody(self) -> bool:
        """Return whether any other player may take it."""
        # The database has no empty `other`, so such a challenge names its challenger twice.
        return self.challenge.one_id == self.challenge.other_id

    @property
    def seats(self) -> int:
        """Return how many may play a challenge to anybody: two, or as it says."""
        word, *rest = self.challenge.terms.split()[:2] or [""]
        return int(rest[0]) if word == SEATS else 2

    @property
    def is_free(self) -> bool:
        """Return whether it is each against all others, and these are named."""
        return len(self.teams) > 2 and not self.to_anybody

    @property
    def opponents(self) -> str:
        """Return who is challenged, as a sentence lists them."""
        return say("anybody") if self.to_anybody else listed(self.others)

    def of(self, player: int) -> list[Persona]:
        """Return the pilots of a player."""
        return [row for row in self.pilots if row.player_id == player]

    def names_of(self, player: int) -> list[str]:
        """Return the names of a player's pilots."""
        return [row.name for row in self.of(player)]

    def names_besides(self, player: int) -> list[str]:
        """Return each other player by a pilot's name, as TELL takes it."""
        others = [one for one in self.pilots if one.player_id != player]
        return list({one.player_id: quoted(one.name) for one in others}.values())

    def awaits(self, player: int) -> bool:
        """Return whether a player's answer is missing."""
        return any(row.player_id == player for row in self.silent)

    def made_by(self, player: int) -> bool:
        """Return whether a player is the challenger."""
        return self.ones[0].player_id == player

    def players(self) -> list[int]:
        """Return the players, the challenger first."""
        return list(dict.fromkeys(row.player_id for row in self.pilots))


def listed(pilots: Iterable[Persona]) -> str:
    """Return pilots' names as a sentence lists them: `Hawk, Falcon and Finch`."""
    *most, last = [row.name for row in pilots]
    return say("{most} and {last}", most=most, last=last) if most else last


def offer_of(store: Store, found: Challenge) -> Offer:
    """Return an open challenge with its pilots."""
    called = store.summons.all(challenge=found.id)
    if found.one_id == found.other_id:
        joined = [(call, store.personas.get(call.persona_id)) for call in called]
        # Nobody is silent: to take a seat is to accept.
        return Offer(found, ((store.personas.get(found.one_id),), *_teams(joined)), ())
    # A duel has no summons: the challenge itself names both pilots.
    if not called:
        one, other = store.personas.get(found.one_id), store.personas.get(found.other_id)
        return Offer(found, ((one,), (other,)), (other,))
    rows = [(call, store.personas.get(call.persona_id)) for call in called]
    silent = tuple(row for call, row in rows if not call.accepted)
    return Offer(found, tuple(_teams(rows)), silent)


def _teams(rows: Sequence[tuple[Summons, Persona]]) -> list[tuple[Persona, ...]]:
    """Return the teams of those who were named, or have taken a seat."""
    found = (tuple(row for call, row in rows if call.team == team) for team in TEAMS)
    return [team for team in found if team]


def open_to(store: Store, row: Persona) -> list[Offer]:
    """Return the open challenges in which a pilot takes part."""
    found = store.challenges.all(one=row.id, state="open")
    found += store.challenges.all(other=row.id, state="open")
    calls = store.summons.all(persona=row.id, challenge__state="open")
    found += [store.challenges.get(call.challenge_id) for call in calls]
    # The same challenge may be found in two ways; it is listed once.
    return [offer_of(store, one) for one in {one.id: one for one in found}.values()]


def facts_of(offer: Offer) -> OpenChallenge:
    """Return an open challenge as facts for a template."""
    return {
        "number": offer.challenge.id,
        "one": listed(offer.ones),
        "other": offer.opponents,
        "anybody": offer.to_anybody,
        "terms": offer.challenge.terms,
        "system": offer.ones[0].system,
    }


def can_be_fought(offer: Offer) -> bool:
    """Return whether all pilots of a challenge still can fight at some time."""
    return not any(is_over(row) for row in offer.pilots if not row.is_guest)


def calls(store: Store, most: int) -> list[Offer]:
    """Return the latest open challenges to anybody whose pilots are alive and in no battle."""
    found = [offer_of(store, one) for one in store.calls(most)]
    return [offer for offer in found if _is_free(store, offer.ones[0])]


def _is_free(store: Store, row: Persona) -> bool:
    # A guest may be in many games at once (decision 0030).
    return row.is_guest or not (store.is_fighting(row.id) or is_over(row))


def lapses(store: Store, league: LeagueSettings, offer: Offer) -> datetime | None:
    """Return when an open challenge lapses; None where they stay open.

    Days on which somebody is away whose answer is missing do not count.
    """
    if not league.challenge_days:
        return None
    awaited = absences.calendar(store, league, [row.player_id for row in offer.silent])
    return due(offer.challenge.made, timedelta(days=league.challenge_days), awaited)
