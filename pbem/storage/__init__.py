"""The database: its tables as peewee models, and the store that runs queries of them."""

from pbem.storage.connection import OldSchema as OldSchema
from pbem.storage.connection import OtherSchema as OtherSchema
from pbem.storage.connection import StoreDown as StoreDown
from pbem.storage.connection import StoreLocked as StoreLocked
from pbem.storage.connection import by_time as by_time
from pbem.storage.connection import is_away as is_away
from pbem.storage.fields import Row as Row
from pbem.storage.models import *  # noqa: F403 - all tables are named there, once
from pbem.storage.store import FAREWELL as FAREWELL
from pbem.storage.store import Store as Store
