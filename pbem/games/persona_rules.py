"""Personas as their systems see them: whether they may enter a game, and who comes after them."""

import json
import re
from collections.abc import Sequence
from datetime import datetime
from itertools import chain, combinations, count, product

from engine import registry
from engine.campaign import Campaign
from engine.campaign import Persona as Piece
from engine.errors import OrderError
from engine.guest_campaign import guests
from engine.i18n import say
from engine.letter_texts import View
from pbem.people import personas, players
from pbem.settings.sections import LeagueSettings
from pbem.storage import Persona, Store, stored_games

_NUMBERED = re.compile(r"(.+) (\d+)")
# A name has at most 30 characters (docs/rulings.md, SP-2).
_LONGEST = 26
"""The longest name that leaves room for a number after it, in characters."""


def piece_of(row: Persona) -> Piece:
    """Return a persona's row as the engine's Persona."""
    return Piece(row.name, row.side, json.loads(row.record))


def campaign_of(row: Persona) -> Campaign:
    """Return the campaign rules of a persona: its system's, or those for guests."""
    campaign = None if row.is_guest else registry.campaigns().get(row.system)
    return campaign or guests(registry.matches().get(row.system))


def unfit(row: Persona, league: LeagueSettings, now: datetime) -> str | None:
    """Return why a persona can't enter a game that counts, or None."""
    campaign, piece = campaign_of(row), piece_of(row)
    why = campaign.available(piece, league.day(now))
    # Where the league does not heal between games, only its moderator does.
    if why is None and campaign.healing is not None and not league.heals:
        return campaign.healing.ailing(piece)
    return why


def busy(store: Store, league: LeagueSettings, row: Persona, now: datetime) -> str | None:
    """Return why a persona can't enter a battle now, or None."""
    # A guest may be in many games at once (decision 0033).
    if not row.is_guest and stored_games.is_fighting(store, row.id):
        return say("{pilot} is in a game already", pilot=row.name)
    return unfit(row, league, now)


def mismatch(teams: Sequence[Sequence[Persona]]) -> str | None:
    """Return why the rules let teams of one system never fight as they are, or None."""
    pairs = (pair for one, other in combinations(teams, 2) for pair in product(one, other))
    reasons = chain(
        (campaign_of(one).bar(piece_of(one), piece_of(other)) for one, other in pairs),
        (campaign_of(team[0]).too_many([piece_of(row) for row in team]) for team in teams),
    )
    return next(filter(None, reasons), None)


def may_spend(store: Store, league: LeagueSettings, row: Persona, now: datetime) -> bool:
    """Return whether a persona may spend a point on a reward now."""
    rewards = campaign_of(row).rewards
    if rewards is None or stored_games.is_fighting(store, row.id):
        return False
    try:
        rewards.bid(piece_of(row), "1", "", league.day(now))
    except OrderError:
        return False
    return True


def persona_sheet(row: Persona) -> View:
    """Return a persona's sheet, for a template."""
    return campaign_of(row).sheet(piece_of(row))


def is_gone(row: Persona) -> bool:
    """Return whether a persona is dead or struck off."""
    return campaign_of(row).gone(piece_of(row))


def is_over(row: Persona) -> bool:
    """Return whether a persona will never fight again: dead, struck off or retired."""
    return is_gone(row) or persona_sheet(row)["retired"]


def may_meet_again(teams: Sequence[Sequence[Persona]]) -> bool:
    """Return whether the personas of a battle may fight it again, now or later."""
    rows = [row for team in teams for row in team if not row.is_guest]
    return not any(map(is_over, rows)) and (not rows or mismatch(teams) is None)


def heir(store: Store, row: Persona) -> str:
    """Return a free name for the successor of a persona that will never fight again, or ""."""
    if not is_over(row):
        return ""
    numbered = _NUMBERED.fullmatch(row.name)
    base, first = (numbered[1], int(numbered[2]) + 1) if numbered else (row.name, 2)
    names = (f"{base[:_LONGEST]} {number}" for number in count(first))
    # Players and personas share one name space (decision 0021).
    return next(n for n in names if not (personas.named(store, n) or players.named(store, n)))
