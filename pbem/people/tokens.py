"""Tokens: what replies carry as proof of who writes; the table `token`, which only this writes."""

import json
from collections.abc import Collection
from datetime import UTC, datetime

from peewee import ModelSelect

from pbem.storage import Store, Token

_LONG_AGO = datetime(1970, 1, 1, tzinfo=UTC)
"""When tokens expired that are void."""


def remember(store: Store, **values: object) -> None:
    """Store a token; a known one lives as long as the newest letter that carries it."""
    columns = [Token._meta.combined[name] for name in values if name != "token"]
    token = Token.insert(**values)
    store.run(token.on_conflict(conflict_target=[Token.token], preserve=columns))


def named(store: Store, text: str) -> Token | None:
    """Return the token of a text, whether it has expired or not."""
    return store.first(Token.select().where(Token.token == text))


def stood_for(store: Store, place: int, player: int) -> bool:
    """Return whether letters about a place ever went to a player."""
    return store.exists(Token.select().where(Token.place == place, Token.player == player))


def about(kinds: Collection[str], game: int, place: int | None) -> "ModelSelect[Token]":
    """Return the query of some kinds of tokens for a game or a place, for another table's query."""
    which = Token.game == game if place is None else Token.place == place
    return Token.select(Token.token).where(which, Token.kind.in_(kinds))


def use(store: Store, token: Token, *by: str) -> None:
    """Note in a token what has used it."""
    about = json.dumps([*token.parts, *by])
    store.run(Token.update(about=about).where(Token.token == token.token))


def void(store: Store, player: int, but: str = "") -> None:
    """Let all tokens of a player expire, but those of one kind.

    None is removed, because tokens show who has had a place in a battle (TAKEOVER).
    """
    own = Token.player == player, Token.kind != but
    store.run(Token.update(expires=_LONG_AGO).where(*own))


def forget_all(store: Store, player: int) -> None:
    """Forget all tokens of a player."""
    store.run(Token.delete().where(Token.player == player))


def forget(store: Store, text: str) -> None:
    """Forget a token, so that nothing that carries it counts."""
    store.run(Token.delete().where(Token.token == text))
