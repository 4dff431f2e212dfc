"""What no words of a player's carry out of the referee: tokens, keys and mail addresses.

One place looks for them, for all outlets. Whether a mail address is a player's makes no difference
in a player's words: an answer that told it would tell strangers who plays.
"""

from collections.abc import Iterable, Sequence
from functools import cached_property

from engine.said import Said, say
from pbem import identity
from pbem.intake import contacts
from pbem.store import Store

_TOKEN = say("it holds a secret reply address of the referee")
_KEY = say("it holds a key")
_ADDRESS = say("it holds a mail address")
_SEAM = 80
"""The columns beside a line's end in which a secret may be broken over two lines."""


class Scrub:
    """Looks through a player's words, with what the books know; made anew for each letter."""

    def __init__(self, store: Store) -> None:
        self.store = store

    def secret(self, line: str, official: bool = False) -> Said | None:
        """Return why a line is to be taken as quoted, and passed on to nobody; None if it is not.

        The moderator's `official` words may name an address that is no player's.
        """
        text = contacts.plain(line)
        if identity.tokens_in(text, (text,)) or any(
            map(self._is_token, identity.bare_tokens(text))
        ):
            return _TOKEN
        if identity.keys_in(text) or any(map(self._is_key, identity.bare_keys(text))):
            return _KEY
        found = contacts.addresses(text)
        if official:
            found = [one for one in found if one in self._addresses]
        return _ADDRESS if found else None

    def secrets(self, lines: Sequence[str]) -> list[Said | None]:
        """Return of each line why it is taken as quoted; a secret may be broken over two lines."""
        found = [self.secret(line) for line in lines]
        for n in range(1, len(lines)):
            above, below = lines[n - 1].rstrip(), lines[n].lstrip()
            if found[n - 1] is None and found[n] is None and above and below:
                broken = self._broken(above[-_SEAM:], below[:_SEAM])
                found[n - 1] = found[n] = broken
        return found

    def _broken(self, above: str, below: str) -> Said | None:
        """Look for a secret where one line's end and the next one's beginning are put together."""
        if above[-1:].isspace() or not (above[-1] in "-+@." or above[-1].isalnum()):
            return None
        head, tail = above.split()[-1], below.split()[0]
        return self.secret(head + tail) if len(head + tail) > len("abc-def-ghi") - 1 else None

    def _is_token(self, text: str) -> bool:
        """Tell a token from a long word: by its digits, or by the books."""
        store = self.store
        return (
            identity.is_odd(text)
            or store.tokens.find(token=text) is not None
            or store.subscriptions.find(token=text) is not None
        )

    def _is_key(self, text: str) -> bool:
        return identity.is_odd(text) or text in self._keys

    @cached_property
    def _keys(self) -> frozenset[str]:
        """All keys of all players, spent ones too."""
        return frozenset(
            identity.key(self.store.secret, player.id, serial)
            for player in self.store.players.all()
            for serial in range(1, player.key_serial + 1)
        )

    @cached_property
    def _addresses(self) -> frozenset[str]:
        """The addresses of all players, and of all who get the newsletter."""
        store = self.store
        known = [row.address for row in store.players.all()]
        known += [row.address for row in store.further.all()]
        known += [row.address for row in store.subscriptions.all() if row.address]
        return frozenset(map(contacts.canonical, known))


def scrubbed(store: Store, lines: Iterable[str]) -> list[str]:
    """Return those of a player's lines that may be passed on."""
    kept = list(lines)
    return [line for line, why in zip(kept, Scrub(store).secrets(kept), strict=True) if why is None]


def shown(line: str) -> str:
    """Return a line as its writer may be shown it again: in short, and without what is secret."""
    text = identity.masked(contacts.MAIL.sub("***", contacts.plain(line).strip()))
    return text if len(text) <= _SEAM else f"{text[:_SEAM]} …"
