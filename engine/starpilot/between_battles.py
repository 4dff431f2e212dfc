"""A pilot between battles: its persona sheet, whom it may fight, and what battles change."""

from collections.abc import Sequence

from engine.campaign import Campaign, Change, Day, Entry, Honours, Persona, Rewards
from engine.codec import change
from engine.i18n import say
from engine.letter_texts import View
from engine.seats import Seat
from engine.starpilot.bot_personas import FLEETS, sparring, spend
from engine.starpilot.enlist import FORM, enlist
from engine.starpilot.hero_points import bid, choose, prospects, reward, still_owed, whole_ship
from engine.starpilot.model import Battle
from engine.starpilot.model import Pilot as Flown
from engine.starpilot.persona_record import (
    Pilot,
    decorations,
    has_won,
    is_gone,
    persona_of,
    pilot_of,
    settle,
    standing,
)
from engine.starpilot.tables import (
    APTITUDES,
    ENDORSERS,
    HP_DRIVE_OFF,
    HP_ESCAPE,
    HP_KILL,
    HP_LOSS,
    HP_MAJOR,
    MISSIONS_TO_RANK_TWO,
    SIDES,
    ejection_chance,
    tenths,
)
from engine.starpilot.view import ship_name

# SP-2.
MOST_EACH_MODE = 4


def sheet(persona: Persona) -> View:
    """Return the persona sheet of Appendix B as plain values for a template."""
    pilot = pilot_of(persona)
    aptitudes = {name: getattr(pilot, name) for name in APTITUDES}
    counts = {key: getattr(pilot, key) for key in ("missions", "kills", "prizes", "wounds")}
    side = SIDES[pilot.side]
    return {
        "name": persona.name,
        "side": pilot.side,
        "side_title": side.title,
        "forces": side.forces,
        "commander": side.commander._asdict(),
        "worlds": side.worlds,
        "mode": pilot.mode,
        "rank": pilot.rank,
        "rank_title": side.ranks[pilot.rank - 1],
        "ship": ship_name(pilot.ship, pilot.mark),
        "hp": tenths(pilot.hp),
        "hp_total": tenths(pilot.hp_total),
        "decorations": decorations(pilot),
        "owed": still_owed(pilot),
        "rewards": prospects(persona.name, pilot),
        "stakes": {
            "ejection": ejection_chance(pilot.rank),
            "kill": tenths(HP_KILL),
            "drive_off": tenths(HP_DRIVE_OFF),
            "escape": tenths(HP_ESCAPE),
            "loss": tenths(HP_LOSS),
        },
        "dead": pilot.dead,
        "resigned": pilot.resigned,
        "retired": has_won(pilot),
        "rows": whole_ship(pilot),
        **aptitudes,
        **counts,
    }


def points(persona: Persona) -> int:
    """Return the HP that a pilot has, in tenths."""
    return pilot_of(persona).hp


def bar(one: Persona, other: Persona) -> str | None:
    """Return why two pilots of different players may not fight, or None (SP-6)."""
    if one.side == other.side:
        return say(
            "{one} and {other} both fly for the {side}",
            one=one.name,
            other=other.name,
            side=say(one.side),
        )
    if pilot_of(one).mode != pilot_of(other).mode:
        return say(
            "{one} and {other} do not play in the same mode (BB or RTC)",
            one=one.name,
            other=other.name,
        )
    return None


def fights_live(persona: Persona) -> bool:
    """Return whether a pilot fights in a chat room alone (SP-37)."""
    return pilot_of(persona).mode == "RTC"


def crowded(others: Sequence[Persona], new: Persona) -> str | None:
    """Return why a player's active pilots leave no place for a new one, or None (SP-2)."""
    mode = pilot_of(new).mode
    same = [p for p in others if pilot_of(p).mode == mode and _is_active(pilot_of(p))]
    for other in same:
        if other.side == new.side:
            return say(
                "your pilot {other} already flies for the {side} in {mode} play",
                other=other.name,
                side=say(new.side),
                mode=mode,
            )
    if len(same) >= MOST_EACH_MODE:
        return say(
            "you have {most} active pilots in {mode} play already",
            most=MOST_EACH_MODE,
            mode=mode,
        )
    return None


def _is_active(pilot: Pilot) -> bool:
    """Return whether a pilot takes up one of its player's places (SP-2)."""
    return not is_gone(pilot) and not has_won(pilot)


def available(persona: Persona, day: Day) -> str | None:
    """Return why a pilot can't fight on a day, or None (SP-32, SP-34)."""
    pilot = pilot_of(persona)
    if pilot.dead:
        return say("{pilot} is dead", pilot=persona.name)
    if pilot.resigned:
        return say("{pilot} has resigned", pilot=persona.name)
    if has_won(pilot):
        return say("{pilot} has retired with honour", pilot=persona.name)
    # Days are texts that sort by date; "" is before all of them, for who was never held.
    if day <= pilot.held:
        return say("{pilot} is a prisoner, and is exchanged on the next day", pilot=persona.name)
    return None


def gone(persona: Persona) -> bool:
    """Return whether a pilot is dead or struck off."""
    return is_gone(pilot_of(persona))


def melee(
    ones: Sequence[Persona], others: Sequence[Persona], first: str | None
) -> dict[str, object]:
    """Return the set-up of a battle of two teams, each named after its first pilot (Appendix E).

    `first` may name the pilot whose team starts. A team's name is such as `Team Hawk`; in a duel it
    is the pilot's own.
    """
    prefix = "" if len(ones) == len(others) == 1 else "Team "
    teams = [
        {"name": prefix + team[0].name, "pilots": [_entrant(p) for p in team]}
        for team in (ones, others)
    ]
    return {"teams": teams} | ({"first": prefix + first} if first else {})


