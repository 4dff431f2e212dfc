"""The rule book's tables: sides, ships, commands, ranges and damage."""

from typing import NamedTuple

CREDITS = (
    "StarPilot is Copyright (c) 1993, 1994 by Glenn E. Overby II, and (c) 1995 by "
    "Glenn E. Overby II and Ann Wilson. Persona sheet after David Dean. "
    "Its Terran Empire was created by Ann Wilson. "
    "The rules may be distributed freely, but never sold."
)

STATS = ("beams", "missiles", "maneuver", "speed", "shields", "electronics", "structure")
BEAMS, MISSILES, MANEUVER, SPEED, SHIELDS, ELECTRONICS, STRUCTURE = range(7)
# SP-4; Structure has no bit, as it is never upgraded (SP-33).
MARK_BITS = (32, 16, 8, 4, 2, 1, 0)
LIGHT, IMPROVED, HEAVY = "light", "improved", "heavy"

NEAR, FAR, EXTREME = 0, 1, 2
RANGES = ("near", "far", "extreme")


class Commander(NamedTuple):
    """Who leads the forces of a side (Appendix D)."""

    title: str
    name: str


class Side(NamedTuple):
    """One of the four powers: its names for ranks One to Five, its forces, and its worlds."""

    title: str
    ranks: tuple[str, str, str, str, str]
    forces: str
    commander: Commander
    worlds: int


SIDES = {
    "alliance": Side(
        "Cyfeillgar Alliance",
        ("Flight Sergeant", "Senior Sergeant", "Lieutenant", "Captain", "Force Commander"),
        "Alliance Patrol",
        Commander("Admiral-in-Chief", "James Y. April"),
        12,
    ),
    "cartel": Side(
        "Emboros Cartel",
        ("Officer", "Ensign", "Lieutenant", "Squadron Leader", "Wing Commander"),
        "Cartel Navy",
        Commander("Grand Admiral", "Marguerite L. K. Caladan"),
        6,
    ),
    "federation": Side(
        "Granica Federation",
        ("Star Lance", "Star Legate", "Star Centurion", "Star Major", "Star Commander"),
        "Federation Forces",
        Commander("Star Admiral", "M. I. Randall"),
        8,
    ),
    "league": Side(
        "Ithrott League",
        ("Merlin Pilot", "Hawk Pilot", "Falcon Leader", "Eagle Leader", "Gryphon Commander"),
        "League Spacefleet",
        Commander("Pegasus Admiral", "Laura Bryant Akers"),
        3,
    ),
}


class Honour(NamedTuple):
    """A decoration's name and its abbreviation (Appendix F)."""

    title: str
    code: str


BADGES = {
    "alliance": Honour("Warrior's Star", "WS"),
    "cartel": Honour("Khrimata Commendation", "KC"),
    "federation": Honour("Order of the Red Cross", "ORC"),
    "league": Honour("The Rainbow Bridge", "RB"),
}
MEDALS = {
    "alliance": Honour("Star of Valor", "SV"),
    "cartel": Honour("Circle of Fourteen", "C14"),
    "federation": Honour("Hero of Granica", "HG"),
    "league": Honour("Gold Starburst of Ithrott", "GSI"),
}
GRADES = {
    "cartel": (
        "prizes",
        (7, Honour("Cartel Master of Prizes", "CMP")),
        (20, Honour("Cartel Grand Master of Prizes", "CGMP")),
    ),
    "federation": (
        "hp_total",
        (100, Honour("Legion of Honour", "LoH")),
        (250, Honour("Knight of the Legion of Honour", "KLH")),
    ),
    "league": (
        "missions",
        (12, Honour("Bronze Starburst of Ithrott", "BSI")),
        (30, Honour("Silver Starburst of Ithrott", "SSI")),
    ),
}
"""What a side's achievement award counts (HP in tenths), and its two grades (SP-35)."""
ACE = Honour("Ace Medal", "AM")
ACE_SIDE, ACE_EVERY = "alliance", 5
MULTIPLES = ("", "Double ", "Triple ", "Quadruple ", "Quintuple ")


class Ship(NamedTuple):
    """A type of fighter: its side, class and unmarked stats in the order of STATS."""

    side: str
    weight: str
    stats: tuple[int, int, int, int, int, int, int]


def _ships() -> dict[str, Ship]:
    """Return the comprehensive ship table (Appendix C); Structure depends on the class."""
    structure = {LIGHT: 3, IMPROVED: 4, HEAVY: 5}
    return {
        name: Ship(side, weight, (b, m, v, s, h, e, structure[weight]))
        for side, weight, name, (b, m, v, s, h, e) in _SHIP_ROWS
    }


