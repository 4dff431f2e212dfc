"""What one player has, and what waits for them: the reader's own part of the newsletter."""

from datetime import datetime
from typing import TypedDict

from engine.i18n import say
from engine.letter_texts import View
from pbem.games import offers
from pbem.games.offers import OpenChallenge
from pbem.games.persona_rules import campaign_of, heir, is_over, persona_sheet, piece_of, unfit
from pbem.games.reports.reports import Reports
from pbem.games.reports.template_facts import Moment
from pbem.people import personas
from pbem.storage import Game, Persona, Player, stored_games


class OwnPilot(TypedDict):
    """A persona of the reader; `bar` says why it can't fight now.

    `heir` is a name for the next one where this one was the reader's last, or "".
    """

    name: str
    system: str
    sheet: View
    bar: str
    heir: str


class OwedOrders(TypedDict):
    """A battle that waits for the reader's orders."""

    number: int
    seat: str
    deadline: Moment | None


class Owed(TypedDict):
    """What waits for one reader; `choices` are personas with a reward to choose."""

    pilots: list[OwnPilot]
    orders: list[OwedOrders]
    challenges: list[OpenChallenge]
    choices: list[str]


MOST = 8
"""How many of each are shown; STATUS lists all."""


def owed(reports: Reports, player: Player, now: datetime) -> Owed:
    """Return a player's pilots, and the battles, challenges and rewards that wait for them."""
    mine = personas.of(reports.store, player.id)
    fighting = [row for row in mine if not is_over(row)]
    return {
        # Where nobody is left, the last one is shown, with a name for an heir.
        "pilots": [_pilot(reports, row, now) for row in (fighting or mine[-1:])[:MOST]],
        "orders": _orders(reports, player),
        "challenges": _challenges(reports, player),
        "choices": [row.name for row in mine if persona_sheet(row)["owed"]][:MOST],
    }


def _pilot(reports: Reports, row: Persona, now: datetime) -> OwnPilot:
    campaign, piece = campaign_of(row), piece_of(row)
    fighting = say("in battle") if stored_games.is_fighting(reports.store, row.id) else ""
    return {
        "name": row.name,
        "system": row.system,
        "sheet": campaign.sheet(piece),
        "bar": unfit(row, reports.settings.league, now) or fighting,
        "heir": heir(reports.store, row),
    }


def _orders(reports: Reports, player: Player) -> list[OwedOrders]:
    """Return the battles that wait for the player's orders."""
    waiting = [
        p for p in stored_games.places_of(reports.store, player.id) if p.asked and not p.answered
    ]
    return [
        {
            "number": place.game_id,
            "seat": place.seat,
            "deadline": reports.moment(reports.store.get(Game, place.game_id).deadline, player),
        }
        for place in waiting[:MOST]
    ]


def _challenges(reports: Reports, player: Player) -> list[OpenChallenge]:
    """Return the challenges that wait for the player's answer."""
    found = offers.waiting(reports.store, player)
    return [offer.facts() for offer in found if offer.awaits(player.id)][:MOST]
