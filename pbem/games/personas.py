"""Personas as their systems see them: their campaign, and whether they may enter a game."""

import json
from datetime import datetime

from engine import registry
from engine.campaign import Campaign
from engine.campaign import Persona as Piece
from engine.stand_ins import guests
from pbem.settings.sections import LeagueSettings
from pbem.storage import Persona


def piece_of(row: Persona) -> Piece:
    """Return a persona's row as the engine's Persona."""
    return Piece(row.name, row.side, json.loads(row.record))


def campaign_of(row: Persona) -> Campaign:
    """Return the campaign rules of a persona: its system's, or those for guests."""
    rules = registry.rules_of(row.system)
    return guests(rules) if row.is_guest or rules.campaign is None else rules.campaign


def unfit(row: Persona, league: LeagueSettings, now: datetime) -> str | None:
    """Return why a persona can't enter a game that counts, or None."""
    campaign, piece = campaign_of(row), piece_of(row)
    why = campaign.available(piece, league.day(now))
    if why is None and campaign.healing is not None and not league.heals:
        return campaign.healing.ailing(piece)
    return why
