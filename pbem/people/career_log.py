"""The career log: what happened to each persona, entered once, so that all points add up."""

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import datetime, tzinfo
from typing import TypedDict, cast

from engine import campaign, fair_dice, registry
from pbem.i18n.days import day
from pbem.people import personas
from pbem.storage import Entry, Persona, Reward, Store

LATEST = 20
"""How many entries a sheet shows."""
UNDONE = "undone"
"""The kind of an entry that takes back what a game brought."""


class ShownEntry(TypedDict):
    """An entry of a persona's career, for a template; `points` are in tenths."""

    kind: str
    points: int
    facts: Mapping[str, object]


class DatedEntry(ShownEntry):
    """An entry with its day, and the game that it is of."""

    day: str
    game: int | None


def enter(
    store: Store, row: Persona, change: campaign.Change, now: datetime, game: int | None = None
) -> None:
    """Save a changed persona, and enter what changed it."""
    personas.set_record(store, row, json.dumps(change.persona.record))
    for entry in change.entries:
        store.run(
            Entry.insert(
                persona=row.id,
                game=game,
                kind=entry.kind,
                account=entry.account,
                points=entry.points,
                news=entry.news,
                facts=json.dumps(entry.facts),
                at=now,
            )
        )


def facts_of(entries: Iterable[campaign.Entry]) -> list[ShownEntry]:
    """Return entries as facts for a template, with points in tenths."""
    return [_facts(entry.kind, entry.points, entry.facts) for entry in entries]


def career(store: Store, row: Persona, zone: tzinfo) -> list[DatedEntry]:
    """Return a persona's latest entries, oldest first, each with its day in a time zone."""
    return [
        {
            **_facts(entry.kind, entry.points, json.loads(entry.facts)),
            "day": day(entry.at.astimezone(zone)),
            "game": entry.game_id,
        }
        for entry in reversed(
            store.all(
                Entry.select()
                .where(Entry.persona == row.id)
                .order_by(Entry.id.desc())
                .limit(LATEST)
            )
        )
    ]


def news_within(store: Store, since: datetime, until: datetime) -> list[Entry]:
    """Return the newsworthy entries after a time and up to another, oldest first."""
    within = Entry.news == True, Entry.at > since, Entry.at <= until
    return store.all(Entry.select().where(*within).order_by(Entry.id))


def of_game(store: Store, row: Persona, game: int) -> list[ShownEntry]:
    """Return what a game brought a persona and was not taken back, as facts for a template."""
    found = _standing(store, row, game)
    return [_facts(entry.kind, entry.points, json.loads(entry.facts)) for entry in found]


def _standing(store: Store, row: Persona, game: int) -> list[Entry]:
    """Return a game's entries since they were last taken back."""
    found = store.all(
        Entry.select().where(Entry.persona == row.id, Entry.game == game).order_by(Entry.id)
    )
    # A game may end and be taken back several times.
    last = max((n for n, entry in enumerate(found, 1) if entry.kind == UNDONE), default=0)
    return found[last:]


def take_back(store: Store, row: Persona, record: str, game: int, now: datetime) -> None:
    """Restore a persona as it was before a game's end, and enter the opposite of its points.

    No entry is deleted: the points that were earned are followed by as many negative ones.
    """
    accounts: Counter[campaign.Account] = Counter()
    for entry in _standing(store, row, game):
        accounts[cast(campaign.Account, entry.account)] += entry.points
    entries = [
        campaign.Entry(UNDONE, account, -points) for account, points in accounts.items() if points
    ]
    # Newsletters have printed what the game brought, so this must be news as well.
    news = campaign.Entry(UNDONE, news=True)
    before = campaign.Persona(row.name, row.side, json.loads(record))
    enter(store, row, campaign.Change(before, (*entries, news)), now, game)


def _facts(kind: str, points: int, facts: Mapping[str, object]) -> ShownEntry:
    return {"kind": kind, "points": points, "facts": facts}


class NextReward(TypedDict):
    """The name of the reward that a persona is to roll next, and the commitment to its secret."""

    id: str
    commitment: str


def committed(store: Store, row: Persona) -> NextReward:
    """Return what is told of a persona's next reward before it is rolled (0005)."""
    reward = next_reward(store, row)[0]
    return {"id": reward_id(reward), "commitment": reward_ground(row, reward).commitment}


def reward_id(reward: Reward) -> str:
    """Return the name under which a reward's die is rolled."""
    return f"R{reward.id}"


def reward_ground(row: Persona, reward: Reward) -> fair_dice.Ground:
    """Return what the die of a persona's reward depends on, apart from the SPEND letter."""
    commitment = fair_dice.commitment(
        reward.secret, reward_id(reward), row.system, reward.version, {"reward": row.name}
    )
    # No set-up, no bots, and no words but those of the letter with SPEND (decision 0005).
    return fair_dice.Ground(reward.secret, commitment, "", "", {})


def next_reward(store: Store, row: Persona) -> tuple[Reward, bool]:
    """Return the reward that a persona is to roll next, and whether it is new.

    Its commitment must be sent before it is rolled.
    """
    # Only one secret waits, so nobody can choose between two (decision 0005).
    known = store.first(
        Reward.select().where(Reward.persona == row.id, Reward.rolled.is_null()).order_by(Reward.id)
    )
    if known is not None:
        return known, False
    secret, version = store.fresh_secret(Reward), registry.RULESETS[row.system].version
    return store.create(Reward, persona=row.id, secret=secret, version=version), True


def note_roll(store: Store, reward: Reward, **values: object) -> None:
    """Note how a reward was rolled."""
    store.run(Reward.update(**values).where(Reward.id == reward.id))
