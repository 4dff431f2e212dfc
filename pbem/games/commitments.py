"""Commitments: a game's number and secret, reserved and committed to before it begins (dice.md)."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import TypedDict

from engine import fair_dice, registry
from engine.campaign import Persona as Piece
from engine.fair_dice import Words
from pbem.games.session import game_id
from pbem.storage import Persona, Pledge, Store


@dataclass(frozen=True, slots=True)
class Entrant:
    """A persona that enters a game, as row and as the engine's piece, with its player's words.

    `standing` are its standing orders, as lines in English.
    """

    persona: Persona
    piece: Piece
    words: Words = field(default_factory=fair_dice.no_words)
    standing: str = ""


Terms = Mapping[str, object]


class Committed(TypedDict):
    """What everybody may see of a pledge: the game's number and the commitment."""

    game: int
    commitment: str


def draw(store: Store) -> tuple[int, bytes]:
    """Return the next game's number, and a new secret for it.

    Numbers are counted here and not by the database, so that none is ever skipped.
    """
    return store.newest(Pledge) + 1, store.fresh_secret(Pledge)


def reserve(
    store: Store,
    system: str,
    terms: Terms,
    now: datetime,
    drawn: tuple[int, bytes] | None = None,
) -> Pledge:
    """Reserve the next game's number, and commit to it and its secret under some terms."""
    # A part of what is committed to: a game keeps the rules with which it began.
    version = registry.RULESETS[system].version
    number, secret = drawn or draw(store)
    return store.create(
        Pledge,
        id=number,
        system=system,
        version=version,
        terms=json.dumps(dict(terms)),
        secret=secret,
        commitment=fair_dice.commitment(secret, game_id(number), system, version, terms),
        made=now,
    )


def pledges(store: Store, **which: object) -> list[Pledge]:
    """Return the pledges with some values, in the words of peewee's `filter`, oldest first."""
    return store.all(Pledge.select().filter(**which).order_by(Pledge.id))


def battle_terms(setup: Mapping[str, object]) -> Terms:
    """Return the terms of a battle whose set-up is known."""
    return {"setup": fair_dice.fingerprint(setup)}


def patrol_terms(pilot: str) -> Terms:
    """Return the terms of a battle of a pilot on patrol, whose opponent is not known yet."""
    return {"patrol": pilot}


def undo_terms(setup: Mapping[str, object], step: int) -> Terms:
    """Return the terms of a new secret, after the UNDO at a step took back a battle's end."""
    return {"setup": fair_dice.fingerprint(setup), "undo": step}


def covers(pledge: Pledge, setup: Mapping[str, object]) -> bool:
    """Return whether a pledge is for a battle of exactly this set-up, by the current rules."""
    # What was changed since makes another set-up, which needs a new commitment (BS-28).
    return bool(json.loads(pledge.terms) == battle_terms(setup)) and is_current(pledge)


def is_current(pledge: Pledge) -> bool:
    """Return whether a pledge is for the current rules, and not for an earlier version."""
    return pledge.version == registry.rules_of(pledge.system).version


def facts(pledge: Pledge) -> Committed:
    """Return what is shown of a pledge, as facts for a template."""
    return {"game": pledge.id, "commitment": pledge.commitment}
