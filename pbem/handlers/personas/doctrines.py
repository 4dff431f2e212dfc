"""DOCTRINE: the standing orders that a persona has under a name are kept, shown and deleted."""

from collections.abc import Iterable
from re import Match

from engine import play, registry
from engine.dice import SeededDice
from engine.i18n import say
from engine.orders.doctrines import doctrine_lines
from engine.ruleset import AnyRuleset
from engine.seats import Seat
from pbem.games.persona_rules import campaign_of, is_gone, is_over, piece_of
from pbem.handlers.names.doctrines import check, in_secret
from pbem.handlers.names.own_pilots_and_places import own, refusing, which
from pbem.handlers.offers.checks import trial
from pbem.handlers.request import Answer, Block, Refusal, Request, pay
from pbem.people import doctrines, personas
from pbem.storage import Doctrine, Persona

EXAMPLE = say("DOCTRINE hunter FOR Hawk")
MOST = 12
"""The most doctrines that a persona may have, so that a letter can list them."""
_UNITS, _UNITS_A_CHARACTER = 2000, 15
"""What reading a doctrine may cost: each of its lines is read as an order is."""


def listed(request: Request, match: Match[str]) -> Answer:
    """List the player's doctrines."""
    in_secret(request)
    rows = doctrines.of(request.ports.store, request.player.id)
    if not rows:
        raise Refusal(
            say("you have no doctrine of your own"), say("HELP standing tells how to write one")
        )
    return _shown(request, rows)


def keep(request: Request, match: Match[str]) -> Answer:
    """Keep the rules below the order as a persona's doctrine; without any, show the doctrine."""
    if not any(map(str.strip, request.below)):
        in_secret(request)
        return _shown(request, _meant(request, match))
    try:
        return _kept(request, match)
    except Refusal as error:
        # To be sent again with changes; nobody else sees it.
        blocks = (_written(request),)
        return Answer(False, str(error), error.hint, blocks, taps=error.taps, repeats=True)


def _kept(request: Request, match: Match[str]) -> Answer:
    """Keep the rules below the order; raise Refusal where they can't be kept."""
    in_secret(request)
    store, name = request.ports.store, match["name"]
    row = _whose(request, match["pilot"])
    if is_over(row):
        raise Refusal(say("{pilot} will fight no more", pilot=row.name))
    check(request, name)
    mine = doctrines.of(store, request.player.id, row.id)
    before = doctrines.named(mine, name)
    if before is None and len(mine) >= MOST:
        raise Refusal(
            say("{pilot} has {most} doctrines, and no room for more", pilot=row.name, most=MOST),
            say("DOCTRINE {name} FOR {pilot} NONE", name=mine[0].name, pilot=row.name),
        )
    kept = doctrines.keep(store, row, name, "\n".join(_rules(request, row)))
    text = say("{pilot} has the doctrine {name} now", pilot=row.name, name=name)
    if before is not None:
        text = say(
            "the doctrine {name} of {pilot} is changed; a battle that goes on keeps the rules that"
            " it was given",
            name=name,
            pilot=row.name,
        )
    title = say("Doctrine of {pilot}: {name}", pilot=row.name, name=name)
    return Answer(True, text, blocks=_blocks(request, [kept]), title=title)


def drop(request: Request, match: Match[str]) -> Answer:
    """Delete a doctrine."""
    in_secret(request)
    store, found = request.ports.store, _meant(request, match)
    if len(found) > 1:
        names = [store.get(Persona, row.persona_id).name for row in found]
        taps = [
            ("", say("DOCTRINE {name} FOR {pilot} NONE", name=found[0].name, pilot=pilot))
            for pilot in names
        ]
        raise Refusal(say("{pilots} have a doctrine of that name", pilots=names), taps=taps)
    doctrines.drop(store, found[0])
    return Answer(True, say("the doctrine {name} is deleted", name=found[0].name))


def _shown(request: Request, rows: Iterable[Doctrine]) -> Answer:
    return Answer(True, "", blocks=_blocks(request, rows), title=say("Your doctrines"))


def _blocks(request: Request, rows: Iterable[Doctrine]) -> tuple[Block, ...]:
    found = list[Block]()
    for row in rows:
        persona = request.ports.store.get(Persona, row.persona_id)
        order = say("DOCTRINE {name} FOR {pilot}", name=row.name, pilot=persona.name)
        found.append(
            {
                "kind": "doctrine",
                "heading": say("Doctrine of {pilot}: {name}", pilot=persona.name, name=row.name),
                "system": persona.system,
                "lines": [order, *row.rules.splitlines()],
            }
        )
    return tuple(found)


def _written(request: Request) -> Block:
    """Return what a player has written, as a block that looks like a doctrine."""
    lines = list(filter(str.strip, request.below))[: request.ports.settings.limits.order_lines]
    heading = say("Your lines")
    return {"kind": "doctrine", "heading": heading, "system": "", "lines": [request.line, *lines]}


def _meant(request: Request, match: Match[str]) -> list[Doctrine]:
    """Return the doctrines of a name, of the pilot that is named or of all of the player's.

    Raise Refusal where there is none.
    """
    whose = [own(request, match["pilot"]).id] if match["pilot"] else []
    mine = doctrines.of(request.ports.store, request.player.id, *whose)
    found = [one for one in mine if doctrines.named([one], match["name"])]
    if not found:
        raise Refusal(
            say("you have no doctrine called {name}", name=match["name"]),
            say("its rules below the line, such as ELSE: order, and END below the last"),
        )
    return found


def _whose(request: Request, name: str | None) -> Persona:
    """Return the player's pilot with a name, or without one the only one that there is."""
    if name is not None:
        return own(request, name)
    mine = [row for row in personas.of(request.ports.store, request.player.id) if not is_gone(row)]
    if len(mine) != 1:
        raise which(request, EXAMPLE)
    return mine[0]


def _rules(request: Request, row: Persona) -> list[str]:
    """Return the rules below the order as lines in English; raise Refusal where a line is none."""
    text, most = "\n".join(request.below), request.ports.settings.limits.order_lines
    pay(request, _UNITS + _UNITS_A_CHARACTER * len(text))
    rules, seat = registry.rules_of(row.system), Seat(row.name)
    state = _trial(rules, row)
    with refusing():
        found = doctrine_lines(rules, state, seat, text, request.language)
    if len(found) > most:
        raise Refusal(say("a doctrine has at most {most} rules", most=most))
    return found


def _trial(rules: AnyRuleset, row: Persona) -> object:
    """Return a duel of a persona at its turn, as which its rules are read; or raise Refusal."""
    # With fixed dice, so that a replay reads the same.
    state = rules.setup(trial(row.system, campaign_of(row), piece_of(row)))
    dice = SeededDice(b"dice", "trial", 0, row.name.encode())
    while not ((phase := rules.phase(state)).owing or phase.outcome or phase.awaiting):
        state = play.take(rules, state, {}, dice).state
    return rules.foresee(state, Seat(row.name))
