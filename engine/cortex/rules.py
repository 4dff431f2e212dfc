"""Cortex as one value of the form that all systems share."""

from engine.codec import change
from engine.cortex import (
    between_battles,
    bots,
    chart,
    doctrines,
    if_conditions,
    letter_remarks,
    replay_format,
    story_beats,
    view,
    written_orders,
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
from engine.letter_texts import Telling
from engine.ruleset import Bots, Conditions, Pictures, RefusedOrder, Ruleset, Scenario
from engine.seats import Seat


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


def _refused(event: object) -> RefusedOrder | None:
    return RefusedOrder(event.index, event.reason) if isinstance(event, Refused) else None


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
    read=written_orders.read,
    parse=written_orders.parse,
    format=written_orders.format_order,
    resolve=resolve,
    apply=apply,
    audience=audience,
    view=view.view,
    foresee=_foresee,
    piece=lambda order: order.unit if isinstance(order, Orders) else "",
    gather=written_orders.gather,
    optional=view.optional,
    keeps=lambda order: isinstance(order, Orders) and order.keep,
    scenario=Scenario(
        state=replay_format.scenario_state,
        order=replay_format.scenario_order,
        orders=replay_format.scenario_orders,
        refused=_refused,
    ),
    conditions=Conditions(read=if_conditions.condition, holds=if_conditions.holds),
    campaign=between_battles.CAMPAIGN,
    bots=Bots(choose=bots.BY_STRENGTH, why=bots.why, cost=bots.cost),
    pictures=Pictures(draw=chart.pictures, film=chart.film),
    telling=Telling(
        explain=REASONS.__getitem__,
        lasting=LASTING,
        chance=letter_remarks.chance,
        effects=EFFECTS,
        barred=letter_remarks.barred,
        vain=letter_remarks.vain,
        doubt=letter_remarks.doubt,
        gist=letter_remarks.gist,
        struck=letter_remarks.struck,
        report=report,
        story=story_beats.story,
        weight=story_beats.weight,
        stakes=story_beats.stakes,
        lead=story_beats.lead,
    ),
    doctrines=doctrines.doctrine,
    translations={"de": GERMAN},
    book=BOOK,
)
