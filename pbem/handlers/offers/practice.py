"""PRACTICE: a duel with a bot, which does not count and is answered at once."""

from datetime import datetime
from re import Match

from engine import registry
from engine.i18n import Said, say, spoken
from engine.ruleset import AnyRuleset
from pbem.games import commitments
from pbem.games.persona_rules import campaign_of, piece_of
from pbem.games.referee import Entrant
from pbem.handlers.names.doctrines import given
from pbem.handlers.offers.beginning import against_bot, begins
from pbem.handlers.offers.checks import in_place_of, own_or_only, refused
from pbem.handlers.offers.live_rooms import refuse_live
from pbem.handlers.ports import Ports
from pbem.handlers.request import Answer, Refusal, Request, Taps, refuse_if
from pbem.storage import Persona, stored_games

_USUAL = "sound"
_EXAMPLE = say("PRACTICE WITH Hawk AGAINST sharp")


def practice(request: Request, match: Match[str]) -> Answer:
    """Begin a duel between the player's pilot and an equal bot."""
    row = own_or_only(request, match["name"], _EXAMPLE, _bar, _with)
    check(request, row)
    rules = registry.RULESETS[row.system]
    strength = _strength(rules, match["strength"] or _USUAL)
    return against_house(request, row, strength, match["doctrine"])


def _with(pilot: str) -> Said:
    return say("PRACTICE WITH {pilot}", pilot=pilot)


def against_house(
    request: Request, row: Persona, strength: str, doctrine: str | None = None
) -> Answer:
    """Begin a duel between a pilot, with a doctrine or without, and an equal bot of a strength."""
    ports = request.ports
    standing = given(request, [row], doctrine)[row.id]
    # The opponent is drawn with the secret, and the commitment covers the opponent: so draw first.
    number, secret = drawn = commitments.draw(ports.store)
    setup = against_bot(row, number, secret, {row.name: request.words})
    refuse_if(refused(row.system, setup))
    terms = commitments.battle_terms(setup)
    game = ports.referee.begin(
        row.system,
        setup,
        [Entrant(row, piece_of(row), request.words, standing)],
        request.now,
        bots=strength,
        practice=True,
        room=(request.letter.channel, "") if request.live else None,
        pledge=commitments.reserve(ports.store, row.system, terms, request.now, drawn),
    )
    return Answer(True, begins(game), separate=True)


def _strength(rules: AnyRuleset, word: str) -> str:
    if word.lower() not in rules.strengths:
        known = spoken(rules.strengths)
        raise Refusal(
            say(
                "no opponent of the referee's is called {word}; there are {known}",
                word=word,
                known=known,
            ),
            _EXAMPLE,
        )
    return word.lower()


def check(request: Request, row: Persona) -> None:
    """Raise Refusal where a pilot can't practise now."""
    refuse_live(request, row)
    why = _bar(request.ports, row, request.now)
    if why is not None:
        raise Refusal(why, taps=_instead(request.ports, row))


def _instead(ports: Ports, row: Persona) -> Taps:
    """Return what a player can do about a pilot that practises already, or never will again."""
    game = _running(ports, row)
    if game is None:
        return in_place_of(ports, row, _with)
    return (
        (say("sends its report again"), say("REPORT {number}", number=game)),
        (say("ends it, without a winner"), say("DRAW {number}", number=game)),
    )


def _running(ports: Ports, row: Persona) -> int | None:
    """Return the number of the game in which a pilot practises, or None."""
    found = stored_games.places(
        ports.store, persona=row.id, game__running=True, game__practice=True
    )
    return found[0].game_id if found else None


def _bar(ports: Ports, row: Persona, now: datetime) -> str | None:
    """Return why a pilot can't practise now, or None; a pilot in a battle can practise."""
    game = _running(ports, row)
    if game is not None:
        return say("{pilot} is practising already, in game {game}", pilot=row.name, game=game)
    return campaign_of(row).available(piece_of(row), ports.settings.league.day(now))
