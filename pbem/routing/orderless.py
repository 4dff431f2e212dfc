"""Letters without an order: somebody struggles, or a robot answers our answers."""

import hashlib

from pbem.handlers.request import Request
from pbem.routing.line_kinds import Lines

SAME_WORDS = 3
"""How often a day the same words, without an order, are answered."""
AT_ONCE, MINUTES = 10, 10
"""A person writes fewer letters without an order in so many minutes."""


def struggles(request: Request, found: Lines) -> int:
    """Count a letter without an order, and return how many the player has sent today.

    Return 0 where a robot wrote it: it repeats its words, or is quicker than a person, or goes on
    beyond anybody's patience. Two robots that answer each other would never stop otherwise. Letters
    with orders are not counted: however many somebody writes, no robot writes them.
    """
    ports, player, now = request.ports, request.player.id, request.now
    words = " ".join(" ".join(found.rest).split())
    digest = hashlib.sha256(words.encode()).hexdigest()[:16]
    count = ports.store.count_today(f"orderless {player}", now)
    same = ports.store.count_today(f"orderless {player} {digest}", now) if words else 0
    slot = f"orderless {player} {now:%H}:{now.minute // MINUTES}"
    recent = ports.store.count_today(slot, now)
    most = ports.settings.limits.automatic_answers_a_day
    return 0 if same > SAME_WORDS or recent > AT_ONCE or count > most else count
