"""A player's own pilots and places, found by what was written of them."""

import re
from collections.abc import Iterator
from contextlib import contextmanager

from engine import library
from engine.errors import OrderError
from engine.ruleset import Nouns
from engine.said import either, say
from engine.words import closest, match_name
from pbem.league import naming
from pbem.league.visit import Refusal, Visit
from pbem.store import Persona, Place

GAME_HEAD = re.compile(r"(?:BATTLE|GAME) [G#]?(?P<number>\d{1,9})(?: FOR (?P<name>.{1,40}))?", re.I)
"""The line that says which battle the orders below it are for, and which pilot of it."""

_PILOT_HEAD = re.compile(
    r"(?:(?:FOR|PILOT) )?(?!(?:STANDING|PRIVATE|ELSE|OTHERWISE)\b)(?P<name>.{1,40}?)(?P<colon>:?)",
    re.I,
)
_HEAD_LIKE = re.compile(r"^(?:FOR|PILOT) |:$", re.I)
_NAME = 12
"""What it costs to compare a mistyped name with another, in units of a Budget."""


def called(visit: Visit, system: str | None = None) -> Nouns:
    """Give what those are called who fight for the player, or in a system, or may be enlisted."""
    own_systems = {row.system for row in visit.office.store.personas.all(player=visit.player.id)}
    systems = {system} if system else own_systems or visit.office.settings.league.systems
    return library.nouns(systems)


def anybody(visit: Visit, name: str) -> Persona:
    """Give the pilot of a name, whoever's it is; raises Refusal."""
    row = visit.office.store.persona_named(name)
    if row is None:
        near = _nearest(visit, name)
        raise Refusal(
            say("{none} is called {name}", none=called(visit).none, name=name),
            naming.meant(visit.office.store, name)
            or near
            or say("STATUS lists all {many}", many=called(visit).many),
        )
    return row


def _nearest(visit: Visit, name: str) -> str | None:
    """Return the name of anybody's pilot that a mistyped one is near to, as far as a letter may
    ask for it, or None."""
    if not visit.budget.take(_NAME * visit.office.store.personas.count()):
        return None
    return closest(name, visit.office.store.persona_names())


def own(visit: Visit, name: str) -> Persona:
    """Give the player's pilot of a name; raises Refusal."""
    row = visit.office.store.persona_named(name)
    if row is None or row.player_id != visit.player.id:
        mine = visit.office.store.personas.all(player=visit.player.id)
        raise Refusal(
            say("you have {none} called {name}", none=called(visit).none, name=name),
            closest(name, (each.name for each in mine))
            or say("STATUS lists your {many}", many=called(visit).many),
        )
    return row


def own_and_rest(visit: Visit, text: str, word: str) -> tuple[Persona, str]:
    """Split `Hawk ON weapons 2` into the pilot and what follows; a name may hold the word too."""
    parts = re.split(rf" {word} ", text, flags=re.I)
    for count in range(len(parts), 1, -1):
        row = visit.office.store.persona_named(f" {word} ".join(parts[:count]))
        if row is not None and row.player_id == visit.player.id:
            return row, f" {word} ".join(parts[count:])
    return own(visit, parts[0]), f" {word} ".join(parts[1:])


def idle(visit: Visit, row: Persona) -> None:
    """Raise Refusal for a pilot in a running game."""
    if visit.office.store.is_fighting(row.id):
        raise Refusal(say("{pilot} is in a battle; that waits until it is over", pilot=row.name))


@contextmanager
def refusing(example: str = "") -> Iterator[None]:
    """Turn what the rules refuse into a Refusal, with their hint in an example's place."""
    try:
        yield
    except OrderError as error:
        raise Refusal(str(error), error.hint or example) from None


