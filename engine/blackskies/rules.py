"""Black Skies as one value of the form that all systems share."""

from engine.blackskies import (
    between_battles,
    bots,
    chart,
    doctrines,
    film_strip,
    if_conditions,
    legal,
    letter_remarks,
    replay_format,
    story_beats,
    view,
    written_orders,
)
from engine.blackskies.apply import apply
from engine.blackskies.effects import EFFECTS
from engine.blackskies.events import AnyEvent, Grazed, Hit
from engine.blackskies.german import GERMAN
from engine.blackskies.model import Battle, Order
from engine.blackskies.report import report
from engine.blackskies.resolve import resolve
from engine.blackskies.rule_pages import BOOK
from engine.blackskies.setup import setup
from engine.blackskies.tables import CREDITS
from engine.codec import change
from engine.events import audience
from engine.letter_texts import Telling
from engine.ruleset import Bots, Conditions, Pictures, Ruleset, Scenario
from engine.seats import Seat


def _teams(battle: Battle) -> dict[str, tuple[Seat, ...]]:
    elements = battle.elements
    return {
        # A side may have several players, and a player several elements (BS-8).
        side.name: tuple(dict.fromkeys(elements[name].seat for name in side.elements))
        for side in battle.sides
    }


def _foresee(battle: Battle, seat: Seat) -> Battle:
    """Return the battle as if a seat had not filed its orders yet."""
    elements = battle.elements
    others = {n: order for n, order in battle.pending.items() if elements[n].seat != seat}
    return battle if len(others) == len(battle.pending) else change(battle, pending=others)


def _struck(event: object) -> Seat | None:
    return event.seat if isinstance(event, Grazed | Hit) else None


BLACKSKIES: Ruleset[Battle, Order] = Ruleset(
    key="blackskies",
    rank=2,
    title="Black Skies",
    version=1,
    credits=CREDITS,
    state=Battle,
    event=AnyEvent,
    setup=setup,
    teams=_teams,
    phase=view.phase,
    offers=legal.legal,
    refusal=legal.refusal,
    cautious=bots.cautious,
    leaving=frozenset(("SURRENDER", "WITHDRAW")),
    read=written_orders.read,
    parse=written_orders.parse,
    format=written_orders.format_order,
    resolve=resolve,
    apply=apply,
    audience=audience,
    view=view.view,
    foresee=_foresee,
    piece=lambda order: order.element,
    scenario=Scenario(state=replay_format.scenario_state, order=replay_format.scenario_order),
    conditions=Conditions(read=if_conditions.condition, holds=if_conditions.holds),
    campaign=between_battles.CAMPAIGN,
    bots=Bots(choose=bots.BY_STRENGTH, why=bots.why, cost=bots.cost),
    pictures=Pictures(draw=chart.pictures, film=film_strip.film),
    telling=Telling(
        explain=legal.REASONS.__getitem__,
        lasting=legal.LASTING,
        chance=legal.chance,
        effects=EFFECTS,
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
