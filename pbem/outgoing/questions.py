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
"""The kind of token of a question that was asked on a board, and is answered there."""


def ask(store: Store, token: str, **values: object) -> None:
    """Open the question of a letter of ours; one that its token had before is void."""
    store.questions.remove(token=token)
    store.questions.insert(token=token, **values)


def asked_with(store: Store, tokens: Iterable[Token]) -> Question | None:
    """Return the open question of a letter of ours by the tokens of a reply to it, or None."""
    found = (store.questions.find(token=one.token) for one in tokens)
    return next(filter(None, found), None)


def latest(store: Store, player: int, now: datetime, kind: str = "") -> Question | None:
    """Return the latest open question that a YES without a token answers, or None.

    With a `kind`, only one whose token is of that kind.
    """
    kinds = {"token__kind": kind} if kind else {"token__kind__ne": ASKED}
    open_ = {"token__player": player, "token__expires__gte": now, **kinds}
    return next(iter(store.questions.latest(1, **open_)), None)


def of_place(store: Store, place: int) -> list[Question]:
    """Return the open questions about a place in a battle, newest first."""
    return list(reversed(store.questions.all(token__place=place, token__kind="game")))


def close(store: Store, question: Question) -> None:
    """Close a question: it was answered, or nothing is left to answer."""
    store.questions.remove(id=question.id)


def close_turn(store: Store, **which: int) -> None:
    """Close the questions about the turn of a `place`, or of a whole `game`."""
    for name, number in which.items():
        store.questions.remove(**{f"token__{name}": number, "token__kind": "game"})


def close_held(store: Store, letter: int) -> None:
    """Close the question whether a held letter is its player's."""
    store.questions.remove(letter=letter)
