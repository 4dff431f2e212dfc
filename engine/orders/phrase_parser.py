"""Orders in phrases: a text taken apart into key words, names, numbers and marks, and read."""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import NamedTuple

from engine.i18n import Said, say
from engine.names import Names, closest, find, fold
from engine.order_translations import Translation, Words, turned

# Possessive (`*+`, `++`): a line of many quotes must not be tried in many ways.
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*+"|[,;:&+]|[^\s,;:&+"]++|"')
_MARKS = ',;:&+"'
_JOINS = {"&": "AND", "+": "AND"}
_MOST_WORDS = 3
"""The most words of a key word."""
_PLAIN = re.compile(r"\w(?:[\w .'-]*[\w'])?")
_ARTICLES = ("the", "a", "my", "his", "her", "den", "die", "das", "dem", "der")
LONGEST_NAME = 6
"""The most words of a name that is not in quotes."""


class Token(NamedTuple):
    """A part of a text: a `key` word, a `word`, a `quoted` name, or a `mark` such as a comma.

    `written` is what stood there, and `text` a key word as it is meant, or a name without quotes.
    """

    kind: str
    text: str
    written: str


# Compared by identity: its fields have no hash, and the cache of `_name_text` needs one.
@dataclass(frozen=True, eq=False)
class Vocabulary:
    """The key words of a system's orders.

    `english` holds what may be written for each, the first of which is shown, and `others` those of
    other languages, from which names must differ too. A number may have `unit` behind it, as in
    20m. An order begins with one of the `verbs`, or of what else `begins` one.
    """

    english: Words
    others: tuple[Words, ...]
    verbs: tuple[str, ...]
    begins: tuple[str, ...] = ()
    unit: str = ""

    @cached_property
    def forms(self) -> dict[str, str]:
        """The key words by all their folded forms in English."""
        return turned(self.english)

    @cached_property
    def _reserved(self) -> frozenset[str]:
        return frozenset((*self.forms, *(form for words in self.others for form in turned(words))))

    @cached_property
    def _number(self) -> re.Pattern[str]:
        return re.compile(rf"(-?\d{{1,9}}){self.unit}", re.I)

    def tokens(self, text: str, forms: Mapping[str, str] | None = None) -> list[Token]:
        """Return a text's parts; `forms` are the key words by all their folded forms."""
        raw, found, at = _TOKEN.findall(text), list[Token](), 0
        while at < len(raw):
            count, token = self._next(raw, at, self.forms if forms is None else forms)
            found.append(token)
            at += count
        return found

    def _next(self, raw: list[str], at: int, forms: Mapping[str, str]) -> tuple[int, Token]:
        """Return the longest part that begins at a place, and its number of pieces."""
        one = raw[at]
        if one in _JOINS:
            return 1, Token("key", _JOINS[one], one)
        if one[0] in ',;:"':
            if len(one) > 1:
                return 1, Token("quoted", _unquoted(one), one)
            return 1, Token("mark", one, one)
        for count in range(min(_MOST_WORDS, len(raw) - at), 0, -1):
            written = raw[at : at + count]
            # Folding drops spaces, so that only a form of as many words is this one.
            odd = any(word[0] in _MARKS for word in written)
            meant = None if odd else forms.get(fold(" ".join(written)))
            if meant is not None:
                return count, Token("key", meant, " ".join(written))
        # A point ends a sentence; within a name it belongs to it.
        number = self._number.fullmatch(one) if self.unit else None
        return 1, Token("word", number[1] if number else one, one)

    def name_text(self, name: str) -> str:
        """Return a name, in quotes where it might be taken for something else."""
        return _name_text(self, name)

    def is_plain(self, name: str) -> bool:
        """Return whether a name can't be taken for key words or numbers."""
        words = name.split()
        spans = (
            " ".join(words[at : at + count])
            for at in range(len(words))
            for count in range(1, _MOST_WORDS + 1)
        )
        return (
            _PLAIN.fullmatch(name) is not None
            and " ".join(words) == name
            and not self._number.fullmatch(name)
            and not is_number(name)
            and not any(fold(span) in self._reserved for span in spans)
        )


@lru_cache(maxsize=1024)
def _name_text(vocabulary: Vocabulary, name: str) -> str:
    return name if vocabulary.is_plain(name) else json.dumps(name, ensure_ascii=False)


def _unquoted(quoted: str) -> str:
    try:
        return str(json.loads(quoted))
    except ValueError:
        # Typed by a player, who escapes nothing: a backslash stands for itself.
        return quoted[1:-1]


def is_number(text: str) -> bool:
    """Return whether a word is a whole number."""
    return re.fullmatch(r"-?[0-9]{1,9}", text) is not None


class Unclear(Exception):
    """Words that can't be read as an order; the text says why."""

    def __init__(self, why: Said) -> None:
        super().__init__(why)
        self.why = why


def nearest_phrase(found: Sequence[Token], count: int, known: Iterable[str]) -> str | None:
    """Return the phrase of `count` words that mistyped parts are near to, or None."""
    if len(found) != count or found[0].kind != "word":
        return None
    phrases = (phrase for phrase in known if len(phrase.split()) == count)
    return closest(" ".join(token.written for token in found), phrases)


