"""Personas: what players lead from game to game; only this module writes their table.

A persona's rank follows from its record, so both are changed together.
"""

from collections.abc import Collection
from datetime import datetime

from peewee import JOIN, SQL, ModelSelect, Tuple, fn

from engine.names import fold
from pbem.storage import GUEST, Persona, Player, Store
from pbem.storage.standing_columns import ranked


def named(store: Store, name: str) -> Persona | None:
    """Return the persona of a name, without regard to case, accents or spacing."""
    return store.first(Persona.select().where(Persona.folded == fold(name)))


def of(store: Store, player_id: int, system: str = "") -> list[Persona]:
    """Return a player's personas, without guests."""
    query = Persona.select().where(Persona.player == player_id, ~Persona.folded.startswith(GUEST))
    if system:
        query = query.where(Persona.system == system)
    return store.all(query.order_by(Persona.id))


def like(store: Store, column: str, form: str) -> list[Persona]:
    """Return the personas whose names have a form in the column of such forms."""
    return store.all(Persona.select().where(getattr(Persona, column) == form).order_by(Persona.id))


def owned_by(players: Collection[int]) -> "ModelSelect[Persona]":
    """Return the query of the numbers of some players' personas, for a query of another table."""
    return Persona.select(Persona.id).where(Persona.player.in_([*players]))


def owners(store: Store, numbers: Collection[int]) -> dict[int, int]:
    """Return whose some personas are: the players' numbers, by the personas'."""
    query = Persona.select(Persona.id, Persona.player).where(Persona.id.in_([*numbers]))
    return dict(store.tuples(query))


def guest(store: Store, player: Player, system: str, now: datetime) -> Persona:
    """Return what stands for a player in a game that no persona of theirs enters."""
    # No name is found by this, so that guests take no names from personas.
    folded = f"{GUEST}{player.id} {system}"
    return store.first(Persona.select().where(Persona.folded == folded)) or add(
        store,
        player=player.id,
        system=system,
        name=player.name,
        folded=folded,
        side="",
        record="{}",
        joined=now,
    )


def add(store: Store, **values: object) -> Persona:
    """Add a persona, with the columns that it is ranked by, and return the row."""
    return store.create(Persona, **values, **_ranked(Persona(**values)))


def set_record(store: Store, persona: Persona, record: str) -> None:
    """Change a persona's record, and the columns that it is ranked by."""
    columns = _ranked(persona.changed(record=record))
    store.run(Persona.update(record=record, **columns).where(Persona.id == persona.id))


def _ranked(row: Persona) -> dict[str, str]:
    return ranked(row.system, row.name, row.side, row.folded, row.record)


def sides(store: Store) -> list[tuple[str, str]]:
    """Return the sides that personas fight for, each with its system."""
    columns = Persona.system, Persona.side
    query = Persona.select(*columns).where(Persona.rank != "").distinct().order_by(*columns)
    return [(system, side) for system, side in store.tuples(query)]


def best(store: Store, system: str, most: int, after: int = 0, side: str = "") -> list[Persona]:
    """Return the best careers of a system or a side, without the first `after`."""
    query = Persona.select().where(Persona.system == system, Persona.rank > "")
    if side:
        query = query.where(Persona.side == side)
    return store.all(query.order_by(Persona.rank, Persona.name).limit(most).offset(after))


def beside(store: Store, row: Persona, most: int) -> list[Persona]:
    """Return the careers right before and behind one, `most` each, the best first."""
    careers = Persona.select().where(Persona.system == row.system, Persona.rank > "")
    place, here = Tuple(Persona.rank, Persona.name), Tuple(row.rank, row.name)
    before = careers.where(place < here).order_by(Persona.rank.desc(), Persona.name.desc())
    behind = careers.where(place > here).order_by(Persona.rank, Persona.name)
    found = [one for query in (before, behind) for one in store.all(query.limit(most))]
    return sorted(found, key=lambda one: (one.rank, one.name))


def place(store: Store, system: str, rank: str) -> int:
    """Return the place of a rank in its system: 1 for the best."""
    better = Persona.select().where(
        Persona.system == system, Persona.rank > "", Persona.rank < rank
    )
    return 1 + store.count(better)


def forces(store: Store, system: str) -> list[tuple[str, str, str, int]]:
    """Return sides, ranks and figures of a system's careers, and how many have the same."""
    # By an index that holds all of these, so no record is read.
    columns = Persona.side, Persona.rank, Persona.figures
    query = (
        Persona.select(*columns, fn.COUNT(SQL("*")))
        .where(Persona.system == system, Persona.rank > "")
        .group_by(*columns)
        .order_by(*columns)
    )
    return [(side, rank, figures, count) for side, rank, figures, count in store.tuples(query)]


def rivals(store: Store, player_id: int, most: int, after: int = 0) -> list[Persona]:
    """Return some of the other players' personas, those first whose players wrote last.

    The first `after` are left out.
    """
    query = (
        Persona.select()
        .from_(Player)
        # A cross join, so that SQLite reads the players in this order, and stops.
        .join(Persona, JOIN.CROSS)
        .where(
            Player.id == Persona.player,
            Player.id != player_id,
            Player.confirmed == True,
            Player.banned == False,
            ~Persona.folded.startswith(GUEST),
        )
        .order_by(Player.heard.desc(), Persona.id)
    )
    return store.all(query.limit(most).offset(after))


def names(store: Store) -> list[str]:
    """Return the names of all personas, oldest first."""
    named = Persona.select(Persona.name).where(~Persona.folded.startswith(GUEST))
    return [name for (name,) in store.tuples(named.order_by(Persona.id))]
