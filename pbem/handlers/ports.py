"""The parts of a running league that handlers work with: database, outbox, games, settings."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime

from pbem.games.referee import Referee
from pbem.games.reports.reports import Reports
from pbem.news.newsletter import Newsletter
from pbem.outgoing.outbox import Outbox
from pbem.outgoing.posts import Posts
from pbem.settings import Settings
from pbem.storage import Letter, Store


@dataclass(frozen=True, slots=True, kw_only=True)
class Ports:
    """The parts of a running league, made once by `pbem.service` and passed to all handlers.

    `handle` answers one letter and returns whether that went well; it is for letters that were held
    and are released. `counts` are the metrics: how often each thing was done.
    """

    settings: Settings
    store: Store
    outbox: Outbox
    posts: Posts
    reports: Reports
    referee: Referee
    newsletter: Newsletter
    # A function and not the service: handlers stand below it and must not import it.
    handle: Callable[[Letter, datetime], bool]
    counts: Counter[tuple[str, str]] = field(default_factory=Counter)
