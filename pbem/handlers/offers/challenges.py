"""CHALLENGE and TEAM CHALLENGE: who is challenged, by name or whoever comes first."""

import re
from collections.abc import Iterator
from re import Match

from engine import registry
from engine.i18n import say
from engine.names import unquote
from engine.orders.line_shapes import clean
from engine.registry import RULESETS, matches
from pbem.games.persona_rules import campaign_of
from pbem.handlers.names import taken_names
from pbem.handlers.names.own_pilots_and_places import anybody, called
from pbem.handlers.offers import making
from pbem.handlers.offers.checks import (
    bar,
    busy,
    in_place_of,
    meanwhile,
    objection,
    own_or_only,
    to_anybody,
)
from pbem.handlers.offers.making import EXAMPLE, TEAM_EXAMPLE, Asked, asked, board_of
from pbem.handlers.request import Answer, Refusal, Request, refuse_if
from pbem.people import personas, players
from pbem.storage import Persona

SYSTEMS = [*matches()]
"""The systems that are played without a campaign."""

NAMES = {name.lower(): key for key in SYSTEMS for name in (key, RULESETS[key].title)}
"""How players name them."""

ANYBODY_EXAMPLE = say("CHALLENGE ANYBODY WITH Hawk")
_DUEL_EXAMPLE = say("CHALLENGE Kestrel WITH Hawk")
_MOST_FOES = 6
_COMMA = re.compile(r"\s*,\s*(?:(?:and|&)\s+)?", re.I)
_AND = re.compile(r"\s+(?:and|&)\s+", re.I)


def challenge(request: Request, match: Match[str]) -> Answer:
    """Challenge one to a duel, or several to a fight of each against all others."""
    if "," in (match["one"] or ""):
        raise Refusal(
            say("a duel is one against one; for several write TEAM before it"), TEAM_EXAMPLE
        )
    names = list(names_in(request, match["other"]))
    duel = len(names) == 1
    one = own_or_only(request, match["one"], _DUEL_EXAMPLE if duel else EXAMPLE)
    others = [_named(request, name, one, duel=duel) for name in names]
    return making.to_named(request, [[one], *([row] for row in others)], asked(request, match))


def team_challenge(request: Request, match: Match[str]) -> Answer:
    """Challenge to a team battle, and notify every other player whose pilots it names."""
    written = list(names_in(request, match["ones"])) if match["ones"] else []
    # The first pilot is the challenger's own, and says which system is played.
    lead = anybody(request, written[0]) if written else own_or_only(request, None, TEAM_EXAMPLE)
    ones = [lead, *(_named(request, name, lead) for name in written[1:])]
    others = [_named(request, name, lead) for name in names_in(request, match["others"])]
    if len(ones) == len(others) == 1 and ones != others:
        duel = say("CHALLENGE {other} WITH {one}", other=others[0].name, one=ones[0].name)
        raise Refusal(say("one against one is a duel"), duel)
    return making.to_named(request, [ones, others], asked(request, match))


def _named(request: Request, name: str, one: Persona, *, duel: bool = False) -> Persona:
    """Return the pilot of a name, or a player's only one that may enter a battle with another now.

    In a duel it is one that may fight the other. Raise Refusal where there is none, or more than
    one.
    """
    store, ports, now = request.ports.store, request.ports, request.now
    player = players.named(store, name)
    # Where a player and a pilot have one name, the pilot is meant.
    if player is None or personas.named(store, name) is not None:
        return anybody(request, name)
    fit = [
        row
        for row in personas.of(store, player.id, system=one.system)
        if not (
            bar(ports, [[one], [row]], now) or objection([[one], [row]])
            if duel
            else busy(ports, row, now)
        )
    ]
    if len(fit) == 1:
        return fit[0]
    nouns = called(request, one.system)
    if not fit:
        raise Refusal(
            say(
                "{player} has {none} that may fight {pilot} now",
                player=player.name,
                none=nouns.none,
                pilot=one.name,
            )
            if duel
            else say("{player} has {none} that may fight now", player=player.name, none=nouns.none),
            say("STATUS lists whom you may challenge"),
        )
    text = say("{player} has several {many}; say which", player=player.name, many=nouns.many)
    names = [row.name for row in fit[:_MOST_FOES]]
    if duel:
        taps = [("", say("CHALLENGE {pilot} WITH {one}", pilot=n, one=one.name)) for n in names]
        raise Refusal(text, taps=taps)
    raise Refusal(text, say("write one of these instead: {names}", names=names))


