"""What must not leave the referee in a player's words: tokens, keys and mail addresses.

All output is checked here. In a player's words it makes no difference whether a mail address is a
player's: an answer that depended on that would show strangers who plays.

Words may be disguised: codes of mail and of the web are decoded and formatting is removed before
secrets are searched for, and nobody is shown the result.
"""

import binascii
import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from email.errors import HeaderParseError
from email.header import decode_header, make_header
from functools import cached_property
from html import unescape
from itertools import accumulate
from typing import NamedTuple
from urllib.parse import unquote

from engine.i18n import Said, say
from pbem import tokens_and_keys
from pbem.intake import contact_details
from pbem.storage import Player, Store
from pbem.text.lookalikes import skeleton

_TOKEN = say("it holds a secret reply address of the referee")
_KEY = say("it holds a key")
_ADDRESS = say("it holds a mail address")
_LONG = say("it is too long to be looked through")
LONGEST = 10_000
"""Longer lines are never passed on."""
_MAIL_LIKE = re.compile(r"[^\s<>()\[\],;:\"'`]+@[^\s<>()\[\],;:\"'`]+")
_SEAM = 80
"""How many columns next to a line break are checked for a secret that is split by it."""
_LONGEST_SHOWN = 2_000
"""The most characters of a line that are prepared to be shown again."""
_OTHER = re.compile(r"[^a-z0-9]+")
_ALIKE = str.maketrans("01i", "oll")
"""Signs that are mistaken for each other in print."""

_ROUNDS = 3
"""How many layers of encoding are decoded."""
_MOST = 4_000
"""The most characters of a line that are decoded."""
_ENCODED_WORD = re.compile(r"=\?[\w.*-]{1,40}\?[bq]\?[^?\s]{1,400}\?=", re.I)
_QUOTED = re.compile(r"=([0-9A-F]{2})", re.I)
_ESCAPED = re.compile(r"\\(?:u\{?00|u00|x)([0-9a-f]{2})\}?", re.I)
_MARKUP = re.compile(
    r"<!--.{0,80}?-->|</?[a-z][^<>@]{0,80}>|\[/?[a-z*]{1,8}(?:=[^\[\]@]{0,60})?\]"
    r"|\([^()@]{0,20}\)(?=@)|[*\\`\"](?=@)|(?<=@)[*\\`]{1,3}|\*{1,3}|\\|`|~~",
    re.I,
)
_BASE64 = re.compile(r"[A-Za-z0-9+/_-]{12,}={0,2}(?:\s{0,3}\n\s{0,3}[A-Za-z0-9+/_-]{4,}={0,2})*")
_HEX = re.compile(r"(?:[0-9a-f]{2}[ :]?){9,}", re.I)
_MOST_BLOCK = 100_000


