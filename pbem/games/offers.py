"""Offers of battles: who has which seat, and who has accepted; only here their tables are used."""

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import NamedTuple, TypedDict

from peewee import fn

from engine.fair_dice import Words
from engine.i18n import say
from engine.names import quoted
from pbem.games.persona_rules import is_over
from pbem.outgoing.outbox import Outbox
from pbem.people import absences, personas
from pbem.settings.calendar import due
from pbem.settings.sections import LeagueSettings
from pbem.storage import Game, Offer, OfferSeat, Persona, Player, Pledge, Store, stored_games


class NewSeat(NamedTuple):
    """A seat to offer: its team, for whom (None: for anybody), and their words if they accept.

    `standing` are the standing orders that the battle begins with for it.
    """

    team: int
    persona: Persona | None = None
    words: Words | None = None
    standing: str = ""


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
class OfferedBattle:
    """A battle that is offered, with its seats by team, and the personas that have them."""

    row: Offer
    seats: tuple[tuple[OfferSeat, Persona | None], ...]

    @property
    def number(self) -> int:
        """Return the number by which players answer it."""
        return self.row.number

    @property
    def teams(self) -> list[list[Persona]]:
        """Return the personas of each team that has any, the team first that offers it."""
        teams: dict[int, list[Persona]] = {}
        for seat, persona in self.seats:
            if persona is not None:
                teams.setdefault(seat.team, []).append(persona)
        return list(teams.values())

    @property
    def ones(self) -> list[Persona]:
        """Return the team that offers it."""
        return self.teams[0]

    @property
    def others(self) -> list[Persona]:
        """Return the personas of all other teams."""
        return [row for team in self.teams[1:] for row in team]

    @property
    def pilots(self) -> list[Persona]:
        """Return all personas, the offering team first."""
        return self.ones + self.others

    @property
    def silent(self) -> list[Persona]:
        """Return the personas whose players have not accepted yet."""
        return [row for seat, row in self.seats if row is not None and not seat.accepted]

    @property
    def is_duel(self) -> bool:
        """Return whether it is one against one."""
        return len(self.ones) == 1 and len(self.others) <= 1

    @property
    def to_anybody(self) -> bool:
        """Return whether any other player may take a seat of it."""
        return any(persona is None for _, persona in self.seats)

    @property
    def is_free(self) -> bool:
        """Return whether it is each against all others, and these are named."""
        return len(self.teams) > 2 and not self.to_anybody

    @property
    def opponents(self) -> str:
        """Return who is challenged, as a sentence lists them."""
        return say("anybody") if self.to_anybody else listed(self.others)

    @property
    def asked(self) -> str:
        """Return what it asks for, as an order writes it."""
        many = self.to_anybody and len(self.seats) > 2
        return f"SEATS {len(self.seats)} {self.row.terms}".strip() if many else self.row.terms

    @property
    def words(self) -> dict[str, Words]:
        """Return what players have added to its dice, by the names of their personas."""
        spoken = ((row, seat.words) for seat, row in self.seats if seat.words)
        return {row.name: json.loads(words) for row, words in spoken if row is not None}

    @property
    def standing(self) -> dict[str, str]:
        """Return the standing orders that the battle begins with, by the names of personas."""
        return {row.name: seat.standing for seat, row in self.seats if row is not None}

    def of(self, player: int) -> list[Persona]:
        """Return the personas of a player."""
        return [row for row in self.pilots if row.player_id == player]

    def names_besides(self, player: int) -> list[str]:
        """Return each other player by a persona's name, as TELL takes it."""
        others = [one for one in self.pilots if one.player_id != player]
        return list({one.player_id: quoted(one.name) for one in others}.values())

    def awaits(self, player: int) -> bool:
        """Return whether a player's answer is missing."""
        return any(row.player_id == player for row in self.silent)

    def made_by(self, player: int) -> bool:
        """Return whether a player has offered it."""
        return self.ones[0].player_id == player

    def players(self) -> list[int]:
        """Return the players, the one first who offers it."""
        return list(dict.fromkeys(row.player_id for row in self.pilots))

    def facts(self) -> OpenChallenge:
        """Return it as facts for a template."""
        return {
            "number": self.number,
            "one": listed(self.ones),
            "other": self.opponents,
            "anybody": self.to_anybody,
            "terms": self.asked,
            "system": self.row.system,
        }


def listed(pilots: Iterable[Persona]) -> str:
    """Return pilots' names as a sentence lists them: `Hawk, Falcon and Finch`."""
    *most, last = [row.name for row in pilots]
    return say("{most} and {last}", most=most, last=last) if most else last


