"""Whose words a letter to others, a post or a newsletter carries: who alone writes this table.

The facts for templates say so themselves: a mapping with a player's words also has the key `whose`,
with the number of the player, or of several.
"""

from collections.abc import Iterable, Mapping

from pbem.storage import Authorship, Store

WHOSE = "whose"


def authors(facts: object) -> set[int]:
    """Return the numbers of the players whose words facts hold."""
    found = set[int]()
    waiting = [facts]
    while waiting:
        one = waiting.pop()
        if one is None or isinstance(one, (str, int)):  # asked first: most are, and it is quick
            continue
        if isinstance(one, Mapping):
            whose = one.get(WHOSE)
            if isinstance(whose, int):
                found.add(whose)
            elif isinstance(whose, (list, tuple, set)):
                found.update(whose)
            waiting.extend(one.values())
        elif isinstance(one, (list, tuple)):
            waiting.extend(one)
    return found


def note_authors(store: Store, what: str, players: Iterable[int]) -> None:
    """Save whose words something carries; `what` is a Message-ID or a post's name."""
    for player in sorted(players):
        store.run(Authorship.insert(what=what, player=player))


def authors_of(store: Store, what: str) -> list[int]:
    """Return whose words something carries."""
    found = store.all(Authorship.select().where(Authorship.what == what))
    return sorted({row.player_id for row in found})
