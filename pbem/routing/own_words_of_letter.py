"""What a player wrote in a letter, as opposed to what it repeats of ours (decision 0038)."""

from collections.abc import Iterator

from pbem.handlers.ports import Ports
from pbem.intake import NewText, Reading, new_text
from pbem.routing.line_tests import is_order
from pbem.storage import Outgoing, Player, queues

_LATEST = 3
"""How many of our latest letters a letter is compared with where it answers none of them."""


def own_words(ports: Ports, player: Player, reading: Reading) -> NewText:
    """Return what a player wrote, and the lines that may be the player's or not."""
    language, systems = ports.outbox.language(player), ports.settings.league.systems
    letters = _ours(ports, player, reading)
    return new_text(reading, letters, lambda line: is_order(line, language, systems))


def _ours(ports: Ports, player: Player, reading: Reading) -> Iterator[bytes]:
    """Yield the letter of ours that a letter answers, or else our latest ones to its player."""
    # The last of the references is the letter that is answered; those before it are its thread.
    for one in dict.fromkeys((*reading.in_reply_to, *reversed(reading.references))):
        if sent := queues.first(ports.store, Outgoing, message_id=one, player=player.id):
            yield sent.content
            return
    for row in queues.latest(ports.store, _LATEST, player=player.id):
        yield row.content
