"""The books: what the league knows, in one database; no model leaves this room."""

from pbem.store.rows import (
    Challenge,
    Game,
    Letter,
    Outgoing,
    Persona,
    Place,
    Player,
    Step,
    Story,
    Token,
)
from pbem.store.store import Store, StoreDown

__all__ = [
    "Challenge",
    "Game",
    "Letter",
    "Outgoing",
    "Persona",
    "Place",
    "Player",
    "Step",
    "Store",
    "StoreDown",
    "Story",
    "Token",
]
