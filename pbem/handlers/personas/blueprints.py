"""Blueprints: designs that a player makes personas from; they are kept, listed and dropped."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from re import Match

from engine import registry
from engine.campaign import Blueprint as Drawn
from engine.errors import OrderError, UnreadableOrder
from engine.i18n import Said, retold, say
from engine.names import closest, fold
from pbem.games.persona_rules import piece_of
from pbem.handlers.names import taken_names
from pbem.handlers.names.own_pilots_and_places import refusing
from pbem.handlers.request import Answer, Block, Refusal, Request, pay, refuse_if
from pbem.people import personas
from pbem.storage import Blueprint, Store

_UNITS, _UNITS_A_CHARACTER = 500, 15
"""What reading a blueprint may cost: misspelt words are compared with all known ones."""


def takes(system: str, text: str, language: str) -> bool:
    """Return whether a cleaned line below the order for a new blueprint belongs to it."""
    return registry.blueprints()[system].takes(_english(system, text, language))


def _english(system: str, text: str, language: str) -> str:
    """Return the text behind a blueprint's name in English words; no name there has a colon."""
    translation = registry.RULESETS[system].translations.get(language)
    return text if translation is None else translation.english(text.replace(":", " "))


@contextmanager
def _faults_in_words(system: str, language: str) -> Iterator[None]:
    """Say what is wrong with a blueprint in the words that its player writes."""
    try:
        yield
    except OrderError as error:
        translation = registry.RULESETS[system].translations.get(language)
        if translation is None:
            raise
        why = retold(str(error), translation.thing)
        raise UnreadableOrder(why, hint=error.hint) from None


def drawn(store: Store, system: str, player: int) -> list[Drawn]:
    """Return a player's blueprints as values of the engine."""
    return [_drawn(row) for row in _rows(store, system, player)]


def _rows(store: Store, system: str, player: int) -> list[Blueprint]:
    own = Blueprint.player == player, Blueprint.system == system
    return store.all(Blueprint.select().where(*own).order_by(Blueprint.id))


def _drawn(row: Blueprint) -> Drawn:
    return Drawn(row.name, json.loads(row.record))


def draw(system: str, request: Request, match: Match[str]) -> Answer:
    """Save a blueprint as the player's own, and replace one of the same name.

    The word alone asks for the list.
    """
    if match["what"] is None:
        return listed(system, request, match)
    stock, blueprints = _stock(request, system), registry.blueprints()[system]
    name, _, rest = match["what"].partition(":")
    lines = (_english(system, line, request.language) for line in (rest, *request.below))
    written = "\n".join((name, *lines))
    pay(request, _UNITS + _UNITS_A_CHARACTER * len(written))
    with refusing(blueprints.form), _faults_in_words(system, request.language):
        new = blueprints.read(written, stock)
    text = _kept(request, system, new)
    block = {
        "kind": "blueprint",
        "system": system,
        "sheet": _sheet(request, system, new),
        "flier": _flier(request, system),
    }
    return Answer(True, text, blocks=(block,))


def _flier(request: Request, system: str) -> str:
    """Return a free name for a persona to be made from a design, "" where there may be no more."""
    mine = [
        piece_of(row) for row in personas.of(request.ports.store, request.player.id, system=system)
    ]
    # How many there may be does not depend on what the new one is.
    if mine and registry.campaigns()[system].crowded(mine, mine[-1]):
        return ""
    return taken_names.callsign(request.ports, request.player)


def _kept(request: Request, system: str, new: Drawn) -> Said:
    """Save a blueprint in the database, and return what was done.

    Raise Refusal where it may not be saved.
    """
    store, player = request.ports.store, request.player.id
    name, record = new.name, json.dumps(new.record)
    rows = _rows(store, system, player)
    row = next((one for one in rows if one.folded == fold(name)), None)
    # Before `_unused`: sending a design again unchanged does no harm, even if somebody flies it.
    if row is not None and _drawn(row) == new:
        return say("you have {name} already, exactly like this", name=name)
    if row is not None:
        # What is in use can't be changed (docs/rulings.md).
        _unused(request, row, say("choose another name for the new one"))
        changed = Blueprint.update(name=name, record=record)
        store.run(changed.where(Blueprint.id == row.id))
        return say("{name} takes the place of what you had under that name", name=name)
    own_designs = list(map(_drawn, rows))
    taken_names.check(request.ports, name, player)
    # Other players' designs may have the name: only their owners look them up (decision 0021).
    taken_names.check_apart(name, [one.name for one in own_designs])
    taken_names.check_apart(name, registry.blueprints()[system].stocked(_stock(request, system)))
    refuse_if(registry.blueprints()[system].crowded(own_designs))
    store.run(
        Blueprint.insert(
            player=player,
            system=system,
            name=name,
            folded=fold(name),
            record=record,
            made=request.now,
        )
    )
    return say("{name} is yours, and can be flown", name=name)


def drop(system: str, request: Request, match: Match[str]) -> Answer:
    """Delete a blueprint that no persona depends on."""
    _stock(request, system)
    rows = _rows(request.ports.store, system, request.player.id)
    row = next((row for row in rows if fold(row.name) == fold(match["name"])), None)
    if row is None:
        word = registry.blueprints()[system].word
        meant = closest(match["name"], [row.name for row in rows])
        lists = say("{order} lists what you have", order=say(f"{word}S"))
        raise Refusal(
            say("you have drawn nothing called {name}", name=match["name"]),
            f"{word} DROP {meant}" if meant else lists,
        )
    _unused(request, row, say("it can be dropped once nobody flies it"))
    request.ports.store.run(Blueprint.delete().where(Blueprint.id == row.id))
    return Answer(True, say("{name} is dropped", name=row.name))


def listed(system: str, request: Request, match: Match[str]) -> Answer:
    """List the player's blueprints and the league's stock, with an example of a new one."""
    stock = _stock(request, system)
    block = {
        "kind": "blueprints",
        "system": system,
        "own": [
            _sheet(request, system, one)
            for one in drawn(request.ports.store, system, request.player.id)
        ],
        "stock": registry.blueprints()[system].view(stock),
    }
    return Answer(True, "", blocks=(block,))


def _stock(request: Request, system: str) -> object:
    """Return the league's stock of a system; raise Refusal where the system is not played."""
    league = request.ports.settings
    if system not in league.league.systems:
        title = registry.RULESETS[system].title
        raise Refusal(say("{title} is not played here", title=title))
    return league.stock(system)


def _sheet(request: Request, system: str, one: Drawn) -> Block:
    sheet = registry.blueprints()[system].sheet(one, request.ports.settings.stock(system))
    return {**sheet, "users": _users(request, system, one)}


def _users(request: Request, system: str, one: Drawn) -> list[str]:
    """Return the names of the player's personas that depend on a blueprint."""
    rows = personas.of(request.ports.store, request.player.id, system=system)
    uses = registry.blueprints()[system].uses
    return [row.name for row in rows if uses(piece_of(row), one)]


def _unused(request: Request, row: Blueprint, hint: Said) -> None:
    """Raise Refusal where a persona depends on a blueprint."""
    users = _users(request, row.system, _drawn(row))
    if users:
        raise Refusal(
            say("{name} is flown by {users}, and stays as it is", name=row.name, users=users), hint
        )
