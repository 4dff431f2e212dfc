"""GM BATTLE: a battle as the moderator sets it up, for players, the house, or the moderator."""

import json
import math
import re
from collections.abc import Mapping
from contextlib import suppress
from re import Match
from typing import NamedTuple, NoReturn

from engine import registry
from engine.campaign import Persona as Piece
from engine.errors import EngineError
from engine.i18n import all_of, say
from engine.orders.line_shapes import clean
from engine.ruleset import AnyRuleset
from engine.seats import REFEREE, Seat
from pbem.games.commitments import Entrant
from pbem.handlers.request import DRAWN, Refusal
from pbem.handlers.ruling_request import (
    RulingRequest,
    afford,
    is_moderator,
    log,
    moderator,
    player_named,
)
from pbem.people import personas
from pbem.people.scrub import Scrub
from pbem.storage import Player

_FIELDS = ("system", "setup", "seats", "briefing")
_IN_REPLAYS = {
    "orders": say("orders come from the players, once it has begun"),
    "dice": say("the dice of a battle come from its own secret"),
    "seed": say("the dice of a battle come from its own secret"),
}
"""Fields of the replay format that a battle does without, each with the reason."""
_MODERATOR = "moderator"
_HOUSE = re.compile(r"house(?: (?P<strength>\w+))?", re.I)
_LONGEST = 40
"""The most characters of a seat's name; longer ones could not be named in orders."""
LONGEST = 2_000
"""The most characters of a briefing."""
_QUOTES = str.maketrans("“”„‟«»\u00a0", '"""""" ')
"""Quotation marks and spaces that mail programs put in place of plain ones."""
_HINT = say("docs/moderator.md shows a whole scenario")


class Scenario(NamedTuple):
    """A battle to begin: its system, its set-up, and who gets which seat, as it was written.

    `briefing` are paragraphs by the moderator for each player's first report.
    """

    rules: AnyRuleset
    setup: dict[str, object]
    seats: Mapping[str, str]
    briefing: tuple[str, ...] = ()


class _Cast(NamedTuple):
    """Who plays a battle: the players by their seats, and how strong the house's seats are."""

    players: dict[Seat, Player]
    strength: str


def battle(request: RulingRequest, match: Match[str]) -> str:
    """Begin the battle of the scenario below the ruling, and return who has which seat.

    What it leaves counts for no career: its players play as guests.
    """
    afford(request, DRAWN)
    found = read("\n".join(request.below), request.ports.settings.league.systems)
    rules, setup = found.rules, found.setup
    try:
        state = rules.setup(setup)
    except EngineError as error:
        raise Refusal(say("the rules refuse this set-up: {why}", why=str(error))) from None
    if rules.phase(state).outcome is not None:
        raise Refusal(say("setup: this battle would be over before it begins"))
    players, strength = _cast(request, found, state)
    _refuse_secrets(request, found.briefing)
    game = request.ports.referee.begin(
        rules.key,
        setup,
        [
            # Guests, so that the battle leaves nothing in a career (decision 0033).
            Entrant(
                personas.guest(request.ports.store, one, rules.key, request.now),
                Piece(seat, "", {}),
            )
            for seat, one in players.items()
        ],
        request.now,
        bots=strength,
        friendly=True,
        staged=True,
        briefing=found.briefing,
    )
    log(request, game, say("the moderator has set up this battle"))
    every = [
        say("{seat} is {player}'s", seat=seat, player=players[seat].name)
        if seat in players
        else say("{seat} is played by a house player", seat=seat)
        for seat in rules.seats(state)
    ]
    return say(
        "game {game} begins: {seats}; its players are told. It leaves nothing in careers: no"
        " points, no losses and no prisoners",
        game=game.id,
        seats=all_of(every),
    )


