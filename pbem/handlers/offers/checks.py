"""Who may fight whom: a player's open challenges, and the reasons against a battle."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from functools import partial
from itertools import chain, combinations, product
from re import Match

from engine import registry
from engine.campaign import Campaign, each_term
from engine.campaign import Persona as Piece
from engine.dice import SeededDice
from engine.errors import SetupError
from engine.i18n import Said, say
from pbem.games import live_battles, meetings, offers, persona_rules
from pbem.games.offers import OfferedBattle
from pbem.games.persona_rules import campaign_of, is_gone, is_over, piece_of
from pbem.handlers.names.own_pilots_and_places import own, refusing, which
from pbem.handlers.ports import Ports
from pbem.handlers.request import Refusal, Request, Taps, refuse_if
from pbem.people import personas
from pbem.storage import Persona, stored_games

_NAMED = 6
"""The most of their own pilots that a player is offered to choose from."""
TERM_WORDS = [live_battles.SECONDS] + [
    word for campaign in registry.campaigns().values() for word in campaign.terms
]
"""What a challenge may ask for in any system, such as RANGE."""
Teams = Sequence[Sequence[Persona]]
"""The pilots of each team, the challenger's first."""


def setup_of(teams: Teams, first: int, terms: str) -> dict[str, object]:
    """Return the set-up of a battle of some teams as their pilots are now.

    Raise Refusal for terms that the rules refuse.
    """
    setup = _between(teams, teams[first - 1][0].name if first else None)
    campaign = campaign_of(teams[0][0])
    for term in each_term(terms, TERM_WORDS) if terms else ():
        word, _, rest = term.partition(" ")
        if word == live_battles.SECONDS:
            continue  # of the room's clock, and not of the rules
        if word not in campaign.terms:
            raise Refusal(say("there are no {terms} in this game", terms=word.lower()))
        with refusing():
            setup = campaign.terms[word](setup, rest)
    return setup


def _between(teams: Teams, begins: str | None) -> dict[str, object]:
    """Return the set-up of a battle between teams, in which one may begin.

    Raise Refusal where none can be made.
    """
    pieces, campaign = [list(map(piece_of, team)) for team in teams], campaign_of(teams[0][0])
    try:
        if len(teams) == 2:
            return campaign.melee(pieces[0], pieces[1], begins)
        if campaign.free_for_all is None:
            raise SetupError("teams: no more than two")
        return campaign.free_for_all.setup(pieces)
    except SetupError as error:
        raise Refusal(_not_allowed(error)) from error


def terms_of(match: Match[str], language: str) -> str:
    """Return what a challenge asks for in words of its system, which may stand in a language."""
    terms = " ".join((match["terms"] or "").split())
    return " ".join(_term_of(one, language) for one in each_term(terms, TERM_WORDS))


def _term_of(written: str, language: str) -> str:
    word, _, rest = written.partition(" ")
    term = f"{word.upper()} {rest.lower()}".strip()
    for system, campaign in registry.campaigns().items():
        translations = registry.rules_of(system).translations
        if word.upper() in campaign.terms and language in translations:
            term = translations[language].english_terms(term)
    return term


def busy(ports: Ports, row: Persona, now: datetime) -> str | None:
    """Return why a pilot can't enter a battle now, or None."""
    return persona_rules.busy(ports.store, ports.settings.league, row, now)


def own_or_only(
    request: Request,
    name: str | None,
    example: str,
    barred: Callable[[Ports, Persona, datetime], str | None] = busy,
    order: Callable[[str], str] | None = None,
) -> Persona:
    """Return the player's pilot with a name, or without a name the only one that is not barred.

    A named pilot may be barred, and so may the only one that the player has. Raise Refusal where
    there is none, or more than one; `order` returns the order that a name completes.
    """
    if name is not None:
        return own(request, name)
    mine = [row for row in personas.of(request.ports.store, request.player.id) if not is_gone(row)]
    free = [row for row in mine if barred(request.ports, row, request.now) is None]
    fit = free or mine
    if len(fit) != 1:
        taps = [("", order(row.name)) for row in fit[:_NAMED]] if order else []
        raise which(request, example, taps)
    return fit[0]


def bar(
    ports: Ports,
    teams: Teams,
    now: datetime,
    busy: Callable[[Ports, Persona, datetime], str | None] = busy,
) -> str | None:
    """Return why teams can't fight each other now, or None; `busy` says what one of them does."""
    pairs = [pair for one, other in combinations(teams, 2) for pair in product(one, other)]
    # Lazily, and in this order: the rules may only compare personas of the same system.
    reasons = chain(
        (_bar_foes(*pair) for pair in pairs),
        (busy(ports, row, now) for team in teams for row in team),
    )
    return next(filter(None, reasons), None) or persona_rules.mismatch(teams)


def refuse_unfit(ports: Ports, teams: Teams, now: datetime) -> None:
    """Raise Refusal where teams can't fight each other now, with what the first can do instead."""
    why = bar(ports, teams, now) or objection(teams)
    if why is not None:
        [one, *_], *others = teams
        foe = others[0][0].name if len(teams) == 2 and len(others[0]) == 1 else ""
        against = partial(_against, foe)
        raise Refusal(why, _instead(ports, teams), in_place_of(ports, one, against))