class Scrub:
    """Checks a player's words against the database; made new for each letter.

    It knows the writer's own secrets, so these are found in any spelling.
    """

    def __init__(self, store: Store, writer: int | None = None) -> None:
        self.store, self.writer = store, writer
        self._known: dict[str, tuple[str, str]] = {}

    def secret(self, line: str, official: bool = False, joined: bool = False) -> Said | None:
        """Return why a line is treated as quoted, and not passed on; None if it may be.

        The moderator's `official` words may contain an address that is not a player's. Words that
        are `joined` over a line break may look like a token by chance, so it must be a known one.
        """
        if len(line) > LONGEST:
            return _LONG
        for look in dict.fromkeys(self._looks(line)):
            found = self._in_plain(look, official, joined)
            if found is not None:
                return found
        return None

    def _looks(self, line: str) -> tuple[str, str]:
        """Return a line as a person reads it, and then the same decoded and without markup."""
        # A line is looked at several times: with all others, in a block of code, and alone.
        if line not in self._known:
            disguised = contact_details.may_be_disguised(line)
            text = contact_details.plain(line) if disguised else line
            self._known[line] = text, _MARKUP.sub("", _decoded(text))
        return self._known[line]

    def _in_plain(self, text: str, official: bool = False, joined: bool = False) -> Said | None:
        tokens, keys = tokens_and_keys.bare_tokens(text), tokens_and_keys.bare_keys(text)
        if tokens_and_keys.tokens_in(text, (text,)) or any(
            self._is_token(one, joined) for one in tokens
        ):
            return _TOKEN
        if tokens_and_keys.keys_in(text) or any(self._is_key(one, joined) for one in keys):
            return _KEY
        # Asked here too, so that an ordinary reply passes nothing of that module (decision 0026).
        found = contact_details.addresses(text) if contact_details.may_be_mail(text) else []
        if official:
            found = [one for one in found if one in self._addresses]
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
        for block in _blocks(lines):
            why = next((one for one in map(self.secret, block.lines) if one is not None), None)
            why = why or next((one for one in self._own(block.lines).values()), None)
            if why is not None:
                found[block.first : block.last + 1] = [why] * (block.last + 1 - block.first)
        for n, why in self._own(lines).items():
            found[n] = found[n] or why
        return found

    def _may_hold(self, lines: Sequence[str]) -> bool:
        """Return whether any of some lines may hold a secret; if not, none of them does."""
        if not lines or any(len(line) > LONGEST for line in lines):
            return bool(lines)
        # No pattern crosses this character, so none takes parts of two lines for one.
        looks = ("\0".join(look) for look in zip(*map(self._looks, lines), strict=True))
        return any(self._in_plain(look) is not None for look in dict.fromkeys(looks))

    def shown(self, line: str) -> str:
        """Return a line for its writer to see again, or "***"."""
        text = shown(line)
        return "***" if self._own([text]) or self.secret(text) else text

    def _own(self, lines: Sequence[str]) -> dict[int, Said]:
        """Return the lines that contain a secret of the writer's, over any number of lines."""
        if self.writer is None or not lines:
            return {}
        # What comes after that need not be searched: so long a line is never passed on.
        read, bare = zip(*(self._looks(line[:LONGEST]) for line in lines), strict=True)
        found = self._spelled(read)
        for look in (read, bare) if read != bare else (read,):
            # All lines at once, since nearly no letter holds one of its writer's secrets.
            whole = squeeze("\n".join(look))
            for secret, why in self._own_secrets.items():
                if secret in whole:
                    found.update(dict.fromkeys(_holding(look, secret), why))
        return found

    def _spelled(self, lines: Sequence[str]) -> dict[int, Said]:
        """Return the lines that contain an address of the writer's, in any spelling."""
        text, found = "\n".join(lines), dict[int, Said]()
        for address in self._own_addresses:
            for match in contact_details.spelled(address).finditer(text):
                first = text.count("\n", 0, match.start())
                last = first + match[0].count("\n")
                found.update(dict.fromkeys(range(first, last + 1), _ADDRESS))
        return found

    @cached_property
    def _player(self) -> Player | None:
        return self.store.players.find(id=self.writer)

    @cached_property
    def _own_addresses(self) -> list[str]:
        return [] if self._player is None else self.store.addresses_of(self._player)

    @cached_property
    def _own_secrets(self) -> dict[str, Said]:
        """The writer's tokens and keys, spent keys too, squeezed; and what each of them is."""
        store, player = self.store, self._player
        if player is None:
            return {}
        rows = [*store.tokens.values("token", player=player.id)]
        rows += store.subscriptions.values("token", player=player.id)
        serials = range(1, player.key_serial + 1)
        keys = [tokens_and_keys.key(store.secret, player.id, serial) for serial in serials]
        return {squeeze(token): _TOKEN for (token,) in rows} | {squeeze(one): _KEY for one in keys}

    def _is_token(self, text: str, joined: bool) -> bool:
        """Return whether this is a token, not a long word: by its digits, or by the database."""
        store = self.store
        return (
            (not joined and tokens_and_keys.is_odd(text))
            or store.tokens.find(token=text) is not None
            or store.subscriptions.find(token=text) is not None
        )

    def _is_key(self, text: str, joined: bool) -> bool:
        return (not joined and tokens_and_keys.is_odd(text)) or text in self._keys

    @cached_property
    def _keys(self) -> frozenset[str]:
        """All keys of all players, spent ones too."""
        return frozenset(
            tokens_and_keys.key(self.store.secret, player.id, serial)
            for player in self.store.players.all()
            for serial in range(1, player.key_serial + 1)
        )

    @cached_property
    def _addresses(self) -> frozenset[str]:
        """The addresses of all players, and of all newsletter readers."""
        store = self.store
        known = [row.address for row in store.players.all()]
        known += [row.address for row in store.further.all()]
        known += [row.address for row in store.subscriptions.all() if row.address]
        return frozenset(map(contact_details.canonical, known))


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


