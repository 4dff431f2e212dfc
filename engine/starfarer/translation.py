"""Plans in other languages: key words are translated wherever they stand, and names never."""

from collections.abc import Iterable
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
        if all(token.kind != "key" or fold(token.written) in known for token in found):
            return None
        return _joined(token.text if token.kind == "key" else token.written for token in found)

    def nearly(self, text: str) -> str | None:
        """Return the English of the part that a line with a mistyped verb is near to, or None."""
        found = tokens(text, self._forms)
        for number, token in enumerate(found):
            verb = self._verb(token) if token.kind == "word" else None
            # A verb stands first, or behind a name and a colon.
            if verb and (number == 0 or found[number - 1].text == ":"):
                meant = Token("key", verb, token.written)
                parts = [*found[:number], meant, *found[number + 1 :]]
                return _joined(t.text if t.kind == "key" else t.written for t in parts)
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