def to_anybody(pilot: str) -> Said:
    """Return the challenge of a pilot to anybody."""
    return say("CHALLENGE ANYBODY WITH {pilot}", pilot=pilot)


def _against(foe: str, pilot: str) -> Said:
    """Return the challenge of a pilot to another, or to anybody."""
    if not foe:
        return to_anybody(pilot)
    return say("CHALLENGE {pilot} WITH {one}", pilot=foe, one=pilot)


def in_place_of(ports: Ports, row: Persona, order: Callable[[str], str]) -> Taps:
    """Return an order for each who may take the place of a pilot that will never fight again."""
    if row.is_guest or not is_over(row):
        return ()
    mine = [one for one in personas.of(ports.store, row.player_id) if not is_over(one)]
    fit = [one for one in mine if one.system == row.system]
    if not fit and mine:
        return ((say("how to enlist somebody"), say("HELP enlist")),)
    return [("", order(one.name)) for one in fit[:_NAMED]]


def _instead(ports: Ports, teams: Teams) -> str:
    """Return what a player can do where one of some teams is in battle or gone, or ""."""
    [one, *_], *others = teams
    if own := meanwhile(ports, one):
        return own
    if is_over(one):
        return ""
    rows = [row for team in others for row in team]
    if any(stored_games.is_fighting(ports.store, row.id) or is_over(row) for row in rows):
        return say(
            "STATUS lists who is free, and CHALLENGE ANYBODY WITH {pilot} asks all of them",
            pilot=one.name,
        )
    return ""


def meanwhile(ports: Ports, row: Persona) -> str:
    """Return what the player of a pilot that is in battle can do, "" where it is in none."""
    if not stored_games.is_fighting(ports.store, row.id):
        return ""
    return say(
        "PRACTICE WITH {pilot} is possible meanwhile, and so is a battle for another of yours",
        pilot=row.name,
    )


def objection(teams: Teams) -> Said | None:
    """Return why the rules refuse the set-up of a battle between teams, or None."""
    return refused(teams[0][0].system, _between(teams, None))


def trial(system: str, campaign: Campaign, piece: Piece) -> dict[str, object]:
    """Return the set-up of a duel in which a persona is tried; raise Refusal where the rules do."""
    # With fixed dice, so that a replay tries the same duel.
    partner = campaign.sparring(piece, SeededDice(b"house", "trial", 0, piece.name.encode()))
    setup = campaign.melee((piece,), (partner,), None)
    refuse_if(refused(system, setup))
    return setup


def refused(system: str, setup: Mapping[str, object]) -> Said | None:
    """Return why the rules refuse a set-up, or None."""
    try:
        registry.rules_of(system).setup(setup)
    except SetupError as error:
        return _not_allowed(error)
    return None


def _not_allowed(error: SetupError) -> Said:
    return say("the rules refuse this battle ({why})", why=str(error))


def _bar_foes(one: Persona, other: Persona) -> str | None:
    if one.player_id == other.player_id:
        return say("{one} and {other} belong to the same player", one=one.name, other=other.name)
    if one.system != other.system:
        return say("{one} and {other} belong to different games", one=one.name, other=other.name)
    return None


def is_friendly(
    ports: Ports,
    ones: Sequence[Persona],
    others: Sequence[Persona],
    now: datetime,
    more: int = 0,
) -> bool:
    """Return whether a battle that begins now is beyond the daily limit for the same two players.

    Such a battle is played, but does not count for careers. `more` is how many other battles may
    begin before it.
    """
    if ones[0].is_guest:
        return False
    # Two accounts of one person could otherwise farm points by many battles in an hour.
    most, league = ports.settings.limits.duels_a_day, ports.settings.league
    one, other = ({row.player_id for row in team} for team in (ones, others))
    # With 0 there is no limit.
    return 0 < most <= more + meetings.counted_today(ports.store, league, one, other, now)


def often(ports: Ports, offer: OfferedBattle, now: datetime) -> Said | str:
    """Return a warning that a challenge's battle may not count, or "".

    It may not where the same players meet too often on one day.
    """
    players = [{row.player_id for row in team} for team in (offer.ones, offer.others)]
    # Open challenges count too, because all of them may be accepted today.
    waiting = offers.open_of(ports.store, players[0])
    more = sum(_are_rivals(one, players) for one in waiting if one.number != offer.number)
    if not is_friendly(ports, offer.ones, offer.others, now, more):
        return ""
    return say(
        "Of the battles that the same two players begin against each other on a day, {most} count,"
        " and you have fought or arranged as many for today: what begins beyond them is friendly,"
        " and leaves nothing in careers",
        most=ports.settings.limits.duels_a_day,
    )


def _are_rivals(offer: OfferedBattle, players: Sequence[set[int]]) -> bool:
    """Return whether some of these players face each other in another open challenge too."""
    ones, others = ({row.player_id for row in team} for team in (offer.ones, offer.others))
    one, other = players
    return bool((ones & one and others & other) or (ones & other and others & one))
