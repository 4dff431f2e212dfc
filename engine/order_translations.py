"""Order words of other languages: what players may write for each English word, and what they see.

Orders are kept in English in every language, so that logs and digests are the same for all.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from engine.names import closest, fold, folded_forms, typed

ENGLISH = "en"

DOCTRINES = ("sound", "bold", "careful")
"""The names of the doctrines that everybody has, as players write them after STANDING."""

EVERYBODY = frozenset("all both everybody everyone each alle beide jeder".split())
"""Words for all of a player's pieces."""
ALL = "All"
"""The word of these that is shown."""
ASK = "ASK"
"""What an IF rule leads to that stops the battle and asks its player, in place of an order."""
_RUN = re.compile(r"((?:^|, )(.*?)\d+) to (\2\d+)(?=, |$)")
"""Pieces that count up: `Red 1 to Red 4`."""

Words = Mapping[str, tuple[str, ...]]
"""What may be written for each English word or phrase; the first is the one that is shown."""

_TOKEN = re.compile(r"[^\W\d_]+(?: [^\W\d_]+)*")
# No command of a language has more words than this.
_MOST_WORDS = 2


def turned(words: Words) -> dict[str, str]:
    """Return the English of each folded form of a word: with umlauts, without, or as AE."""
    forms = [(word, english) for english, all_ in words.items() for word in all_]
    return {form: english for word, english in forms for form in folded_forms(word)}


@dataclass(frozen=True)
class Translation:
    """A system's order words in a language.

    `commands` begin an order; `links` precede a name, such as AUF; `things` are the words of
    conditions, choices and enlistments. A line in which one of the `story` words, or a word with
    the `ending` of one, follows a command is story, and so is one in which a number does, unless
    orders of the system may hold `numbers`. `league` are the system's words in league orders, such
    as the kinds that SHIPS may name: by the order's first words, and under "" those that begin an
    order.
    """

    commands: Words
    links: Mapping[str, str]
    things: Words
    story: frozenset[str] = frozenset()
    ending: str = r"(?!)"
    numbers: bool = False
    league: Mapping[str, Words] = field(default_factory=dict)

    @cached_property
    def _commands(self) -> dict[str, str]:
        return turned(self.commands)

    @cached_property
    def _things(self) -> dict[str, str]:
        return turned(self.things)

    def order(self, text: str) -> str | None:
        """Return a cleaned line's order in English words, or None where it begins with no command.

        A word that names a thing is not an order if it stands alone: RAKETEN may head a table.
        """
        words = text.split()
        # The longest first: WEICHE AUS is one command.
        for count in range(min(_MOST_WORDS, len(words)), 0, -1):
            command = self._commands.get(fold(" ".join(words[:count])))
            if command is not None and fold(text) not in self._things:
                return self._with(command, words[count:])
        return None

    def nearly(self, text: str) -> str | None:
        """Return the English of the order that a mistyped command is near to, or None."""
        words = text.split()
        # The word is known, so it isn't mistyped: `RAKETEN: 2` is a line of a table.
        if fold(words[0].rstrip(":")) in self._things:
            return None
        meant = closest(words[0], (one for all_ in self.commands.values() for one in all_))
        return self._with(self._commands[fold(meant)], words[1:]) if meant else None

    def _with(self, command: str, tail: list[str]) -> str | None:
        link = self.links.get(tail[0].upper()) if tail else None
        name = tail[1:] if link else tail
        # Words of a story where a name would stand: the line is prose. A name has a word before its
        # number.
        counts = bool(name) and name[0].isdigit() and not self.numbers
        if counts or any(map(self._tells, name)):
            return None
        return " ".join([command, *filter(None, [link]), *name])

    def _tells(self, word: str) -> bool:
        """Return whether a word belongs to a story, and so to no name."""
        return word in self.story or bool(re.fullmatch(self.ending, word))

    def english(self, text: str) -> str:
        """Return a condition, a choice or an enlistment in English words."""

        def one(match: re.Match[str]) -> str:
            # The whole phrase first: its words apart may be other things, or none.
            whole = self._things.get(fold(match[0]))
            return whole or " ".join(self._things.get(fold(w), w) for w in match[0].split())

        return _TOKEN.sub(one, text)

    def english_terms(self, text: str) -> str:
        """Return what a challenge asks for, a word and things between commas, in English words."""
        word, _, rest = text.partition(" ")
        things = [one.strip() for one in rest.split(",")]
        # Whole first: the name of a thing may hold a number, as no condition does.
        english = (self._things.get(fold(one)) or self.english(one) for one in things)
        return f"{self._things.get(fold(word), word)} {', '.join(english)}".strip()

    def terms(self, text: str) -> str:
        """Return what a challenge asks for in this language's words."""
        word, _, rest = text.partition(" ")
        shown = [self.things.get(one, (one,))[0] for one in rest.split(", ")]
        return f"{self.things.get(word, (word,))[0]} {', '.join(shown)}".strip()

    def near_thing(self, text: str) -> str | None:
        """Return the word or phrase that a mistyped one is near to, or None."""
        return closest(text, (one for all_ in self.things.values() for one in all_))

    def shown(self, order: str) -> str:
        """Return a canonical order in this language's words."""
        command, _, name = order.partition(" ")
        words = self.commands.get(command)
        return " ".join(filter(None, (words[0], name))) if words else order

    def thing(self, text: str) -> str:
        """Return a canonical condition, or any other of the system's words, in this language."""

        def one(match: re.Match[str]) -> str:
            whole = self.things.get(match[0])
            if whole:
                return whole[0]
            return " ".join(self.things.get(word, (word,))[0] for word in match[0].split())

        return _TOKEN.sub(one, text)


