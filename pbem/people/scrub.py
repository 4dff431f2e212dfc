"""What must not leave the referee in a player's words: tokens, keys and mail addresses.

All output is checked here. In a player's words it makes no difference whether a mail address is a
player's: an answer that depended on that would show strangers who plays.
"""

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import accumulate

from engine.i18n import Said, say
from pbem.intake import tokens_and_keys
from pbem.intake.addresses import mailbox_of
from pbem.people import players, readers, tokens
from pbem.people.lookalikes import skeleton
from pbem.storage import Further, Player, Store, Subscription, Token

_TOKEN = say("it holds a secret reply address of the referee")
_KEY = say("it holds a key")
_ADDRESS = say("it holds a mail address")
_LONG = say("it is too long to be looked through")
LONGEST = 10_000
"""Longer lines are never passed on."""
_HOST = r"[^\W_][\w-]{0,62}"
_MAIL = re.compile(
    rf"(?<![\w.+%-])[\w.+%-]{{1,64}}@(?:{_HOST}(?:\.{_HOST}){{1,8}}|\[[\w.:]{{3,60}}\])"
)
_MAIL_LIKE = re.compile(r"[^\s<>()\[\],;:\"'`]+@[^\s<>()\[\],;:\"'`]+")
_SEAM = 80
"""How many columns next to a line break are checked for a secret that is split by it."""
_LONGEST_SHOWN = 2_000
"""The most characters of a line that are prepared to be shown again."""
_OTHER = re.compile(r"[^a-z0-9]+")
_ALIKE = str.maketrans("01i", "oll")
"""Signs that are mistaken for each other in print."""


class Scrub:
    """Checks a player's words against the database; made new for each letter.

    It knows the writer's own tokens and keys, so these are found in any spelling.
    """

    def __init__(self, store: Store, writer: int | None = None) -> None:
        self.store, self.writer = store, writer

    def secret(self, line: str, official: bool = False, joined: bool = False) -> Said | None:
        """Return why a line is treated as quoted, and not passed on; None if it may be.

        The moderator's `official` words may contain an address that is not a player's. Words that
        are `joined` over a line break may look like a token by chance, so it must be a known one.
        """
        if len(line) > LONGEST:
            return _LONG
        return self._in_plain(_read(line), official, joined)

    def _in_plain(self, text: str, official: bool = False, joined: bool = False) -> Said | None:
        tokens, keys = tokens_and_keys.bare_tokens(text), tokens_and_keys.bare_keys(text)
        if tokens_and_keys.tokens_in(text, (text,)) or any(
            self._is_token(one, joined) for one in tokens
        ):
            return _TOKEN
        if tokens_and_keys.keys_in(text) or any(self._is_key(one, joined) for one in keys):
            return _KEY
        found = _MAIL.findall(text) if "@" in text else []
        if official:
            found = [one for one in found if mailbox_of(one) in self._addresses]
        return _ADDRESS if found else None

    def secrets(self, lines: Sequence[str]) -> list[Said | None]:
        """Return why each line is treated as quoted; a secret may be split over two lines."""
        found: list[Said | None] = [None] * len(lines)
        seams = dict(_seams(lines))
        # Nearly all letters hold nothing, so all is looked through at once before each line is.
        if self._may_hold([*lines, *seams.values()]):
            found = [self.secret(line) for line in lines]
            for n, word in seams.items():
                if found[n - 1] is None and found[n] is None:
                    found[n - 1] = found[n] = self.secret(word, joined=True)
        for n, why in self._own(lines).items():
            found[n] = found[n] or why
        return found

    def _may_hold(self, lines: Sequence[str]) -> bool:
        """Return whether any of some lines may hold a secret; if not, none of them does."""
        if not lines or any(len(line) > LONGEST for line in lines):
            return bool(lines)
        # No pattern crosses this character, so none takes parts of two lines for one.
        return self._in_plain("\0".join(map(_read, lines))) is not None

    def shown(self, line: str) -> str:
        """Return a line for its writer to see again, or "***"."""
        text = shown(line)
        return "***" if self._own([text]) or self.secret(text) else text

    def _own(self, lines: Sequence[str]) -> dict[int, Said]:
        """Return the lines that contain a secret of the writer's, over any number of lines."""
        if self.writer is None or not lines:
            return {}
        # What comes after that need not be searched: so long a line is never passed on.
        read = [line[:LONGEST] for line in lines]
        # All lines at once, since nearly no letter holds one of its writer's secrets.
        whole = squeeze("\n".join(read))
        found = dict[int, Said]()
        if len(whole) < len("abcdefghi"):  # a key; tokens are longer
            return found
        for secret, why in self._own_secrets.items():
            if secret in whole:
                found.update(dict.fromkeys(_holding(read, secret), why))
        return found

    @cached_property
    def _own_secrets(self) -> dict[str, Said]:
        """The writer's tokens and keys, spent keys too, squeezed; and what each of them is."""
        store, player = self.store, self.store.find(Player, self.writer)
        if player is None:
            return {}
        own = [one.token for one in store.of_player(Token, player.id)]
        own += [one.token for one in store.of_player(Subscription, player.id)]
        serials = range(1, player.key_serial + 1)
        keys = [tokens_and_keys.key(store.secret, player.id, serial) for serial in serials]
        return {squeeze(one): _TOKEN for one in own} | {squeeze(one): _KEY for one in keys}

    def _is_token(self, text: str, joined: bool) -> bool:
        """Return whether this is a token, not a long word: by its digits, or by the database."""
        store = self.store
        return (
            (not joined and tokens_and_keys.is_odd(text))
            or tokens.named(store, text) is not None
            or readers.named(store, [text]) is not None
        )

    def _is_key(self, text: str, joined: bool) -> bool:
        return (not joined and tokens_and_keys.is_odd(text)) or text in self._keys

    @cached_property
    def _keys(self) -> frozenset[str]:
        """All keys of all players, spent ones too."""
        return frozenset(
            tokens_and_keys.key(self.store.secret, player.id, serial)
            for player in players.every(self.store)
            for serial in range(1, player.key_serial + 1)
        )

    @cached_property
    def _addresses(self) -> frozenset[str]:
        """The addresses of all players, and of all newsletter readers."""
        store = self.store
        known = [row.address for row in players.every(store)]
        known += [row.address for row in store.each(Further)]
        known += [row.address for row in store.each(Subscription) if row.address]
        return frozenset(map(mailbox_of, known))


