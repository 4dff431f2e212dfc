"""Questions: what a letter of ours asks, and the word YES carries out, once.

A question is bound to the token of the letter that asks. YES in a reply answers the question of
that letter; YES without a token, the player's latest.
"""

from collections.abc import Iterable
from datetime import datetime

from pbem.storage import Store, Token
from pbem.storage.records import Question

ASKED = "asked"
"""The kind of token of a question that only the mailbox of its player may answer: the letter that
asks goes to an address that has long been there, and nothing but its token takes a YES to it."""

ON_BOARD = "board"
"""The kind of token of a question that was asked in a thread on a board, and is answered there."""
ABOUT_TURN = ("game", ON_BOARD)
"""The kinds of tokens whose questions may be about a turn of a place."""


def ask(store: Store, token: str, **values: object) -> None:
    """Open the question of a letter of ours; one that its token had before is void."""
    store.questions.remove(token=token)
    store.questions.insert(token=token, **values)


def asked_with(store: Store, tokens: Iterable[Token]) -> Question | None:
    """Return the open question of a letter of ours by the tokens of a reply to it, or None."""
    found = (store.questions.find(token=one.token) for one in tokens)
    return next(filter(None, found), None)


def latest(store: Store, player: int, now: datetime) -> Question | None:
    """Return the latest open question that a YES without a token answers, or None."""
    open_ = {"token__player": player, "token__expires__gte": now, "token__kind__ne": ASKED}
    return next(iter(store.questions.latest(1, **open_)), None)


def latest_in_thread(
    store: Store, player: int, place: int | None, now: datetime
) -> Question | None:
    """Return the latest open question that was asked in a thread about a place, or about none."""
    here = {"token__player": player, "token__expires__gte": now, "token__kind": ON_BOARD}
    found = reversed(store.questions.all(**here))
    return next((one for one in found if store.tokens.get(one.token_id).place_id == place), None)


def of_place(store: Store, place: int) -> list[Question]:
    """Return the open questions about a place in a battle, newest first."""
    return list(reversed(store.questions.all(token__place=place, token__kind__in=ABOUT_TURN)))


def close(store: Store, question: Question) -> None:
    """Close a question: it was answered, or nothing is left to answer."""
    store.questions.remove(id=question.id)


def close_turn(store: Store, **which: int) -> None:
    """Close the questions about the turn of a `place`, or of a whole `game`."""
    for name, number in which.items():
        store.questions.remove(**{f"token__{name}": number, "token__kind__in": ABOUT_TURN})


def close_held(store: Store, letter: int) -> None:
    """Close the question whether a held letter is its player's."""
    store.questions.remove(letter=letter)
