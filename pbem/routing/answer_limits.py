"""Limits of what one letter may cause: answers, letters to its writer, and letters to others."""

from collections.abc import Iterator, Sequence
from re import Match

from engine.i18n import Said, say
from pbem.handlers.order_table import LeagueOrder
from pbem.handlers.request import OrderAnswer, Request
from pbem.storage import Outgoing, queues

MOST_TOLD = 20_000
"""The most characters of refusals, and of near misses, that an answer shows; the rest is only
counted."""


def shortened(answers: Sequence[OrderAnswer]) -> tuple[list[OrderAnswer], int]:
    """Return the answers to show, and how many refusals are left out because they are too many.

    What was done is always shown.
    """
    shown, room = [], MOST_TOLD
    for answer in answers:
        if not answer["ok"]:
            room -= sum(len(answer[part]) for part in ("order", "text", "hint"))
        if answer["ok"] or room >= 0:
            shown.append(answer)
    return shown, len(answers) - len(shown)


class LetterLimits:
    """Counts what a letter's orders cause, and stops them at the limits for one letter.

    Each order is charged for what it may cost, and the same question is answered once. Letters are
    counted in the database, so that a replay counts the same.
    """

    def __init__(self, request: Request) -> None:
        self._request, self._limits = request, request.ports.settings.limits
        self._asked: set[tuple[object, ...]] = set()
        self._questions = self._twice = self._held = 0
        # Letters before this one do not count, no matter who caused them.
        self._seen = self._first = request.ports.store.newest(Outgoing)
        self._enough = self._began = False

    def allow(self, order: LeagueOrder, match: Match[str]) -> bool:
        """Return whether an order may be carried out; `refused` reports later what was left out."""
        if order.asks:
            question = order.word, *(part and part.casefold() for part in match.groups())
            if question in self._asked:
                self._twice += 1
                return False
            self._asked.add(question)
        asks_too_much = order.asks and self._questions >= self._limits.questions_a_letter
        if asks_too_much or self._is_enough() or not self._request.budget.take(order.units):
            self._held += 1
            return False
        self._began = True
        self._questions += order.asks
        return True

    def _is_enough(self) -> bool:
        """Return whether the letter has caused as many letters as it may."""
        store, player = self._request.ports.store, self._request.player.id
        # The counts are slow, and needed only when an order has written a letter.
        if self._enough or not self._began or (newest := store.newest(Outgoing)) == self._seen:
            return self._enough
        self._seen = newest
        own = queues.count(store, Outgoing, id__gt=self._first, player=player)
        others = queues.count(store, Outgoing, id__gt=self._first) - own
        most = self._limits.letters_to_others
        self._enough = own >= self._limits.answers_a_letter or others >= most
        return self._enough

    def refused(self, left_out: int) -> Iterator[tuple[Said, Said]]:
        """Yield a sentence for all that was left out, with a hint what to do about it.

        `left_out` is how many refusals are left out.
        """
        if left_out:
            yield (
                say("further orders that could not be done: {count}", count=left_out),
                say("mend the ones above first"),
            )
        if self._held:
            text = say(
                "orders that were left out: {count}, for one letter may cause no more answers and"
                " letters than it has",
                count=self._held,
            )
            yield text, say("send them in another letter")
        if self._twice:
            yield (
                say("questions that stood there more than once: {count}", count=self._twice),
                say("each is answered once"),
            )