def _seams(lines: Sequence[str]) -> Iterator[tuple[int, str]]:
    """Yield the words that may have been broken at the end of a line, with the next line's number.

    Mail programs break long words there.
    """
    for n in range(1, len(lines)):
        above, below = lines[n - 1].rstrip()[-_SEAM:], lines[n].lstrip()[:_SEAM]
        if above and below and (above[-1] in "-+@." or above[-1].isalnum()):
            word = above.split()[-1] + below.split()[0]
            if len(word) >= len("abc-def-ghi"):
                yield n, word


def scrubbed(store: Store, lines: Iterable[str], writer: int | None) -> list[str]:
    """Return those of a player's lines that may be passed on."""
    kept = list(lines)
    secrets = Scrub(store, writer).secrets(kept)
    return [line for line, why in zip(kept, secrets, strict=True) if why is None]


def traced(trace: str) -> str:
    """Return an error's traceback, fit to be stored and shown: no tokens, keys and addresses."""
    return tokens_and_keys.masked(_MAIL_LIKE.sub("***", trace))


def shown(line: str, most: int = _SEAM) -> str:
    """Return a line for its writer to see again: at most so many signs, and without secrets."""
    # Cut first, between words: masking a megabyte takes long, and little of it is shown.
    longest = max(most, _LONGEST_SHOWN)
    start = line if len(line) <= longest else line[:longest].rpartition(" ")[0]
    read = _read(start).strip()
    text = tokens_and_keys.masked(_MAIL.sub("***", read))
    # What hides nothing is shown as it was written, with the signs of its script.
    text = start.strip() if text == read else text
    return text if len(text) <= most and start == line else f"{text[:most]} …"


def _holding(lines: Sequence[str], secret: str) -> set[int]:
    """Return the numbers of the lines that contain a secret, squeezed, over any number of them."""
    parts = [squeeze(line) for line in lines]
    text, ends = "".join(parts), list(accumulate(map(len, parts)))
    found, at = set[int](), text.find(secret)
    while at >= 0:
        first, last = bisect_right(ends, at), bisect_right(ends, at + len(secret) - 1)
        found.update(range(first, last + 1))
        at = text.find(secret, at + 1)
    return found


def squeeze(text: str) -> str:
    """Return a text's letters and digits in lower case, with one form for look-alikes."""
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text)
        text = "".join(sign if sign.isascii() else skeleton(sign) for sign in text)
    return _OTHER.sub("", text.casefold()).translate(_ALIKE)


def _read(line: str) -> str:
    """Return a line as a person reads it, without signs that nobody sees."""
    if line.isascii():
        return line
    # The ideographic full stop parts the labels of a host, too (RFC 3490).
    text = unicodedata.normalize("NFKC", line).replace("。", ".")
    return "".join(sign for sign in text if unicodedata.category(sign) != "Cf")
