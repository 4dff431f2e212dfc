"""What a letter says besides the plans of a round: what can't be done, and how it stands."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import TypeGuard

from engine.events import Event
from engine.i18n import Said, listed, say
from engine.letter_texts import Barred, Gist, Tally, by_reason, by_side, hits_of
from engine.ruleset import LegalOrder
from engine.seats import Seat
from engine.starfarer.events import Hit, Out, ShockChecked, WakingChecked, Wounded
from engine.starfarer.legal import REASONS, first_possible, hindrance, target_of
from engine.starfarer.model import Action, Battle, Order, Plan, active
from engine.starfarer.possible_orders import actions, chance_now, offers
from engine.starfarer.wounds import is_treatable


def legal(battle: Battle, seat: Seat) -> list[LegalOrder[Order]]:
    """Return the plans of one action that a seat may file for its characters without a plan."""
    return [
        LegalOrder(plan_of(one.character, one.action), one.chance)
        for one in offers(battle, seat)
        # A plan may be replaced, but is not offered again once there is one.
        if one.character not in battle.plans
    ]


def plan_of(name: str, action: Action) -> Plan:
    """Return the plan of a single action."""
    return Plan(name, (((action,),),))


def chance(battle: Battle, seat: Seat, plan: Order) -> int | None:
    """Return the chance of what a plan does first, None where no die decides it."""
    if not isinstance(plan, Plan):
        return None
    name = plan.character
    if name not in battle.sheets:
        return None
    action = first_possible(battle, plan)
    if hindrance(battle, name, action, (), ()) is not None:
        return None
    return chance_now(battle, name, action)


def doubt(battle: Battle, seat: Seat, plan: Order) -> str | None:
    """Return why an action of a plan would fail as things stand, or None.

    What a character does before changes how it stands, but no wound.
    """
    if not isinstance(plan, Plan) or plan.character not in battle.sheets:
        return None
    first = [hindrance(battle, plan.character, way, (), ()) for way in plan.entries[0][0]]
    if first[0] in _SURE and all(first):
        return REASONS[str(first[0])]
    for action in (choices[0] for entry in plan.entries for choices in entry if len(choices) == 1):
        if action.do == "treat":
            patient = str(target_of(battle, plan.character, action))
            sheet, body = battle.sheets[patient], battle.bodies[patient]
            if not is_treatable(sheet, body, str(action.area)):
                return REASONS["nothing to treat"]
    return None


_SURE = frozenset({"prone", "not prone", "disabled"})
"""What nobody else's actions change before a plan begins."""


def barred(battle: Battle, seat: Seat) -> list[Barred[Order]]:
    """Return what a seat's characters can't do now, by character and reason.

    What nobody would try is left out: to treat somebody unhurt, or to rise while standing.
    """
    if battle.over or battle.decided:
        return []
    found: list[Barred[Order]] = []
    for name in active(battle):
        if battle.sheets[name].seat == seat:
            found += by_reason(_hindered(battle, name), REASONS)
    return found


def _hindered(battle: Battle, name: str) -> Iterator[tuple[Order, str]]:
    for action in actions(battle, name):
        reason = hindrance(battle, name, action, (), ())
        # Nobody would try these, and they would make the longest part of a letter.
        if reason is not None and action.do != "treat" and reason != "not prone":
            yield plan_of(name, action), reason


def gist(battle: Battle, events: Sequence[Event], seat: Seat) -> Gist:
    """Return what some events did to either side, and how many each has left."""
    team = next(sheet.team for sheet in battle.sheets.values() if sheet.seat == seat)
    own = {name for name, sheet in battle.sheets.items() if sheet.team == team}
    others = battle.sheets.keys() - own
    told = by_side(_told(battle, events, own), _told(battle, events, others))
    news = listed(told) if told else say("nobody was hit") if events else ""
    return Gist(news, "" if battle.over else _stands(battle, seat))


def _stands(battle: Battle, seat: Seat) -> Said:
    """Return which round is open, and how many are active: one's own team against the others."""
    team = next(sheet.team for sheet in battle.sheets.values() if sheet.seat == seat)
    up = active(battle)
    own = sum(battle.sheets[name].team == team for name in up)
    return say(
        "round {round}, {own} against {foes}", round=battle.round, own=own, foes=len(up) - own
    )


def _told(battle: Battle, events: Sequence[Event], names: Collection[str]) -> list[Said]:
    """Return the most important of what happened to some people, the worst first."""
    fates = {fate: list[str]() for fate in _FATES}
    woken = {e.character for e in events if isinstance(e, WakingChecked) and e.wakes is None}
    for event in events:
        if _is_news(event) and event.character in names:
            fate = battle.bodies[event.character].fate
            # As it is now: who fell and woke in one report is awake.
            awake = "awake" if event.character in woken else "wounded"
            fates[awake if fate == "active" else fate].append(event.character)
    told = [words.of(fates[fate]) for fate, words in _FATES.items() if fates[fate]]
    return told or hits_of(sum(isinstance(e, Hit) and e.at in names for e in events))


def _is_news(event: Event) -> TypeGuard[Out | Wounded | ShockChecked | WakingChecked]:
    """Return whether an event changes how somebody is."""
    if isinstance(event, ShockChecked):
        return event.wakes is not None
    return isinstance(event, Out | Wounded) or (
        isinstance(event, WakingChecked) and event.wakes is None
    )


_FATES: Mapping[str, Tally] = {
    "dead": Tally("{names} dead", "{count} dead"),
    "unconscious": Tally("{names} unconscious", "{count} unconscious"),
    "surrendered": Tally("{names} surrendered", "{count} surrendered"),
    "left": Tally("{names} left", "{count} left"),
    "awake": Tally("{names} awake again", "{count} awake again"),
    "wounded": Tally("{names} wounded", "{count} wounded"),
}