def _entrant(persona: Persona) -> dict[str, object]:
    pilot = pilot_of(persona)
    entry = {key: getattr(pilot, key) for key in ("side", "rank", "ship", "mark", *APTITUDES)}
    return {"name": persona.name, "hp": tenths(pilot.hp), **entry}


def left(persona: Persona, battle: Battle, seat: Seat, day: Day) -> Persona | None:
    """Return a pilot that lives and left a battle on a day, a prisoner if it surrendered (SP-32).

    None for one that is still in the battle, and for the dead, who do nothing more.
    """
    fate = battle.pilots[seat].fate
    if fate in ("active", "killed"):
        return None
    pilot = pilot_of(persona)
    return persona_of(persona.name, change(pilot, held=_held(pilot, fate, day)))


def back(persona: Persona, before: Persona) -> Persona:
    """Return a pilot for whom leaving a battle is taken back, by what it was before it left."""
    return persona_of(persona.name, change(pilot_of(persona), held=pilot_of(before).held))


def _held(pilot: Pilot, fate: str, day: Day) -> Day:
    """Return the day on which a pilot was last taken prisoner, after one more battle."""
    # Battles may be booked in another order than they were left in.
    return max(pilot.held, day) if fate == "surrendered" else pilot.held


def _has_mission(battle: Battle, flown: Flown) -> bool:
    """Return whether a FIRE or LAUNCH had succeeded before a pilot left (SP-28a, SP-31)."""
    return battle.fought and not flown.unfought


def after(persona: Persona, battle: Battle, seat: Seat, day: Day, out: Day) -> Change:
    """Return how a battle that ended on a day changes a pilot (SP-27 to SP-32, SP-35).

    It left the battle on the day `out`, and may have fought, spent HP or died elsewhere since.
    """
    pilot, flown = pilot_of(persona), battle.pilots[seat]
    mission = _has_mission(battle, flown)
    # It may have spent meanwhile what this battle costs; what isn't there can't be lost.
    lost = min(flown.hp_lost, pilot.hp)
    flew = change(
        pilot,
        hp=pilot.hp + flown.hp - lost,
        # The total only grows: what is lost comes out of the unspent HP (SP-30).
        hp_total=pilot.hp_total + flown.hp,
        missions=pilot.missions + mission,
        kills=pilot.kills + flown.kills,
        prizes=pilot.prizes + flown.prizes,
        # The badge is for a battle survived (SP-35).
        wounds=pilot.wounds + (flown.wounded and flown.fate != "killed"),
        dead=pilot.dead or flown.fate == "killed",
        # A prisoner until the day after (SP-32).
        held=_held(pilot, flown.fate, out),
        # Without a mission the battle frees no HP for spending: who ran from it gains nothing
        # (SP-33).
        fought=max(pilot.fought, day) if mission else pilot.fought,
    )
    return settle(persona.name, pilot, _promoted(flew), *_told(flown, mission, lost))


def _promoted(pilot: Pilot) -> Pilot:
    """Return the pilot, promoted if it is alive, of Rank One and has four missions (SP-31)."""
    due = pilot.rank == 1 and pilot.missions >= MISSIONS_TO_RANK_TWO and not is_gone(pilot)
    return change(pilot, rank=2) if due else pilot


def _told(flown: Flown, mission: bool, lost: int) -> list[Entry]:
    """Return the entries of a battle: what it brought and what it cost, in tenths of HP."""
    facts = {key: getattr(flown, key) for key in ("fate", "kills", "prizes")}
    fought = Entry("battle", "earned", flown.hp, facts=facts | {"mission": mission})
    return [fought, Entry("lost", "lost", -lost)] if lost else [fought]


def major(persona: Persona, battle: Battle, seat: Seat) -> Change:
    """Return the change of a pilot by a major battle: 1 HP, if there was any fighting before it
    left (SP-28a, SP-31)."""
    if not _has_mission(battle, battle.pilots[seat]):
        return Change(persona)
    pilot = pilot_of(persona)
    paid = change(pilot, hp=pilot.hp + HP_MAJOR, hp_total=pilot.hp_total + HP_MAJOR)
    return settle(persona.name, pilot, paid, Entry("major", "earned", HP_MAJOR))


def endorsers(persona: Persona) -> int:
    """Return how many must endorse a pilot's next heroism medal (SP-36)."""
    return ENDORSERS + pilot_of(persona).medals


def honour(persona: Persona) -> Change:
    """Return the change of a pilot that gets the heroism medal of its side (SP-36)."""
    pilot = pilot_of(persona)
    return settle(persona.name, pilot, change(pilot, medals=pilot.medals + 1))


def resign(persona: Persona) -> Change:
    """Return the change of a pilot that is struck off; it loses its unspent HP."""
    pilot = pilot_of(persona)
    return settle(persona.name, pilot, change(pilot, resigned=True))


CAMPAIGN = Campaign(
    enlist=enlist,
    sheet=sheet,
    standing=standing,
    bar=bar,
    crowded=crowded,
    melee=melee,
    available=available,
    gone=gone,
    after=after,
    left=left,
    back=back,
    resign=resign,
    sparring=sparring,
    rewards=Rewards(points=points, bid=bid, reward=reward, choose=choose, thrift=spend),
    honours=Honours(endorsers=endorsers, honour=honour, major=major),
    fleets=FLEETS,
    form=FORM,
    fights_live=fights_live,
    began=lambda persona: {"ship": sheet(persona)["ship"]},
)
