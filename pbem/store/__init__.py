"""The books: what the league knows, in one database; no model leaves this room."""

from pbem.store.rows import (
    Block,
    Challenge,
    Endorsement,
    Entry,
    Game,
    Letter,
    Nomination,
    Outgoing,
    Persona,
    Place,
    Player,
    Post,
    Reward,
    Ruling,
    Step,
    Story,
    Token,
)
from pbem.store.store import Store, StoreDown

__all__ = [
    "Block",
    "Challenge",
    "Endorsement",
    "Entry",
    "Game",
    "Letter",
    "Nomination",
    "Outgoing",
    "Persona",
    "Place",
    "Player",
    "Post",
    "Reward",
    "Ruling",
    "Step",
    "Store",
    "StoreDown",
    "Story",
    "Token",
]
