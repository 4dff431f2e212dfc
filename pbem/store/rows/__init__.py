"""What leaves the store: one frozen row a table, with plain values."""

from pbem.store.rows.careers import Endorsement, Entry, Nomination, Reward
from pbem.store.rows.games import (
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
from pbem.store.rows.letters import Authorship, Bounce, Letter, Outgoing, Token
from pbem.store.rows.news import Editorial, Issue, Post, Printed, Subscription
from pbem.store.rows.office import Round, Tally
from pbem.store.rows.people import Ban, Block, Blueprint, Further, Leave, Persona, Player

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
