"""A message on a board: what it says, who wrote it, and in which battle's thread it stands."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from engine.names import fold
from pbem.channels.channel import Message
from pbem.games.session import game_number
from pbem.handlers.request import Request
from pbem.intake import NewText, Reading, orders_unmarked
from pbem.outgoing import questions
from pbem.people import linked_accounts, personas
from pbem.routing.incoming import Incoming
from pbem.storage import (
    Account,
    Game,
    Letter,
    Place,
    Player,
    Question,
    stored_games,
    stored_letters,
)


@dataclass
class Posted(Incoming):
    """A message on a board, with what the rules ask about it.

    The board's server says who wrote it, and which words are new is the channel's to say.
    """

    @cached_property
    def message(self) -> Message | None:
        """What was written; None if the board is in the settings no more."""
        board = self.ports.settings.channels.get(self.letter.channel)
        return None if board is None else board.message(self.letter.content)

    @cached_property
    def reading(self) -> Reading:
        """What was written, as text of a person."""
        text = self.message.text if self.message else ""
        return Reading(klass="human", reason="written on a board", text=text)

    @cached_property
    def own(self) -> NewText:
        """What its player wrote."""
        pilots = personas.of(self.ports.store, self.player.id) if self.known else []
        return NewText(_without_names(self.reading.text, [one.name for one in pilots]))

    @cached_property
    def signed(self) -> Message | None:
        """The form of the message that says who wrote it: the last one, if the server still knows.

        A server that has deleted a message for good names nobody.
        """
        message, earlier = self.message, self.earlier_forms
        if message is None or message.account or not message.deleted or not earlier:
            return message
        return Posted(self.ports, earlier[-1], self.now).signed

    @cached_property
    def account(self) -> Account | None:
        """The linked account that wrote it, which the board's server vouches for, or None."""
        if self.signed is None or not self.signed.account:
            return None
        return linked_accounts.vouched(self.ports.store, self.letter.channel, self.signed.account)

    @cached_property
    def known(self) -> Player | None:
        """The player whose account wrote it, or None."""
        account = self.account
        return None if account is None else self.ports.store.get(Player, account.player_id)

    @property
    def proven(self) -> bool:
        """Whether its player wrote it: the board's server says so."""
        return self.known is not None

    @cached_property
    def keyed(self) -> bool:
        """Whether it holds the player's key, in a message that nobody else can read."""
        # What everybody can read is no key any more.
        return self.message is not None and self.message.private and super().keyed

    @property
    def authenticated(self) -> bool:
        """Whether more than the account proves who wrote it: never, and an account can be lost."""
        return False

    @property
    def battle(self) -> int | None:
        """The number of the battle in whose thread it stands, be it over or not."""
        return game_number(self.letter.thread)

    @cached_property
    def place(self) -> Place | None:
        """Its player's place in the thread's battle, if there is just one."""
        number = self.battle
        if number is None:
            return None
        here = stored_games.places(
            self.ports.store, game=number, player=self.player.id, game__running=True
        )
        return here[0] if len(here) == 1 else None

    @property
    def turn(self) -> int | None:
        """The turn of the thread's battle that its writer saw; None outside of such a thread."""
        if self.place is None:
            return None
        game = self.ports.store.get(Game, self.place.game_id)
        # What was written before the turn began is for the one before it.
        before = game.opened is not None and self.letter.received < game.opened
        return game.turn - 1 if before else game.turn

    def open_question(self) -> Question | None:
        """Return the open question that a yes answers here.

        In a thread it is one that was asked there, so that nobody reads what was asked elsewhere.
        """
        store, place = self.ports.store, self.place
        if self.message is not None and self.message.private:
            return questions.latest(store, self.player.id, self.now)
        number = None if place is None else place.id
        return questions.latest_in_thread(store, self.player.id, number, self.now)

    @property
    def earlier_forms(self) -> list[Letter]:
        """The forms of the same message that came before this one, oldest first."""
        letter = self.letter
        same = {"channel": letter.channel, "message_id": letter.message_id}
        return stored_letters.letters(self.ports.store, id__lt=letter.id, **same)

    def request(self) -> Request:
        """Return the request, with the message."""
        return replace(super().request(), message=self.message)


def _without_names(text: str, names: Sequence[str]) -> str:
    """Return a text without its player's own pilots before orders, as in `Hawk: scan`."""
    own = {fold(name) for name in names}
    lines = (line.partition(":") for line in text.splitlines())
    return "\n".join(
        orders_unmarked(order.strip())
        if order.strip() and fold(name) in own
        else f"{name}{colon}{order}"
        for name, colon, order in lines
    )
