"""Open challenges: who is called to which battle, and whose word is still missing."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import chain, product
from typing import TYPE_CHECKING, Any

from engine import library
from engine.errors import SetupError
from engine.fair import Words
from engine.said import Said, say
from pbem.games import meetings
from pbem.games.session import career_of, piece_of
from pbem.league.visit import Refusal, Visit
from pbem.store import Challenge, Persona, Store

if TYPE_CHECKING:
    from pbem.office import Office


@dataclass(frozen=True, slots=True)
class Offer:
    """A challenge with the pilots of both teams, each in the order named.

    A duel has one pilot a team. `silent` are those whose players have not said yes.
    """

    challenge: Challenge
    ones: tuple[Persona, ...]
    others: tuple[Persona, ...]
    silent: tuple[Persona, ...]

    @property
    def pilots(self) -> tuple[Persona, ...]:
        """Give all pilots, the challenger's team first."""
        return self.ones + self.others

    @property
    def is_duel(self) -> bool:
        """Tell whether it is one against one."""
        return len(self.pilots) == 2

    def of(self, player: int) -> list[Persona]:
        """Give the pilots of a player."""
        return [row for row in self.pilots if row.player_id == player]

    def names_of(self, player: int) -> list[str]:
        """Return the names of a player's pilots."""
        return [row.name for row in self.of(player)]

    def awaits(self, player: int) -> bool:
        """Tell whether a player's word is missing."""
        return any(row.player_id == player for row in self.silent)

    def made_by(self, player: int) -> bool:
        """Tell whether a player is the challenger."""
        return self.ones[0].player_id == player

    def players(self) -> list[int]:
        """Give the players, the challenger first."""
        return list(dict.fromkeys(row.player_id for row in self.pilots))


def listed(pilots: Iterable[Persona]) -> str:
    """Say pilots' names as one reads them: `Hawk, Falcon and Finch`."""
    *most, last = [row.name for row in pilots]
    return say("{most} and {last}", most=most, last=last) if most else last


def offer_of(store: Store, found: Challenge) -> Offer:
    """Give an open challenge with its pilots."""
    called = store.summons.all(challenge=found.id)
    if not called:
        one, other = store.personas.get(found.one_id), store.personas.get(found.other_id)
        return Offer(found, (one,), (other,), (other,))
    rows = [(call, store.personas.get(call.persona_id)) for call in called]
    return Offer(
        found,
        ones=tuple(row for call, row in rows if call.team == "one"),
        others=tuple(row for call, row in rows if call.team == "other"),
        silent=tuple(row for call, row in rows if not call.accepted),
    )


def open_to(store: Store, row: Persona) -> list[Offer]:
    """Give the open challenges that a pilot has a part in."""
    found = store.challenges.all(one=row.id, state="open")
    found += store.challenges.all(other=row.id, state="open")
    calls = store.summons.all(persona=row.id, challenge__state="open")
    found += [store.challenges.get(call.challenge_id) for call in calls]
    return [offer_of(store, one) for one in {one.id: one for one in found}.values()]


def offers(visit: Visit) -> list[Offer]:
    """Give the open challenges that a player has a part in, the oldest first."""
    store = visit.office.store
    mine = store.personas.all(player=visit.player.id)
    found = {offer.challenge.id: offer for row in mine for offer in open_to(store, row)}
    return [found[number] for number in sorted(found)]


def chosen(visit: Visit, number: str | None, fit: Sequence[Offer]) -> Offer:
    """Give the open challenge of a number among those that fit, or the only one."""
    if number is not None:
        fit = [offer for offer in fit if offer.challenge.id == int(number)]
    if len(fit) == 1:
        return fit[0]
    if number is not None or not fit:
        which = say("no challenge is open for you")
        if number is not None:
            which = say("challenge {number} is not open for you", number=number)
        raise Refusal(which, say("STATUS lists the challenges that wait for you"))
    numbers = [offer.challenge.id for offer in fit]
    raise Refusal(
        say("which challenge? open are {numbers}", numbers=numbers),
        say("write its number behind the order"),
    )


def setup_of(ones: Sequence[Persona], others: Sequence[Persona], first: str) -> dict[str, object]:
    """Return the set-up of a battle of two teams as their pilots are now."""
    one, other = ([piece_of(row) for row in team] for team in (ones, others))
    begins = {"one": ones[0].name, "other": others[0].name, "": None}[first]
    return career_of(ones[0]).melee(one, other, begins)


