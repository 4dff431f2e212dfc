"""A line in a chat room, or to the referee alone there: who wrote it, and for which battle."""

from dataclasses import dataclass, replace
from functools import cached_property

from pbem.games.session import game_id
from pbem.handlers.request import Request
from pbem.intake import NewText, Reading, chat_lines
from pbem.intake.chat_lines import ChatLine
from pbem.people import personas
from pbem.routing.board_message import Posted
from pbem.storage import Game, Place, stored_games

ROOM = "room"
"""The thread of what is about no battle."""


@dataclass
class Chatted(Posted):
    """A line in a chat room, with what the rules ask about it.

    Its thread is the battle that it is for.
    """

    def __post_init__(self) -> None:
        """Set the thread in which the line is answered."""
        place = self.place
        thread = ROOM if place is None else game_id(place.game_id)
        self.letter = self.letter.changed(thread=thread)

    @cached_property
    def line(self) -> ChatLine | None:
        """What the line orders, or None for talk."""
        message = self.message
        if message is None:
            return None
        pilots = personas.of(self.ports.store, self.known.id) if self.known else []
        names = [one.name for one in pilots]
        return chat_lines.for_referee(message.text, names, private=message.private)

    @cached_property
    def reading(self) -> Reading:
        """The order in the line, or all of a line for people, as text of a person."""
        text = self.message.text if self.message else ""
        text = self.line.order if self.line else text
        return Reading(klass="human", reason="written in a chat room", text=text)

    @cached_property
    def own(self) -> NewText:
        """What its player ordered."""
        return NewText(self.reading.text)

    @property
    def battle(self) -> int | None:
        """The number of the battle that it is for, if it is for one."""
        return self.place.game_id if self.place else None

    @cached_property
    def place(self) -> Place | None:
        """Its player's place in the battle that it names, or in the only one in this room."""
        if self.known is None or self.line is None:
            return None
        store, named = self.ports.store, self.line.battle
        mine = stored_games.places(store, player=self.known.id, game__running=True)
        here = [one for one in mine if store.get(Game, one.game_id).live]
        fit = [one for one in (mine if named else here) if named in (None, one.game_id)]
        return fit[0] if len(fit) == 1 else None

    @property
    def answers_go_to(self) -> str:
        """The channel on which its player reads letters: never a chat room, which keeps none."""
        return self.player.channel

    @property
    def turn(self) -> int | None:
        """The turn that is played now: a line is read at once."""
        return self.ports.store.get(Game, self.place.game_id).turn if self.place else None

    def request(self) -> Request:
        """Return the request, with the line."""
        return replace(super().request(), live=True)