_SHIP_ROWS = (
    ("alliance", LIGHT, "Rus 133-A", (0, 3, 2, 3, 2, 3)),
    ("alliance", LIGHT, "Rus 133-B", (3, 0, 2, 3, 2, 3)),
    ("alliance", IMPROVED, "Lakota 174-A", (2, 3, 2, 4, 2, 4)),
    ("alliance", IMPROVED, "Lakota 174-B", (3, 2, 2, 4, 2, 4)),
    ("alliance", HEAVY, "Cymru 215-A", (3, 4, 3, 4, 2, 5)),
    ("alliance", HEAVY, "Cymru 215-B", (4, 3, 3, 4, 2, 5)),
    ("cartel", LIGHT, "Angela 313A", (0, 3, 3, 2, 2, 3)),
    ("cartel", LIGHT, "Angela 313B", (3, 0, 3, 2, 2, 3)),
    ("cartel", IMPROVED, "Brandy 417A", (2, 3, 4, 2, 2, 4)),
    ("cartel", IMPROVED, "Brandy 417B", (3, 2, 4, 2, 2, 4)),
    ("cartel", HEAVY, "Catherine 521A", (3, 4, 4, 3, 2, 5)),
    ("cartel", HEAVY, "Catherine 521B", (4, 3, 4, 3, 2, 5)),
    ("federation", LIGHT, "Clipus XIII-M", (0, 3, 2, 3, 3, 2)),
    ("federation", LIGHT, "Clipus XIII-B", (3, 0, 2, 3, 3, 2)),
    ("federation", IMPROVED, "Parma XVII-M", (2, 3, 2, 4, 3, 3)),
    ("federation", IMPROVED, "Parma XVII-B", (3, 2, 2, 4, 3, 3)),
    ("federation", HEAVY, "Scutum XXI-M", (3, 4, 3, 4, 3, 4)),
    ("federation", HEAVY, "Scutum XXI-B", (4, 3, 3, 4, 3, 4)),
    ("league", LIGHT, "Wright 1903L", (0, 3, 3, 2, 3, 2)),
    ("league", LIGHT, "Wright 1903S", (3, 0, 3, 2, 3, 2)),
    ("league", IMPROVED, "Gagarin 1961L", (2, 3, 4, 2, 3, 3)),
    ("league", IMPROVED, "Gagarin 1961S", (3, 2, 4, 2, 3, 3)),
    ("league", HEAVY, "Armstrong 1969L", (3, 4, 4, 3, 3, 4)),
    ("league", HEAVY, "Armstrong 1969S", (4, 3, 4, 3, 3, 4)),
)
SHIPS = _ships()

WEAPONS, PILOTING, SENSORS = "weapons", "piloting", "sensors"
APTITUDES = (WEAPONS, PILOTING, SENSORS)
# SP-5: in the order of STATS. Structure is last and has no skill.
STAT_APTITUDE = (WEAPONS, WEAPONS, PILOTING, PILOTING, SENSORS, SENSORS)

SKILL_STAT = {
    "FIRE": BEAMS,
    "LAUNCH": MISSILES,
    "DOGFIGHT": MANEUVER,
    "JINK": MANEUVER,
    "CLOSE": SPEED,
    "OPEN": SPEED,
    "PROTECT": SHIELDS,
    "ECM": ELECTRONICS,
    "SCAN": ELECTRONICS,
    "TARGET": ELECTRONICS,
}
"""The ten commands, each with the stat that its skill depends on."""

LEAVING = ("ESCAPE", "SURRENDER", "EJECT", "HOLD")
COMMANDS = (*SKILL_STAT, *LEAVING)
AT_ONE = frozenset({"DOGFIGHT", "TARGET", "FIRE", "LAUNCH"})
"""Commands that name one opponent."""
NAMING = AT_ONE | {"SURRENDER"}
"""The same, and the one that names a captor (SP-25)."""
SHOOTING = frozenset({"FIRE", "LAUNCH"})
STOPS = {"ECM": ("launch",), "JINK": ("fire",), "PROTECT": ("fire", "launch")}
"""The shots that each defence cancels (SP-21)."""
STOPS_LOCKS = frozenset({"ECM", "JINK"})

# SP-26; the last stat, Structure, has all rolls above 60.
DAMAGE_BOUNDS = (10, 20, 30, 40, 50, 60)
WOUND_ROLL = 90
# SP-18, in percent.
LOCK_BONUS = 30

# SP-26: Structure at this value, or any two stats, destroy the ship.
DESTROYED_AT = -1
HP_KILL = HP_CAPTURE = 10
HP_TEAMMATE = 4
HP_DRIVE_OFF = 7
HP_ESCAPE = 3
HP_LOSS = 2
HP_MAJOR = 10
"""Hero points in tenths (SP-28, SP-30, SP-31)."""

# SP-31.
MISSIONS_TO_RANK_TWO = 4
# SP-34.
LAST_RANK = 5
# SP-33.
MOST_APTITUDE = 18
MOST_SPENT = 5
POINTS_UPTO, UPGRADE_UPTO, PROMOTION_UPTO = 15, 26, 39
"""The reward table's upper ends; a result above them all is a new ship (SP-33)."""
NEXT_CLASS = {LIGHT: IMPROVED, IMPROVED: HEAVY}
# SP-36; each medal a pilot has asks for one more.
ENDORSERS = 2

# SP-28c.
QUIET_TURNS_A_PILOT = 100


def damaged_stat(roll: int) -> int:
    """Return the stat that a damage roll of 1 to 100 strikes (SP-26)."""
    # Ten numbers for each stat, and all the rest for Structure.
    return min((roll - 1) // 10, STRUCTURE)


def ejection_chance(rank: int) -> int:
    """Return the chance of an ejection in percent (SP-22, SP-27)."""
    return 25 + 15 * rank


def tenths(amount: int) -> str:
    """Return tenths of HP as decimal text: "1", "0.4" (SP-30)."""
    whole, tenth = divmod(amount, 10)
    return f"{whole}.{tenth}" if tenth else str(whole)