def shown(line: str) -> str:
    """Return a line for its writer to see again: shortened, and without secrets."""
    # Cut first, between words: masking a megabyte takes long, and little of it is shown.
    start = line if len(line) <= _LONGEST_SHOWN else line[:_LONGEST_SHOWN].rpartition(" ")[0]
    read = contact_details.plain(start).strip()
    text = tokens_and_keys.masked(contact_details.MAIL.sub("***", read))
    # What hides nothing is shown as it was written, with the signs of its script.
    text = start.strip() if text == read else text
    return text if len(text) <= _SEAM and start == line else f"{text[:_SEAM]} …"


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


class _Block(NamedTuple):
    """An encoded part of a text: its lines, and its decoded content."""

    first: int
    last: int
    lines: list[str]


def _decoded(text: str) -> str:
    """Return a line without the codes of mail headers, quoted-printable, HTML, URLs and scripts."""
    text = text[:_MOST]
    for _ in range(_ROUNDS):
        before = text
        text = unescape(text) if "&" in text else text
        text = unquote(text) if "%" in text else text
        text = _ENCODED_WORD.sub(_word, text) if "=?" in text else text
        text = _QUOTED.sub(_sign, text) if "=" in text else text
        text = _ESCAPED.sub(_sign, text) if "\\" in text else text
        if text == before:
            break
    return text


def _word(match: re.Match[str]) -> str:
    try:
        return str(make_header(decode_header(match[0])))
    except (HeaderParseError, UnicodeError, LookupError, ValueError):
        return match[0]


def _sign(match: re.Match[str]) -> str:
    sign = chr(int(match[1], 16))
    # Secrets are ASCII, and a byte that is not belongs to a charset that is not known here.
    return sign if " " < sign <= "~" else match[0]


def _blocks(lines: Sequence[str]) -> Iterator[_Block]:
    """Yield the parts that are text in base64 or hex, over any number of lines."""
    text = "\n".join(lines)[:_MOST_BLOCK]
    for pattern, read in ((_BASE64, _base64), (_HEX, _hex)):
        for match in pattern.finditer(text):
            said = [one for one in read("".join(match[0].split())) if one]
            if said:
                first = text.count("\n", 0, match.start())
                yield _Block(first, first + match[0].count("\n"), said)


def _base64(code: str) -> Iterator[str]:
    """Yield what a code says, for each place where a group of four may begin."""
    code = code.rstrip("=").replace("-", "+").replace("_", "/")
    if code.isalpha() and (code.islower() or code.isupper()):
        return  # a long word
    for start in range(4):
        part = code[start:]
        # A single sign after the last group of four holds no whole byte.
        cut = part[: len(part) - (len(part) % 4 == 1)]
        with suppress(binascii.Error):
            yield _readable(binascii.a2b_base64(cut + "=" * (-len(cut) % 4)))


def _hex(code: str) -> Iterator[str]:
    code = code.replace(":", "")
    yield _readable(bytes.fromhex(code[: len(code) // 2 * 2]))


def _readable(raw: bytes) -> str:
    """Return bytes as text; '' if they are not text."""
    text = raw.decode("ascii", "replace")
    odd = sum(ord(sign) < 32 and not sign.isspace() for sign in text)
    return text if odd * 8 <= len(text) else ""
