"""Which lines of a chat room are for the referee, and for which battle: by their form alone.

In the room an order is marked (`!scan`, `/scan`, `referee: scan`, `Hawk: scan`, `G12 scan`), since
people talk there. To the referee alone every line is one.
"""

import re
from collections.abc import Collection
from typing import NamedTuple

from engine.names import fold

REFEREE = "referee"
"""What anybody may call the referee, whatever its account is called."""
_MARK = re.compile(r"[!/](?=\w)")
_NAMED = re.compile(r"(?P<name>[^\s:,!/][^:,!/]{0,39})[:,]\s+(?P<rest>\S.*)")
_BATTLE = re.compile(r"G(?P<number>[1-9]\d{0,8})[:,.]?\s+(?P<rest>\S.*)", re.I)


class ChatLine(NamedTuple):
    """What a line orders; `battle` is the number of the battle that it names, or None."""

    order: str
    battle: int | None = None


def may_be_for_referee(line: str, *, private: bool) -> bool:
    """Return whether a line may be for the referee, whoever has written it."""
    text = line.strip()
    marks = (_MARK, _NAMED, _BATTLE)
    return bool(text) and (private or any(mark.match(text) for mark in marks))


def for_referee(line: str, names: Collection[str], *, private: bool) -> ChatLine | None:
    """Return what a line orders, or None for talk.

    `names` are what may stand before an order besides the referee's own: those of its writer's
    pilots.
    """
    text, called = line.strip(), {fold(one) for one in (*names, REFEREE)}
    # A battle, a name and a mark may stand before the order, in any order, each once.
    number, marked = None, private
    for _ in range(3):
        if battle := _BATTLE.fullmatch(text):
            marked, number, text = True, number or int(battle["number"]), battle["rest"]
        elif _MARK.match(text):
            marked, text = True, text[1:]
        elif (named := _NAMED.fullmatch(text)) and fold(named["name"]) in called:
            marked, text = True, named["rest"]
    return ChatLine(text, number) if marked and text else None