def _read(store: Store, rows: Sequence[Offer]) -> list[OfferedBattle]:
    """Return offers with their seats and personas, which are all read at once."""
    found = (
        store.all(
            OfferSeat.select()
            .where(OfferSeat.offer.in_([row.id for row in rows]))
            .order_by(OfferSeat.id)
        )
        if rows
        else []
    )
    numbers = {seat.persona_id for seat in found if seat.persona_id is not None}
    entered = store.by_key(Persona, numbers)
    seats: dict[int, list[tuple[OfferSeat, Persona | None]]] = {row.id: [] for row in rows}
    for seat in sorted(found, key=lambda seat: (seat.team, seat.position)):
        persona = None if seat.persona_id is None else entered[seat.persona_id]
        seats[seat.offer_id].append((seat, persona))
    return [OfferedBattle(row, tuple(seats[row.id])) for row in rows]


def get(store: Store, key: int) -> OfferedBattle:
    """Return the offer of a key in the database."""
    return _read(store, [store.get(Offer, key)])[0]


def challenge(store: Store, number: int) -> OfferedBattle | None:
    """Return the challenge of a number, in whatever state, or None."""
    found = store.first(Offer.select().where(Offer.patrol == False, Offer.number == number))
    return None if found is None else _read(store, [found])[0]


def all_open(store: Store, *, patrol: bool = False) -> list[OfferedBattle]:
    """Return the open challenges, or the patrols, the oldest first."""
    return _read(
        store,
        store.all(
            Offer.select().where(Offer.patrol == patrol, Offer.state == "open").order_by(Offer.id)
        ),
    )


def made_until(store: Store, until: datetime, *, patrol: bool = False) -> list[OfferedBattle]:
    """Return the open challenges, or the patrols, that were made until a time, the oldest first."""
    return _read(
        store,
        store.all(
            Offer.select()
            .where(Offer.patrol == patrol, Offer.state == "open", Offer.made <= until)
            .order_by(Offer.id)
        ),
    )


def count(store: Store) -> int:
    """Return how many challenges are open."""
    return store.count(Offer.select().where(Offer.patrol == False, Offer.state == "open"))


def open_with(store: Store, row: Persona, *, patrol: bool = False) -> list[OfferedBattle]:
    """Return the open challenges, or the patrol, in which a persona has a seat."""
    found = store.tuples(
        OfferSeat.select(OfferSeat.offer)
        .where(
            OfferSeat.persona == row.id,
            OfferSeat.offer.in_(Offer.select(Offer.id).where(Offer.patrol == patrol)),
            OfferSeat.offer.in_(Offer.select(Offer.id).where(Offer.state == "open")),
        )
        .order_by(OfferSeat.id)
    )
    return _of_keys(store, [key for (key,) in found])


def open_of(store: Store, players: Collection[int]) -> list[OfferedBattle]:
    """Return the open challenges in which some players have a seat."""
    found = store.tuples(
        OfferSeat.select(OfferSeat.offer)
        .where(
            OfferSeat.persona.in_(personas.owned_by(players)),
            OfferSeat.offer.in_(Offer.select(Offer.id).where(Offer.patrol == False)),
            OfferSeat.offer.in_(Offer.select(Offer.id).where(Offer.state == "open")),
        )
        .order_by(OfferSeat.id)
    )
    return _of_keys(store, [key for (key,) in found])


def _of_keys(store: Store, keys: Collection[int]) -> list[OfferedBattle]:
    """Return the offers of some keys in the database, the oldest first."""
    return (
        _read(store, store.all(Offer.select().where(Offer.id.in_([*{*keys}])).order_by(Offer.id)))
        if keys
        else []
    )


def patrol_of(store: Store, row: Persona) -> OfferedBattle | None:
    """Return a persona's patrol, if it is on one."""
    found = open_with(store, row, patrol=True)
    return found[0] if found else None


def calls(store: Store, most: int) -> list[OfferedBattle]:
    """Return the latest open challenges to anybody whose challengers may fight now."""
    found = store.tuples(
        OfferSeat.select(OfferSeat.offer)
        .where(
            OfferSeat.persona.is_null(),
            OfferSeat.offer.in_(Offer.select(Offer.id).where(Offer.patrol == False)),
            OfferSeat.offer.in_(Offer.select(Offer.id).where(Offer.state == "open")),
        )
        .order_by(OfferSeat.id)
    )
    latest = sorted({key for (key,) in found})[-most:]
    # A guest may be in many games at once (decision 0030).
    return [
        offer
        for offer in reversed(_of_keys(store, latest))
        if (one := offer.ones[0]).is_guest
        or not (stored_games.is_fighting(store, one.id) or is_over(one))
    ]


