"""A player's own pilots, found by what was written of them."""

import re
from collections.abc import Iterator
from contextlib import contextmanager

from engine.errors import OrderError
from engine.said import say
from pbem.league.visit import Refusal, Visit
from pbem.store import Persona


def own(visit: Visit, name: str) -> Persona:
    """Give the player's pilot of a name; raises Refusal."""
    row = visit.office.store.persona_named(name)
    if row is None or row.player_id != visit.player.id:
        raise Refusal(
            say("you have no pilot called {name}", name=name), say("STATUS lists your pilots")
        )
    return row


def own_and_rest(visit: Visit, text: str, word: str) -> tuple[Persona, str]:
    """Split `Hawk ON weapons 2` into the pilot and what follows; a name may hold the word too."""
    parts = re.split(rf" {word} ", text, flags=re.I)
    for count in range(len(parts), 1, -1):
        row = visit.office.store.persona_named(f" {word} ".join(parts[:count]))
        if row is not None and row.player_id == visit.player.id:
            return row, f" {word} ".join(parts[count:])
    return own(visit, parts[0]), f" {word} ".join(parts[1:])


def idle(visit: Visit, row: Persona) -> None:
    """Raise Refusal for a pilot in a running game."""
    if visit.office.store.is_fighting(row.id):
        raise Refusal(say("{pilot} is in a battle; that waits until it is over", pilot=row.name))


@contextmanager
def refusing(example: str = "") -> Iterator[None]:
    """Turn what the rules refuse into a Refusal, with their hint in an example's place."""
    try:
        yield
    except OrderError as error:
        hint = error.hint or example
        raise Refusal(str(error), say("like this: {hint}", hint=hint) if hint else "") from None
