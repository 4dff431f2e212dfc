"""An incoming letter: what it says, whose address it comes from, and what proves that."""

import re
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property

from engine.orders.line_shapes import WHOLE_RULE, clean
from engine.preview.budget import Budget
from engine.ruleset import Near
from pbem.channels.mail.sender_authentication import Authentication, authenticate
from pbem.games.session import Session
from pbem.handlers.accounts import account_safeguards, addresses, board_accounts, joining
from pbem.handlers.ports import Ports
from pbem.handlers.request import Correspondent, Request
from pbem.intake import LONG_LINE, Limits, NewText, Reading, read_letter, tokens_and_keys
from pbem.outgoing import questions, reachability
from pbem.outgoing.outbox import TALK
from pbem.outgoing.questions import ASKED
from pbem.people import players, readers, tokens
from pbem.routing import find_league_order
from pbem.routing.line_tests import as_battle_orders, is_order
from pbem.routing.own_words_of_letter import own_words
from pbem.routing.yes_words import beside_yes, is_yes
from pbem.settings import Settings
from pbem.storage import Game, Letter, Persona, Place, Player, Question, Subscription, Token
from pbem.storage.clock_jumps import believed
from pbem.storage.stored_letters import (
    HANDLED,
    WITHOUT_EFFECT,
    Namesake,
    namesakes,
    take_words,
)

_PROVE_NOTHING_ELSE = (board_accounts.TOKEN, addresses.TOKEN, account_safeguards.UNDO)
"""Kinds of tokens that confirm one thing, and do not prove who wrote the rest of a letter."""

_MAIL_LINK = re.compile(r"\s?[<(]mailto:[^<>()]{0,4000}[>)](?=[\s.!]*$)", re.I | re.M)
"""What a mail program writes behind the text of a link, such as `SCAN <mailto:…>`; more words
behind it stand so in our letters alone."""


