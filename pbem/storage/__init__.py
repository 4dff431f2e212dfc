"""The database: what the league knows. Other packages get records, never models."""

from pbem.storage.connection import StoreDown, StoreLocked, by_time, is_away
from pbem.storage.records import (
    Block,
    Blueprint,
    Challenge,
    Editorial,
    Endorsement,
    Entry,
    Further,
    Game,
    Issue,
    Leave,
    Letter,
    Nomination,
    Outgoing,
    Patrol,
    Persona,
    Place,
    Player,
    Pledge,
    Post,
    PublicLetter,
    Reward,
    Ruling,
    Step,
    Story,
    Subscription,
    Summons,
    Token,
    Watch,
)
from pbem.storage.store import FAREWELL, Store
