"""Black Skies' order words in German, and how cards are read that are written in them."""

import re
from dataclasses import dataclass
from functools import cached_property

from engine.blackskies.grammar import Masked, is_word
from engine.names import closest, fold, typed
from engine.order_translations import Translation

_ENGLISH = re.compile(
    r"(?P<name>(?:[^:;,]+: )?)(?P<card>[A-Z][A-Z0-9 ]*)"
    r"(?:; TARGETS (?P<targets>.+?))?(?P<hold>; HOLD FIRE)?"
)
_NAMED = re.compile(r"([^:;,]{1,60}?\s*:\s*)?(.*)")
_MOST_WORDS = 12
"""The most words of a card."""
_MOST_MISTYPED = 3
"""A card of more words than this is not mistyped, but story."""


@dataclass(frozen=True)
class CardTranslation(Translation):
    """A language whose `commands` are the words for cards, single or combined.

    `targets` precede names of targets, and `hold` are phrases for HOLD FIRE. The first of each is
    the one shown.
    """

    targets: tuple[str, ...] = ()
    hold: tuple[str, ...] = ()

    @cached_property
    def _marks(self) -> tuple[re.Pattern[str], re.Pattern[str]]:
        hold, targets = (
            "|".join(re.escape(form) for word in words for form in typed(word)).replace(
                r"\ ", r"\s+"
            )
            for words in (self.hold, self.targets)
        )
        return (
            re.compile(rf"(?<!\s)\s*+(?:[;,]\s*+)?\b(?:{hold})(?!\w)", re.I),
            re.compile(rf"(?<!\s)\s*+(?:[;,]\s*+)?\b(?:{targets})(?!\w)\s*+(?::\s*+)?", re.I),
        )

    def order(self, text: str) -> str | None:
        """Return a cleaned line's order in English words, or None where no word is a card's."""
        return self._read(text, slips=False)

    def nearly(self, text: str) -> str | None:
        """Return the English of the order that a line with mistyped words is near to, or None."""
        return self._read(text, slips=True)

    def _read(self, text: str, *, slips: bool) -> str | None:
        masked = Masked(text)
        match = _NAMED.fullmatch(masked.text)
        assert match is not None
        hold, targets = self._marks
        name, body = match[1] or "", hold.sub("", match[2], count=1)
        card, *names = targets.split(body, maxsplit=1)
        found = self._card(card.strip(" ,;"), slips)
        if found is None:
            return None
        parts = [found, *(f"TARGETS {one}" for one in names)]
        parts += ["HOLD FIRE"] * (body != match[2])
        return masked.restored(name + "; ".join(parts))

    def _card(self, text: str, slips: bool) -> str | None:
        """Return a card's words in English, if one of them is this language's; otherwise None."""
        written = text.replace("-", " ").split()
        found = [self._commands.get(fold(word)) for word in written[:_MOST_WORDS]]
        # Before words are compared with all that there are, which costs most.
        if len(written) > (_MOST_MISTYPED if slips else _MOST_WORDS) or not (slips or any(found)):
            return None
        strange = [w for w, word in zip(written, found, strict=True) if not word and not is_word(w)]
        near = {word: self._near(word) for word in strange}
        # `nearly` is for lines with a mistyped word, `order` for all others.
        if slips != any(near.values()):
            return None
        pairs = zip(written, found, strict=True)
        return " ".join(word or near.get(w) or w for w, word in pairs)

    def _near(self, word: str) -> str | None:
        meant = closest(word, (one for all_ in self.commands.values() for one in all_))
        return self._commands[fold(meant)] if meant else None

    def english(self, text: str) -> str:
        """Return a condition or a squadron in English words; names of elements stay."""
        parts = (part.rpartition(":") for part in text.split(";"))
        return ";".join(
            name + colon + super(CardTranslation, self).english(tail) for name, colon, tail in parts
        )

    def shown(self, order: str) -> str:
        """Return a canonical order in this language's words."""
        masked = Masked(order)
        match = _ENGLISH.fullmatch(masked.text)
        if match is None:
            return order
        words = [self.commands.get(word, (word,))[0] for word in match["card"].split()]
        parts = [match["name"] + " ".join(words)]
        if match["targets"]:
            parts.append(f"{self.targets[0]} {match['targets']}")
        if match["hold"]:
            parts.append(self.hold[0])
        return masked.restored("; ".join(parts))


