"""An incoming letter: what it says, whose address it comes from, and what proves that."""

from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any

from pbem import identity
from pbem.clock_jump import believed
from pbem.handlers import addresses, safeguards
from pbem.intake import Limits, Reading
from pbem.mail.authentication import Voucher, voucher
from pbem.ports import Ports
from pbem.settings import Settings
from pbem.storage import Letter, Player, Token

_PROVE_NOTHING_ELSE = (addresses.TOKEN, safeguards.UNDO)
"""Kinds of tokens that confirm one thing, and do not prove who wrote the rest of a letter."""


def limits(settings: Settings) -> Limits:
    """Return the limits for reading a letter, with the league's own addresses."""
    return Limits(ours=(settings.league.address,))


@dataclass
class Incoming:
    """A letter with what the rules ask about it; each fact is looked up once, when it is needed."""

    ports: Ports
    letter: Letter
    now: datetime

    @cached_property
    def reading(self) -> Reading:
        """The letter as it was parsed and classified."""
        return self.ports.reader.reading(self.letter.sha256, self.letter.content)

    @cached_property
    def known(self) -> Player | None:
        """The player whose address is in From, confirmed or not, or None."""
        sender = self.reading.sender
        return None if sender is None else self.ports.store.player_at(sender)

    @property
    def player(self) -> Player:
        """The confirmed player in From; only for rows below the one that handles strangers."""
        assert self.known is not None
        return self.known

    @property
    def is_members(self) -> bool:
        """Whether a confirmed player's address is in From."""
        return self.known is not None and self.known.confirmed

    @cached_property
    def token(self) -> Any:
        """The valid token of the player that the letter carries, or None."""
        return self.valid_token()

    @property
    def reads_only(self) -> bool:
        """Whether its only proof is the token of a turn that is over."""
        return self.token is not None and self._is_over(self.token) and not self.sure

    @property
    def sure(self) -> bool:
        """Whether more than a token proves who wrote it."""
        return self.keyed or self.vouched

    def _is_over(self, token: Token) -> bool:
        """Return whether a token's turn is over, or its place was taken over by another player."""
        if token.kind != "game":
            return False
        game = self.ports.store.games.find(id=token.game_id)
        if game is None or not game.running or game.turn != token.turn:
            return True
        place = self.ports.store.places.find(id=token.place_id)
        return place is not None and place.player_id != token.player_id

    @cached_property
    def keyed(self) -> bool:
        """Whether it holds the player's key; always false that day after too many wrong keys."""
        if not self.keys or self.locked:
            return False
        key = identity.key(self.ports.store.secret, self.player.id, self.player.key_serial)
        return any(identity.same(found, key) for found in self.keys)

    @cached_property
    def keys(self) -> list[str]:
        """The keys in the letter that are tried, without duplicates."""
        named = dict.fromkeys(identity.keys_in(self.reading.text))
        return list(named)[: self.ports.settings.limits.keys_a_letter]

    @cached_property
    def locked(self) -> bool:
        """Whether so many wrong keys came from its address today that no more keys are tried."""
        wrong = self.ports.store.counted_today(self._wrong_keys, self.now)
        return wrong >= self.ports.settings.limits.wrong_keys_a_day

    def count_wrong_keys(self) -> None:
        """Count the keys that were tried, if none was right."""
        # A cached property is in `vars` once it was read: here, once a rule has tried the keys.
        tried = "keyed" in vars(self) and not self.locked
        if tried and self.keys and not self.keyed:
            self.ports.store.count_today(self._wrong_keys, self.now, len(self.keys))

    @property
    def _wrong_keys(self) -> str:
        return f"wrong keys {self.reading.sender}"

    @cached_property
    def voucher(self) -> Voucher:
        """The result of the sender's authentication, by the league's server or by a signature."""
        return voucher(self.ports.settings.authentication, self.reading, self.letter.checked)

    @property
    def vouched(self) -> bool:
        """Whether passed authentication proves who wrote it, if the league's settings say so.

        The letter must be addressed to the league, and must not have come before: somebody who got
        a signed letter from a player could send it on to the referee.
        """
        ports, letter = self.ports, self.letter
        if ports.settings.authentication.passed != "proof" or self.voucher.word != "pass":
            return False
        here = ports.settings.league.address.lower() in self.reading.addressed
        return here and ports.store.letters.count(message_id=letter.message_id) <= 1

    def valid_token(self, kind: str = "") -> Any:
        """Return the first valid token of the letter's player, of a kind if one is given, or None.

        A token of a turn that is over is returned only where there is no other.
        """
        over = None
        for text in identity.tokens_in(self.reading.subject, self.reading.recipients):
            token = self.ports.store.tokens.find(token=text)
            if token is None or self.known is None or token.player_id != self.known.id:
                continue
            fits = token.kind == kind if kind else token.kind not in _PROVE_NOTHING_ELSE
            if token.expires >= believed(self.ports.store, self.now) and fits:
                if not self._is_over(token):
                    return token
                over = over or token
        return over
