"""Questions: what a letter of ours asks, and the word YES carries out, once.

A question is bound to the token of the letter that asks. YES in a reply answers the question of
that letter; YES without a token, the player's latest.
"""

from collections.abc import Iterable
from datetime import datetime

from peewee import Expression

from pbem.people import tokens
from pbem.storage import Question, Store, Token

ASKED = "asked"
"""The kind of token of a question that only the mailbox of its player may answer: the letter that
asks goes to an address that has long been there, and nothing but its token takes a YES to it."""

ON_BOARD = "board"
"""The kind of token of a question that was asked in a thread on a board, and is answered there."""
ABOUT_TURN = ("game", ON_BOARD)
"""The kinds of tokens whose questions may be about a turn of a place."""


def ask(store: Store, token: str, **values: object) -> None:
    """Open the question of a letter of ours; one that its token had before is void."""
    store.run(Question.delete().where(Question.token == token))
    store.run(Question.insert(token=token, **values))


def asked_with(store: Store, tokens: Iterable[Token]) -> Question | None:
    """Return the open question of a letter of ours by the tokens of a reply to it, or None."""
    found = (
        store.first(Question.select().where(Question.token == one.token).order_by(Question.id))
        for one in tokens
    )
    return next(filter(None, found), None)


def latest(store: Store, player: int, now: datetime) -> Question | None:
    """Return the latest open question that a YES without a token answers, or None."""
    open_ = _open(player, now), Token.kind != ASKED
    return store.first(Question.select().join(Token).where(*open_).order_by(Question.id.desc()))


def latest_orders(store: Store, player: int, now: datetime) -> tuple[Question, Token] | None:
    """Return the latest open question about orders by mail, with its token, or None.

    Whether a held letter is a player's is none: that is answered in a reply to its question alone.
    """
    about = _open(player, now), Token.kind.not_in((ASKED, ON_BOARD)), Question.letter.is_null()
    found = store.first(Question.select().join(Token).where(*about).order_by(Question.id.desc()))
    return None if found is None else (found, store.get(Token, found.token_id))


def _open(player: int, now: datetime) -> Expression:
    return (Token.player == player) & (Token.expires >= now)


def latest_in_thread(
    store: Store, player: int, place: int | None, now: datetime
) -> Question | None:
    """Return the latest open question that was asked in a thread about a place, or about none."""
    here = _open(player, now), Token.kind == ON_BOARD, Token.place == place
    return store.first(Question.select().join(Token).where(*here).order_by(Question.id.desc()))


def of_place(store: Store, place: int) -> list[Question]:
    """Return the open questions about a place in a battle, newest first."""
    about = Token.place == place, Token.kind.in_(ABOUT_TURN)
    return store.all(Question.select().join(Token).where(*about).order_by(Question.id.desc()))


def close(store: Store, question: Question) -> None:
    """Close a question: it was answered, or nothing is left to answer."""
    store.run(Question.delete().where(Question.id == question.id))


def close_turn(store: Store, game: int, place: int | None = None) -> None:
    """Close the questions about a turn of a game, or of one place in it."""
    about = tokens.about(ABOUT_TURN, game, place)
    store.run(Question.delete().where(Question.token.in_(about)))


def close_held(store: Store, letter: int) -> None:
    """Close the question whether a held letter is its player's."""
    store.run(Question.delete().where(Question.letter == letter))
