"""The models of all tables, each described once."""

from peewee import sort_models  # type: ignore[attr-defined]

from pbem.storage.fields import Row
from pbem.storage.models.careers import Endorsement, Entry, Nomination, Reward
from pbem.storage.models.games import (
    Game,
    LiveBattle,
    Offer,
    OfferSeat,
    Place,
    Pledge,
    Ruling,
    Step,
    Story,
    Turnout,
    Watch,
)
from pbem.storage.models.letters import (
    Authorship,
    Bounce,
    KeptWords,
    Letter,
    Outgoing,
    Question,
    Token,
)
from pbem.storage.models.news import Editorial, Issue, Post, PublicLetter, Subscription
from pbem.storage.models.people import (
    GUEST,
    Account,
    Ban,
    Block,
    Blueprint,
    Doctrine,
    Further,
    Leave,
    Persona,
    Player,
)
from pbem.storage.models.service import Cursor, Meta, Round, Tally

MODELS: tuple[type[Row], ...] = tuple(sort_models(Row.__subclasses__()))
"""All of them; each comes after those that it refers to."""

OF_PLAYERS = tuple(model for model in MODELS if "player" in model._meta.fields)
"""Those whose rows belong to a player, or carry a player's words."""

__all__ = [
    "GUEST",
    "MODELS",
    "OF_PLAYERS",
    "Account",
    "Authorship",
    "Ban",
    "Block",
    "Blueprint",
    "Bounce",
    "Cursor",
    "Doctrine",
    "Editorial",
    "Endorsement",
    "Entry",
    "Further",
    "Game",
    "Issue",
    "KeptWords",
    "Leave",
    "Letter",
    "LiveBattle",
    "Meta",
    "Nomination",
    "Offer",
    "OfferSeat",
    "Outgoing",
    "Persona",
    "Place",
    "Player",
    "Pledge",
    "Post",
    "PublicLetter",
    "Question",
    "Reward",
    "Round",
    "Ruling",
    "Step",
    "Story",
    "Subscription",
    "Tally",
    "Token",
    "Turnout",
    "Watch",
]
