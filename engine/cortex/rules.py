"""Cortex as one value of the form that all systems share."""

from engine.codec import change
from engine.cortex import (
    advice,
    bots,
    campaign,
    chart,
    if_conditions,
    order_text,
    ready_made_orders,
    scenario,
    story,
    view,
)
from engine.cortex.apply import apply
from engine.cortex.attack_events import AnyEvent
from engine.cortex.effects import EFFECTS
from engine.cortex.events import Refused
from engine.cortex.legal import LASTING, REASONS
from engine.cortex.model import Battle, Filing, Orders
from engine.cortex.possible_orders import offers
from engine.cortex.queries import seat_of
from engine.cortex.report import report
from engine.cortex.resolve import refusal, resolve
from engine.cortex.rule_pages import BOOK
from engine.cortex.setup import setup
from engine.cortex.tables import CREDITS
from engine.cortex.vocabulary import GERMAN
from engine.events import audience
from engine.ruleset import Bots, Conditions, Pictures, Refusal, Ruleset, Scenario
from engine.seats import Seat
from engine.telling import Telling


def _teams(battle: Battle) -> dict[str, tuple[Seat, ...]]:
    found = dict[str, tuple[Seat, ...]]()
    for team in battle.teams:
        names = (*team.vessels, *team.spotters)
        seats = (seat for name in names if (seat := seat_of(battle, name)) is not None)
        found[team.name] = tuple(dict.fromkeys(seats))
    return found


def _foresee(battle: Battle, seat: Seat) -> Battle:
    """Return the battle as if a seat had not filed its orders yet."""
    others = {n: filed for n, filed in battle.orders.items() if seat_of(battle, n) != seat}
    return battle if len(others) == len(battle.orders) else change(battle, orders=others)


def _refused(event: object) -> Refusal | None:
    return Refusal(event.index, event.reason) if isinstance(event, Refused) else None


CORTEX: Ruleset[Battle, Filing] = Ruleset(
    key="cortex",
    rank=4,
    # A new system does not enter a running league with an upgrade (decision 0031).
    usual=False,
    title="Cortex",
    version=1,
    credits=CREDITS,
    state=Battle,
    event=AnyEvent,
    setup=setup,
    teams=_teams,
    phase=view.phase,
    offers=offers,
    refusal=refusal,
    cautious=bots.cautious,
    leaving=frozenset(("JUMP", "SURRENDER", "WITHDRAW")),
    read=order_text.read,
    parse=order_text.parse,
    format=order_text.format_order,
    resolve=resolve,
    apply=apply,
    audience=audience,
    view=view.view,
    foresee=_foresee,
    piece=lambda order: order.unit if isinstance(order, Orders) else "",
    gather=order_text.gather,
    optional=view.optional,
    keeps=lambda order: isinstance(order, Orders) and order.keep,
    scenario=Scenario(
        state=scenario.scenario_state,
        order=scenario.scenario_order,
        orders=scenario.scenario_orders,
        refused=_refused,
    ),
    conditions=Conditions(read=if_conditions.condition, holds=if_conditions.holds),
    campaign=campaign.CAMPAIGN,
    bots=Bots(choose=bots.BY_STRENGTH, cost=bots.cost),
    pictures=Pictures(draw=chart.pictures, film=chart.film),
    telling=Telling(
        explain=REASONS.__getitem__,
        lasting=LASTING,
        chance=advice.chance,
        effects=EFFECTS,
        barred=advice.barred,
        vain=advice.vain,
        doubt=advice.doubt,
        gist=advice.gist,
        struck=advice.struck,
        report=report,
        story=story.story,
        weight=story.weight,
        stakes=story.stakes,
        lead=story.lead,
    ),
    presets=ready_made_orders.preset,
    translations={"de": GERMAN},
    book=BOOK,
)
