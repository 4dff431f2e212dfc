"""What a commitment covers and what dice depend on, so that nobody can choose them (dice.md)."""

import hashlib
import hmac
from collections.abc import Mapping, Sequence
from typing import NamedTuple, TypedDict

from engine.dice import canonical

PROTOCOL = "pbem-dice-2"
SECRET_BYTES = 32


class Words(TypedDict):
    """What a seat's player adds to the dice: a message's fingerprint and SALT lines."""

    letter: str
    salts: list[str]


AllWords = Mapping[str, Words]
"""The words of each seat of a player, by the seats' names."""


def words_of(message_id: str, salts: Sequence[str], link: str = "") -> Words:
    """Return the words that a letter with this Message-ID and these SALT lines adds.

    A message on a board has its name in place of a Message-ID. As everybody knows it, `link` is
    there too: the fingerprint of the words of the message by which its writer linked the account.
    """
    named = f"{link} {message_id}" if link else message_id
    return {
        # Hashed, as a Message-ID often names a computer. Its bad bytes are lone surrogates here.
        "letter": hashlib.sha256(named.encode("utf-8", "surrogatepass")).hexdigest(),
        "salts": list(salts),
    }


def no_words() -> Words:
    """Return the words of a seat whose player has written no letter."""
    return {"letter": "", "salts": []}


def fingerprint(value: object) -> str:
    """Return the SHA-256 of a value's canonical JSON, in hex."""
    return hashlib.sha256(canonical(value).encode()).hexdigest()


def commitment(
    secret: bytes, game: str, system: str, rules: int, terms: Mapping[str, object]
) -> str:
    """Return the hash that is published of a secret before another player's last letter is written.

    `terms` are what else is fixed by then (docs/dice.md).
    """
    seal = hashlib.sha256(secret).hexdigest()
    return fingerprint([PROTOCOL, "commitment", game, system, rules, seal, dict(terms)])


class Ground(NamedTuple):
    """What the dice of all steps of a game depend on.

    `setup` is the set-up's fingerprint, `bots` the strength of the bots or nothing, and
    `before` are the words of each player's seat from before the game.
    """

    secret: bytes
    commitment: str
    setup: str
    bots: str
    before: AllWords

    def step(
        self,
        n: int,
        words: AllWords,
        orders: Sequence[tuple[str, str]],
        proxied: Sequence[str] = (),
    ) -> bytes:
        """Return the key of a step's dice; `orders` are seats and canonical texts, by seats.

        `words` are the latest of each seat, and `proxied` the seats that the moderator ordered for.
        """
        given = [list(pair) for pair in orders]
        # PROXY is part of the key: such orders are the moderator's choice, and the log must say so.
        return self._key("step", n, words, given, sorted(proxied))

    def whims(self, n: int, words: AllWords) -> bytes:
        """Return the key of the dice by which bots choose their orders."""
        return self._key("whims", n, words)

    def _key(self, use: str, n: int, words: AllWords, *more: object) -> bytes:
        shared = [self.commitment, self.setup, self.bots, n, dict(self.before), dict(words)]
        return keyed(self.secret, use, *shared, *more)


def keyed(secret: bytes, use: str, *parts: object) -> bytes:
    """Return the key that a secret and some parts have for one use, such as a step."""
    return hmac.digest(secret, canonical([PROTOCOL, use, *parts]).encode(), "sha256")


def sparring(secret: bytes, game: str, words: AllWords) -> bytes:
    """Return the key of the dice by which a bot is drawn for a game."""
    # The set-up follows from this roll, so the key can't depend on the set-up as a step's does.
    return keyed(secret, "sparring", game, dict(words))


def digest_of(key: bytes) -> str:
    """Return what a receipt shows of a step's key; the key can't be found from it."""
    return hashlib.sha256(key).hexdigest()
