"""What happened to a pilot, found by comparing its records before and after."""

from collections.abc import Iterator

from engine.campaign import Change, Entry
from engine.codec import change
from engine.starpilot.awards import awards
from engine.starpilot.pilot import Pilot, has_won, is_gone, persona_of
from engine.starpilot.tables import BADGES, MEDALS, SIDES, Honour


def settle(name: str, before: Pilot, after: Pilot, *entries: Entry) -> Change:
    """Return the change from one record to another, with its entries and the news in it.

    A pilot that is gone loses its unspent HP.
    """
    left = after.hp if is_gone(after) else 0
    buried = (Entry("buried", "buried", -left),) if left else ()
    settled = change(after, hp=after.hp - left)
    return Change(persona_of(name, settled), (*entries, *_news(before, after), *buried))


def _news(before: Pilot, after: Pilot) -> Iterator[Entry]:
    if after.wounds > before.wounds:
        yield _given("wounded", BADGES[after.side], after.wounds)
    if after.medals > before.medals:
        yield _given("medal", MEDALS[after.side], after.medals)
    held = awards(before)
    yield from (_given("award", honour) for honour in awards(after) if honour not in held)
    if after.rank > before.rank:
        title = SIDES[after.side].ranks[after.rank - 1]
        yield Entry("promoted", news=True, facts={"rank": after.rank, "title": title})
    if has_won(after) and not has_won(before):
        yield Entry("retired", news=True)
    if is_gone(after) and not is_gone(before):
        yield Entry("died" if after.dead else "resigned", news=True)


def _given(kind: str, honour: Honour, count: int = 1) -> Entry:
    return Entry(kind, news=True, facts=honour._asdict() | {"count": count})
