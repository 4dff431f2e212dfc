"""Doctrines by their names: which one a player gives, and which names one may have."""

import re
from collections.abc import Mapping, Sequence

from engine import registry
from engine.i18n import say
from engine.names import closest, fold
from engine.order_translations import everybodys
from pbem.handlers.names.reserved_names import reserved
from pbem.handlers.request import Refusal, Request, private_way, refuse_if
from pbem.people import doctrines
from pbem.storage import Persona

NAME = r"[^\W\d_]{2,20}"
"""What a doctrine may be called: a word of letters, so that it stands behind STANDING."""
_NAME = re.compile(NAME)


def given(request: Request, rows: Sequence[Persona], name: str | None) -> Mapping[int, str]:
    """Return the standing orders that a doctrine means for each of a player's personas.

    They are lines in English, by the personas' numbers; "" without a doctrine. Raise Refusal where
    a persona does not have it.
    """
    if name is None:
        return dict.fromkeys((row.id for row in rows), "")
    in_secret(request)
    return {row.id: _lines(request, row, name) for row in rows}


def _lines(request: Request, row: Persona, name: str) -> str:
    """Return the lines of a doctrine that a persona has, or that everybody has."""
    known = everybodys(request.language)
    if fold(name) in known:
        rules = registry.rules_of(row.system)
        if rules.doctrines is None:
            raise Refusal(say("{title} has no doctrines that everybody has", title=rules.title))
        return f"STANDING {known[fold(name)]}"
    own = doctrines.of(request.ports.store, request.player.id, row.id)
    found = doctrines.named(own, name)
    if found is None:
        names = [one.name for one in own]
        meant = closest(name, [*names, *known])
        listed = say("DOCTRINE lists those that you have")
        raise Refusal(
            say("{pilot} has no doctrine called {name}", pilot=row.name, name=name),
            say("did you mean {name}?", name=meant) if meant else listed,
        )
    return found.rules


def in_secret(request: Request) -> None:
    """Raise Refusal where everybody reads what was written."""
    if not request.public:
        return
    raise Refusal(say("standing orders are secret"), private_way(request))


def check(request: Request, name: str) -> None:
    """Raise Refusal where a doctrine can't have a name."""
    if fold(name) in everybodys(request.language):
        raise Refusal(
            say("{name} is a doctrine that everybody has, and stays as it is", name=name),
            say("another name, and STANDING {name} as its last line", name=name),
        )
    if not _NAME.fullmatch(name):
        raise Refusal(say("a doctrine's name is one word of 2 to 20 letters"))
    why = reserved(name, request.ports.settings.league)
    refuse_if(
        why and say("a doctrine can't be called {name}: {why}", name=name, why=why),
        say("another name"),
    )
