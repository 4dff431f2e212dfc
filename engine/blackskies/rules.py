"""Black Skies as one value of the form that all systems share."""

from engine.blackskies import (
    advice,
    bots,
    career,
    cautious,
    chart,
    conditions,
    film,
    legal,
    orders,
    presets,
    scenario,
    view,
)
from engine.blackskies.apply import apply
from engine.blackskies.book import BOOK
from engine.blackskies.events import AnyEvent, Event, Grazed, Hit
from engine.blackskies.german import GERMAN
from engine.blackskies.lead import lead
from engine.blackskies.model import Battle, Order, seats, to_order, unordered
from engine.blackskies.resolve import resolve
from engine.blackskies.setup import setup
from engine.blackskies.story import story
from engine.blackskies.tables import CREDITS
from engine.blackskies.workshop import WORKSHOP
from engine.codec import Tagged, change
from engine.ruleset import Ruleset
from engine.seats import Audience, Seat


def _side(battle: Battle, seat: Seat) -> str:
    return next(battle.sides[e.side].name for e in battle.elements.values() if e.seat == seat)


def _to_act(battle: Battle) -> tuple[Seat, ...]:
    owing = {battle.elements[name].seat for name in to_order(battle)}
    return tuple(seat for seat in seats(battle) if seat in owing)


def _owing(battle: Battle, seat: Seat) -> tuple[str, ...]:
    return tuple(unordered(battle, seat))


def _foresee(battle: Battle, seat: Seat) -> Battle:
    """Return the battle as if a seat had not filed its orders yet."""
    elements = battle.elements
    others = {n: order for n, order in battle.pending.items() if elements[n].seat != seat}
    return battle if len(others) == len(battle.pending) else change(battle, pending=others)


def _audience(event: Tagged) -> Audience:
    assert isinstance(event, Event)
    return event.audience


def _struck(event: object) -> Seat | None:
    return event.seat if isinstance(event, Grazed | Hit) else None


BLACKSKIES: Ruleset[Battle, Order] = Ruleset(
    key="blackskies",
    title="Black Skies",
    version=1,
    credits=CREDITS,
    state=Battle,
    event=AnyEvent,
    setup=setup,
    seats=seats,
    side=_side,
    to_act=_to_act,
    foresee=_foresee,
    legal=legal.legal,
    refusal=legal.refusal,
    explain=legal.REASONS.__getitem__,
    chance=legal.chance,
    read=orders.read,
    parse=orders.parse,
    format=orders.format_order,
    condition=conditions.condition,
    holds=conditions.holds,
    cautious=cautious.cautious,
    bots=bots.BY_STRENGTH,
    preset=presets.preset,
    cost=bots.cost,
    struck=_struck,
    resolve=resolve,
    apply=apply,
    audience=_audience,
    view=view.view,
    outcome=view.outcome,
    scenario_state=scenario.scenario_state,
    scenario_order=scenario.scenario_order,
    barred=advice.barred,
    gist=advice.gist,
    simultaneous=True,
    piece=lambda order: order.element,
    owing=_owing,
    career=career.CAREER,
    workshop=WORKSHOP,
    book=BOOK,
    pictures=chart.pictures,
    translations={"de": GERMAN},
    film=film.film,
    story=story,
    lead=lead,
)