def names_in(request: Request, written: str) -> Iterator[str]:
    """Yield the names in `Hawk, Falcon and Finch`; an AND may also be part of a pilot's name.

    Raise Refusal where a part may be one name or several.
    """
    store = request.ports.store
    for part in filter(None, _COMMA.split(written)):
        several, bare = _AND.split(part), unquote(part)
        if bare != part or personas.named(store, part) is None:
            yield from [bare] if bare != part else several
            continue
        if len(several) > 1 and all(personas.named(store, name) is not None for name in several):
            raise Refusal(
                say("{name} is a name, and may also be several; which is meant?", name=part),
                say(
                    'write "{name}" for the one, and {names} for the others',
                    name=part,
                    names=several,
                ),
            )
        yield part


def to_all(request: Request, match: Match[str]) -> Answer:
    """Challenge whoever comes first; with SEATS so many fight, each against all others."""
    one = own_or_only(request, match["one"], ANYBODY_EXAMPLE, order=to_anybody)
    barred, hint = busy(request.ports, one, request.now), meanwhile(request.ports, one)
    refuse_if(barred, hint, in_place_of(request.ports, one, to_anybody))
    seats = _seats(match["seats"], one)
    return making.to_anybody(request, one, seats, asked(request, match))


def _seats(written: str | None, one: Persona) -> int:
    """Return how many may fight an open challenge; raise Refusal where it can't be so many."""
    seats, free = int(written or 2), campaign_of(one).free_for_all
    most = free.most if free else 2
    if not 2 <= seats <= most:
        nouns = registry.nouns({one.system})
        raise Refusal(
            say(
                "{least} to {most} {many} fight each other, not {seats}",
                least=2,
                most=most,
                many=nouns.many,
                seats=seats,
            )
            if free
            else say("two {many} fight each other, not {seats}", many=nouns.many, seats=seats),
            ANYBODY_EXAMPLE,
        )
    return seats


def match_of(request: Request, match: Match[str]) -> Answer:
    """Challenge other players by name to a game without a campaign."""
    system, store = _system(request, match), request.ports.store
    others = []
    for name in _players_in(match["others"]):
        player = players.named(store, name)
        if player is None or not player.confirmed:
            hint = taken_names.meant(store, name) or say("GAMES lists who plays")
            raise Refusal(say("no player is called {name}", name=name), hint)
        others.append(personas.guest(store, player, system, request.now))
    # Guests: a game without a campaign leaves nothing in a career (decision 0033).
    one = personas.guest(store, request.player, system, request.now)
    return making.to_named(request, [[one], others], Asked(channel=board_of(request, match)))


def match_of_all(request: Request, match: Match[str]) -> Answer:
    """Offer the seats of a game without a campaign to the first who take them."""
    system = _system(request, match)
    form = matches()[system]
    seats = int(match["seats"] or max(2, form.fewest))
    if not form.fewest <= seats <= form.most:
        raise Refusal(
            say(
                "{title} has {fewest} to {most} seats",
                title=RULESETS[system].title,
                fewest=form.fewest,
                most=form.most,
            ),
            say("CHALLENGE ANYBODY AT {system} SEATS {seats}", system=system, seats=form.most),
        )
    one = personas.guest(request.ports.store, request.player, system, request.now)
    return making.to_anybody(request, one, seats, Asked(channel=board_of(request, match)))


def _system(request: Request, match: Match[str]) -> str:
    """Return the system that an order names; raise Refusal where the league does not play it."""
    system = NAMES[clean(match["system"]).lower()]
    if system not in request.ports.settings.league.systems:
        raise Refusal(say("{title} is not played here", title=RULESETS[system].title))
    return system


def _players_in(written: str) -> list[str]:
    """Return the names in `Bob, Cleo and Dan`."""
    *some, last = (part.strip() for part in written.split(","))
    return [name for name in (*some, *last.replace(" AND ", " and ").split(" and ")) if name]