def words_by_seat(store: Store, offer: Offer) -> dict[str, Words]:
    """Return the words of the players who made or took up a challenge, by their pilots' names."""
    found = offer.challenge
    words: dict[str, Words] = dict.fromkeys(
        offer.names_of(offer.ones[0].player_id), json.loads(found.words)
    )
    for call in store.summons.all(challenge=found.id, accepted=True):
        if call.words:
            words[store.personas.get(call.persona_id).name] = json.loads(call.words)
    return words


def facts(visit: Visit, offer: Offer) -> dict[str, Any]:
    """Give an open challenge as STATUS tells it."""
    return {
        "number": offer.challenge.id,
        "one": listed(offer.ones),
        "other": listed(offer.others),
        "team": not offer.is_duel,
        "yours": offer.made_by(visit.player.id),
        "answered": not offer.awaits(visit.player.id),
        "silent": [row.name for row in offer.silent],
    }


def busy(office: "Office", row: Persona, now: datetime) -> str | None:
    """Say why a pilot can't enter a battle now, or None."""
    if office.store.is_fighting(row.id):
        return say("{pilot} is in a game already", pilot=row.name)
    return career_of(row).available(piece_of(row), office.settings.league.day(now))


def bar(
    office: "Office", ones: Sequence[Persona], others: Sequence[Persona], now: datetime
) -> str | None:
    """Say why two teams can't fight each other now, or None."""
    pairs = list(product(ones, others))
    reasons = chain(
        (_bar_foes(*pair) for pair in pairs),
        (busy(office, row, now) for row in (*ones, *others)),
        (career_of(one).bar(piece_of(one), piece_of(other)) for one, other in pairs),
        (_too_many(team) for team in (ones, others)),
    )
    return next(filter(None, reasons), None)


def objection(ones: Sequence[Persona], others: Sequence[Persona]) -> Said | None:
    """Say why the rules refuse the set-up of a battle between two teams, or None."""
    one, other = ([piece_of(row) for row in team] for team in (ones, others))
    return refused(ones[0].system, career_of(ones[0]).melee(one, other, None))


def refused(system: str, setup: Mapping[str, object]) -> Said | None:
    """Say why the rules refuse a set-up, or None."""
    try:
        library.RULESETS[system].setup(setup)
    except SetupError as error:
        return say("the rules refuse this battle ({why})", why=str(error))
    return None


def _too_many(team: Sequence[Persona]) -> str | None:
    """Say why a team is more than one side holds, or None."""
    return career_of(team[0]).too_many([piece_of(row) for row in team])


def _bar_foes(one: Persona, other: Persona) -> str | None:
    if one.player_id == other.player_id:
        return say("{one} and {other} are of one player (SP-6)", one=one.name, other=other.name)
    if one.system != other.system:
        return say("{one} and {other} are of different games", one=one.name, other=other.name)
    return None


def is_friendly(
    office: "Office",
    ones: Sequence[Persona],
    others: Sequence[Persona],
    now: datetime,
    more: int = 0,
) -> bool:
    """Tell whether a battle that begins now is one too many of the same players on a day.

    It is played, and leaves nothing in careers. `more` are battles that may begin before it.
    """
    most, league = office.settings.limits.duels_a_day, office.settings.league
    one, other = ({row.player_id for row in team} for team in (ones, others))
    return 0 < most <= more + meetings.counted_today(office.store, league, one, other, now)


def often(office: "Office", offer: Offer, now: datetime) -> Said | str:
    """Say of a challenge that its battle may not count, for its players meet too often; or ""."""
    players = [{row.player_id for row in team} for team in (offer.ones, offer.others)]
    waiting = office.store.challenges.all(state="open", id__ne=offer.challenge.id)
    more = sum(_are_rivals(offer_of(office.store, one), players) for one in waiting)
    if not is_friendly(office, offer.ones, offer.others, now, more):
        return ""
    return say(
        "Of the battles that the same two players begin against each other on a day {most} count,"
        " and you have fought or arranged as many for today: what begins beyond them is friendly,"
        " and leaves nothing in careers",
        most=office.settings.limits.duels_a_day,
    )


def _are_rivals(offer: Offer, players: Sequence[set[int]]) -> bool:
    """Tell whether some of these players face each other in an open challenge too."""
    ones, others = ({row.player_id for row in team} for team in (offer.ones, offer.others))
    one, other = players
    return bool((ones & one and others & other) or (ones & other and others & one))