def _lines(text: str) -> list[str]:
    """Return the lines of a text that are not blank, each without needless spaces."""
    return [" ".join(line.split()) for line in text.splitlines() if line.strip()]


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
        return read_letter(self.letter.content, limits(self.ports.settings))

    @cached_property
    def own(self) -> NewText:
        """What its player wrote, without what it repeats of our letters."""
        reading = self.reading
        lines = (*reading.text.split("\n"), *reading.unsure)
        # Most letters of orders alone are not compared, because that would take time: a short line
        # is nobody's words, and a rule may be copied out of our letter.
        long = (line for line in lines if len(line) >= LONG_LINE)
        if not reading.below and all(WHOLE_RULE.fullmatch(clean(line)) for line in long):
            return NewText(reading.text, reading.unsure)
        return own_words(self.ports, self.player, reading)

    @cached_property
    def _namesakes(self) -> list[Namesake]:
        """The other letters with its Message-ID."""
        return namesakes(self.ports.store, self.letter)

    @property
    def first_delivery(self) -> int | None:
        """The first delivery of the same bytes that was handled, if any other was.

        One that was shunted or dropped had no effect, so it is none, and nor is a duplicate itself.
        """
        return next(
            (
                one.id
                for one in self._namesakes
                if one.digest == self.letter.digest
                and one.state in HANDLED
                and one.klass not in WITHOUT_EFFECT
            ),
            None,
        )

    @property
    def first_copy(self) -> int | None:
        """The answered letter that this one is another copy of, changed by a gateway on its way.

        It has the same Message-ID, Date and From and the same words; what only one of the copies
        has, such as a footer, holds no order.
        """
        for one in self._namesakes:
            if one.id > self.letter.id or (one.state, one.klass) != ("answered", "human"):
                continue
            earlier = self.ports.store.get(Letter, one.id)
            first = Incoming(self.ports, earlier, self.now).reading
            same = (first.sender, first.date) == (self.reading.sender, self.reading.date)
            if same and self._adds_nothing(first.text):
                return earlier.id
        return None

    def _adds_nothing(self, first: str) -> bool:
        """Return whether the lines that only one of two texts has are above or below the other.

        None of them is an order.
        """
        short, long = sorted((_lines(first), _lines(self.reading.text)), key=len)
        for at in range(len(long) - len(short) + 1):
            if long[at : at + len(short)] == short:
                added = [*long[:at], *long[at + len(short) :]]
                systems = self.ports.settings.league.systems
                return not any(is_order(line, self.language, systems) for line in added)
        return False

    @cached_property
    def text(self) -> str:
        """Its player's own words without keys, so that no answer can repeat one."""
        text = self.own.text
        # Left out only now: what of it repeats our words is known with the links.
        text = _MAIL_LINK.sub("", text) if "mailto:" in text else text
        return tokens_and_keys.without_keys(text)

    @cached_property
    def own_reading(self) -> Reading:
        """The letter with only its player's own words as its text."""
        # The letter that asks for a YES holds that word too, and is often quoted below it.
        return replace(self.reading, text=self.own.text) if self.known else self.reading

    @cached_property
    def known(self) -> Player | None:
        """The player whose address is in From, confirmed or not, or None."""
        sender = self.reading.sender
        return None if sender is None else players.at(self.ports.store, sender)

    @property
    def player(self) -> Player:
        """The confirmed player in From; only for rows below the one that handles strangers."""
        assert self.known is not None
        return self.known

    @cached_property
    def from_member(self) -> bool:
        """Whether a confirmed player's address is in From."""
        return self.known is not None and self.known.confirmed

    @property
    def language(self) -> str:
        """The language that its player reads, or the league's."""
        return self.ports.outbox.language(self.known)

    @cached_property
    def _named(self) -> list[str]:
        return tokens_and_keys.tokens_in(self.reading.subject, self.reading.recipients)

    @cached_property
    def tokens(self) -> list[Token]:
        """The tokens that it carries and that have not expired, no matter whose."""
        store, today = self.ports.store, self.now
        named = [tokens.named(store, text) for text in self._named]
        found = [token for token in named if token is not None]
        # Asked only if it matters: after a jump of the clock, an earlier time decides.
        if any(token.expires < today for token in found):
            today = believed(store, self.now)
        return [token for token in found if token.expires >= today]

    @cached_property
    def token(self) -> Token | None:
        """The valid token of the player that proves who wrote the letter, or None.

        A token of a turn that is over is returned only where there is no other.
        """
        own = [one for one in self._own_tokens if one.kind not in _PROVE_NOTHING_ELSE]
        # Its subject and its address may have tokens of different turns.
        if len(own) > 1:
            return next((one for one in own if not self.is_over(one)), own[0])
        return own[0] if own else None

    @property
    def _own_tokens(self) -> list[Token]:
        known = self.known
        return [one for one in self.tokens if known is not None and one.player_id == known.id]

    @property
    def joins(self) -> bool:
        """Whether it confirms the address of a new player, who is `known`."""
        unconfirmed = self.known is not None and not self.known.confirmed
        return unconfirmed and any(one.kind == joining.TOKEN for one in self._own_tokens)

    @cached_property
    def place(self) -> Place | None:
        """The player's place that the token is for, if it is for one."""
        token = self.token
        # A letter to the league may answer the last report of a battle, but orders nothing in it.
        if token is None or token.place_id is None or token.kind == "league":
            return None
        battle = self._battle(token.game_id)
        places = battle.places.values() if battle else ()
        own = (place for place in places if place.player_id == token.player_id)
        return next((place for place in own if place.id == token.place_id), None)

    @property
    def answers_go_to(self) -> str:
        """The channel on which its player reads letters from now on: where they last wrote."""
        return self.letter.channel

    @property
    def battle(self) -> int | None:
        """The number of the battle whose report it answers, be it over or not."""
        return self.token.game_id if self.token is not None else None

    @property
    def writes_to(self) -> Correspondent | None:
        """The player whose letter it answers, if it answers one of a player."""
        token = self.token
        if token is None or token.kind != TALK:
            return None
        store, (writer, *pilots) = self.ports.store, map(int, token.parts)
        found = (store.find(Persona, one) for one in pilots)
        name, signs = (one.name if one else "" for one in found)
        return Correspondent(writer, name or store.get(Player, writer).name, signs)

    @cached_property
    def _answered(self) -> tuple[Question, list[str]] | None:
        """The open question that it answers by YES, with what else stands in it, or None."""
        if self.known is None:
            return None
        written = [line for line in self.text.splitlines() if line.strip()]
        asked = any(one.kind == ASKED for one in self._own_tokens)
        if not asked and not any(map(is_yes, written)):
            return None
        question = self.open_question()
        if question is None:
            return None
        repeated, systems = question.lines if asked else "", self.ports.settings.league.systems
        beside = beside_yes(written, repeated, self.language, self.player.name, systems)
        return None if beside is None else (question, beside)

    def open_question(self) -> Question | None:
        """Return the open question of the letter that it answers; the latest, if it answers none.

        A letter that carries any token answers a letter of ours, be it an old one.
        """
        store = self.ports.store
        if self._named:
            found = questions.asked_with(store, self._own_tokens)
        else:
            found = questions.latest(store, self.player.id, believed(store, self.now))
        if found is None or found.sender not in ("", self.reading.sender):
            return None
        return None if self.is_over(store.get(Token, found.token_id)) else found

    @property
    def question(self) -> Question | None:
        """The open question that it answers by YES, or None."""
        return self._answered[0] if self._answered else None

    @property
    def beside(self) -> list[str]:
        """What else stands in a letter that answers a question."""
        return self._answered[1] if self._answered else []

    @cached_property
    def stopped(self) -> Subscription | None:
        """The subscription that the letter ends by its token and subject, if any.

        A mail program or a provider may send it for the reader (RFC 2369, RFC 8058), but a bounce
        or a spam report does not count.
        """
        reading = self.reading
        if reading.klass in ("bounce", "feedback") or not reading.topic.startswith(readers.STOP):
            return None
        return readers.named(self.ports.store, self._named)

    @cached_property
    def claimant(self) -> Player | None:
        """The player whose new address it comes from and confirms; None if banned."""
        sender = self.reading.sender or ""
        for token in self.tokens:
            if token.kind == addresses.TOKEN and addresses.is_for(self.ports, token, sender):
                player = self.ports.store.get(Player, token.player_id)
                return None if player.banned else player
        return None

    @cached_property
    def undone(self) -> Token | None:
        """The token by which it undoes a change of address, or None."""
        for token in self.tokens:
            if token.kind == account_safeguards.UNDO and account_safeguards.undoes(
                self.ports, token, self.own_reading
            ):
                return token
        return None

    @property
    def proven(self) -> bool:
        """Whether anything proves that its player wrote it."""
        return self.token is not None or self.keyed or self.authenticated

    @cached_property
    def from_stranger(self) -> bool:
        """Whether nothing proves that somebody known to the league wrote it."""
        ports, reading = self.ports, self.reading
        if reading.klass == "bounce":
            return reachability.returned_by(ports.store, ports.settings, reading, self.now) is None
        if self.stopped or self.claimant or self.joins:
            return False
        return not (self.from_member and self.proven)

    @property
    def wants_answer(self) -> bool:
        """Whether a person may have written it as an answer to a letter of ours.

        It carries a valid token, and nothing in it says in a standard form that a machine wrote it.
        """
        return self.reading.klass in ("human", "refused", "list") and bool(self.tokens)

    @property
    def reads_only(self) -> bool:
        """Whether its only proof is the token of a turn that is over."""
        return self.token is not None and self.is_over(self.token) and not self.sure

    @cached_property
    def sure(self) -> bool:
        """Whether more than a token proves who wrote it."""
        return self.keyed or self.authenticated

    def is_over(self, token: Token) -> bool:
        """Return whether a token's turn is over, or its place was taken over by another player."""
        if token.kind not in questions.ABOUT_TURN or token.place_id is None:
            return False
        battle = self._battle(token.game_id)
        if battle is None or not battle.game.running or battle.game.turn != token.turn:
            return True
        places = battle.places.values()
        return any(p.id == token.place_id and p.player_id != token.player_id for p in places)

    def _battle(self, number: int | None) -> Session | None:
        """Return a battle of a token, None if there is none; it is read once for the letter."""
        if number is not None and number not in self._battles:
            game = self.ports.store.find(Game, number)
            if game is not None:
                self._battles[number] = Session(self.ports.store, game)
        return None if number is None else self._battles.get(number)

    @cached_property
    def _battles(self) -> dict[int, Session]:
        return {}

    @cached_property
    def orders(self) -> bool:
        """Whether it has an order or a key, or each line is at least nearly an order."""
        language, systems = self.language, self.ports.settings.league.systems
        lines = [line for line in self.text.splitlines() if line.strip()]
        if self.keys or any(is_order(line, language, systems) for line in lines):
            return True
        return bool(lines) and all(
            isinstance(find_league_order.find(line, language), Near)
            or any(one.near for one in as_battle_orders(line, language, systems))
            for line in lines
        )

    @cached_property
    def keyed(self) -> bool:
        """Whether it holds the player's key; the right one counts however many wrong ones came."""
        # Nobody finds 45 bits by letters, a few keys each; a lock would only shut out the owner.
        if not self.keys:
            return False
        key = tokens_and_keys.key(self.ports.store.secret, self.player.id, self.player.key_serial)
        return any(tokens_and_keys.same(found, key) for found in self.keys)

    @cached_property
    def keys(self) -> list[str]:
        """The keys in the letter that are tried, without duplicates."""
        named = dict.fromkeys(tokens_and_keys.keys_in(self.reading.text))
        # Each is a guess: without a bound one letter could make thousands.
        return list(named)[: self.ports.settings.limits.keys_a_letter]

    @cached_property
    def guessed_at(self) -> bool:
        """Whether so many wrong keys came from its address today that its player is warned."""
        wrong = self.ports.store.counted_today(self._wrong_keys, self.now)
        return wrong >= self.ports.settings.limits.wrong_keys_a_day

    def request(self) -> Request:
        """Count the letter, record when the player last wrote, and return the request."""
        ports, player, reading = self.ports, self.player, self.reading
        ports.store.count_today(f"letters {player.id}", self.now)
        players.change(ports.store, player.id, heard=self.now, channel=self.answers_go_to)
        return Request(
            ports,
            player,
            self.letter,
            self.now,
            self.place,
            reading.topic,
            keyed=self.keyed,
            sure=self.sure,
            reads_only=self.reads_only,
            budget=Budget(ports.settings.limits.letter_cost),
            sender=reading.sender or "",
            unsure=self.own.unsure,
            unread=reading.unread,
            writes_to=self.writes_to,
            # Only a letter that is surely the player's ends what was kept.
            kept=take_words(ports.store, player.id) if self.proven else (),
            fought=self.battle,
            battles=self._battles,
        )

    def confirmed_request(self, token: Token) -> Request:
        """Return the request to carry out the question of a letter of ours with this token."""
        place = None
        if token.kind in questions.ABOUT_TURN and token.place_id is not None:
            place = self.ports.store.get(Place, token.place_id)
        return replace(
            self.request(),
            place=place,
            confirmed="mailbox" if token.kind == ASKED else "yes",
            reads_only=False,
            unsure=(),
        )

    def count_wrong_keys(self) -> None:
        """Count the keys that were tried, if none was right."""
        # A cached property is in `vars` once it was read: here, once a rule has tried the keys.
        tried = "keyed" in vars(self) and bool(self.keys)
        if tried and not self.keyed:
            self.ports.store.count_today(self._wrong_keys, self.now, len(self.keys))

    @property
    def _wrong_keys(self) -> str:
        return f"wrong keys {self.reading.sender}"

    @cached_property
    def authentication(self) -> Authentication:
        """The result of the sender's authentication, by the league's server or by a signature."""
        return authenticate(self.ports.settings.authentication, self.reading, self.letter.checked)

    @property
    def authenticated(self) -> bool:
        """Whether passed authentication proves who wrote it, if the league's settings say so.

        The letter must be addressed to the league, and must not have come before: somebody who got
        a signed letter from a player could send it on to the referee.
        """
        ports = self.ports
        if ports.settings.authentication.passed != "proof" or self.authentication.word != "pass":
            return False
        here = ports.settings.league.address.lower() in self.reading.addressed
        return here and not self._namesakes
