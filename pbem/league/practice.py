"""PRACTICE: a duel with a house pilot, which counts for nothing and is answered at once."""

from re import Match
from typing import Any

from engine import fair, library
from engine.dice import KeyedDice
from engine.ruleset import Ruleset
from engine.said import say, spoken
from pbem.games import pledges
from pbem.games.referee import Entrant
from pbem.games.session import career_of, game_id, piece_of
from pbem.league.offers import refused
from pbem.league.own import called, own
from pbem.league.visit import Answer, Refusal, Visit
from pbem.store import Persona

_USUAL = "sound"
_EXAMPLE = say("PRACTICE WITH Hawk AGAINST sharp")


def practice(visit: Visit, match: Match[str]) -> Answer:
    """Begin a duel with a house pilot as strong as one's own."""
    office, row = visit.office, _pilot(visit, match["name"])
    rules = library.RULESETS[row.system]
    strength = _strength(rules, match["strength"] or _USUAL)
    piece, career = piece_of(row), career_of(row)
    number, secret = drawn = pledges.draw(office.store)
    whims = KeyedDice(fair.sparring(secret, game_id(number), {row.name: visit.words}))
    setup = career.duel(piece, career.sparring(piece, whims), None)
    if (refusal := refused(row.system, setup)) is not None:
        raise Refusal(refusal)
    terms = pledges.battle_terms(setup)
    game = office.referee.begin(
        row.system,
        setup,
        [Entrant(row, piece, visit.words)],
        visit.now,
        house=strength,
        practice=True,
        pledge=pledges.reserve(office.store, row.system, terms, visit.now, drawn),
    )
    return Answer(
        True, say("game {game} begins; its first letter follows", game=game.id), told=True
    )


def _strength(rules: Ruleset[Any, Any], word: str) -> str:
    if word.lower() not in rules.house:
        known = spoken(rules.house)
        raise Refusal(
            say(
                "the house has none called {word}; it has {known}",
                word=word,
                known=known,
            ),
            _EXAMPLE,
        )
    return word.lower()


def _pilot(visit: Visit, name: str | None) -> Persona:
    """Give the pilot named, or the only one that may practise; raises Refusal."""
    if name is not None:
        row = own(visit, name)
        barred = _bar(visit, row)
        if barred is not None:
            raise Refusal(barred)
        return row
    mine = visit.office.store.personas.all(player=visit.player.id)
    free = [row for row in mine if _bar(visit, row) is None]
    if len(free) != 1:
        raise Refusal(say("say with which of your {many}", many=called(visit).many), _EXAMPLE)
    return free[0]


def _bar(visit: Visit, row: Persona) -> str | None:
    """Say why a pilot can't practise now, or None; one in battle can, on another ship."""
    store = visit.office.store
    running = store.places.find(persona=row.id, game__running=True, game__practice=True)
    if running is not None:
        return say(
            "{pilot} is practising already, in game {game}", pilot=row.name, game=running.game_id
        )
    return career_of(row).available(piece_of(row), visit.day)
