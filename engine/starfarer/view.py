"""What one seat may know of a fight, who is to plan, and what a fight leaves behind."""

from collections.abc import Collection, Sequence
from typing import Literal

from engine.i18n import say
from engine.ruleset import Outcome, Phase, Question
from engine.seats import Seat, by_seat
from engine.starfarer.if_conditions import engaged
from engine.starfarer.model import (
    NONE,
    Battle,
    Circles,
    Options,
    Weapon,
    active,
    characters_of,
    everybody,
    hurt,
    prisoners,
    seats,
    to_plan,
)
from engine.starfarer.possible_orders import own
from engine.starfarer.tables import AREAS, LEVELS, MEDIUM, MORTAL, SHOCK, VITAL
from engine.starfarer.view_types import AreaView, BattleView, CharacterView, InjuryView, WeaponView
from engine.starfarer.wounds import penalty, shock_level, worst

Status = Literal["in play", "out for now", "out"]


def view(battle: Battle, seat: Seat | None) -> BattleView:
    """Return what a seat, or the public (None), may know: all but the plans of others (SF-6)."""
    mine = characters_of(battle, seat)
    team = None if not mine else battle.teams[battle.sheets[mine[0]].team]
    return {
        "me": seat if mine else None,
        "side": None if team is None else team.name,
        # One that is decided takes rulings, but no more plans (SF-40).
        "round": None if battle.over or battle.decided else battle.round,
        "over": battle.over,
        "winner": battle.winner,
        "quiet": battle.quiet,
        "options": [key for key in Options.__struct_fields__ if getattr(battle.options, key)],
        "field": battle.field,
        "teams": [
            {
                "name": one.name,
                "members": list(one.members),
                "active": sum(name in one.members for name in active(battle)),
            }
            for one in battle.teams
        ],
        "mates": []
        if team is None
        else sorted({battle.sheets[name].seat for name in team.members} - {seat}),
        "pilots": [_character(battle, name) for name in everybody(battle)],
        "mine": [own(battle, name) for name in mine],
        "to_order": [name for name in to_plan(battle) if name in mine],
        # Listed once the fight is over: healing is then the referee's to rule by hand (SF-40).
        "injuries": injuries(battle) if battle.over else [],
    }


def _character(battle: Battle, name: str) -> CharacterView:
    sheet, body = battle.sheets[name], battle.bodies[name]
    return {
        "name": name,
        "team": battle.teams[sheet.team].name,
        "seat": sheet.seat,
        "fate": body.fate,
        "at": body.at,
        "prone": body.prone,
        "ap": body.ap,
        "initiative": sheet.initiative,
        "shock": body.shock,
        "basic": sheet.basic_shock,
        "level": shock_level(sheet, body.shock),
        "lost": penalty(sheet, body, ()),
        "hurt": hurt_areas(body.wounds, body.bleeding, body.steadied),
        "mind": SHOCK in body.steadied,
        "dying": body.dying,
        "wakes": body.wakes,
        "evade": body.evade,
        "parry": body.parry,
        "aim": body.aim,
        # Only the active can have it as the `if` of a plan (SF-9).
        "engaged": body.fate == "active" and engaged(battle, name),
        "skills": dict(sheet.skills),
        "weapons": [_weapon(weapon) for weapon in sheet.weapons],
        "armour": [
            {"covers": [AREAS[area] for area in one.covers], "ratings": dict(one.ratings)}
            for one in sheet.armour
        ],
    }


def hurt_areas(
    wounds: Sequence[Circles],
    bleeding: Sequence[int] = NONE,
    steadied: Collection[str] = (),
) -> list[AreaView]:
    """Return the areas of a body that have a wound, or bleed."""
    return [
        {
            "area": AREAS[area],
            "circles": list(wounds[area]),
            "worst": level_name(area, level) if level else "",
            "bleeding": bleeding[area],
            "steadied": AREAS[area] in steadied,
        }
        for area in range(len(AREAS))
        if (level := worst(wounds[area])) or bleeding[area]
    ]


def _weapon(weapon: Weapon) -> WeaponView:
    return {
        "name": weapon.name,
        "melee": weapon.melee,
        "pr": weapon.pr,
        "dr": weapon.dr,
        "type": weapon.type,
        "range": weapon.range,
        "reach": weapon.reach,
        "hands": weapon.hands,
    }


def phase(battle: Battle) -> Phase:
    """Return who may plan, and who owes plans for whom (SF-6, SF-7); or how the fight ended."""
    if battle.over:
        return Phase((), {}, True, Outcome(battle.winner, battle.winner is None))
    if battle.decided:
        return Phase(tuple(seats(battle)), {}, True, awaiting=_aftermath(battle))
    everyone = seats(battle)
    return Phase(
        tuple(seat for seat in everyone if status(battle, seat) == "in play"),
        by_seat(to_plan(battle), lambda name: battle.sheets[name].seat, everyone),
        True,
    )


def _aftermath(battle: Battle) -> Question:
    """Return what the referee is asked once a fight is decided (SF-40)."""
    held, hurts = prisoners(battle), hurt(battle)
    text = say("the fight is decided; who of the survivors is healed")
    if held:
        text = say(
            "the fight is decided; what becomes of the prisoners ({names}), and who of the"
            " survivors is healed",
            names=held,
        )
    rulings = [*(f"FREE {name}" for name in held), *(f"HEAL {name}" for name in hurts)]
    return Question(text, ("DONE", *rulings))


def status(battle: Battle, seat: Seat) -> Status:
    """Return whether a seat has anybody who can act now, or may wake, or neither (SF-3)."""
    fates = {battle.bodies[n].fate for n, sheet in battle.sheets.items() if sheet.seat == seat}
    if "active" in fates:
        return "in play"
    return "out for now" if "unconscious" in fates else "out"


def injuries(battle: Battle) -> list[InjuryView]:
    """Return the survivors' wounds of Medium or worse, with the marks that tell `X` from `/`."""
    return [
        {
            "character": name,
            "area": AREAS[area],
            "level": level_name(area, level),
            "mark": circles[level - 1],
        }
        for name in everybody(battle)
        if battle.bodies[name].fate != "dead"
        for area, circles in enumerate(battle.bodies[name].wounds)
        # Lighter wounds are not listed: they need no ruling (SF-40).
        for level in range(MEDIUM, MORTAL + 1)
        if circles[level - 1]
    ]


def level_name(area: int, level: int) -> str:
    """Return what a wound level is called in an area (SF-22)."""
    return "Maimed" if level == MORTAL and area not in VITAL else LEVELS[level - 1]
