"""The rule book's tables: weights, cards and fire, and the limits that this program adds."""

from typing import NamedTuple

from engine.i18n import say

CREDITS = say(
    "Black Skies, generic star fighter combat rules, is a table game. Its text names no author; "
    "thanks go to them and to the war-gaming club that helped. Its section on retrograde motion "
    "is lost, and reconstructed here."
)


class Weight(NamedTuple):
    """What a fighter has by its weight, and the most armour it may carry (BS-4, BS-5)."""

    hardpoints: int
    hull: int
    acceleration: int
    armour: int


# BS-4 and BS-5.
WEIGHTS = {
    "light": Weight(2, 4, 4, 1),
    "medium": Weight(3, 6, 3, 2),
    "heavy": Weight(4, 8, 2, 2),
}
THRUSTERS = ("rear", "side", "forward")
MOST_SHIELDS = 2

MOST_SPEED = 12
MOST_SKILL = 4
MOST_ELEMENTS = 8
MOST_TURNS = 100
# The limits of set-ups, from the scenario section of the rules, and BS-25.
TURNS = 20
MOST_COORDINATE = 999
MOST_RADIUS = 12
MOST_ROF = 6
MOST_RANGE = 99
WEAPON_DICE = (4, 6, 8, 10, 12)
APART = 6
"""The most inches between lead and wingman at the start (BS-7)."""
NEAR = 24
"""Nobody withdraws with an enemy within so many inches (BS-24)."""

CARDS = range(1, 13)
STRAIGHT, AFTERBURNER, BOOTLEGGER = 1, 4, 10
# BS-17.
IN_RETROGRADE = frozenset({STRAIGHT, BOOTLEGGER})


class Manoeuvre(NamedTuple):
    """A card with its option: legs relative to the course, turn of the heading; + is left."""

    card: int
    option: str | None
    thruster: str | None
    difficulty: int
    penalty: int
    legs: tuple[int, int]
    turn: int

    def mirrored(self, card: int, option: str | None) -> "Manoeuvre":
        """Return the same manoeuvre to the other side."""
        one, other = self.legs
        return self._replace(card=card, option=option, legs=(-one, -other), turn=-self.turn)


_WRITTEN = (
    Manoeuvre(1, "steady", None, 0, 0, (0, 0), 0),
    Manoeuvre(1, "accelerate", None, 1, 0, (0, 0), 0),
    Manoeuvre(1, "decelerate", None, 1, 0, (0, 0), 0),
    Manoeuvre(2, "break", None, 2, 2, (1, 1), 1),
    Manoeuvre(2, "smooth", None, 1, 0, (0, 1), 1),
    Manoeuvre(2, "late", None, 2, 1, (0, 0), 1),
    Manoeuvre(4, None, "rear", 2, 0, (0, 0), 0),
    Manoeuvre(5, None, "rear", 3, 2, (0, 1), 2),
    Manoeuvre(7, "left-first", "side", 3, 0, (1, -1), 0),
    Manoeuvre(8, None, "side", 2, 0, (1, 1), 0),
    Manoeuvre(10, None, "forward", 2, 2, (0, 0), 3),
    Manoeuvre(11, None, "forward", 3, 4, (1, 2), 3),
)
# Only the left half of the table is written: the right half is the same mirrored.
_LEFT = frozenset({2, 5, 8, 11})
_MIRRORED = tuple(m.mirrored(m.card + 1, m.option) for m in _WRITTEN if m.card in _LEFT)
_RIGHT_FIRST = tuple(m.mirrored(7, "right-first") for m in _WRITTEN if m.card == 7)

MANOEUVRES = {
    (m.card, m.option): m
    for m in sorted((*_WRITTEN, *_MIRRORED, *_RIGHT_FIRST), key=lambda m: m.card)
}
"""Every card with its options."""

NEEDS = {m.card: m.thruster for m in MANOEUVRES.values()}
"""The thruster that each card needs, or None."""

STEADY = MANOEUVRES[1, "steady"]
# Cards come in threes: straight, left, right. So the place in the three is the direction.
_SMOOTH = (STEADY, MANOEUVRES[2, "smooth"], MANOEUVRES[3, "smooth"])
INSTEAD = {card: _SMOOTH[(card - 1) % 3] for card in CARDS}
"""What an element flies whose lead fails (BS-15)."""

# BS-18; by range band.
TARGET_NUMBERS = (4, 7, 10)
FIRE_DIE = 12
PILOT_DIE = 6
# BS-23.
ASTEROID_DIFFICULTY = 3
ASTEROID_DIE = 6
# Longer than the dice of weapons: shields go down to d3 and d2, which no weapon has.
DAMAGE_DICE = (12, 10, 8, 6, 4, 3, 2)
"""Each level of shields takes a damage die one step down this chain (BS-21)."""

SPEED_MODIFIERS = (4, 2, 2, 2, 0, 0, 0, 0, 0, 0, -2, -2, -2)
"""What a target's speed adds to the roll (BS-18)."""


def shielded(die: int, shields: int) -> int:
    """Return the damage die that is rolled against shields (BS-21)."""
    # No lower than d2, whatever the shields (BS-21).
    return DAMAGE_DICE[min(DAMAGE_DICE.index(die) + shields, len(DAMAGE_DICE) - 1)]


def burst(acceleration: int) -> int:
    """Return what the afterburner adds to the speed (BS-16)."""
    # 150 % of the acceleration, rounded down.
    return acceleration * 3 // 2