def own_places(visit: Visit, number: str | None) -> list[Place]:
    """Give the player's places in a game by its number, or in the one that is meant."""
    store, player = visit.office.store, visit.player
    if number:
        found = store.places.all(game=int(number), player=player.id)
        if not found:
            game = store.games.find(id=int(number))
            none = called(visit, game.system if game else None).none
            raise Refusal(
                say("you have {none} in game {number}", none=none, number=number),
                say("STATUS lists your games"),
            )
        return found
    if visit.place is not None:
        return store.places.all(game=visit.place.game_id, player=player.id)
    running = bound(store.places_of(player.id))
    games = {place.game_id: None for place in running}
    if len(games) == 1:
        return running
    if not running:
        raise Refusal(say("you are in no running game"), say("STATUS lists your games"))
    raise Refusal(
        say("which game? you are in {numbers}", numbers=list(games)),
        say("write its number behind the order"),
    )


def bound(places: list[Place]) -> list[Place]:
    """Return the places that have not left their games, or else all: orders are for the former."""
    return [place for place in places if place.left is None] or places


def read_head(visit: Visit, text: str) -> Place | None:
    """Give the place that a clean line such as `GAME 12`, `GAME 12 FOR Hawk` or `FOR Hawk` names.

    None where it is no such line; raises Refusal where it names no place of the player's own.
    """
    match = GAME_HEAD.fullmatch(text)
    if match is not None:
        places = own_places(visit, match["number"])
        return _only(visit, places, match["name"], int(match["number"]))
    name = named_in_head(text)
    return None if name is None else _of_pilot(visit, name)


def named_in_head(text: str) -> str | None:
    """Give whom a clean line such as `FOR Hawk`, or `Hawk` and a colon, would put in charge."""
    match = _PILOT_HEAD.fullmatch(text) if _HEAD_LIKE.search(text) else None
    if match is None or not (match["colon"] or match.start("name")):
        return None
    return match["name"]


def _only(visit: Visit, places: list[Place], name: str | None, game: int) -> Place:
    """Give the place of a pilot of a game, or the only one."""
    seats = [place.seat for place in places]
    example = say("GAME {game} FOR {pilot}", game=game, pilot=seats[0])
    if name is None and len(places) > 1:
        text = say("say for which {one}: {seats}", one=called(visit).one, seats=either(seats))
        raise Refusal(text, example)
    known = seats[0] if name is None else match_name(name, seats)
    if known is None:
        none = called(visit).none
        text = say("you have {none} called {name} in that game", none=none, name=name)
        raise Refusal(text, example)
    return places[seats.index(known)]


def _of_pilot(visit: Visit, name: str) -> Place | None:
    """Give the place of one of the player's pilots that are in a game; None for any other word.

    Raises Refusal for a pilot of somebody else's.
    """
    here = visit.place.game_id if visit.place is not None else None
    running = visit.office.store.places_of(visit.player.id)
    seats = list({place.seat: None for place in running})
    known = match_name(name, seats)
    if known is None:
        meant = closest(name, seats) if len(seats) > 1 else None
        if seats and match_name(name, _opponents(visit, running)) is not None:
            meant = meant or seats[0]
        if meant is not None:
            raise Refusal(
                say("you have {none} called {name} in a game", none=called(visit).none, name=name),
                say("FOR {pilot}", pilot=meant),
            )
        return None
    found = [place for place in running if place.seat == known]
    found = [place for place in found if place.game_id == here] or bound(found)
    if len(found) > 1:
        numbers = [place.game_id for place in found]
        raise Refusal(
            say("{pilot} is in games {numbers}; say for which", pilot=known, numbers=numbers),
            say("GAME {game} FOR {pilot}", game=numbers[0], pilot=known),
        )
    return found[0]


def _opponents(visit: Visit, running: list[Place]) -> list[str]:
    """Give the seats of others in a player's games."""
    games = {place.game_id for place in running}
    around = [place for game in games for place in visit.office.store.places.all(game=game)]
    return [place.seat for place in around if place.player_id != visit.player.id]
