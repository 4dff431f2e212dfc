"""The tables, each described once: by the frozen record that the store returns for a row."""

from pbem.storage.records.careers import Endorsement, Entry, Nomination, Reward
from pbem.storage.records.games import (
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
from pbem.storage.records.letters import Authorship, Bounce, KeptWords, Letter, Outgoing, Token
from pbem.storage.records.news import Editorial, Issue, Post, PublicLetter, Subscription
from pbem.storage.records.people import (
    GUEST,
    Ban,
    Block,
    Blueprint,
    Further,
    Leave,
    Persona,
    Player,
)
from pbem.storage.records.service import Meta, Round, Tally

__all__ = [
    "GUEST",
    "Authorship",
    "Ban",
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
    "KeptWords",
    "Leave",
    "Letter",
    "Meta",
    "Nomination",
    "Outgoing",
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
    "Step",
    "Story",
    "Subscription",
    "Summons",
    "Tally",
    "Token",
    "Turnout",
    "Watch",
]
