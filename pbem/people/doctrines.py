"""Doctrines: the standing orders that personas have under names; only here their table is used."""

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property

from engine.names import fold, folded_forms
from pbem.storage import Doctrine, Persona, Store


def of(store: Store, player: int, *personas: int) -> list[Doctrine]:
    """Return a player's doctrines, those of some personas or all, by persona and name."""
    query = Doctrine.select().where(Doctrine.player == player)
    if personas:
        query = query.where(Doctrine.persona.in_(personas))
    return store.all(query.order_by(Doctrine.persona, Doctrine.folded))


def texts(rows: Iterable[Doctrine]) -> dict[str, str]:
    """Return the rules of doctrines by all forms that their names may be typed in, folded."""
    return {form: row.rules for row in rows for form in folded_forms(row.name)}


class Texts(Mapping[str, str]):
    """The rules of a persona's doctrines, as `texts` returns them.

    They are read when one is first looked up, since most letters name none.
    """

    def __init__(self, store: Store, player: int, persona: int) -> None:
        self._store, self._of = store, (player, persona)

    @cached_property
    def _found(self) -> dict[str, str]:
        return texts(of(self._store, *self._of))

    def __getitem__(self, name: str) -> str:
        """Return the rules of a doctrine; raise KeyError where there is none of the name."""
        return self._found[name]

    def __iter__(self) -> Iterator[str]:
        """Yield all forms of the doctrines' names."""
        return iter(self._found)

    def __len__(self) -> int:
        """Return how many forms of names there are."""
        return len(self._found)


def named(rows: Iterable[Doctrine], name: str) -> Doctrine | None:
    """Return the doctrine of a name, however it is typed, or None."""
    return next((row for row in rows if fold(name) in folded_forms(row.name)), None)


def keep(store: Store, persona: Persona, name: str, rules: str) -> Doctrine:
    """Save a persona's doctrine, in place of what it has under the name, and return it."""
    before = named(of(store, persona.player_id, persona.id), name)
    if before is not None:
        drop(store, before)
    return store.create(
        Doctrine,
        player=persona.player_id,
        persona=persona.id,
        name=name,
        folded=fold(name),
        rules=rules,
    )


def drop(store: Store, row: Doctrine) -> None:
    """Delete a doctrine."""
    store.run(Doctrine.delete().where(Doctrine.id == row.id))
