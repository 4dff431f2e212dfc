"""How far a pilot has come, among all pilots of the league."""

from engine.campaign import Persona, Standing
from engine.starpilot.pilot import pilot_of

FIGURES = ("hp_total", "missions", "kills", "prizes", "medals", "wounds")


def standing(persona: Persona) -> Standing:
    """Return a pilot's standing: by HP ever earned, then rank, then the sum of kills and prizes."""
    pilot = pilot_of(persona)
    merit = pilot.hp_total, pilot.rank, pilot.kills + pilot.prizes
    return Standing(merit, {name: getattr(pilot, name) for name in FIGURES})
