"""Starfarer as one value of the form that all systems share."""

from engine.codec import change
from engine.events import audience
from engine.letter_texts import Telling
from engine.ruleset import Bots, Conditions, Pictures, RefusedOrder, Ruleset, Scenario
from engine.seats import Seat
from engine.starfarer import (
    between_battles,
    bots,
    chart,
    doctrines,
    if_conditions,
    legal,
    letter_remarks,
    replay_format,
    story_beats,
    view,
    written_orders,
)
from engine.starfarer.apply import apply
from engine.starfarer.effects import EFFECTS
from engine.starfarer.events import AnyEvent, Hit, Refused
from engine.starfarer.model import Battle, Order, Plan
from engine.starfarer.report import report
from engine.starfarer.resolve import resolve
from engine.starfarer.rule_pages import BOOK
from engine.starfarer.setup import setup
from engine.starfarer.tables import CREDITS
from engine.starfarer.vocabulary import GERMAN


def _teams(battle: Battle) -> dict[str, tuple[Seat, ...]]:
    return {
        team.name: tuple(dict.fromkeys(battle.sheets[name].seat for name in team.members))
        for team in battle.teams
    }


def _foresee(battle: Battle, seat: Seat) -> Battle:
    """Return the fight as if a seat had not filed its plans yet."""
    others = {n: plan for n, plan in battle.plans.items() if battle.sheets[n].seat != seat}
    return battle if len(others) == len(battle.plans) else change(battle, plans=others)


def _struck(event: object) -> Seat | None:
    return event.seat if isinstance(event, Hit) and event.shock else None


def _refused(event: object) -> RefusedOrder | None:
    return RefusedOrder(event.index, event.reason) if isinstance(event, Refused) else None


STARFARER: Ruleset[Battle, Order] = Ruleset(
    key="starfarer",
    rank=3,
    # A new system does not enter a running league with an upgrade (decision 0031).
    usual=False,
    title="Starfarer",
    version=1,
    credits=CREDITS,
    state=Battle,
    event=AnyEvent,
    setup=setup,
    teams=_teams,
    phase=view.phase,
    offers=letter_remarks.legal,
    refusal=legal.refusal,
    cautious=bots.cautious,
    leaving=frozenset(("YIELD",)),
    read=written_orders.read,
    parse=written_orders.parse,
    format=written_orders.format_order,
    resolve=resolve,
    apply=apply,
    audience=audience,
    view=view.view,
    foresee=_foresee,
    piece=lambda order: order.character if isinstance(order, Plan) else "",
    gather=written_orders.gather,
    keeps=lambda order: isinstance(order, Plan) and order.keep,
    scenario=Scenario(
        state=replay_format.scenario_state, order=replay_format.scenario_order, refused=_refused
    ),
    conditions=Conditions(read=if_conditions.condition, holds=if_conditions.holds),
    campaign=between_battles.CAMPAIGN,
    bots=Bots(choose=bots.BY_STRENGTH, why=bots.why, cost=bots.cost),
    pictures=Pictures(draw=chart.pictures, film=chart.film),
    telling=Telling(
        explain=legal.REASONS.__getitem__,
        chance=letter_remarks.chance,
        effects=EFFECTS,
        doubt=letter_remarks.doubt,
        barred=letter_remarks.barred,
        gist=letter_remarks.gist,
        struck=_struck,
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