def read(text: str, systems: tuple[str, ...]) -> Scenario:
    """Return the scenario in a text, for one of a league's systems.

    Raise Refusal with the field that is wrong, and what would be right.
    """
    if not text.strip():
        raise Refusal(
            say("there is no scenario"),
            say("write it below the line, or attach it as a file whose name ends in .json"),
        )
    found = _json(text)
    if not isinstance(found, dict):
        raise Refusal(say("the scenario is not a JSON object in braces"), _HINT)
    for field, value in found.items():
        if field in _IN_REPLAYS and value:
            raise Refusal(say("{field}: {why}; leave it out", field=field, why=_IN_REPLAYS[field]))
        if field not in _FIELDS and field not in _IN_REPLAYS:
            raise Refusal(
                say("{field}: there is no such field", field=field),
                say("the fields are {fields}", fields=list(_FIELDS)),
            )
    played = [key for key in systems if key in registry.RULESETS]
    if found.get("system") not in played:
        raise Refusal(
            say("system: {system} is not played here", system=_shown(found.get("system"))),
            say("the systems of this league are {systems}", systems=played),
        )
    for field in ("setup", "seats"):
        if not isinstance(found.get(field), dict):
            raise Refusal(say("{field}: an object in braces is needed", field=field), _HINT)
    seats = {clean(seat): whose for seat, whose in found["seats"].items()}
    for seat, whose in seats.items():
        if not isinstance(whose, str) or not clean(whose):
            _refuse_owner(seat, whose)
    rules = registry.RULESETS[found["system"]]
    return Scenario(rules, found["setup"], seats, _briefing(found.get("briefing")))


def _briefing(found: object) -> tuple[str, ...]:
    """Return the paragraphs of a briefing; raise Refusal where it is not a text, or too long."""
    paragraphs = [found] if isinstance(found, str) else [] if found is None else found
    if not isinstance(paragraphs, list) or not all(isinstance(one, str) for one in paragraphs):
        raise Refusal(
            say("briefing: a text is needed, or a list of texts, one for each paragraph"), _HINT
        )
    length = sum(map(len, paragraphs))
    if length > LONGEST:
        raise Refusal(
            say(
                "briefing: it has {length} characters, and may have {most}",
                length=length,
                most=LONGEST,
            )
        )
    return tuple(one for one in paragraphs if one.strip())


def _refuse_secrets(request: RulingRequest, briefing: tuple[str, ...]) -> None:
    """Raise Refusal where the moderator's words hold what must not reach the players."""
    for why in filter(None, Scrub(request.ports.store).secrets(briefing)):
        raise Refusal(say("briefing: {why}; leave that out", why=why))


def _json(text: str) -> object:
    """Return a text as plain values; raise Refusal where one would be lost or can't be stored."""
    try:
        found = _loaded(text)
    except json.JSONDecodeError as error:
        # Only now: a text inside a valid scenario may well hold such marks.
        with suppress(ValueError):
            return _unbroken(_loaded(text.translate(_QUOTES)))
        raise Refusal(
            say(
                "the scenario is not JSON: line {line}, column {column}: {why}",
                line=error.lineno,
                column=error.colno,
                why=error.msg,
            ),
            _HINT,
        ) from None
    # RecursionError: a few thousand brackets. ValueError: a number of more than 4,300 digits.
    except (RecursionError, ValueError) as error:
        raise Refusal(say("the scenario is not JSON: {why}", why=str(error)), _HINT) from None
    return _unbroken(found)


def _loaded(text: str) -> object:
    # Not strict: a mail program may have broken a long text into two lines.
    return json.loads(
        text,
        strict=False,
        object_pairs_hook=_once_each,
        parse_constant=_no_number,
        parse_float=_finite,
    )


def _once_each(pairs: list[tuple[str, object]]) -> dict[str, object]:
    # Python would keep the last one of two and say nothing.
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise Refusal(say("{field}: it stands there twice", field=twice))
    return found


# Python reads NaN and Infinity, which no JSON may hold.
def _no_number(written: str) -> NoReturn:
    raise Refusal(say("{number} is not a number that a battle can have", number=written))


def _finite(written: str) -> float:
    # Such as 1e999, which Python reads as infinity.
    return found if math.isfinite(found := float(written)) else _no_number(written)


def _unbroken(found: object) -> object:
    """Return plain values with all line ends in texts as spaces."""
    if isinstance(found, str):
        text = re.sub(r"\s*\n\s*", " ", found)
        if not text.isprintable():
            raise Refusal(say("{text} holds a character that no letter can show", text=ascii(text)))
        return text
    if isinstance(found, list):
        return [_unbroken(one) for one in found]
    if isinstance(found, dict):
        return {str(_unbroken(name)): _unbroken(one) for name, one in found.items()}
    return found


