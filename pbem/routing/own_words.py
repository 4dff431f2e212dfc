"""What a player wrote in a letter, told from what it repeats of ours (decision 0028)."""

import re
from collections.abc import Iterator
from functools import cached_property, lru_cache
from weakref import WeakKeyDictionary

from engine.words import clean
from engine.wrapped_lines import is_mark
from pbem.handlers import orders
from pbem.handlers.lookup import GAME_HEAD
from pbem.handlers.order_table import ORDERS
from pbem.handlers.order_words import in_english
from pbem.i18n.catalogue import SOURCE
from pbem.intake import NewText, Reading, new_text, our_texts, squeezed
from pbem.ports import Ports
from pbem.rendering import Renderer
from pbem.routing.joined_lines import as_battle_orders
from pbem.storage import Player

_FEW = 12
"""So many letters and digits that are no order may be words of ours."""
_SURE = 18
"""So many that stand in our templates are words of ours."""
_LATEST = 6
"""How many of our latest letters a letter is compared with where it answers none of them."""
_FORMS = [order.takes_line for order in ORDERS if order.takes_line is not None]
_WORDS = frozenset(("YES", "UNDO", "PREVIEW", "PRIVATE"))
_FIXED: WeakKeyDictionary[Renderer, dict[str, str]] = WeakKeyDictionary()
"""What stands in a program's templates, by language: they do not change while it runs."""
_COLUMNS = re.compile(r"\S(?:\s{2,}|\t)\S")


class OwnWords:
    """One letter of a player, compared with our words where they may be in it."""

    def __init__(self, ports: Ports, player: Player, reading: Reading) -> None:
        self._ports, self._player, self._reading = ports, player, reading
        self._language = ports.outbox.language(player)

    def found(self) -> NewText:
        """Return what the player wrote.

        Where our words remain though no letter of ours is known that they are from, nobody knows
        which lines are quotes, and nothing counts.
        """
        found = NewText(self._reading.text)
        if not self._may_quote():
            return found
        for texts in self._ours():
            found = new_text(self._reading, texts, self.is_order)
            if not self._has_ours(found.text):
                return found
        if not self._has_ours(found.text):
            return found
        return NewText("", (*found.amid, *filter(self.is_order, found.text.splitlines())))

    def is_order(self, line: str) -> bool:
        """Return whether a line is an order by itself, or a word that confirms or heads others."""
        return is_order(line, self._language, self._ports.settings.league.systems)

    def _may_quote(self) -> bool:
        """Return whether our words may be among the new ones."""
        if self._reading.quotes_bare or _between_marks(self._reading.whole):
            return True
        lines = (line for line in self._reading.text.splitlines() if line.strip())
        return any(
            not self.is_order(line) and (len(squeezed(line)) >= _FEW or _COLUMNS.search(line))
            for line in lines
            # What is so short can't be ours. It is tried first, since most orders are short.
            if len(line) >= _FEW or not line.isascii() or _COLUMNS.search(line)
        )

    def _ours(self) -> Iterator[list[str]]:
        """Yield the texts of our letters that this one answers, then of our latest ones too."""
        outbox, player = self._ports.store.outbox, self._player.id
        answered = dict.fromkeys((*self._reading.in_reply_to, *self._reading.references))
        sent = [outbox.find(message_id=one, player=player) for one in answered]
        texts = [text for row in sent if row is not None for text in our_texts(row.content)]
        if texts:
            yield texts
        latest = outbox.latest(_LATEST, player=player)
        yield texts + [
            text
            for row in latest
            if row.message_id not in answered
            for text in our_texts(row.content)
        ]

    def _has_ours(self, text: str) -> bool:
        """Return whether a line of a text stands in our templates."""
        long = (line for line in text.splitlines() if len(squeezed(line)) >= _SURE)
        return any(
            any(squeezed(line) in fixed for fixed in self._fixed) and not self.is_order(line)
            for line in long
        )

    @cached_property
    def _fixed(self) -> list[str]:
        renderer = self._ports.outbox.renderer
        known = _FIXED.setdefault(renderer, {})
        languages = list(dict.fromkeys((SOURCE, self._language)))
        for one in languages:
            if one not in known:
                known[one] = "\0".join(map(squeezed, renderer.fixed_words(one)))
        return [known[one] for one in languages]


def _between_marks(whole: str) -> bool:
    """Return whether a line without a quote mark stands right between two that have one.

    One that begins with a small letter below a long one may be its wrapped rest, or be typed.
    """
    return re.search(r"^>.*\n[^>\n].*\n>|^>.{50,}\n[^\W\d_A-Z]", whole, re.M) is not None


@lru_cache(maxsize=1024)
def is_order(line: str, language: str, systems: tuple[str, ...]) -> bool:
    """Return whether a line is an order of any kind by itself, or one of a form's lines."""
    if isinstance(orders.find(line, language), tuple):
        return True
    text = in_english(clean(line), language)
    if text.upper() in _WORDS or GAME_HEAD.fullmatch(text) or is_mark(text):
        return True
    if any(form(text, language) for form in _FORMS):
        return True
    written = as_battle_orders(line, language, systems)
    return any(not one.empty or one.salts for one in written)
