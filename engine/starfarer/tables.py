"""Numbers of the rules, and the limits of a set-up."""

from engine.i18n import say

CREDITS = say(
    "Starfarer, personal combat, by Alan D. Kohler (Player's Guide 0.2OL, copyright 1998). What "
    "its text lacks, such as movement, aborting and treatment, is reconstructed here."
)

DIE, CHECK = 10, 100
"""Initiative and waking roll d10; tasks and checks roll d100."""
ALWAYS_FAILS = 96
# SF-2, SF-5, SF-11 and SF-39.
PHASE = 10
MOST_ACTIONS = 4
QUIET_ROUNDS = 10

NEAREST = "nearest"
"""What a plan may name instead of somebody, so that nobody is called that."""

AREAS = ("head", "chest", "abdomen", "right arm", "left arm", "right leg", "left leg")
HEAD, CHEST, ABDOMEN, RIGHT_ARM, LEFT_ARM, RIGHT_LEG, LEFT_LEG = range(7)
SHOCK = "shock"
"""What a TREAT may name besides an area, and what `steadied` holds besides areas."""
VITAL = (HEAD, CHEST, ABDOMEN)
ARMS, LEGS = (RIGHT_ARM, LEFT_ARM), (RIGHT_LEG, LEFT_LEG)
HANDS = ("right", "left")

# By the ones digit of the roll that hit (SF-18).
LOCATIONS = (
    LEFT_LEG, HEAD, CHEST, CHEST, CHEST, ABDOMEN, ABDOMEN, RIGHT_ARM, LEFT_ARM, RIGHT_LEG,
)  # fmt: skip

LEVELS = ("Graze", "Light", "Medium", "Heavy", "Severe", "Mortal")
LIGHT, MEDIUM, HEAVY, SEVERE, MORTAL = range(2, 7)
"""Wound levels count from 1; the last is Mortal in vital areas and Maimed in limbs (SF-22)."""
# SF-23: so many circles by level; the worst levels have one each.
CIRCLES = (3, 2, 1, 1, 1, 1)

# SF-12: the last metre of Point Blank, Short, Medium and Long by range rating.
POINT_BLANK = (1, 2, 3, 4, 5, 6, 7, 8)
SHORT = (5, 10, 15, 20, 25, 30, 35, 40)
MEDIUM_RANGE = (10, 20, 45, 80, 125, 180, 250, 320)
LONG = (30, 100, 300, 1000, 3000, 10000, 30000, 100000)
RANGE_EASE = {
    "close": 5,
    "point blank": 7,
    "short": 6,
    "medium": 5,
    "long": 4,
    "extreme": 2,
}
EASE = 5
"""The Ease Factor of a melee attack and of all tasks and checks but the next two."""
SHOCK_EASE = 8
SURVIVAL_EASE = 8

DEADLY_SHOCK = 6
"""The shock level from which a character may die (SF-33)."""
FATAL_SHOCK = 12
"""More than so many times the basic shock is death at once (SF-34)."""
FURTHER_WOUND = 4
"""The LOF from which a failed shock check makes a wound worse (SF-31)."""

# The limits of a set-up, from the scenario section of the rules.
MOST_FIELD = 300_000
TEAMS = (2, 4)
MOST_CHARACTERS = 12
TRAITS = ("dexterity", "agility", "endurance", "willpower", "essence")
LIMITS = {
    **dict.fromkeys(TRAITS, (1, 20)),
    "skill": (0, 20),
    "initiative": (0, 30),
    "mass": (1, 60),
    "resilience": (0, 200),
    "stun": (1, 200),
    "basic_shock": (1, 200),
    "pr": (0, 200),
    "dr": (0, 200),
    "rating": (0, 200),
    "range": (1, 8),
    "reach": (1, 10),
    "modifier": (-3, 3),
    "hands": (1, 2),
}