def _cast(request: RulingRequest, found: Scenario, state: object) -> _Cast:
    """Return who plays a battle; raise Refusal with the seat that is wrong."""
    known = found.rules.seats(state)
    for seat in (*found.seats, *known):
        if seat not in known:
            raise Refusal(
                say("seats.{seat}: the set-up has no such seat", seat=seat),
                say("its seats are {seats}", seats=list(known)),
            )
        if seat not in found.seats:
            raise Refusal(say("seats: nobody has {seat}", seat=seat), _OWNERS)
        if seat == REFEREE or not 0 < len(seat) <= _LONGEST:
            raise Refusal(
                say(
                    "seats.{seat}: its name must have 1 to {most} letters",
                    seat=seat,
                    most=_LONGEST,
                )
            )
    house, players = set[str](), dict[Seat, Player]()
    for seat in known:
        # Before the players: none of them can have a name that begins with House (decision 0021).
        match = _HOUSE.fullmatch(clean(found.seats[seat]))
        if match is not None:
            house.add(_strength(found.rules, seat, match["strength"]))
        else:
            players[seat] = _player(request, seat, found.seats[seat])
    if len(house) > 1:
        raise Refusal(
            say("seats: all house players are equally strong"),
            say("write one of {strengths} in all of them", strengths=sorted(house)),
        )
    if not players:
        raise Refusal(say("seats: one at least must be a player's, or yours"), _OWNERS)
    _refuse_two_sides(request, found.rules, state, players)
    return _Cast(players, next(iter(house), ""))


_OWNERS = say('write a player\'s name or address, "moderator" or "house sound"')


def _refuse_owner(seat: str, whose: object) -> NoReturn:
    raise Refusal(say("seats.{seat}: {whose} is nobody", seat=seat, whose=_shown(whose)), _OWNERS)


def _shown(value: object) -> str:
    """Return a value as the scenario writes it, shortened."""
    return json.dumps(value, ensure_ascii=False)[:_LONGEST]


def _strength(rules: AnyRuleset, seat: Seat, written: str | None) -> str:
    if not rules.strengths:
        raise Refusal(
            say(
                "seats.{seat}: there are no house players in {title}", seat=seat, title=rules.title
            ),
            say('write a player\'s name or address, or "moderator"'),
        )
    if written is None or written.lower() not in rules.strengths:
        raise Refusal(
            say("seats.{seat}: say how strong the house player is", seat=seat),
            say("write one of these: {ways}", ways=[f"house {one}" for one in rules.strengths]),
        )
    return written.lower()


def _player(request: RulingRequest, seat: Seat, written: str) -> Player:
    """Return the player who gets a seat; raise Refusal for nobody, or one who plays no more."""
    store, whose = request.ports.store, clean(written)
    if whose.lower() == _MODERATOR:
        player = moderator(request.ports)
        if player is None or not player.confirmed:
            address = request.ports.settings.league.moderator.lower()
            raise Refusal(
                say("seats.{seat}: you keep a seat only once you have joined", seat=seat),
                say("send JOIN and your name from {address}", address=address or _MODERATOR),
            )
        return player
    player = player_named(store, whose)
    if player is None or not player.confirmed:
        _refuse_owner(seat, whose)
    if player.banned:
        raise Refusal(say("seats.{seat}: {player} is banned", seat=seat, player=player.name))
    return player


def _refuse_two_sides(
    request: RulingRequest, rules: AnyRuleset, state: object, players: Mapping[Seat, Player]
) -> None:
    """Raise Refusal where a player would know the secrets of two sides; the moderator may."""
    sides: dict[int, str] = {}
    for seat, player in players.items():
        side = rules.side(state, seat)
        known = sides.setdefault(player.id, side)
        if known != side and not is_moderator(request.ports, player):
            raise Refusal(
                say(
                    "seats.{seat}: {player} has a seat of {side}, and may not be on two sides",
                    seat=seat,
                    player=player.name,
                    side=known,
                )
            )
