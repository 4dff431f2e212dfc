"""Plans in other languages: key words are translated wherever they stand, and names never."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from engine.order_words import Translation, turned
from engine.starfarer.vocabulary import ENGLISH, VERBS, Token, tokens
from engine.words import closest, fold


@dataclass(frozen=True)
class PlanTranslation(Translation):
    """A language whose `commands` are all key words of a plan.

    `either` stands between two plans of which one may have been meant.
    """

    either: str = " or "

    @cached_property
    def _forms(self) -> dict[str, str]:
        # A word of the language itself comes first.
        return turned(ENGLISH) | turned(self.commands)

    def order(self, text: str) -> str | None:
        """Return a cleaned line's part of a plan in English, or None where no word is foreign."""
        found = tokens(text, self._forms)
        known = turned(ENGLISH)
        foreign = any(token.kind == "key" and fold(token.written) not in known for token in found)
        if not foreign or self._slip(found) is not None:
            return None
        return _joined(token.text if token.kind == "key" else token.written for token in found)

    def nearly(self, text: str) -> str | None:
        """Return the English of the part that a line with a mistyped verb is near to, or None."""
        found = tokens(text, self._forms)
        meant = self._slip(found)
        if meant is None:
            return None
        parts = [*found[: meant[0]], Token("key", meant[1], ""), *found[meant[0] + 1 :]]
        return _joined(one.text if one.kind == "key" else one.written for one in parts)

    def _slip(self, found: Sequence[Token]) -> tuple[int, str] | None:
        """Return the place of a mistyped verb, and the verb that is meant; None where none is."""
        for number, token in enumerate(found):
            # A verb stands first, or behind a colon or a comma's SONST.
            first = number == 0 or found[number - 1].text in (":", "ELSE", "AND")
            named = number + 1 < len(found) and found[number + 1].text == ":"
            verb = self._verb(token) if first and not named and token.kind == "word" else None
            if verb is not None:
                return number, verb
        return None

    def _verb(self, token: Token) -> str | None:
        near = closest(token.text, (form for verb in VERBS for form in self.commands[verb]))
        return self._forms[fold(near)] if near else None

    def shown(self, order: str) -> str:
        """Return a canonical plan, or several of which one may be meant, in this language."""
        return self.either.join(
            _joined(
                self.commands[token.text][0] if token.kind == "key" else token.written
                for token in tokens(one)
            )
            for one in order.split(" or ")
        )


def _joined(parts: Iterable[str]) -> str:
    """Return the parts of a text as one, with no space before a mark."""
    text = ""
    for part in parts:
        text += part if part in (",", ";", ":") or not text else f" {part}"
    return text