class PhraseReader:
    """Reads a text's parts from the first to the last.

    `corrected` is whether a word was mistyped; the order is then only asked about.
    """

    def __init__(self, tokens: Sequence[Token]) -> None:
        self.tokens = tokens
        self.at = 0
        self.corrected = False

    def peek(self) -> Token | None:
        """Return the next part, None at the end."""
        return self.tokens[self.at] if self.at < len(self.tokens) else None

    def end(self) -> None:
        """Raise Unclear where a part is left that belongs to nothing."""
        token = self.peek()
        if token is not None:
            raise Unclear(say("{word!r} does not belong there", word=token.written))

    def key(self, *meant: str) -> str | None:
        """Take the next part if it is one of these key words."""
        token = self.peek()
        if token is None or token.kind != "key" or token.text not in meant:
            return None
        self.at += 1
        return token.text

    def mark(self, mark: str) -> bool:
        """Take the next part if it is this mark."""
        token = self.peek()
        if token is None or token.kind != "mark" or token.text != mark:
            return False
        self.at += 1
        return True

    def nearly(self, words: Iterable[str]) -> str | None:
        """Take the next part if it is nearly one of these words, and return that word.

        A mistyped phrase such as `CLSE ON` is two parts.
        """
        known = tuple(words)
        for count in (2, 1):
            near = nearest_phrase(self.tokens[self.at : self.at + count], count, known)
            if near is not None:
                self.corrected = True
                self.at += count
                return near
        return None

    def number(self) -> int | None:
        """Take the next part if it is a whole number."""
        token = self.peek()
        if token is None or token.kind != "word" or not is_number(token.text):
            return None
        self.at += 1
        return int(token.text)

    def name(self, names: Names | None) -> str | None:
        """Take a name, None where none stands here; a mistyped one is corrected.

        Where no names are known, it stays as it was written.
        """
        token = self.peek()
        if token is not None and token.kind == "quoted":
            self.at += 1
            return self._named(token.text, names)
        # A known name first: it may hold a key word, or be one.
        if (whole := self._whole(names or {})) is not None:
            return whole
        start = self.at
        while (token := self.peek()) is not None and token.kind == "word":
            self.at += 1
        written = [token.text for token in self.tokens[start : self.at]]
        if not written:
            return None
        if len(written) > LONGEST_NAME:
            raise Unclear(say("{name!r} is not a name", name=" ".join(written)))
        bare = written[1:] if len(written) > 1 and written[0].lower() in _ARTICLES else written
        return self._named(" ".join(bare), names)

    def _whole(self, names: Names) -> str | None:
        """Take the longest known name as it is, although a word of it may be a key word."""
        rest = self.tokens[self.at : self.at + LONGEST_NAME] if names else ()
        for count in range(len(rest), 0, -1):
            found = find(" ".join(token.written for token in rest[:count]), names)
            if found is not None:
                self.at += count
                return found
        return None

    def _named(self, written: str, names: Names | None) -> str:
        if names is None:
            return written
        found = find(written, names)
        if found is None:
            near = closest(written, names)
            if near is None:
                raise Unclear(_unknown(written, names))
            found, self.corrected = names[near], True
        return found


def _unknown(written: str, names: Names) -> Said:
    known = list(dict.fromkeys(names.values()))
    if not known:
        return say("there is nothing here that {name!r} could be", name=written)
    return say("{name!r} is not known here; known are {known}", name=written, known=known)


@dataclass(frozen=True, kw_only=True)
class PhraseTranslation(Translation):
    """A language whose `commands` are all key words of a system's orders.

    Key words are translated wherever they stand, and of the names only `names`, of one word each,
    which are the same in every game.
    """

    vocabulary: Vocabulary
    names: Words = field(default_factory=dict)

    @cached_property
    def _forms(self) -> dict[str, str]:
        # A word of the language itself comes first.
        return self.vocabulary.forms | turned(self.commands)

    def order(self, text: str) -> str | None:
        """Return a cleaned line's order in English, or None where no word is foreign."""
        found = self.vocabulary.tokens(text, self._forms)
        known, names = self.vocabulary.forms, turned(self.names)
        foreign = any(
            fold(token.written) not in known
            if token.kind == "key"
            else fold(token.written) in names
            for token in found
        )
        if not foreign or self._slip(found) is not None:
            return None
        return _joined(
            token.text if token.kind == "key" else names.get(fold(token.written), token.written)
            for token in found
        )

    def nearly(self, text: str) -> str | None:
        """Return the English of the order that a line with a mistyped verb is near to, or None."""
        found = self.vocabulary.tokens(text, self._forms)
        meant = self._slip(found)
        if meant is None:
            return None
        at, verb, count = meant
        parts = [*found[:at], Token("key", verb, ""), *found[at + count :]]
        return _joined(one.text if one.kind == "key" else one.written for one in parts)

    def _slip(self, found: Sequence[Token]) -> tuple[int, str, int] | None:
        """Return a mistyped verb's place, the verb that is meant, and its words; None for none."""
        for number in range(len(found)):
            # A verb stands first, or behind a mark, or what joins two actions.
            first = number == 0 or found[number - 1].text in (":", ",", ";", "ELSE", "AND")
            named = number + 1 < len(found) and found[number + 1].text == ":"
            for count in (2, 1) if first and not named else ():
                verb = self._verb(found[number : number + count], count)
                if verb is not None:
                    return number, verb, count
        return None

    def _verb(self, found: Sequence[Token], count: int) -> str | None:
        verbs = (form for verb in self.vocabulary.verbs for form in self.commands[verb])
        near = nearest_phrase(found, count, verbs)
        return self._forms[fold(near)] if near else None

    def shown(self, order: str) -> str:
        """Return a canonical order in this language's words."""
        return _joined(
            self.commands[token.text][0]
            if token.kind == "key"
            else self.names.get(token.written, (token.written,))[0]
            for token in self.vocabulary.tokens(order)
        )


def _joined(parts: Iterable[str]) -> str:
    """Return the parts of a text as one, with no space before a mark."""
    text = ""
    for part in parts:
        text += part if part in (",", ";", ":") or not text else f" {part}"
    return text