def waiting(store: Store, player: Player) -> list[OfferedBattle]:
    """Return the open challenges that a player has a part in, the oldest first.

    Those with a persona that will never fight again are left out; they lapse.
    """
    return [
        offer
        for offer in open_of(store, [player.id])
        if not any(is_over(row) for row in offer.pilots if not row.is_guest)
    ]


def add(
    store: Store,
    pledge: Pledge,
    seats: Sequence[NewSeat],
    now: datetime,
    *,
    patrol: bool = False,
    first: int = 0,
    major: bool = False,
    terms: str = "",
    channel: str = "",
) -> OfferedBattle:
    """Record an offer, with its seats in the order in which they are named."""
    made = store.create(
        Offer,
        patrol=patrol,
        number=(store.scalar(Offer.select(fn.MAX(Offer.number)).where(Offer.patrol == patrol)) or 0)
        + 1,
        system=pledge.system,
        pledge=pledge.id,
        made=now,
        first=first,
        major=major,
        terms=terms,
        channel=channel,
    )
    for position, seat in enumerate(seats, 1):
        store.run(
            OfferSeat.insert(
                offer=made.id,
                position=position,
                team=seat.team,
                persona=seat.persona.id if seat.persona else None,
                accepted=seat.words is not None,
                words="" if seat.words is None else json.dumps(seat.words),
                standing=seat.standing,
            )
        )
    return get(store, made.id)


def accept(
    store: Store, offer: OfferedBattle, player: int, words: Words, standing: Mapping[int, str]
) -> OfferedBattle:
    """Accept an offer for all personas of a player, and return it as it is then.

    `standing` are the standing orders that the battle begins with, by the personas' numbers.
    """
    for seat, row in offer.seats:
        if row is not None and row.player_id == player:
            accepted = OfferSeat.update(
                accepted=True, words=json.dumps(words), standing=standing[row.id]
            )
            store.run(accepted.where(OfferSeat.id == seat.id))
    return get(store, offer.row.id)


def take_seat(
    store: Store, offer: OfferedBattle, row: Persona, words: Words, standing: str
) -> OfferedBattle:
    """Give the first free seat of an offer to a persona, and return the offer as it is then."""
    free = next(seat for seat, persona in offer.seats if persona is None)
    taken = OfferSeat.update(
        persona=row.id, accepted=True, words=json.dumps(words), standing=standing
    )
    store.run(taken.where(OfferSeat.id == free.id))
    return get(store, offer.row.id)


def leave_seat(store: Store, offer: OfferedBattle, row: Persona) -> None:
    """Free a persona's seat of an offer for anybody; it is the last to be taken."""
    [left] = [seat for seat, persona in offer.seats if persona == row]
    last = max(seat.position for seat, _ in offer.seats)
    store.run(
        OfferSeat.update(
            persona=None, accepted=False, words="", standing="", position=last + 1
        ).where(OfferSeat.id == left.id)
    )


def end(store: Store, offer: OfferedBattle, state: str) -> None:
    """End an offer in a state such as begun or lapsed; its standing orders are forgotten."""
    store.run(Offer.update(state=state).where(Offer.id == offer.row.id))
    store.run(OfferSeat.update(standing="").where(OfferSeat.offer == offer.row.id))


def change_pledge(store: Store, offer: OfferedBattle, pledge: Pledge) -> OfferedBattle:
    """Offer a battle under another game's number, and return it as it is then."""
    store.run(Offer.update(pledge=pledge.id).where(Offer.id == offer.row.id))
    return get(store, offer.row.id)


def bring_back(store: Store, now: datetime) -> None:
    """Let patrols that a wrong clock dates in the future begin now."""
    store.run(
        Offer.update(made=now).where(Offer.patrol == True, Offer.state == "open", Offer.made > now)
    )


def lapses(store: Store, league: LeagueSettings, offer: OfferedBattle) -> datetime | None:
    """Return when an open challenge lapses; None where they stay open.

    Days on which somebody is away whose answer is missing do not count.
    """
    if not league.challenge_days:
        return None
    awaited = absences.calendar(store, league, [row.player_id for row in offer.silent])
    return due(offer.row.made, timedelta(days=league.challenge_days), awaited)


def end_patrol(store: Store, outbox: Outbox, row: Persona, game: Game, now: datetime) -> None:
    """End the patrol of a persona that enters another battle, and notify its player."""
    patrol = patrol_of(store, row)
    if patrol is None:
        return
    end(store, patrol, "lapsed")
    outbox.write(
        store.get(Player, row.player_id),
        "notice",
        now,
        ident=("patrol", patrol.number),
        title=say("{pilot} is on patrol no longer", pilot=row.name),
        text=say(
            "{pilot} has got into game {game}, so the patrol is over.", pilot=row.name, game=game.id
        ),
    )
