"""The tables. Times are UTC in whole microseconds; JSON is kept as text."""

from pbem.storage.models.careers import Endorsement, Entry, Nomination, Reward
from pbem.storage.models.fields import Base, UtcField, database, from_utc, to_utc
from pbem.storage.models.games import (
    Challenge,
    Game,
    Patrol,
    Place,
    Pledge,
    Ruling,
    Step,
    Story,
    Summons,
    Turnout,
    Watch,
)
from pbem.storage.models.letters import (
    Authorship,
    Bounce,
    Letter,
    LetterText,
    Outgoing,
    OutgoingText,
    Token,
)
from pbem.storage.models.news import Editorial, Issue, Post, PublicLetter, Subscription
from pbem.storage.models.people import Ban, Block, Blueprint, Further, Leave, Persona, Player
from pbem.storage.models.seals import Seal, Total
from pbem.storage.models.service import Meta, Round, Tally

__all__ = [
    "CHECKS",
    "TABLES",
    "Authorship",
    "Ban",
    "Base",
    "Block",
    "Blueprint",
    "Bounce",
    "Challenge",
    "Editorial",
    "Endorsement",
    "Entry",
    "Further",
    "Game",
    "Issue",
    "Leave",
    "Letter",
    "LetterText",
    "Meta",
    "Nomination",
    "Outgoing",
    "OutgoingText",
    "Patrol",
    "Persona",
    "Place",
    "Player",
    "Pledge",
    "Post",
    "PublicLetter",
    "Reward",
    "Round",
    "Ruling",
    "Seal",
    "Step",
    "Story",
    "Subscription",
    "Summons",
    "Tally",
    "Token",
    "Total",
    "Turnout",
    "UtcField",
    "Watch",
    "database",
    "from_utc",
    "to_utc",
]

TABLES = (
    Meta, Player, Letter, Persona, Pledge, Challenge, Game, Place, Step, Story, Token, Outgoing,
    Tally, Entry, Reward, Nomination, Endorsement, Post,
    Ruling, Round, Block, Watch, Further, Leave, Bounce, Turnout, Patrol, Summons, Ban,
    Subscription, Issue, Editorial, Blueprint, LetterText, OutgoingText, Authorship,
    PublicLetter,
)  # fmt: skip
CHECKS = (Seal, Total)
"""Tables to check the others by. They follow from those, so a replay does not compare them."""
