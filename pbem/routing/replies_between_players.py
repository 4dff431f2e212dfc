"""Replies to letters that other players wrote: their words are passed on, as TELL does it."""

from collections.abc import Sequence

from pbem.handlers.request import Answer, Refusal, Request
from pbem.handlers.words import correspondence
from pbem.people.scrub import Scrub
from pbem.routing.line_kinds import Lines
from pbem.routing.marked_text import parted, unseen


def passed_on(request: Request, found: Lines, words: Sequence[str]) -> list[str]:
    """Pass words on where the letter answers one of another player, and add the answer.

    Return the words that nobody has seen: all of them where the letter answers no player, or where
    they could not be passed on.
    """
    lines = unseen(words, request.player.name)
    if not lines or request.writes_to is None or found.preview:
        return lines
    store = request.ports.store
    free, kept = parted(Scrub(store, request.player.id), lines)
    found.kept += kept
    if not any(map(str.strip, free)):
        return []
    try:
        with store.savepoint():
            done = correspondence.reply(request, request.writes_to, free)
    except Refusal as error:
        found.answers.append(Answer(False, str(error), error.hint).facts(""))
        return lines
    found.answers.append(done.facts(""))
    return []