GERMAN = CardTranslation(
    commands={
        "STEADY": ("GERADEAUS", "STETIG"),
        "ACCELERATE": ("BESCHLEUNIGEN", "BESCHLEUNIGE", "SCHNELLER"),
        "DECELERATE": ("BREMSEN", "BREMSE", "LANGSAMER", "VERZÖGERN"),
        "SMOOTH": ("SANFT", "WEICH"),
        "BREAK": ("SCHARF",),
        "LATE": ("SPÄT",),
        "HARD": ("HART",),
        "AFTERBURNER": ("NACHBRENNER",),
        "SNAKE": ("SCHLANGE", "SCHLANGENLINIE"),
        "SIDESLIP": ("SEITGLEITEN", "GLEITEN", "SCHIEBEN"),
        "BOOTLEGGER": ("SCHLEUDERWENDE",),
        "REVERSE": ("KEHRE", "KEHRTWENDE"),
        "LEFT": ("LINKS",),
        "RIGHT": ("RECHTS",),
        "WITHDRAW": ("RÜCKZUG", "ABZUG", "ABZIEHEN", "ABDREHEN"),
        "SURRENDER": ("ERGEBEN", "AUFGEBEN", "KAPITULIEREN"),
        "BY": ("UM",),
        "CARD": ("KARTE",),
        "TURN": ("KURVE", "WENDE"),
        "FLY": ("FLIEGE", "FLIEGEN"),
    },
    links={},
    things={
        "ENEMY IN ARC": ("FEIND IM VISIER", "FEIND IM SCHUSSFELD"),
        "IN ENEMY ARC": ("IM VISIER DES FEINDES", "IM VISIER", "IM SCHUSSFELD DES FEINDES"),
        "ENEMY AHEAD": ("FEIND VORAUS", "FEIND VORN"),
        "ENEMY LEFT": ("FEIND LINKS",),
        "ENEMY BEHIND": ("FEIND ACHTERAUS", "FEIND HINTEN"),
        "ENEMY RIGHT": ("FEIND RECHTS",),
        "CRIPPLED": ("ANGESCHLAGEN",),
        "ENEMY CRIPPLED": ("FEIND ANGESCHLAGEN",),
        "ALONE": ("ALLEIN",),
        "RETROGRADE": ("HECK VORAN", "RÜCKWÄRTS"),
        "ENEMY SPEED": ("FEINDTEMPO", "TEMPO DES FEINDES"),
        "SPEED": ("TEMPO", "GESCHWINDIGKEIT"),
        "RANGE": ("ENTFERNUNG", "ABSTAND"),
        "HULL": ("HÜLLE", "RUMPF"),
        "TURN": ("ZUG",),
        "SKILL": ("KÖNNEN",),
        "WEIGHT": ("GEWICHT",),
        "WEAPONS": ("WAFFEN",),
        "LIGHT": ("LEICHT",),
        "MEDIUM": ("MITTEL",),
        "HEAVY": ("SCHWER",),
        "REAR": ("HECK",),
        "SIDE": ("SEITE",),
        "FORWARD": ("BUG",),
        "THRUSTERS": ("TRIEBWERKE",),
        "ARMOUR": ("PANZERUNG",),
        "SHIELDS": ("SCHILDE",),
        "NONE": ("KEINE",),
        "ASTEROIDS": ("ASTEROIDEN",),
        "AND": ("UND",),
    },
    targets=(
        "ZIELE",
        "ZIEL",
        "TARGETS",
        "TARGET",
        "FEUER AUF",
        "FEUERN AUF",
        "SCHIESS AUF",
        "SCHIESSEN AUF",
    ),
    hold=(
        "NICHT FEUERN",
        "NICHT SCHIESSEN",
        "FEUER EINSTELLEN",
        "FEUERVERBOT",
        "HOLD FIRE",
    ),
)
