"""What a player wrote in a letter, as opposed to what it repeats of ours (decision 0028)."""

import re
from collections.abc import Iterator
from functools import cached_property
from weakref import WeakKeyDictionary

from pbem.i18n.catalogue import SOURCE
from pbem.intake import NewText, Reading, new_text, our_texts, squeezed
from pbem.ports import Ports
from pbem.rendering import Renderer
from pbem.routing.line_tests import is_order
from pbem.storage import Player

_SURE = 18
"""At least so many letters and digits that stand in our templates are words of ours."""
_MEMBER = re.compile(r"\W*\w[\w .'-]{0,30}:\s")
"""A line that players copy out of an example, such as `Gold: 1 Gadfly SKILL 3`, proves nothing."""
_LATEST = 6
"""How many of our latest letters a letter is compared with where it answers none of them."""
_MARKS = " \"'„“”‚‘’«»"
"""What a player may put around an order that we print."""
_FIXED: WeakKeyDictionary[Renderer, dict[str, str]] = WeakKeyDictionary()
"""What stands in a program's templates, by language: they do not change while it runs."""


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
        # Those that it answers come first: they are usually enough, and reading more takes time.
        for texts in self._ours():
            found = new_text(self._reading, texts, self.is_order)
            if not self._has_ours(found.text):
                return found
        # Nobody can know which orders are ours, so the answer lists them, and none is done (0028).
        return NewText("", (*found.amid, *filter(self.is_order, found.text.splitlines())))

    def is_order(self, line: str) -> bool:
        """Return whether a line is an order by itself, or a word that confirms or heads others."""
        return is_order(line, self._language, self._ports.settings.league.systems)

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
        long = (
            line
            for line in text.splitlines()
            if len(squeezed(line)) >= _SURE and not _MEMBER.match(line)
        )
        return any(
            any(squeezed(line) in fixed for fixed in self._fixed)
            and not self.is_order(line.strip(_MARKS))
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
