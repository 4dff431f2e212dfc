"""StarPilot as one value of the form that all systems share."""

from collections.abc import Mapping

from engine.codec import Tagged, change
from engine.errors import SetupError
from engine.i18n import say
from engine.ruleset import Bots, Conditions, Outcome, Phase, Pictures, Ruleset, Scenario
from engine.seats import REFEREE, Audience, Seat
from engine.starpilot import (
    advice,
    bots,
    campaign,
    cautious,
    chart,
    conditions,
    film,
    gist,
    legal,
    orders,
    presets,
    view,
)
from engine.starpilot.apply import apply
from engine.starpilot.book import BOOK
from engine.starpilot.events import AnyEvent, Event, Hit
from engine.starpilot.german import GERMAN
from engine.starpilot.lead import lead
from engine.starpilot.model import Battle, Order, to_move
from engine.starpilot.resolve import resolve
from engine.starpilot.setup import setup
from engine.starpilot.story import story
from engine.starpilot.tables import CREDITS
from engine.starpilot.trials import TRIALS
from engine.telling import Telling

_ITSELF = ("",)


def _teams(battle: Battle) -> dict[str, tuple[Seat, ...]]:
    return {team.name: team.pilots for team in battle.teams}


def _phase(battle: Battle) -> Phase:
    if battle.over:
        return Phase((), {}, outcome=Outcome(view.winner(battle), battle.drawn))
    # As `to_move`, in one pass: this is asked for after every step of every trial.
    may, owing = [], {}
    for team in battle.teams:
        for name in team.pilots:
            if battle.pilots[name].fate == "active":
                may.append(name)
                if team.name == battle.turn and name not in battle.acted:
                    owing[name] = _ITSELF
    return Phase(tuple(may), owing)


def _foresee(battle: Battle, seat: Seat) -> Battle:
    if battle.over or seat in to_move(battle):
        return battle
    # Nobody has acted there: a pilot that has acted would have no orders at all.
    return change(battle, turn=battle.pilots[seat].card.team, acted=frozenset())


def _parse(battle: Battle, seat: Seat, text: str) -> Order:
    return orders.parse_ruling(text) if seat == REFEREE else orders.parse(battle, seat, text)


def _audience(event: Tagged) -> Audience:
    assert isinstance(event, Event)
    return event.audience


def _struck(event: object) -> Seat | None:
    return Seat(event.at) if isinstance(event, Hit) else None


def _scenario_order(battle: Battle, entry: object, index: int) -> tuple[Seat, Order]:
    """Return the seat and the order of a scenario's entry; raise SetupError that names
    the field."""
    where = f"orders[{index}]"
    if not isinstance(entry, Mapping):
        raise SetupError(f"{where}: an object is needed")
    for key in ("pilot", "command"):
        if not isinstance(entry.get(key), str):
            raise SetupError(f"{where}.{key}: a text is needed")
    at = entry.get("at")
    if at is not None and not isinstance(at, str):
        raise SetupError(f"{where}.at: a text is needed, or nothing")
    return Seat(entry["pilot"]), Order(entry["command"], at)


STARPILOT: Ruleset[Battle, Order] = Ruleset(
    key="starpilot",
    rank=1,
    title="StarPilot 3.1",
    version=1,
    credits=CREDITS,
    state=Battle,
    event=AnyEvent,
    setup=setup,
    teams=_teams,
    phase=_phase,
    offers=legal.legal,
    refusal=legal.refusal,
    cautious=cautious.cautious,
    read=orders.read,
    parse=_parse,
    format=orders.format_order,
    resolve=resolve,
    apply=apply,
    audience=_audience,
    view=view.view,
    foresee=_foresee,
    scenario=Scenario(state=view.scenario_state, order=_scenario_order),
    conditions=Conditions(read=conditions.condition, holds=conditions.holds),
    campaign=campaign.CAMPAIGN,
    bots=Bots(choose=bots.BY_STRENGTH, cost=bots.cost),
    pictures=Pictures(draw=chart.pictures, film=film.strip),
    telling=Telling(
        explain=lambda reason: say(legal.REASONS[reason]),
        chance=legal.chance,
        gloss=advice.gloss,
        barred=advice.barred,
        vain=advice.vain,
        gist=gist.gist,
        alike=gist.alike,
        struck=_struck,
        story=story,
        lead=lead,
    ),
    trials=TRIALS,
    presets=presets.preset,
    translations={"de": GERMAN},
    book=BOOK,
)
