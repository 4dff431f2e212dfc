"""The records of players: addresses, absences, blocks, bans, personas and blueprints."""

from datetime import datetime
from typing import NamedTuple


class Player(NamedTuple):
    """A person of the league; `key_serial` counts the keys issued, `press`: public letters."""

    id: int
    name: str
    address: str
    confirmed: bool
    key_serial: int
    press: bool
    mail: str
    format: str
    language: str
    joined: datetime
    heard: datetime
    zone: str
    banned: bool


class Leave(NamedTuple):
    """Days on which a player is away, as ISO dates."""

    id: int
    player_id: int
    first: str
    last: str


class Further(NamedTuple):
    """A confirmed address of a player in addition to the one that letters go to."""

    id: int
    player_id: int
    address: str
    added: datetime


class Block(NamedTuple):
    """A player takes no letters from another."""

    id: int
    player_id: int
    other_id: int


class Ban(NamedTuple):
    """An address of no player, whose letters are not acted on."""

    id: int
    address: str
    made: datetime


class Persona(NamedTuple):
    """A player's piece; `record` is its system's JSON text."""

    id: int
    player_id: int
    system: str
    name: str
    side: str
    record: str


class Blueprint(NamedTuple):
    """What a player has designed for personas to be made of; `record` is its system's JSON text."""

    id: int
    player_id: int
    system: str
    name: str
    record: str
