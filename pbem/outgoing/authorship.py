"""Whose words a letter to others, a post or a newsletter carries, so that they can be erased.

The facts for templates carry it themselves: a mapping with a player's words also has the key
`whose`, with the number of the player, or of several.
"""

from collections.abc import Iterable, Mapping

from pbem.storage import Store

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


def note(store: Store, what: str, players: Iterable[int]) -> None:
    """Save whose words something carries; `what` is a Message-ID or one of the names below."""
    for player in sorted(players):
        store.authorships.insert(what=what, player=player)


def of(store: Store, what: str) -> list[int]:
    """Return whose words something carries."""
    return sorted({row.player_id for row in store.authorships.all(what=what)})


def post_name(channel: str, ident: str) -> str:
    """Return the name of a post in `authorship`."""
    return f"post {channel} {ident}"


def issue_name(number: int) -> str:
    """Return the name of a newsletter in `authorship`."""
    return f"issue {number}"
