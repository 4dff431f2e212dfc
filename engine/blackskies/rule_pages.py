"""What RULES and SHIPS print of Black Skies: every figure comes from the tables that are played."""

from collections.abc import Sequence
from typing import Any

from engine.blackskies import tables
from engine.blackskies.between_battles import MOST_SQUADRONS
from engine.blackskies.blueprints import BLUEPRINTS
from engine.blackskies.grammar import TITLES
from engine.blackskies.persona_record import WINS_TO_RETIRE
from engine.blackskies.tables import MANOEUVRES, MOST_SKILL, PILOT_DIE, WEIGHTS
from engine.i18n import say
from engine.letter_texts import View
from engine.ruleset import Book

TOPICS = {
    "turn": say("secret orders, the deck"),
    "flying": say("speed, checks, failures"),
    "cards": say("each card: check, cost, halves"),
    "backwards": say("flying tail first"),
    "fighters": say("weights, armour, shields"),
    "firing": say("ranges, numbers needed, damage"),
    "asteroids": say("what they do to fighters"),
    "ending": say("leaving, points, the winner"),
    "squadrons": say("between battles"),
}

_SIDES = ("LEFT", "RIGHT")
_CARDS = {card.difficulty for card in MANOEUVRES.values() if card.difficulty}
_DIFFICULTIES = sorted(_CARDS | {2 * difficulty for difficulty in _CARDS})
"""Those of the cards, and twice those for a fighter that is crippled."""


def _cards() -> list[View]:
    """Return each manoeuvre (BS-16); of two that mirror each other, the one to the left."""
    return [
        {
            "title": TITLES[key],
            "number": card.card,
            "thruster": card.thruster,
            "difficulty": card.difficulty,
            "penalty": card.penalty,
            "halves": tuple(60 * leg for leg in card.legs),
            "turn": 60 * card.turn,
        }
        for key, card in MANOEUVRES.items()
        if _SIDES[1] not in TITLES[key]
    ]


def _need(difficulty: int, skill: int) -> int | None:
    """Return what the die must show at least (BS-13); 0 for no roll, None for no chance."""
    least = difficulty - skill
    return 0 if least <= 1 else least if least <= PILOT_DIE else None


def _figures() -> View:
    skills = range(1, MOST_SKILL + 1)
    speeds = tables.SPEED_MODIFIERS
    return {
        "speed": tables.MOST_SPEED,
        "skill": MOST_SKILL,
        "weights": [
            {
                "weight": name,
                **weight._asdict(),
                "burst": tables.burst(weight.acceleration),
                "crippled": weight.hull // 2,
            }
            for name, weight in WEIGHTS.items()
        ],
        "shields": tables.MOST_SHIELDS,
        "cards": _cards(),
        "checks": [(d, [_need(d, skill) for skill in skills]) for d in _DIFFICULTIES],
        "skills": list(skills),
        "numbers": tables.TARGET_NUMBERS,
        "die": tables.FIRE_DIE,
        "speeds": [
            (speeds.index(one), tables.MOST_SPEED - speeds[::-1].index(one), one)
            for one in dict.fromkeys(speeds)
            if one
        ],
        "dice": tables.DAMAGE_DICE,
        "asteroid": (tables.ASTEROID_DIFFICULTY, tables.ASTEROID_DIE),
        "near": tables.NEAR,
        "apart": tables.APART,
        "turns": tables.TURNS,
        "elements": tables.MOST_ELEMENTS,
        "squadrons": MOST_SQUADRONS,
        "wins": WINS_TO_RETIRE,
    }


def _ships(words: Sequence[str], stock: Any) -> View:
    """Return what everybody may fly, of the weights that are named, with all weapons."""
    view = BLUEPRINTS.view(stock)
    designs = [one for one in view["designs"] if not words or one["weight"] in words]
    return {"designs": designs, "weapons": view["weapons"]}


BOOK = Book(topics=TOPICS, tables=_figures(), classes=tuple(WEIGHTS), ships=_ships)
