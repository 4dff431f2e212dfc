"""Lookup of a player's own pilots and places by the names and numbers that they write."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property

from engine import registry
from engine.campaign import Nouns
from engine.errors import OrderError
from engine.guest_campaign import PLAYERS
from engine.i18n import either, say
from engine.names import closest, match_name
from pbem.games.persona_rules import is_gone
from pbem.games.session import Session
from pbem.handlers.names import taken_names
from pbem.handlers.order_words import in_game_line
from pbem.handlers.request import Refusal, Request, Taps
from pbem.people import personas
from pbem.storage import Game, Persona, Place, stored_games

GAME, FOR = in_game_line("BATTLE", "GAME"), in_game_line("FOR")
GAME_NAMED = (
    rf"(?:{in_game_line('ORDERS')} )?(?:{in_game_line('FOR', 'IN')} )?{GAME}"
    rf" [G#]?(?P<number>\d{{1,9}})(?: {FOR} (?P<name>[^:]{{1,40}}?))?"
)
GAME_HEAD = re.compile(rf"{GAME_NAMED}\s?:?", re.I)
"""The line that names the battle, and the pilot in it, that the orders below are for."""

# STANDING and ELSE may end with a colon too, but begin parts of battle orders. A name
# alone is not a head, so it needs the word before it or the colon behind it.
PILOT_HEAD = re.compile(
    r"(?P<word>(?:FOR|PILOT) )?(?!(?:STANDING|ELSE|OTHERWISE)\b)(?P<name>.{1,40}?)"
    r"(?(word):?|:)",
    re.I,
)
"""The line that names the pilot that the orders below are for, such as `FOR Hawk` or `Hawk:`."""
_NAME = 12
"""What it costs to compare a mistyped name with one other name, in units of a Budget."""


def called(request: Request, system: str | None = None) -> Nouns:
    """Return the nouns for personas: of a system, or the player's systems, or all systems."""
    own_systems = {row.system for row in personas.of(request.ports.store, request.player.id)}
    systems = {system} if system else own_systems or request.ports.settings.league.systems
    return registry.nouns(systems)


def which(request: Request, example: str, taps: Taps = ()) -> Refusal:
    """Return the refusal of an order that needs one of a player's personas, and names none.

    `taps` are the order with the names of those that fit.
    """
    if called(request) == PLAYERS:
        return Refusal(
            say("you play as yourself here, so there is nobody to name"),
            say("HELP challenge tells how to find an opponent"),
        )
    if all(map(is_gone, personas.of(request.ports.store, request.player.id))):
        hint = say("HELP enlist tells how to enlist somebody")
        return Refusal(say("nobody fights for you at the moment"), hint)
    text = say("say with which of your {many}", many=called(request).many)
    return Refusal(text, "" if taps else example, taps)


def anybody(request: Request, name: str) -> Persona:
    """Return the pilot with a name, of any player; raise Refusal where there is none."""
    row = personas.named(request.ports.store, name)
    if row is None:
        near = _nearest(request, name)
        raise Refusal(
            say("{none} is called {name}", none=called(request).none, name=name),
            taken_names.meant(request.ports.store, name)
            or near
            or say("STATUS all lists all {many}", many=called(request).many),
        )
    return row


def _nearest(request: Request, name: str) -> str | None:
    """Return the pilot's name that a mistyped name is close to, or None.

    None also where the letter's budget does not allow the comparison.
    """
    # In a league of 1,600 pilots a letter of mistyped names took seconds.
    if not request.budget.take(_NAME * request.ports.store.size(Persona)):
        return None
    return closest(name, personas.names(request.ports.store))


def own(request: Request, name: str) -> Persona:
    """Return the player's pilot with a name; raise Refusal where there is none."""
    row = personas.named(request.ports.store, name)
    if row is None or row.player_id != request.player.id:
        mine = personas.of(request.ports.store, request.player.id)
        listed = say("STATUS lists your {many}", many=called(request).many)
        enlist = say("HELP enlist tells how to enlist somebody")
        raise Refusal(
            say("you have {none} called {name}", none=called(request).none, name=name),
            closest(name, (each.name for each in mine)) or (listed if mine else enlist),
        )
    return row


def own_and_rest(request: Request, text: str, word: str) -> tuple[Persona, str]:
    """Split `Hawk ON weapons 2` into the pilot and the rest; a name may contain the word too.

    Raise Refusal where the pilot is not the player's.
    """
    parts = re.split(rf" {word} ", text, flags=re.I)
    # The longest name first: a pilot may be called `Hawk ON Fire`.
    for count in range(len(parts), 1, -1):
        row = personas.named(request.ports.store, f" {word} ".join(parts[:count]))
        if row is not None and row.player_id == request.player.id:
            return row, f" {word} ".join(parts[count:])
    return own(request, parts[0]), f" {word} ".join(parts[1:])


def idle(request: Request, row: Persona) -> None:
    """Raise Refusal where a pilot is in a running game."""
    if stored_games.is_fighting(request.ports.store, row.id):
        raise Refusal(say("{pilot} is in a battle; that waits until it is over", pilot=row.name))


