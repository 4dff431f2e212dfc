"""CHALLENGE Bob, Cleo AT a game: games without a campaign, which players begin by their names."""

from collections.abc import Sequence
from re import Match

from engine.i18n import all_of, say
from engine.orders.lines import clean
from engine.registry import RULESETS, matches
from pbem.games.challenges import SEATS, offer_of
from pbem.handlers import new_challenges, taken_names
from pbem.handlers.challenge_checks import objection, refuse_duplicate, repeated
from pbem.handlers.new_challenges import Asked, board_of
from pbem.handlers.request import Answer, Refusal, Request, refuse_if
from pbem.storage import Persona

SYSTEMS = [*matches()]
"""The systems that are played without a campaign."""

NAMES = {name.lower(): key for key in SYSTEMS for name in (key, RULESETS[key].title)}
"""How players name them."""


def challenge(request: Request, match: Match[str]) -> Answer:
    """Challenge other players by name to a game without a campaign."""
    system = _system(request, match)
    store, now = request.ports.store, request.now
    others = []
    for name in _listed(match["others"]):
        player = store.player_named(name)
        if player is None or not player.confirmed:
            hint = taken_names.meant(store, name) or say("GAMES lists who plays")
            raise Refusal(say("no player is called {name}", name=name), hint)
        others.append(store.guest(player, system, now))
    # Guests: a game without a campaign leaves nothing in a career (decision 0033).
    wanted = Asked(channel=board_of(request, match))
    return offer(request, store.guest(request.player, system, now), others, wanted)


def offer(request: Request, one: Persona, others: Sequence[Persona], asked: Asked) -> Answer:
    """Offer a game between guests, and notify everybody who must accept it."""
    store, system = request.ports.store, one.system
    _check(one, others)
    refuse_if(objection([[one], others]))
    rows = {row.id for row in (one, *others)}
    refuse_duplicate(store, one, lambda known: {row.id for row in known.pilots} == rows)
    made = new_challenges.to_named(request, [[one], others], asked)
    # A game of two needs no summons: the other player's ACCEPT begins it.
    if len(others) > 1:
        for row in (one, *others):
            team, accepted = ("one", True) if row is one else ("other", False)
            store.summons.add(challenge=made.id, persona=row.id, team=team, accepted=accepted)
    found = offer_of(store, made)
    for row in others:
        new_challenges.notify(
            request,
            "match",
            found,
            store.players.get(row.player_id),
            by=request.player.name,
            title=RULESETS[system].title,
            names=[row.name for row in found.pilots],
        )
    text = say(
        "challenge {number} is on its way to {others}",
        number=made.id,
        others=all_of([row.name for row in others]),
    )
    title = say("Challenge sent: {title}", title=RULESETS[system].title)
    return new_challenges.answer(request, text, made, title)


def call(request: Request, match: Match[str]) -> Answer:
    """Make an open challenge, whose seats the first who accept it take."""
    system, store = _system(request, match), request.ports.store
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
    one = store.guest(request.player, system, request.now)
    refuse_duplicate(store, one, lambda known: known.to_anybody and known.ones[0] == one)
    # Kept with the terms, though the rules do not get to see it (`challenge_checks.setup_of`).
    wanted = Asked(terms=f"{SEATS} {seats}", channel=board_of(request, match))
    made = new_challenges.to_anybody(request, one, wanted)
    text = say(
        "challenge {number} is open to anybody, with {seats} seats; GAMES lists it,"
        " and ACCEPT {number} takes a seat",
        number=made.id,
        seats=seats,
    )
    title = say("Open challenge: {pilot}", pilot=RULESETS[system].title)
    return new_challenges.answer(request, text, made, title)


def _system(request: Request, match: Match[str]) -> str:
    """Return the system that an order names; raise Refusal where the league does not play it."""
    system = NAMES[clean(match["system"]).lower()]
    if system not in request.ports.settings.league.systems:
        raise Refusal(say("{title} is not played here", title=RULESETS[system].title))
    return system


def _listed(written: str) -> list[str]:
    """Return the names in `Bob, Cleo and Dan`."""
    *some, last = (part.strip() for part in written.split(","))
    return [name for name in (*some, *last.replace(" AND ", " and ").split(" and ")) if name]


def _check(one: Persona, others: Sequence[Persona]) -> None:
    """Raise Refusal where somebody is named twice, or too many or too few are."""
    match, title = matches()[one.system], RULESETS[one.system].title
    rows = (one, *others)
    twice = repeated(rows)
    if twice is not None:
        raise Refusal(
            say("{player} is in it already; name each other player once", player=twice.name)
        )
    if not match.fewest <= len(rows) <= match.most:
        raise Refusal(
            say(
                "{title} is for {fewest} to {most} players, and you name {count}",
                title=title,
                fewest=match.fewest,
                most=match.most,
                count=len(rows),
            )
        )
