"""The thread of a challenge, on the board where it is to be played."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Literal, TypedDict

from engine.letter_texts import View
from pbem.games import commitments, offers
from pbem.games.offers import OfferedBattle, lapses, listed
from pbem.games.persona_rules import persona_sheet
from pbem.games.reports.template_facts import Moment
from pbem.games.session import game_id
from pbem.handlers.offers.checks import often
from pbem.handlers.ports import Ports
from pbem.handlers.request import Request
from pbem.storage import Persona, Pledge, queues


class ShownPilot(TypedDict):
    """Who is to fight; a player of a game without a campaign has no sheet."""

    name: str
    sheet: View | None


class ChallengeFacts(TypedDict):
    """What everybody may know of a challenge; `first` leads the side that begins, "" for the dice.

    With `anybody` there is one team, and `seats` may fight. `often` says why it may not count.
    """

    number: int
    teams: list[list[ShownPilot]]
    anybody: bool
    seats: int
    first: str
    major: bool
    terms: str
    often: str
    until: Moment | None
    pledge: commitments.Committed


def open_thread(ports: Ports, offer: OfferedBattle, now: datetime) -> None:
    """Post a challenge as the first post of its battle's thread."""
    _post(ports, offer, "challenge", "challenge", now, {**_facts(ports, offer, now)})


def move_thread(ports: Ports, offer: OfferedBattle, pledge: Pledge, now: datetime) -> OfferedBattle:
    """Offer a battle under the number of a new pledge, and say so in its thread, which goes on.

    Return the offer as it is then.
    """
    made = offer.row
    queues.move_thread(ports.store, made.channel, game_id(made.pledge_id), game_id(pledge.id))
    renewed = offers.change_pledge(ports.store, offer, pledge)
    facts = {"number": made.number, "pledge": commitments.facts(pledge)}
    _post(ports, renewed, "renewed", "renewed", now, facts)
    return renewed


def close_thread(
    ports: Ports,
    offer: OfferedBattle,
    now: datetime,
    how: Literal["declined", "withdrawn", "lapsed", "void"],
    why: str = "",
) -> None:
    """Say in the thread that a challenge leads to no battle, and for a void one why."""
    facts = {"number": offer.number, "one": listed(offer.ones), "other": offer.opponents}
    _post(ports, offer, "called_off", how, now, {"how": how, "why": why, **facts})


def stands_in(request: Request, offer: OfferedBattle) -> bool:
    """Return whether an order was written in the thread of the challenge that it is about."""
    return request.in_thread and request.letter.thread == game_id(offer.row.pledge_id)


def _post(
    ports: Ports,
    offer: OfferedBattle,
    kind: str,
    name: str,
    now: datetime,
    facts: Mapping[str, Any],
) -> None:
    made, thread = offer.row, game_id(offer.row.pledge_id)
    if made.channel:
        ident, only = f"{thread}-{name}", made.channel
        ports.posts.write(
            kind, now, ident=ident, thread=thread, system=made.system, only=only, **facts
        )


def _facts(ports: Ports, offer: OfferedBattle, now: datetime) -> ChallengeFacts:
    made, store = offer.row, ports.store
    first = offer.teams[made.first - 1][0].name if 0 < made.first <= len(offer.teams) else ""
    return {
        "number": made.number,
        "teams": [[_shown(row) for row in team] for team in offer.teams],
        "anybody": offer.to_anybody,
        "seats": len(offer.seats) if offer.to_anybody else 2,
        "first": first,
        "major": made.major,
        "terms": offer.asked,
        "often": often(ports, offer, now),
        "until": ports.reports.moment(lapses(store, ports.settings.league, offer)),
        "pledge": commitments.facts(store.get(Pledge, made.pledge_id)),
    }


def _shown(row: Persona) -> ShownPilot:
    return {"name": row.name, "sheet": None if row.is_guest else persona_sheet(row)}
