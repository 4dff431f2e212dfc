"""The house's pilots as personas: partners for practice."""

from itertools import permutations

from engine.dice import Dice
from engine.ruleset import Persona
from engine.starpilot.pilot import Pilot, persona_of, pilot_of
from engine.starpilot.tables import SHIPS
from engine.words import fold

_NAMES = ("House Finch", "House Martin", "House Sparrow", "House Wren")


def sparring(persona: Persona, dice: Dice) -> Persona:
    """Give a house pilot to practise with, of another side and as strong as a persona.

    Its rank, Mark and class are the same, and so are its aptitudes, in another order.
    """
    pilot = pilot_of(persona)
    weight = SHIPS[pilot.ship].weight
    ships = [s for s, ship in SHIPS.items() if ship.weight == weight and ship.side != pilot.side]
    ship = ships[dice.roll(len(ships), "ship") - 1]
    orders = list(permutations((pilot.weapons, pilot.piloting, pilot.sensors)))
    weapons, piloting, sensors = orders[dice.roll(len(orders), "aptitudes") - 1]
    names = [name for name in _NAMES if fold(name) != fold(persona.name)]
    return persona_of(
        names[dice.roll(len(names), "name") - 1],
        Pilot(
            side=SHIPS[ship].side,
            mode=pilot.mode,
            weapons=weapons,
            piloting=piloting,
            sensors=sensors,
            ship=ship,
            mark=pilot.mark,
            rank=pilot.rank,
        ),
    )
