"""What the store returns: one frozen record type for each table, with plain values."""

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
from pbem.storage.records.letters import Authorship, Bounce, Letter, Outgoing, Token
from pbem.storage.records.news import Editorial, Issue, Post, Printed, PublicLetter, Subscription
from pbem.storage.records.people import Ban, Block, Blueprint, Further, Leave, Persona, Player
from pbem.storage.records.service import Round, Tally

__all__ = [
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
    "Leave",
    "Letter",
    "Nomination",
    "Outgoing",
    "Patrol",
    "Persona",
    "Place",
    "Player",
    "Pledge",
    "Post",
    "Printed",
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