@dataclass(frozen=True)
class Grammar:
    """The words of the line grammar that all systems share, in a language."""

    words: Words

    def _any(self, *english: str) -> str:
        words = (form for word in english for w in (word, *self.words[word]) for form in typed(w))
        return "|".join(map(re.escape, words))

    @cached_property
    def _marks(self) -> dict[str, str]:
        return turned({"END": self.words["END"]})

    @cached_property
    def asks(self) -> frozenset[str]:
        """The folded forms of ASK in this language."""
        return frozenset(turned({ASK: self.words[ASK]}))

    @cached_property
    def doctrines(self) -> dict[str, str]:
        """The English names of everybody's doctrines, by their folded names in this language."""
        return turned({name: self.words[name] for name in DOCTRINES})

    @cached_property
    def _patterns(self) -> tuple[re.Pattern[str], ...]:
        if_, then = self._any("IF"), self._any("THEN")
        rule = rf"(?:{if_})\s+(.+?)\s*(?::|\b(?:{then})\b|-{{1,9}}>)\s*(.+)"
        else_ = rf"(?:{self._any('ELSE')})(?:\s*:\s*|\s+)(.+)"
        head = rf"(?:{self._any('STANDING')})\s*:?(?:\s+(?:({self._any('NONE')})|(\w+)))?"
        and_ = rf"\s+(?:{self._any('AND')})\s+|\s*&+\s*"
        not_ = rf"(?:{self._any('NOT')})\s+"
        return tuple(re.compile(text, re.I) for text in (rule, else_, head, and_, not_))

    @cached_property
    def _beginning(self) -> re.Pattern[str]:
        then = rf"(?P<then>\s*(?::|\b(?:{self._any('THEN')})\b|-{{1,9}}>))?"
        if_ = rf"(?:{self._any('IF')})\s+(?P<if>.+?){then}"
        return re.compile(rf"(?P<else>{self._any('ELSE')})\s*:?|{if_}", re.I)

    def english(self, line: str) -> str:
        """Return a cleaned line with this grammar's words in English; orders and conditions stay.

        A line that was not cleaned may be of any length, and would take far too long to read.
        """
        rule, else_, head, _, _ = self._patterns
        if match := rule.fullmatch(line):
            return f"IF {self._conditions(match[1])}: {match[2]}"
        if match := else_.fullmatch(line):
            return f"ELSE: {match[1]}"
        if match := head.fullmatch(line):
            named = match[2] and self.doctrines.get(fold(match[2]), match[2])
            return " ".join(filter(None, ("STANDING", match[1] and "NONE", named)))
        if (salt := self.salted(line)) != line:
            return salt
        if (mark := self._marks.get(fold(line.rstrip(":")))) is not None:
            return mark
        return self._unfinished(line)

    def _unfinished(self, line: str) -> str:
        """Return a rule without its order in English, and any other line as it is."""
        match = self._beginning.fullmatch(line)
        if match is None:
            return line
        if match["else"]:
            return "ELSE:"
        conditions = self._conditions(f"{match['if']} ").rstrip()
        return f"IF {conditions}{':' if match['then'] else ''}"

    def salted(self, line: str) -> str:
        """Return a line with a SALT at its beginning in English.

        The line need not be cleaned, and may be of any length.
        """
        word, gap, rest = line.partition(" ")
        # Only the first word is looked at, because a SALT may be any text and of any length.
        bare, words = word.rstrip(":"), rest.split(maxsplit=1)
        # In small letters only with a single word, as in English.
        known = bare in self.words["SALT"]
        known = known or (len(words) == 1 and bare.upper() in self.words["SALT"])
        return f"SALT{gap}{rest}" if known and words else line

    def _conditions(self, text: str) -> str:
        _, _, _, and_, not_ = self._patterns
        parts = (
            not_.sub("NOT ", part, count=1) if not_.match(part) else part
            for part in and_.split(text)
        )
        return " AND ".join(parts)

    def shown(self, rule: str, translation: Translation) -> str:
        """Return a line of standing orders, or a plain order, in this language's words."""
        if rule.startswith("ELSE: "):
            return f"{self.words['ELSE'][0]}: {self._order(rule[6:], translation)}"
        if rule.startswith("STANDING "):
            name = rule.removeprefix("STANDING ")
            return f"{self.words['STANDING'][0]} {self.words.get(name, (name,))[0].lower()}"
        if not rule.startswith("IF "):
            return self._order(rule, translation)
        conditions, _, order = rule[3:].partition(": ")
        asked = self.conditions(conditions, translation)
        return f"{self.words['IF'][0]} {asked}: {self._order(order, translation)}"

    def _order(self, order: str, translation: Translation) -> str:
        """Return an order in this language's words, with those for whom it is."""
        if order == ASK:
            return self.words[ASK][0]
        whom, colon, does = order.partition(": ")
        # No piece has a comma in its name.
        several = whom == ALL or "," in whom or _RUN.search(whom)
        if not colon or not several:
            return translation.shown(order)
        all_ = self.words[ALL][0].capitalize()
        whom = all_ if whom == ALL else _RUN.sub(rf"\1 {self.words['TO'][0].lower()} \3", whom)
        return whom + translation.shown(f"{ALL}: {does}").removeprefix(ALL)

    def conditions(self, text: str, translation: Translation) -> str:
        """Return canonical conditions in this language's words."""
        and_, not_ = f" {self.words['AND'][0]} ", f"{self.words['NOT'][0]} "
        parts = (part.removeprefix("NOT ") for part in text.split(" AND "))
        denied = (part.startswith("NOT ") for part in text.split(" AND "))
        return and_.join(
            (not_ if no else "") + translation.thing(part)
            for part, no in zip(parts, denied, strict=True)
        )


GRAMMARS = {
    "de": Grammar(
        {
            "IF": ("WENN", "FALLS"),
            "THEN": ("DANN",),
            "ELSE": ("SONST", "ANDERNFALLS"),
            ASK: ("FRAGEN", "FRAGE", "FRAG"),
            "AND": ("UND",),
            "NOT": ("NICHT",),
            "STANDING": ("DAUERBEFEHLE", "DAUERBEFEHL", "STEHENDE BEFEHLE"),
            "NONE": ("KEINE",),
            "END": ("ENDE",),
            ALL: ("ALLE",),
            "TO": ("BIS",),
            "SALT": ("SALZ",),
            "KEY": ("SCHLÜSSEL",),
            "sound": ("SOLIDE",),
            "bold": ("MUTIG", "KÜHN"),
            "careful": ("VORSICHTIG",),
        }
    ),
}
"""The grammars of the languages other than English that orders may be written in."""


def everybodys(language: str) -> Mapping[str, str]:
    """Return the doctrines that everybody has, by their folded names in English and a language."""
    own = GRAMMARS[language].doctrines if language in GRAMMARS else {}
    return {name: name for name in DOCTRINES} | own