@contextmanager
def refusing(example: str = "") -> Iterator[None]:
    """Turn an OrderError of the rules into a Refusal, with its hint or else the example."""
    try:
        yield
    except OrderError as error:
        raise Refusal(str(error), error.hint or example) from None


def own_places(request: Request, number: str | None) -> list[Place]:
    """Return the player's places in a game, by its number or in the only game that can be meant.

    Raise Refusal where there is no such game, or more than one.
    """
    store, player = request.ports.store, request.player
    if number:
        found = stored_games.places(store, game=int(number), player=player.id)
        if not found:
            game = store.find(Game, int(number))
            none = called(request, game.system if game else None).none
            raise Refusal(
                say("you have {none} in game {number}", none=none, number=number),
                say("STATUS lists your games"),
            )
        return found
    # A reply is about the game whose report it answers.
    if request.place is not None:
        return stored_games.places(store, game=request.place.game_id, player=player.id)
    running = bound(stored_games.places_of(store, player.id))
    games = {place.game_id: None for place in running}
    if len(games) == 1:
        return running
    if not running:
        raise Refusal(say("you are in no running game"), say("STATUS lists your games"))
    raise Refusal(
        say("which game? you are in {numbers}", numbers=list(games)),
        say("write its number behind the order"),
    )


def running_places(request: Request, number: str | None) -> tuple[Session, list[Place]]:
    """Return a running game, and the player's places that are still active in it.

    Raise Refusal where the game is over, or none of them is.
    """
    store, places = request.ports.store, own_places(request, number)
    game = store.get(Game, places[0].game_id)
    if not game.running:
        raise Refusal(say("game {game} is over", game=game.id))
    session = Session(store, game)
    mine = [place for place in places if session.active(session.seat_of(place.id))]
    if not mine:
        seats = [place.seat for place in places]
        raise Refusal(
            say("game {game} goes on without {seats}, out of the battle", game=game.id, seats=seats)
        )
    return session, mine


def bound(places: list[Place]) -> list[Place]:
    """Return the places that have not left their games, or all where none is left.

    Orders are for places that can still act.
    """
    return [place for place in places if place.left is None] or places


def only_place(request: Request) -> Place | None:
    """Return the only place of the player's that orders may be for, None if there is another."""
    running = bound(stored_games.places_of(request.ports.store, request.player.id))
    return running[0] if len(running) == 1 else None


def place_in_game(request: Request, number: str, name: str | None) -> Place:
    """Return the place of the player's pilot in a game, or their only place in it.

    Raise Refusal where there is no such place, or where several may be meant.
    """
    places = own_places(request, number)
    seats = [place.seat for place in places]
    example = say("GAME {game} FOR {pilot}", game=int(number), pilot=seats[0])
    if name is None and len(places) > 1:
        text = say("say for which {one}: {seats}", one=called(request).one, seats=either(seats))
        raise Refusal(text, example)
    known = seats[0] if name is None else match_name(name, seats)
    if known is None:
        none = called(request).none
        text = say("you have {none} called {name} in that game", none=none, name=name)
        raise Refusal(text, example)
    return places[seats.index(known)]


class PlayersPlaces:
    """Where a letter's player plays; read once, since each of its lines may name a pilot."""

    def __init__(self, request: Request) -> None:
        self._request = request

    @cached_property
    def _running(self) -> list[Place]:
        return stored_games.places_of(self._request.ports.store, self._request.player.id)

    @cached_property
    def _opponents(self) -> list[str]:
        return _opponents(self._request, self._running)

    def of_pilot(self, name: str) -> Place | None:
        """Return the place of one of the player's pilots; None for any other word.

        Raise Refusal for a pilot of somebody else.
        """
        request, running = self._request, self._running
        here = request.place.game_id if request.place is not None else None
        seats = list(
            {place.seat: None for place in running}
        )  # a pilot may have a place in two games
        known = match_name(name, seats)
        if known is None:
            meant = closest(name, seats) if len(seats) > 1 else None
            # An opponent's name is a slip; any other word before a colon is a line of a story.
            if seats and match_name(name, self._opponents) is not None:
                meant = meant or seats[0]
            if meant is not None:
                raise Refusal(
                    say(
                        "you have {none} called {name} in a game",
                        none=called(request).none,
                        name=name,
                    ),
                    say("FOR {pilot}", pilot=meant),
                )
            return None
        found = [place for place in running if place.seat == known]
        # In a reply the game of its report is meant, even if the pilot is in another one too.
        found = [place for place in found if place.game_id == here] or bound(found)
        if len(found) > 1:
            numbers = [place.game_id for place in found]
            raise Refusal(
                say("{pilot} is in games {numbers}; say for which", pilot=known, numbers=numbers),
                say("GAME {game} FOR {pilot}", game=numbers[0], pilot=known),
            )
        return found[0]


def _opponents(request: Request, running: list[Place]) -> list[str]:
    """Return the seats of other players in a player's games."""
    games = {place.game_id for place in running}
    around = stored_games.places(request.ports.store, game__in=games)
    return [place.seat for place in around if place.player_id != request.player.id]
