"""StarPilot as one value of the form that all systems share."""

from collections.abc import Mapping, Sequence

from engine.errors import SetupError
from engine.events import Event, audience
from engine.letter_texts import Telling
from engine.ruleset import Bots, Conditions, Pictures, Ruleset, Scenario, Trials
from engine.seats import Seat
from engine.starpilot import (
    between_battles,
    bots,
    chart,
    doctrines,
    film_strip,
    gist,
    if_conditions,
    legal,
    letter_remarks,
    model,
    story_beats,
    view,
    written_orders,
)
from engine.starpilot.apply import apply
from engine.starpilot.effects import EFFECTS
from engine.starpilot.events import AnyEvent, Hit, Tried
from engine.starpilot.german import GERMAN
from engine.starpilot.model import Battle, Order
from engine.starpilot.resolve import resolve
from engine.starpilot.rule_pages import BOOK
from engine.starpilot.setup import setup
from engine.starpilot.tables import CREDITS
from engine.starpilot.winning_chance import lead


def _struck(event: object) -> Seat | None:
    # By hit and not by shot: a shot may land without any.
    return Seat(event.at) if isinstance(event, Hit) else None


def _succeeded(events: Sequence[Event]) -> bool:
    """Return whether the command of a step succeeded; it is what is rolled for first."""
    return next(event.success for event in events if isinstance(event, Tried))


def _scenario_order(battle: Battle, entry: object, index: int) -> tuple[Seat, Order]:
    """Return the seat and the order of a scenario's entry; raise SetupError that names
    the field."""
    where = f"orders[{index}]"
    if not isinstance(entry, Mapping):
        raise SetupError(f"{where}: an object is needed")
    # Only the kinds: an unknown pilot or command is refused when its time comes.
    for key in ("pilot", "command"):
        if not isinstance(entry.get(key), str):
            raise SetupError(f"{where}.{key}: a text is needed")
    at = entry.get("at")
    if at is not None and not isinstance(at, str):
        raise SetupError(f"{where}.at: a text is needed, or nothing")
    return Seat(entry["pilot"]), Order(entry["command"], at)


STARPILOT: Ruleset[Battle, Order] = Ruleset(
    key="starpilot",
    # The flagship is the first in every list.
    rank=1,
    title="StarPilot 3.1",
    # Every commitment covers it, so that rules can't change during a battle unseen (docs/dice.md).
    version=1,
    credits=CREDITS,
    state=Battle,
    event=AnyEvent,
    setup=setup,
    teams=model.teams,
    phase=model.phase,
    offers=legal.legal,
    refusal=legal.refusal,
    cautious=bots.cautious,
    leaving=frozenset(("EJECT", "ESCAPE", "SURRENDER")),
    read=written_orders.read,
    parse=written_orders.parse,
    format=written_orders.format_order,
    resolve=resolve,
    apply=apply,
    audience=audience,
    view=view.view,
    foresee=model.foresee,
    forced=legal.forced,
    scenario=Scenario(state=view.scenario_state, order=_scenario_order),
    conditions=Conditions(read=if_conditions.condition, holds=if_conditions.holds),
    campaign=between_battles.CAMPAIGN,
    bots=Bots(choose=bots.BY_STRENGTH, why=bots.why, cost=bots.cost),
    pictures=Pictures(draw=chart.pictures, film=film_strip.strip),
    telling=Telling(
        explain=legal.REASONS.__getitem__,
        chance=legal.chance,
        effects=EFFECTS,
        barred=letter_remarks.barred,
        vain=legal.vain,
        gist=gist.gist,
        alike=gist.alike,
        struck=_struck,
        story=story_beats.story,
        weight=story_beats.weight,
        stakes=story_beats.stakes,
        lead=lead,
    ),
    trials=Trials(succeeded=_succeeded),
    doctrines=doctrines.doctrine,
    translations={"de": GERMAN},
    book=BOOK,
)
