"""Orders of several pieces, in lines such as `Lance: CLOSE ON Raider`: read and put together.

Each line holds a part of what a piece is to do. A part without a name belongs to the piece that was
named last.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, NamedTuple, TypeVar

from engine.errors import UnreadableOrder
from engine.i18n import Said, say
from engine.names import Names, closest, find
from engine.orders.line_shapes import LONGEST, clean, is_prose
from engine.orders.phrase_parser import Token, Unclear, Vocabulary
from engine.ruleset import Near
from engine.seats import Seat

S = TypeVar("S")
P = TypeVar("P")
E = TypeVar("E")
D = TypeVar("D")
F = TypeVar("F")

_NAME_WORDS = 5
_MOST_MEANT = 4


class Asked(NamedTuple, Generic[S]):
    """Whose words are read: the state, the seat, the piece that is named, and the seat's pieces."""

    state: S
    seat: Seat
    who: str | None
    own: Names


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts(Generic[S, P]):
    """How a system's parts are read and written.

    `own` returns what a seat's pieces may be called, and `able` those of them that can act now: a
    part without a name is for one of these. `barred` returns why the seat can't order a piece that
    is called so and is not among its `own`, or None where nobody is called so. `body` reads a part
    behind its piece's name, and returns it with whether a word was mistyped; it raises Unclear.
    `piece` and `named` return the piece of a part, and the part for another piece. `empty` is a
    part that says nothing but the name, `text` the words of one, `joined` two parts of the same
    piece as one, and `fault` why one is not a whole order, or None. `example` is a line.
    """

    vocabulary: Vocabulary
    own: Callable[[S, Seat], Names]
    able: Callable[[S, Seat], Sequence[str]]
    barred: Callable[[S, Seat, str], Said | None]
    body: Callable[[Sequence[Token], Asked[S] | None], tuple[P, bool]]
    piece: Callable[[P], str]
    named: Callable[[P, str], P]
    empty: Callable[[str], P]
    text: Callable[[P], str]
    joined: Callable[[P, P], P]
    fault: Callable[[P], Near | None]
    example: str

    def read(self, state: S | None, seat: Seat | None, line: str) -> P | Near | None:
        """Return what a player's own line says: a part, nearly one, or None for story.

        A part without a name belongs to the piece named last, which `gather` finds out. Without a
        battle names stay as they were written.
        """
        return self._find(state, seat, line) if len(line) <= LONGEST else None

    def _find(self, state: S | None, seat: Seat | None, line: str) -> P | Near | None:
        # As it was written first, since cleaning would change an odd name.
        found = self._read(state, seat, line.strip())
        if found is None or isinstance(found, Near):
            cleaned = clean(line)
            again = self._read(state, seat, cleaned) if cleaned != line.strip() else None
            found = again or found
        return found

    def _read(self, state: S | None, seat: Seat | None, text: str) -> P | Near | None:
        own = None if state is None or seat is None else self.own(state, seat)
        name, body = self._parted(self.vocabulary.tokens(text), own)
        if name is None and not body:
            return None
        who = "" if name is None else name if own is None else find(name, own)
        meant = who if who is not None else _nearest(name or "", own)
        if not body:
            return self._alone(text, who, meant)
        words = (*self.vocabulary.verbs, *self.vocabulary.begins)
        begins = body[0].kind == "key" and body[0].text in words
        if not begins and (meant is None or name is None) and not self._is_slip(body[0]):
            return None
        asked: Asked[S] | None = None
        able: Sequence[str] = ()
        if state is not None and seat is not None and own is not None:
            asked, able = Asked(state, seat, who or None, own), self.able(state, seat)
            barred = self.barred(state, seat, name) if name and who is None and begins else None
            if barred is not None:
                return Near(text, barred, why=True)
        try:
            part, corrected = self.body(body, asked)
        except Unclear as error:
            # A verb in small letters may begin a sentence; in capitals, or after a name, it is an
            # order.
            loud = body[0].written.isupper() and len(body[0].written) > 1
            if not begins or not (loud or name):
                return None
            return Near(text, error.why, why=True)
        # Sentences begin with a name, too: only a verb, or nearly one, makes an order of a line.
        if not begins and not corrected:
            return None
        if who is not None and not corrected:
            return self.named(part, _only(who, able))
        if meant is not None:
            return Near(text, self.text(self.named(part, _only(meant, able))))
        if is_prose((name or "").split(), 2) or not able:
            return None
        return self._each(text, part, able)

    def _each(self, text: str, part: P, able: Sequence[str]) -> Near:
        """Return a line as nearly an order of each of a seat's pieces that can act, the first."""
        meant = tuple(self.text(self.named(part, one)) for one in able[:_MOST_MEANT])
        return Near(text, meant[0] if meant else "", several=meant)

    def _alone(self, text: str, who: str | None, meant: str | None) -> P | Near | None:
        """Return the part of a line with nothing but a name and a colon."""
        if who:
            return self.empty(who)
        return Near(text, f"{self.vocabulary.name_text(meant)}:") if meant else None

    def _is_slip(self, token: Token) -> bool:
        """Return whether a word in capitals is nearly a verb."""
        loud = token.kind == "word" and token.text.isupper()
        return loud and closest(token.text, self.vocabulary.verbs) is not None

    def _parted(self, found: list[Token], own: Names | None) -> tuple[str | None, list[Token]]:
        """Return the name before a part, None where there is none, and what stands behind it."""
        ends = next(
            (n for n, token in enumerate(found) if token.kind not in ("word", "quoted")), None
        )
        count = len(found) if ends is None else ends
        name = " ".join(token.text for token in found[:count])
        if ends is None or not 0 < count <= _NAME_WORDS:
            return None, found
        if found[ends].text == ":":
            return name, found[count + 1 :]
        if own and find(name, own) is not None:
            return name, found[count:]
        return None, found

    def gather(self, state: S | None, seat: Seat | None, texts: Sequence[str]) -> list[str | Near]:
        """Return the orders that the parts in a letter make up, one for each piece.

        Parts without a name belong to the piece that was named last. Each part is in the text that
        `read` returned. What is not a whole order comes back as a near miss.
        """
        # In the order in which pieces are first named, so that an answer lists them as the letter
        # does.
        whole: dict[str, P] = {}
        found: list[str | Near] = []
        last = ""
        for text in texts:
            part = self.parse(state, seat, text)
            last = self.piece(part) or last
            if not last and state is not None and seat is not None:
                found.append(self._each(text, part, self.able(state, seat)))
                continue
            before, part = whole.get(last), self.named(part, last)
            whole[last] = part if before is None else self.joined(before, part)
        return [*found, *(self.fault(part) or self.text(part) for part in whole.values())]

    def parse(self, state: S | None, seat: Seat | None, text: str) -> P:
        """Return what a canonical text says: an order, or a part of one; raise UnreadableOrder."""
        found = self._find(state, seat, text)
        if isinstance(found, Near):
            nearly = say("{text!r} is nearly an order", text=found.text)
            raise UnreadableOrder(nearly, hint=found.hint)
        if found is None:
            raise UnreadableOrder(self._unread(text.strip()))
        return found

    def parse_whole(self, state: S, seat: Seat, text: str) -> P:
        """Return the order in a canonical text; raise UnreadableOrder where it is not whole."""
        part = self.parse(state, seat, text)
        if not self.piece(part) or self.fault(part) is not None:
            raise UnreadableOrder(self._unread(text))
        return part

    def _unread(self, text: str) -> Said:
        return say(
            "{text!r} is not a whole order; write one like {example}",
            text=text,
            example=self.example,
        )


def _nearest(name: str, own: Names | None) -> str | None:
    """Return the piece whose name a mistyped one is near to, or None."""
    near = closest(name, own) if own else None
    return own[near] if own and near else None


def _only(who: str | None, able: Sequence[str]) -> str:
    """Return the piece that a part is for: the one named, or the only one that can act."""
    return who or (able[0] if len(able) == 1 else "")


def ruling(text: str, end: E, draw: D, forfeit: Callable[[Seat], F]) -> E | D | F:
    """Return the referee's order in a canonical text; raise UnreadableOrder."""
    command, _, name = text.partition(" ")
    if command == "FORFEIT" and name:
        return forfeit(Seat(name))
    if text in ("END", "DRAW"):
        return end if text == "END" else draw
    raise UnreadableOrder(
        say(
            "{text!r} is not a ruling; the rulings are {rulings}",
            text=text,
            rulings=["END", "DRAW", "FORFEIT"],
        )
    )
